// SPDX-License-Identifier: Apache-2.0
// What the grids of controls cost: a step of multiple shooting on finer grids.
#include "runtime/transcribe/shooting/control_error.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "runtime/nlp/solve.h"
#include "runtime/nlp/sqp/quadratic_program.h"
#include "runtime/transcribe/shooting/control_error_internal.h"
#include "runtime/transcribe/shooting/multiple_internal.h"
#include "runtime/transcribe/shooting/quadratic_model.h"

namespace bolza::transcribe {
namespace {

using Vector = std::vector<double>;

constexpr std::size_t most_states = 100;  ///< of single shooting: the step takes derivatives by all states of an interval

/// The step from a solution on finer grids.
class FinerGrids {
 public:
  FinerGrids(bolza_problem& problem, const TranscribeOptions& options, const ShootingOptions& shooting,
             const abi::Solution& solution)
      : solution_(solution),
        options_(on_control_grids(problem, options, solution, finer_grids(problem, solution))),
        by_(by_own_equations(shooting)),
        shooting_(problem, options_, by_, &solution),
        nodes_(shooting_.nodes()) {}

  ControlError estimate() {
    ControlError error;
    if (!shooting_.objection().empty() || !has_controls() || !start() || !step()) return error;
    error.known = true;
    fill(error);
    error.least = of_slopes * nodes_.nlp.objective_scale;
    error.integration = error_of_integration();
    error.objective += error.integration;
    error.objective_bound += error.integration;
    return error;
  }

 private:
  bool has_controls() const {
    return std::ranges::any_of(nodes_.phases, [](const ShootingPhase& phase) { return phase.n_given > 0; });
  }

  // --- the point of expansion: controls of the solution, states that follow from those at its own mesh points
  bool start() {
    point_ = nodes_.nlp.start;
    for (const ShootingPhase& phase : nodes_.phases) fractions_.push_back(mesh_fractions(nodes_, phase));
    std::size_t run = 0;
    for (const ShootingPhase& phase : nodes_.phases) {
      const Vector& old = solution_.phases[phase.number].mesh;
      std::vector<char>& fresh = is_new_.emplace_back();
      std::size_t length = 0;
      for (double at : fractions_[phase.number]) {
        fresh.push_back(place_of_fraction(old, at) == old.size());
        length = fresh.back() ? length + 1 : 0;
        run = std::max(run, length);
      }
    }
    take_controls(nodes_, solution_, fractions_, point_);
    for (std::size_t pass = 0; pass < run + 1; ++pass)
      if (!follow()) return false;
    return true;
  }

  /// One step of the states at new mesh points, and the integrals, towards those that the intervals before lead to.
  bool follow() {
    double f = 0;
    shooting_.move_to(point_);
    if (!shooting_.objective(f)) return false;
    for (ShootingPhase& phase : nodes_.phases) {
      for (std::size_t k = 1; k <= phase.N(); ++k)
        for (std::size_t i = 0; is_new_[phase.number][k] && i < phase.model->n_x; ++i)
          point_[phase.x_at(k, i)] = phase.end_of(k - 1)[i];
      for (std::size_t j = 0; j < phase.model->n_q; ++j)
        if (std::size_t v = phase.integral_variable[j]; v != no_variable) point_[v] = phase.q[j];
    }
    return true;
  }

  // --- multipliers of the solution, as far as it has them: of the curvature only
  Vector multipliers_of_solution() const {
    Vector lambda(nodes_.rows.size());
    std::vector<std::unique_ptr<Vector>> places;
    for (std::size_t r = 0; r < lambda.size(); ++r) {
      const ShootingRow& row = nodes_.rows[r];
      const Site& site = row.function.site;
      if (row.kind == ShootingRow::Kind::point && row.point_row >= 1 && row.point_row <= solution_.point_multipliers.size())
        lambda[r] = solution_.point_multipliers[row.point_row - 1];
      if (row.kind != ShootingRow::Kind::defect) continue;
      const abi::PhaseSolution& phase = solution_.phases[site.phase];
      const abi::Trajectories& t = phase.trajectories;
      if (t.costate.size() != nodes_.phases[site.phase].model->n_x) continue;
      double time = phase.start_time + fractions_[site.phase][site.node()] * (phase.final_time - phase.start_time);
      double room = near_fraction * std::abs(phase.final_time - phase.start_time);
      auto at = std::ranges::lower_bound(t.time, time - room);
      if (at != t.time.end()) lambda[r] = t.costate[row.function.index][static_cast<std::size_t>(at - t.time.begin())];
    }
    std::ranges::replace_if(lambda, [](double v) { return !std::isfinite(v); }, 0.0);
    return lambda;
  }

