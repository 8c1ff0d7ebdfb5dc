// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/guess.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <memory>
#include <span>

#include "runtime/transcribe/collocation/algebraic_guess.h"
#include "runtime/transcribe/collocation/bounds.h"
#include "runtime/transcribe/collocation/integral_guess.h"
#include "runtime/transcribe/mesh/interpolate.h"

namespace bolza::transcribe {
namespace {

/// One phase of a guess, or nothing.
class PhaseGuess {
 public:
  PhaseGuess(const abi::Solution* guess, std::size_t phase) {
    if (!guess || phase >= guess->phases.size() || guess->phases[phase].trajectories.time.empty()) return;
    phase_ = &guess->phases[phase];
    interpolation_ = std::make_unique<Interpolation>(*phase_);
  }
  /// All values at a fraction of the horizon; right of a jump at the left end of an interval.
  PhaseValues at(double fraction, Side side) const {
    if (!interpolation_) return {};
    const std::vector<double>& time = phase_->trajectories.time;
    double first = phase_->mesh.empty() ? time.front() : phase_->start_time,
           last = phase_->mesh.empty() ? time.back() : phase_->final_time;
    return interpolation_->at(first + fraction * (last - first), side);
  }
  explicit operator bool() const { return interpolation_ != nullptr; }

 private:
  const abi::PhaseSolution* phase_ = nullptr;
  std::unique_ptr<Interpolation> interpolation_;
};

const std::vector<double>& part(const PhaseValues& values, QuantityKind quantity) {
  return quantity == QuantityKind::state ? values.x : quantity == QuantityKind::algebraic ? values.z : values.u;
}

/// A value above `origin` to start from where none is given: between its bounds, in the middle of their logarithms where
/// both are there. At a bound the mesh would be next to nothing, a rate zero, and what depends on it out of reach.
double usual_value(const bolza_variable& v, double origin) {
  double least = std::max(v.min - origin, 0.0), most = v.max - origin;
  double length = std::max(1.0, 2 * least);
  if (std::isfinite(most)) length = least > 1e-3 * most ? std::sqrt(least * most) : std::min(length, 0.5 * most);
  return origin + std::min(std::max(length, least), most);
}

/// The same for a parameter that is not a time: between two bounds nothing but the bounds says where.
double usual_parameter(const bolza_variable& v) {
  constexpr double least_share = 1e-10, from_zero = 0.25;
  if (!std::isfinite(v.max)) return usual_value(v, 0);
  return v.min > 0 ? std::sqrt(std::max(v.min, least_share * v.max) * v.max) : from_zero * v.max;
}

std::size_t end_parameter(const bolza_problem& problem, std::size_t phase, std::size_t which) {
  return static_cast<std::size_t>(problem.phases[phase].parameter[which]);
}

/// The phase that starts where this one ends, or n_phases.
std::size_t next_phase(const bolza_problem& problem, std::size_t phase) {
  std::size_t q = 0;
  while (q < problem.n_phases && (q == phase || end_parameter(problem, q, 0) != end_parameter(problem, phase, 1))) ++q;
  return q;
}

/// The end of a phase that has no guess. Where phases that follow it lead to a time that is known, all ends until there are
/// spread evenly.
double usual_end(const bolza_problem& problem, std::size_t phase, std::span<const double> values) {
  const bolza_variable& end = problem.parameters[end_parameter(problem, phase, 1)];
  double origin = values[end_parameter(problem, phase, 0)];
  std::size_t open = 1, at = next_phase(problem, phase);
  for (; at < problem.n_phases && open <= problem.n_phases; at = next_phase(problem, at), ++open) {
    std::size_t known = end_parameter(problem, at, 1);
    if (is_unguessed(problem.parameters[known])) continue;
    double share = (values[known] - origin) / static_cast<double>(open + 1);
    return share > 0 ? std::min(std::max(origin + share, end.min), end.max) : usual_value(end, origin);
  }
  return usual_value(end, origin);
}

double own_guess(const bolza_variable& v) { return v.has_guess ? v.guess : v.has_start ? v.start : v.guess; }

IntegralGuess::Along along(const PhaseGuess& guess) {
  if (!guess) return {};
  return [&guess](double share) { return guess.at(share, Side::left); };
}

/// Moves a number into [lower, upper]; what is not finite becomes the nearest finite number.
double inside(double value, double lower, double upper) {
  if (!std::isfinite(value)) value = 0;
  return std::min(std::max(value, lower), upper);
}

/// Fills the blocks of one phase; values of a place are interpolated once for all variables.
class Filler {
 public:
  Filler(Transcription& t, const PhaseLayout& phase, const abi::Solution* guess)
      : t_(t),
        phase_(phase),
        guess_(guess, static_cast<std::size_t>(phase.number)),
        integrals_(*t.problem, static_cast<std::size_t>(phase.number), std::span(t.nlp.start).first(t.problem->n_parameters),
                   along(guess_)) {}

