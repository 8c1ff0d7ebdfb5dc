// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/transcription.h"

#include <algorithm>
#include <cmath>

#include "runtime/abi/evaluate.h"
#include "runtime/nlp/engine_table.h"
#include "runtime/transcribe/collocation/bounds.h"
#include "runtime/transcribe/collocation/control_blocks.h"
#include "runtime/transcribe/collocation/delays.h"
#include "runtime/transcribe/collocation/guess.h"
#include "runtime/transcribe/collocation/linear_guess.h"
#include "runtime/transcribe/collocation/perturb_start.h"
#include "runtime/transcribe/collocation/scales.h"
#include "runtime/transcribe/collocation/terms.h"
#include "runtime/transcribe/integers.h"
#include "runtime/transcribe/mesh_choice.h"
#include "runtime/transcribe/point_slopes.h"

namespace bolza::transcribe {
namespace {

bool finite_bound(const bolza_variable* variables, std::size_t n) {
  return std::any_of(variables, variables + n,
                     [](const bolza_variable& v) { return std::isfinite(v.min) || std::isfinite(v.max); });
}

class TranscriptionBuilder {
 public:
  TranscriptionBuilder(bolza_problem& problem, const TranscribeOptions& options, const abi::Solution* guess,
                       abi::Finding& error)
      : problem_(problem),
        options_(options),
        guess_(guess),
        error_(error),
        result_(std::make_unique<Transcription>()) {}

  std::unique_ptr<Transcription> build() {
    if (!choose_scheme() || !compile_kernels()) return nullptr;
    Transcription& t = *result_;
    t.problem = &problem_;
    t.sign = problem_.maximize ? -1 : 1;
    parameters_ = guessed_parameters(problem_, guess_);
    for (std::size_t p = 0; p < problem_.n_parameters; ++p) t.plan.numbering.add(parameter_block(p));
    if (!classify_integrals() || !lay_out_phases() || !place_values()) return nullptr;
    number_point_rows();
    add_terms(t, rate_rows_);
    add_bounds(t);
    for (const DelayWindow& w : t.delay_windows) {
      t.nlp.lower[w.parameter] = w.lower;
      t.nlp.upper[w.parameter] = w.upper;
    }
    join_control_blocks(t, blocks_);
    compile_scatters(t.plan, t.main_terms, hessian_ == nlp::Hessian::exact,
                     hessian_ == nlp::Hessian::gauss_newton && problem_.least_squares);
    t.evaluator = std::make_unique<Evaluator>(problem_, t.plan, options_.threads);
    finish_nlp();
    set_start(t, guess_);
    abi::Solution lines;
    if (!guess_ && options_.lines_to_end && !problem_.is_static) {
      lines = linear_guess(t);
      guess_ = &lines;
      set_start(t, guess_);
    }
    set_scales(t, guess_);
    if (options_.perturbation > 0) perturb_start(t, options_.perturbation, options_.seed);
    return std::move(result_);
  }

 private:
  bool refuse(std::string text) {
    error_.text = std::move(text);
    return false;
  }

  bool choose_scheme() {
    const SchemeFamily* method = find_scheme(options_.transcription);
    if (!method) return refuse("there is no transcription `" + options_.transcription + "`");
    std::size_t points = options_.points == 0 ? method->default_points : options_.points;
    if (method->min_points == method->max_points) points = method->min_points;
    if (points < method->min_points || points > method->max_points)
      return refuse("`" + options_.transcription + "` takes " + std::to_string(method->min_points) + " to " +
                    std::to_string(method->max_points) + " points per interval, not " + std::to_string(points));
    result_->scheme = method->make(points);
    const std::vector<double>& f = options_.mesh_fractions;
    bool ascending = std::adjacent_find(f.begin(), f.end(), [](double a, double b) { return !(a < b); }) == f.end();
    if (!f.empty() && (f.size() < 2 || f.front() != 0 || f.back() != 1 || !ascending))
      return refuse("mesh fractions ascend from 0 to 1");
    if (f.empty() && options_.mesh == 0) return refuse("a mesh has at least one interval");
    return true;
  }