  /// The step, with times and parameters where they are if a longer one along a negative curvature would move them: what
  /// nothing determines, the time of a change along a singular arc, goes as far as it may, beyond what the model is near to.
  bool step() {
    model_ = std::make_unique<QuadraticModel>(nodes_.nlp, point_);
    if (!model_->good() || !solve_program()) return false;
    if (is_local()) return true;
    hold_times_and_parameters();
    return solve_program() && is_local();
  }

  /// Whether the step ends in a minimum of its own direction.
  bool is_local() const {
    constexpr double of_slope = 0.1;
    return nlp::dot(d_, bend_) >= -of_slope * std::abs(nlp::dot(model_->slopes(), d_));
  }

  void hold_times_and_parameters() {
    nlp::Nlp& nlp = model_->nlp();
    std::vector<char> moves(nlp.n());
    for (const ShootingPhase& phase : nodes_.phases) {
      for (std::size_t first : phase.first_state)
        for (std::size_t i = 0; first != no_variable && i < phase.model->n_x; ++i) moves[first + i] = 1;
      for (const std::vector<std::size_t>& variables : phase.grid_variable)
        for (std::size_t v : variables) moves[v] = 1;
      for (std::size_t v : phase.integral_variable)
        if (v != no_variable) moves[v] = 1;
    }
    for (std::size_t v = 0; v < nlp.n(); ++v)
      if (!moves[v]) nlp.lower[v] = nlp.upper[v] = point_[v];
  }

  /// Solves the quadratic program, whose curvature is that at its own multipliers.
  bool solve_program() {
    constexpr int most = 3;
    constexpr double settled = 0.01;
    Vector lambda = multipliers_of_solution();
    for (int pass = 0; pass < most; ++pass) {
      const double* H = shooting_.hessian(1, lambda);
      if (!H) return false;
      model_->set_hessian({H, nodes_.nlp.hessian.size()});
      nlp::EngineOptions engine;
      engine.engine = "hqp";
      engine.tol = options_.nlp.tol;
      engine.max_iterations = 100;
      engine.budget = options_.nlp.budget;
      nlp::Report report = nlp::solve(model_->nlp(), engine);
      if (!nlp::is_solution(report.status)) return false;
      end_ = std::move(report.iterate);
      double size = 0, change = 0;
      for (std::size_t r = 0; r < lambda.size(); ++r) {
        size = std::max(size, std::abs(end_.lambda[r]) * nodes_.nlp.row_scale[r]);
        change = std::max(change, std::abs(end_.lambda[r] - lambda[r]) * nodes_.nlp.row_scale[r]);
      }
      lambda = end_.lambda;
      if (change <= settled * size) break;
    }
    d_ = end_.w;
    for (std::size_t v = 0; v < d_.size(); ++v) d_[v] -= point_[v];
    bend_ = model_->times_hessian(d_);
    slope_ = model_->slopes_with(end_.lambda);
    return true;
  }