  void fill(const VariableBlock& block) {
    const bolza_variable* v = variable_of(t_, block);
    if (!v || block.role == nlp::VariableRole::integral) return;
    for (std::size_t i = 0; i < block.count; ++i) {
      std::size_t k = block.first + i;
      double value = own_guess(*v);
      if (guess_) {
        const std::vector<double>& values =
            part(values_at(static_cast<std::size_t>(block.interval) + i, block.place, block.role), block.quantity);
        if (static_cast<std::size_t>(block.index) < values.size()) value = values[static_cast<std::size_t>(block.index)];
      }
      if (block.quantity == QuantityKind::state) {
        double share = share_of(static_cast<std::size_t>(block.interval) + i, block.place, block.role);
        if (auto known = integrals_.at(static_cast<std::size_t>(block.index), share)) value = *known;
      }
      t_.nlp.start[k] = inside(value, t_.nlp.lower[k], t_.nlp.upper[k]);
    }
  }

 private:
  /// A constant control is sought in the middle of its interval, away from jumps.
  bool is_in_middle(nlp::VariableRole role) const {
    return role == nlp::VariableRole::control && phase_.control_constant && phase_.N > 0;
  }

  /// Of the horizon, of a place in an interval.
  double share_of(std::size_t interval, double place, nlp::VariableRole role) const {
    const Mesh& mesh = phase_.mesh;
    std::size_t N = phase_.N;
    bool at_mesh_point = N == 0 || interval >= N;
    AffineTime time = at_mesh_point
                          ? mesh.point[N == 0 ? 0 : N]
                          : between(mesh.point[interval], mesh.point[interval + 1], is_in_middle(role) ? 0.5 : place);
    const Horizon& h = t_.horizons[static_cast<std::size_t>(phase_.number)];
    double length = h.tf - h.t0;
    return length > 0 ? (time.at(h.t0, h.tf) - h.t0) / length : 0;
  }

  const PhaseValues& values_at(std::size_t interval, double place, nlp::VariableRole role) {
    auto [at, fresh] = known_.try_emplace({interval, is_in_middle(role) ? -1 : place});
    if (fresh) at->second = guess_.at(share_of(interval, place, role), place == 0 ? Side::right : Side::left);
    return at->second;
  }