  bool compile_kernels() {
    bool exact = hessian_ == nlp::Hessian::exact;
    std::vector<bolza_function*> functions{problem_.point};
    for (std::size_t m = 0; m < problem_.n_models; ++m)
      for (bolza_function* f : {problem_.models[m]->rates, problem_.models[m]->residuals, problem_.models[m]->initial})
        functions.push_back(f);
    for (bolza_function* f : functions) {
      if (!f || f->n_rows == 0) continue;
      abi::ensure(problem_, *f, BOLZA_VALUE);
      if (!abi::ensure(problem_, *f, BOLZA_JACOBIAN))
        return refuse("there are no first derivatives of `" + std::string(f->name) + "`");
      if (exact && !abi::ensure(problem_, *f, BOLZA_HESSIAN))
        return refuse("there are no second derivatives of `" + std::string(f->name) + "`: take hessian=lbfgs");
    }
    if (hessian_ != nlp::Hessian::gauss_newton) return true;
    for (std::size_t m = 0; m < problem_.n_models; ++m)
      if (bolza_function* f = problem_.models[m]->integrand_residuals;
          f && f->n_rows > 0 && !abi::ensure(problem_, *f, BOLZA_JACOBIAN))
        return refuse("there are no derivatives of the integrand's residuals");
    bool asked = options_.nlp.hessian == hessian_;  // else the engine says what it lacks
    return problem_.least_squares || !asked || refuse("the objective is not a sum of squares: Gauss-Newton does not apply");
  }

  VariableBlock parameter_block(std::size_t p) const {
    bool is_time = false;
    for (std::size_t k = 0; k < problem_.n_phases; ++k)
      is_time = is_time || problem_.phases[k].parameter[0] == static_cast<std::int32_t>(p) ||
                problem_.phases[k].parameter[1] == static_cast<std::int32_t>(p);
    return {0,
            1,
            is_time ? nlp::VariableRole::time : nlp::VariableRole::parameter,
            QuantityKind::parameter,
            -1,
            static_cast<std::int32_t>(p),
            0,
            nlp::global};
  }

  /// An integral that only the objective uses, and linearly, goes into the objective as it is; any other becomes a running
  /// sum.
  bool classify_integrals() {
    Transcription& t = *result_;
    const bolza_function& f = *problem_.point;
    std::vector<double> slope = point_slopes(problem_, parameters_);
    std::vector<std::uint8_t> nonlinear(problem_.n_values, 0);
    std::vector<double> weight(problem_.n_values, 0);
    for (std::size_t e = 0; e < f.jac_nnz; ++e) {
      auto column = static_cast<std::size_t>(f.jac_col[e]);
      if (column >= problem_.n_values || problem_.values[column].quantity != BOLZA_INTEGRAL) continue;
      auto row = static_cast<std::size_t>(f.jac_row[e]);
      if (row > problem_.n_k) continue;  // residual rows are not part of the NLP
      if (row == 0 && f.jac_constant && f.jac_constant[e]) weight[column] = t.sign * slope[e];
      else nonlinear[column] = 1;
    }
    for (std::size_t p = 0; p < problem_.n_phases; ++p) {
      std::size_t n_q = problem_.models[problem_.phases[p].model]->n_q;
      t.integral_weight.emplace_back(n_q, 0);
      needs_.push_back({.accumulated = std::vector<std::uint8_t>(n_q, 0)});
    }
    for (std::size_t k = 0; k < problem_.n_values; ++k)
      if (problem_.values[k].quantity == BOLZA_INTEGRAL && nonlinear[k])
        needs_[static_cast<std::size_t>(problem_.values[k].place)]
            .accumulated[static_cast<std::size_t>(problem_.values[k].index)] = 1;
    for (std::size_t k = 0; k < problem_.n_values; ++k) {
      if (problem_.values[k].quantity != BOLZA_INTEGRAL) continue;
      auto phase = static_cast<std::size_t>(problem_.values[k].place),
           q = static_cast<std::size_t>(problem_.values[k].index);
      if (!needs_[phase].accumulated[q]) t.integral_weight[phase][q] += weight[k];
    }
    return true;
  }