  // --- what the step tells
  void fill(ControlError& error) {
    double change = nlp::dot(model_->slopes(), d_) + 0.5 * nlp::dot(d_, bend_) - cost_of_equalities();
    for (const ShootingPhase& phase : nodes_.phases) {
      auto& controls = error.interval.emplace_back();
      for (std::size_t i = 0; i < phase.n_given; ++i) controls.push_back(intervals_of(phase, i));
    }
    double loss = add_violations(error), gain = std::max(0.0, loss - change), shares = 0;
    for (auto& phase : error.interval)
      for (auto& control : phase)
        for (ControlInterval& interval : control) shares += interval.share;
    error.objective_bound = of_all_levels * (gain + loss);
    error.objective = std::max(of_all_levels * std::abs(change), uncancelled * error.objective_bound);
    double by = shares > 0 ? std::max(1.0, (gain + loss) / shares) : 0;
    for (auto& phase : error.interval)
      for (auto& control : phase)
        for (ControlInterval& interval : control) interval.share *= by;
    find_largest(nodes_, solution_, error);
  }

  /// What the objective changes by where equalities hold that the point of expansion fulfils to a tolerance only.
  double cost_of_equalities() const {
    const nlp::Nlp& nlp = nodes_.nlp;
    double cost = 0;
    for (std::size_t r = 0; r < nlp.m(); ++r)
      if (nlp.row_lower[r] == nlp.row_upper[r]) cost += end_.lambda[r] * (model_->rows()[r] - nlp.row_lower[r]);
    return cost;
  }

  std::vector<ControlInterval> intervals_of(const ShootingPhase& phase, std::size_t i) const {
    const Vector& coarse = solution_.phases[phase.number].control_grid[i];
    Vector fine;
    for (std::size_t node : phase.grid[i]) fine.push_back(fractions_[phase.number][node]);
    std::vector<ControlInterval> out;
    for (std::size_t k = 0; k + 1 < coarse.size(); ++k) {
      ControlInterval& interval = out.emplace_back();
      interval.begin = coarse[k];
      interval.end = coarse[k + 1];
      std::size_t left = place_of_fraction(fine, coarse[k]), right = place_of_fraction(fine, coarse[k + 1]);
      if (right < fine.size() && left + 1 < right) interval.share = std::abs(gain_inside(phase, i, fine, left, right));
    }
    mark_switches(phase, i, fine, end_.w, out);
    return out;
  }

  /// What it gains that an interval of the coarse grid, from `left` to `right`, has values inside: of values the difference
  /// of the halves, of lines what the step differs from the line between the ends.
  double gain_inside(const ShootingPhase& phase, std::size_t i, const Vector& fine, std::size_t left,
                     std::size_t right) const {
    const std::vector<std::size_t>& v = phase.grid_variable[i];
    if (!phase.linear) {
      double detail = 0.5 * (d_[v[left + 1]] - d_[v[left]]);
      return detail * (slope_[v[left + 1]] - slope_[v[left]] + 0.5 * (bend_[v[left + 1]] - bend_[v[left]]));
    }
    double gain = 0;
    for (std::size_t j = left + 1; j < right; ++j) {
      double share = (fine[j] - fine[left]) / (fine[right] - fine[left]);
      double detail = d_[v[j]] - (1 - share) * d_[v[left]] - share * d_[v[right]];
      gain += detail * (slope_[v[j]] + 0.5 * bend_[v[j]]);
    }
    return gain;
  }

  /// Adds what constraints at new mesh points cost to the intervals that they are in, and gives back the sum.
  double add_violations(ControlError& error) const {
    double loss = 0;
    const nlp::Nlp& nlp = nodes_.nlp;
    auto add = [&](std::size_t phase, double at, double cost) {
      if (!(cost > 0)) return;
      loss += cost;
      for (auto& control : error.interval[phase])
        for (ControlInterval& interval : control)
          if (at >= interval.begin - near_fraction && at <= interval.end + near_fraction) {
            interval.share += cost;
            break;
          }
    };
    for (std::size_t r = 0; r < nodes_.rows.size(); ++r) {
      const ShootingRow& row = nodes_.rows[r];
      if (row.kind != ShootingRow::Kind::node) continue;
      double c = model_->rows()[r],
             outside = c > nlp.row_upper[r] ? c - nlp.row_upper[r] : std::min(0.0, c - nlp.row_lower[r]);
      add(row.function.site.phase, fractions_[row.function.site.phase][row.function.site.node()], end_.lambda[r] * outside);
    }
    for (const ShootingPhase& phase : nodes_.phases)
      for (std::size_t k = 1; k <= phase.N(); ++k)
        for (std::size_t i = 0; i < phase.model->n_x; ++i) {
          std::size_t v = phase.x_at(k, i);
          if (nlp.lower[v] == nlp.upper[v]) continue;
          double above = std::max(0.0, point_[v] - nlp.upper[v]), below = std::max(0.0, nlp.lower[v] - point_[v]);
          add(phase.number, fractions_[phase.number][k], end_.z_upper[v] * above + end_.z_lower[v] * below);
        }
    return loss;
  }