  Transcription& t_;
  const PhaseLayout& phase_;
  PhaseGuess guess_;
  IntegralGuess integrals_;
  std::map<std::pair<std::size_t, double>, PhaseValues> known_;
};

}  // namespace

bool is_unguessed(const bolza_variable& v) { return !v.fixed && !v.has_guess && !v.has_start; }

std::vector<double> guessed_parameters(const bolza_problem& problem, const abi::Solution* guess) {
  std::vector<double> values;
  bool given = guess && guess->parameters.size() == problem.n_parameters;
  for (std::size_t p = 0; p < problem.n_parameters; ++p) {
    const bolza_variable& v = problem.parameters[p];
    values.push_back(v.fixed || !given || !std::isfinite(guess->parameters[p]) ? guessed(v)
                                                                               : inside(guess->parameters[p], v.min, v.max));
  }
  if (given) return values;
  for (std::size_t p = 0; p < problem.n_parameters; ++p)
    if (const bolza_variable& v = problem.parameters[p]; is_unguessed(v) && v.min >= 0) values[p] = usual_parameter(v);
  if (problem.is_static) return values;
  std::vector<bool> is_end(problem.n_parameters, false);
  for (std::size_t p = 0; p < problem.n_phases; ++p) is_end[end_parameter(problem, p, 1)] = true;
  for (std::size_t p = 0; p < problem.n_phases; ++p) {
    std::size_t first = end_parameter(problem, p, 0), last = end_parameter(problem, p, 1);
    if (is_unguessed(problem.parameters[first]) && !is_end[first]) values[first] = guessed(problem.parameters[first]);
    if (is_unguessed(problem.parameters[last])) values[last] = usual_end(problem, p, values);
  }
  return values;
}

void fill_definitions(Transcription& t) {
  t.nlp.functions->move_to(t.nlp.start);
  const double* g = t.nlp.functions->constraints();
  if (!g) return;
  for (const auto& [variable, row] : t.definitions) {
    double value = t.nlp.start[variable] - g[row];
    t.nlp.start[variable] = inside(value, t.nlp.lower[variable], t.nlp.upper[variable]);
  }
  for (const PhaseLayout& phase : t.phases)
    for (std::size_t q = 0; q < phase.sum.size(); ++q) {
      if (phase.sum[q] == none) continue;
      double sum = 0;
      for (std::size_t i = 0; i < phase.N; ++i) t.nlp.start[phase.sum[q] + i + 1] = sum -= g[phase.sum_row[q] + i];
    }
}

void set_start(Transcription& t, const abi::Solution* guess) {
  std::vector<double> parameters = guessed_parameters(*t.problem, guess);
  std::copy(parameters.begin(), parameters.end(), t.nlp.start.begin());
  for (std::size_t p = 0; p < t.phases.size() && !t.problem->is_static; ++p) {
    const bolza_phase& phase = t.problem->phases[p];  // the mesh was made for these times
    t.nlp.start[static_cast<std::size_t>(phase.parameter[0])] = t.horizons[p].t0;
    t.nlp.start[static_cast<std::size_t>(phase.parameter[1])] = t.horizons[p].tf;
  }
  std::deque<Filler> fillers;
  for (const PhaseLayout& phase : t.phases) fillers.emplace_back(t, phase, guess);
  for (const VariableBlock& block : t.plan.numbering.variables)
    if (block.phase >= 0) fillers[static_cast<std::size_t>(block.phase)].fill(block);
  if (!guess) start_consistently(t);
  fill_definitions(t);
}

abi::Solution straight_guess(const bolza_problem& problem, const std::vector<Straight>& phases) {
  abi::Solution guess;
  guess.parameters = guessed_parameters(problem, nullptr);
  for (const Straight& ends : phases) {
    abi::PhaseSolution phase;
    phase.final_time = 1;
    abi::Trajectories& y = phase.trajectories;
    y.time = {0, 1};
    auto lines = [](const std::vector<double>& from, const std::vector<double>& to, std::vector<std::vector<double>>& rows) {
      for (std::size_t k = 0; k < from.size(); ++k) rows.push_back({from[k], k < to.size() ? to[k] : from[k]});
    };
    lines(ends.x0, ends.x1, y.x);
    lines(ends.z0, ends.z1, y.z);
    lines(ends.u0, ends.u1, y.u);
    guess.phases.push_back(std::move(phase));
  }
  return guess;
}

}  // namespace bolza::transcribe