  /// One control value per interval, in this phase.
  bool control_constant(std::size_t phase) const {
    return has_whole_controls(problem_) || has_control_grid(options_) ||
           control_is_constant(options_, problem_.phases[phase].name);
  }

  /// Where a solve goes on from a solution, sought delays are near those of it.
  void find_delay_windows() {
    if (!options_.nlp.warm_start || !guess_ || problem_.is_static) return;
    for (std::size_t p = 0; p < problem_.n_phases; ++p) {
      Horizon h = horizon_of(problem_, static_cast<std::int32_t>(p), parameters_);
      DelayReading delays = read_delays(problem_, p, h);
      double intervals = mesh_choice(options_, p, problem_.phases[p].name).intervals;
      if (delays.refusal.empty())
        add_delay_windows(problem_, p, delays, (h.tf - h.t0) / intervals, parameters_, result_->delay_windows);
    }
  }

  bool lay_out_phases() {
    Transcription& t = *result_;
    find_delay_windows();
    for (std::size_t p = 0; p < problem_.n_phases; ++p) {
      auto phase = static_cast<std::int32_t>(p);
      t.horizons.push_back(horizon_of(problem_, phase, parameters_));
      Horizon& h = t.horizons.back();
      MeshChoice choice = mesh_choice(options_, p, problem_.phases[p].name);
      if (!problem_.is_static)
        if (std::string why = objection_to_horizon(h, choice.intervals, problem_.phases[p].name); !why.empty())
          return refuse(why);
      DelayReading delays = read_delays(problem_, p, h);
      if (!delays.refusal.empty()) return refuse(delays.refusal);
      narrow_delays(problem_, p, t.delay_windows, delays);
      std::vector<AffineTime> breakpoints =
          problem_.is_static ? std::vector<AffineTime>() : breakpoints_of(problem_, phase, h, options_.meet_places);
      add_delay_breakpoints(delays, h, choice.intervals, breakpoints);
      std::vector<double> fractions(choice.fractions.begin(), choice.fractions.end());
      if (!delays.delays.empty()) fractions = shifted_fractions(delays, h, choice.intervals, fractions);
      Mesh mesh = make_mesh(problem_.is_static ? Horizon{} : h, choice.intervals, fractions, breakpoints);
      ControlGrids grids;
      if (!problem_.is_static)
        grids = control_grids(options_, *problem_.models[problem_.phases[p].model], h, breakpoints, mesh);
      find_needs(p, mesh, h);
      needs_[p].start = needs_[p].start || !delays.delays.empty();
      t.phases.push_back(lay_out(problem_, phase, t.scheme, std::move(mesh), control_constant(p), needs_[p],
                                 t.plan.numbering, t.plan.constants));
      add_delay_rows(t, p, delays);
      for (const nlp::Nlp::Equal& e : add_control_blocks(t, p, grids)) blocks_.push_back(e);
    }
    return true;
  }

  void find_needs(std::size_t p, const Mesh& mesh, const Horizon& horizon) {
    const bolza_model& model = *problem_.models[problem_.phases[p].model];
    bool polynomials = !control_constant(p);
    bool bounded = finite_bound(model.z, model.n_z) || (polynomials && finite_bound(model.u, model.n_u));
    Needs& needs = needs_[p];
    needs.start = needs.final = model.n_g > 0 || bounded;
    for (std::size_t k = 0; k < problem_.n_values; ++k) {
      const bolza_value_at& value = problem_.values[k];
      bool of_point = value.quantity == BOLZA_ALGEBRAIC || value.quantity == BOLZA_RATE ||
                      (value.quantity == BOLZA_CONTROL && polynomials);
      if (!of_point || problem_.places[value.place].phase != static_cast<std::int32_t>(p)) continue;
      Location at = locate(problem_, static_cast<std::size_t>(value.place), mesh, horizon);
      needs.start = needs.start || at.at_start;
      needs.final = needs.final || at.at_final;
    }
  }