  double error_of_integration() {
    MultipleShooting reference(nodes_.problem, options_, to_a_hundredth(by_, nodes_.rtol), &solution_);
    double f = 0;
    if (!reference.objection().empty() || reference.nodes().nlp.n() != point_.size()) return 0;
    reference.move_to(point_);
    const double* c = reference.objective(f) ? reference.constraints() : nullptr;
    if (!c || reference.nodes().rows.size() != nodes_.rows.size()) return 0;
    double change = f - (nodes_.problem.maximize ? -1 : 1) * solution_.objective;
    for (std::size_t r = 0; r < nodes_.rows.size(); ++r)
      if (auto kind = nodes_.rows[r].kind; kind == ShootingRow::Kind::defect || kind == ShootingRow::Kind::integral)
        change += end_.lambda[r] * c[r];
    return std::abs(change);
  }

  const abi::Solution& solution_;
  TranscribeOptions options_;
  ShootingOptions by_;
  MultipleShooting shooting_;
  ShootingNodes& nodes_;
  Vector point_;                   // of the expansion [n]
  std::vector<Vector> fractions_;  // of the mesh points [phases][N + 1]
  std::vector<std::vector<char>> is_new_;
  std::unique_ptr<QuadraticModel> model_;
  nlp::Iterate end_;         // of the step
  Vector d_, bend_, slope_;  // [n] the step; H d; ∇ of the Lagrangian before it, with its multipliers
};

}  // namespace

TranscribeOptions on_control_grids(const bolza_problem& problem, const TranscribeOptions& options,
                                   const abi::Solution& solution, std::vector<std::vector<Vector>> grids) {
  TranscribeOptions out = options;
  out.control_fractions = std::move(grids);
  out.mesh = 0;
  out.phase_fractions.clear();
  out.phase_control.clear();
  out.control_constant = !solution.phases.empty() && solution.phases[0].control_constant;
  for (std::size_t p = 0; p < solution.phases.size(); ++p) {
    const abi::PhaseSolution& phase = solution.phases[p];
    out.phase_fractions.push_back(phase.mesh);
    out.mesh = std::max(out.mesh, static_cast<std::uint32_t>(phase.mesh.size() - 1));
    if (p < problem.n_phases && problem.phases[p].name)
      out.phase_control.emplace_back(problem.phases[p].name, phase.control_constant);
  }
  return out;
}

ControlError control_error(bolza_problem& problem, const TranscribeOptions& options, const ShootingOptions& shooting,
                           const abi::Solution& solution) {
  for (const abi::PhaseSolution& phase : solution.phases)
    if (phase.mesh.size() < 2 || phase.trajectories.time.empty()) return {};
  if (solution.phases.size() != problem.n_phases) return {};
  bool any = std::ranges::any_of(solution.phases, [](const auto& phase) { return !phase.control_grid.empty(); });
  bool single =
      std::ranges::all_of(solution.phases, [](const auto& phase) { return phase.transcription == "single_shooting"; });
  if (!any) return single ? error_without_controls(problem, options, shooting, solution) : ControlError();
  for (std::size_t p = 0; p < solution.phases.size(); ++p)
    if (solution.phases[p].transcription == "single_shooting" && problem.models[problem.phases[p].model]->n_x > most_states)
      return reduced_control_error(problem, options, shooting, solution);
  return FinerGrids(problem, options, shooting, solution).estimate();
}

}  // namespace bolza::transcribe