  bool place_values() {
    Transcription& t = *result_;
    ValuePlacer placer{problem_, t.scheme, t.phases, t.horizons, t.plan.numbering, t.plan.constants, {}};
    for (std::size_t k = 0; k < problem_.n_values; ++k) {
      const bolza_value_at& value = problem_.values[k];
      if (value.quantity != BOLZA_INTEGRAL) {
        auto phase = static_cast<std::size_t>(problem_.places[value.place].phase);
        Location at = locate(problem_, static_cast<std::size_t>(value.place), t.phases[phase].mesh, t.horizons[phase]);
        if (at.outside) return refuse_outside(value, t.horizons[phase]);
      }
      std::size_t rows = t.plan.numbering.m;
      t.value_variable.push_back(placer.place(value));
      if (t.plan.numbering.m > rows) t.definitions.emplace_back(t.value_variable.back(), rows);
    }
    for (const PhaseLayout& phase : t.phases)
      for (const ExtraPoint& extra : phase.extra)
        for (std::size_t c = 0; c < extra.extrapolation.size(); ++c)
          t.definitions.emplace_back(extra.u[c], extra.extrapolation[c]);
    rate_rows_ = std::move(placer.rate_rows);
    return true;
  }
  bool refuse_outside(const bolza_value_at& value, const Horizon& horizon) {
    const bolza_place& place = problem_.places[value.place];
    error_.time = place.on_start * horizon.t0 + place.on_final * horizon.tf + place.offset;
    error_.bound = error_.time < horizon.t0 ? horizon.t0 : horizon.tf;
    return refuse("a value is asked for at a time outside the horizon");
  }

  void number_point_rows() {
    Transcription& t = *result_;
    t.first_point_row = t.plan.numbering.m;
    for (std::size_t k = 0; k < problem_.n_k; ++k)
      t.plan.numbering.add(RowBlock{0, 1, nlp::RowRole::point, -1, static_cast<std::int32_t>(k), 0, nlp::global});
  }

  void finish_nlp() {
    Transcription& t = *result_;
    t.nlp.jacobian = t.plan.jacobian;
    t.nlp.constant_entries = t.plan.constant_entries;
    t.nlp.hessian = t.plan.hessian;
    t.nlp.gauss_newton = t.plan.gauss_newton;
    t.nlp.functions = t.evaluator.get();
    std::erase_if(t.nlp.equal, [&](const nlp::Nlp::Equal& e) {  // a bound of its own needs the variable
      auto v = static_cast<std::size_t>(e.variable);
      return std::isfinite(t.nlp.lower[v]) || std::isfinite(t.nlp.upper[v]);
    });
    t.nlp.linear.assign(t.nlp.m(), 1);
    for (std::size_t k = t.nlp.constant_entries; k < t.nlp.jacobian.size(); ++k)
      t.nlp.linear[static_cast<std::size_t>(t.nlp.jacobian.row[k])] = 0;
    for (const RowBlock& block : t.plan.numbering.rows)
      if (has_constant_derivatives(t, block))
        std::fill_n(t.nlp.linear.begin() + static_cast<std::ptrdiff_t>(block.first), block.count, 1);
  }

  bolza_problem& problem_;
  const TranscribeOptions& options_;
  const nlp::Hessian hessian_ = nlp::hessian_for(options_.nlp);
  const abi::Solution* guess_;
  abi::Finding& error_;
  std::unique_ptr<Transcription> result_;
  std::vector<double> parameters_;
  std::vector<Needs> needs_;
  std::vector<RateRow> rate_rows_;
  std::vector<nlp::Nlp::Equal> blocks_;  ///< values of controls that are those of the interval before
};

}  // namespace

std::unique_ptr<Transcription> transcribe(bolza_problem& problem, const TranscribeOptions& options,
                                          const abi::Solution* guess, abi::Finding& error) {
  return TranscriptionBuilder(problem, options, guess, error).build();
}

}  // namespace bolza::transcribe
