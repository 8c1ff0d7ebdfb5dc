// SPDX-License-Identifier: Apache-2.0
// What the grids of controls cost in single shooting with many states: slopes and curvature by adjoints.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "runtime/transcribe/shooting/control_error_internal.h"
#include "runtime/transcribe/shooting/shooting_internal.h"

namespace bolza::transcribe {
namespace {

/// What the controls may do inside an interval of the coarse grid: a direction of one or two variables.
struct Inside {
  std::size_t phase, control, interval;
  std::size_t first, second;  ///< variables; of lines `second` is none
  double size, sign;          ///< of the step along it that measures the curvature
  double low, high, length;   ///< between which the step may be
};

class ReducedGrids {
 public:
  ReducedGrids(bolza_problem& problem, const TranscribeOptions& options, const ShootingOptions& shooting,
               const abi::Solution& solution)
      : solution_(solution),
        options_(on_control_grids(problem, options, solution, finer_grids(problem, solution))),
        by_(by_own_equations(shooting)),
        shooting_(problem, options_, by_, &solution),
        nodes_(shooting_.nodes()) {}

  ControlError estimate() {
    ControlError error;
    if (!shooting_.objection().empty() || has_path_constraints()) return error;
    start(error);
    std::vector<double> slope, alternating, pairwise, end = point_, other = point_;
    if (insides_.empty() || !slopes_at(0, slope) || !curvatures(1, alternating) || !curvatures(2, pairwise)) return error;
    double sum = gains(slope, alternating, end, &error), again = gains(slope, pairwise, other, nullptr);
    error.known = std::max(sum, again) <= agreement * std::min(sum, again) || sum + again == 0;
    error.least = of_slopes * nodes_.nlp.objective_scale;
    for (const ShootingPhase& phase : nodes_.phases)
      for (std::size_t i = 0; i < phase.n_given; ++i)
        mark_switches(phase, i, fine_of(phase, i), end, error.interval[phase.number][i]);
    find_largest(nodes_, solution_, error);
    error.integration = error_of_integration();
    error.objective = error.objective_bound = of_all_levels * sum + error.integration;
    return error;
  }

 private:
  /// What a hat in the middle of an interval leaves to its neighbours, whose lines change with it: of smooth controls its
  /// own gain is 15/64 of the error, here three quarters after `of_all_levels`.
  static constexpr double of_one_line = 3.2;
  static constexpr double agreement = 3;  ///< of two sums: more, and what insides share by the states is all that is seen
  static constexpr double step = 1e-3;    ///< of sizes, for differences of slopes

  bool has_path_constraints() const {
    return std::ranges::any_of(nodes_.rows, [&](const ShootingRow& row) {
      return row.kind == ShootingRow::Kind::node && row.function.what != NodeFunction::What::initial;
    });
  }

  std::vector<double> fine_of(const ShootingPhase& phase, std::size_t i) const {
    std::vector<double> fine;
    for (std::size_t node : phase.grid[i]) fine.push_back(fractions_[phase.number][node]);
    return fine;
  }

  void start(ControlError& error) {
    point_ = nodes_.nlp.start;
    for (const ShootingPhase& phase : nodes_.phases) fractions_.push_back(mesh_fractions(nodes_, phase));
    take_controls(nodes_, solution_, fractions_, point_);
    lambda_.assign(nodes_.rows.size(), 0.0);
    for (std::size_t r = 0; r < lambda_.size(); ++r)
      if (const ShootingRow& row = nodes_.rows[r];
          row.kind == ShootingRow::Kind::point && row.point_row - 1 < solution_.point_multipliers.size())
        lambda_[r] = solution_.point_multipliers[row.point_row - 1];
    for (const ShootingPhase& phase : nodes_.phases) {
      auto& controls = error.interval.emplace_back();
      for (std::size_t i = 0; i < phase.n_given; ++i) add_insides(phase, i, controls.emplace_back());
    }
  }

  void add_insides(const ShootingPhase& phase, std::size_t i, std::vector<ControlInterval>& intervals) {
    const std::vector<double>&coarse = solution_.phases[phase.number].control_grid[i], fine = fine_of(phase, i);
    const std::vector<std::size_t>& v = phase.grid_variable[i];
    for (std::size_t k = 0; k + 1 < coarse.size(); ++k) {
      intervals.push_back({.begin = coarse[k], .end = coarse[k + 1]});
      std::size_t left = place_of_fraction(fine, coarse[k]), right = place_of_fraction(fine, coarse[k + 1]);
      for (std::size_t j = left + 1; right < fine.size() && j < right; ++j) {
        std::size_t first = v[j], second = phase.linear ? no_variable : v[left];
        double low = nodes_.nlp.lower[first] - point_[first], high = nodes_.nlp.upper[first] - point_[first];
        if (!phase.linear) {
          high = std::min(high, -low);
          low = -high;
        }
        insides_.push_back({phase.number, i, k, first, second, nodes_.nlp.scale[first], 1, std::min(0.0, low),
                            std::max(0.0, high), coarse[k + 1] - coarse[k]});
      }
    }
  }

  static void move(const Inside& inside, double by, std::vector<double>& point) {
    point[inside.first] += by;
    if (inside.second != no_variable) point[inside.second] -= by;
  }
  static double along(const Inside& inside, const std::vector<double>& slopes) {
    return slopes[inside.first] - (inside.second != no_variable ? slopes[inside.second] : 0);
  }

  /// Slopes of the Lagrangian where all insides are this many of their sizes away, to either side in turn.
  bool slopes_at(double by, std::vector<double>& slopes) {
    std::vector<double> at = point_;
    for (const Inside& inside : insides_) move(inside, by * inside.size * inside.sign, at);
    shooting_.move_to(at);
    std::vector<std::size_t> rows{nodes_.objective_row};
    std::vector<double> weight{1};
    for (std::size_t r = 0; r < lambda_.size(); ++r)
      if (lambda_[r] != 0) {
        rows.push_back(nodes_.rows[r].point_row);
        weight.push_back(lambda_[r]);
      }
    Eigen::MatrixXd by_variables;
    if (!shooting_.point_gradients(rows, by_variables)) return false;
    Eigen::VectorXd sum = by_variables.transpose() *
                          Eigen::Map<const Eigen::VectorXd>(weight.data(), static_cast<Eigen::Index>(weight.size()));
    slopes.assign(sum.begin(), sum.end());
    return true;
  }

  /// Along each inside, from slopes where all are moved, so many to one side, then so many to the other. What others share
  /// in it by the states makes single ones wrong: none is below half of what is usual for its control and length.
  bool curvatures(std::size_t to_one_side, std::vector<double>& bends) {
    std::vector<double> high, low;
    for (std::size_t k = 0; k < insides_.size(); ++k) insides_[k].sign = k / to_one_side % 2 == 0 ? 1 : -1;
    if (!slopes_at(step, high) || !slopes_at(-step, low)) return false;
    std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> densities;
    for (const Inside& inside : insides_) {
      bends.push_back((along(inside, high) - along(inside, low)) / (2 * step * inside.size * inside.sign));
      densities[{inside.phase, inside.control}].push_back(bends.back() / inside.length);
    }
    for (auto& [control, all] : densities)
      std::ranges::nth_element(all, all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2));
    for (std::size_t k = 0; k < insides_.size(); ++k) {
      const std::vector<double>& all = densities[{insides_[k].phase, insides_[k].control}];
      bends[k] = std::max(bends[k], 0.5 * all[all.size() / 2] * insides_[k].length);
    }
    return true;
  }

  /// What all insides gain with these curvatures, added to the shares of an error, and the point that they lead to.
  double gains(const std::vector<double>& slope, const std::vector<double>& bends, std::vector<double>& end,
               ControlError* error) const {
    double sum = 0;
    for (std::size_t k = 0; k < insides_.size(); ++k) {
      const Inside& inside = insides_[k];
      double by = 0, gain = best_of(inside, along(inside, slope), bends[k], by);
      if (nodes_.phases[inside.phase].linear) gain *= of_one_line;
      if (error) error->interval[inside.phase][inside.control][inside.interval].share += gain;
      sum += gain;
      move(inside, by, end);
    }
    return sum;
  }

  /// The most that a step gains within its bounds, and that step.
  static double best_of(const Inside& inside, double slope, double bend, double& by) {
    by = bend > 0 ? -slope / bend : slope > 0 ? inside.low : inside.high;
    by = std::clamp(by, inside.low, inside.high);
    if (!std::isfinite(by)) by = 0;
    return std::max(0.0, -by * (slope + 0.5 * bend * by));
  }

  double error_of_integration() {
    Shooting reference(nodes_.problem, options_, to_a_hundredth(by_, nodes_.rtol), &solution_);
    if (!reference.objection().empty() || reference.nodes().nlp.n() != point_.size()) return 0;
    auto lagrangian = [&](Shooting& shooting, double& value) {
      shooting.move_to(point_);
      const double* c = shooting.objective(value) ? shooting.constraints() : nullptr;
      for (std::size_t r = 0; c && r < lambda_.size(); ++r) value += lambda_[r] * c[r];
      return c != nullptr;
    };
    double exact = 0, own = 0;
    return lagrangian(reference, exact) && lagrangian(shooting_, own) ? std::abs(exact - own) : 0;
  }

  const abi::Solution& solution_;
  TranscribeOptions options_;
  ShootingOptions by_;
  Shooting shooting_;
  ShootingNodes& nodes_;
  std::vector<double> point_, lambda_;          // [n], [m]
  std::vector<std::vector<double>> fractions_;  // of the mesh points [phases][N + 1]
  std::vector<Inside> insides_;
};

}  // namespace

ControlError reduced_control_error(bolza_problem& problem, const TranscribeOptions& options, const ShootingOptions& shooting,
                                   const abi::Solution& solution) {
  return ReducedGrids(problem, options, shooting, solution).estimate();
}

ControlError error_without_controls(bolza_problem& problem, const TranscribeOptions& options,
                                    const ShootingOptions& shooting, const abi::Solution& solution) {
  ControlError error;
  Shooting exact(problem, options, to_a_hundredth(by_own_equations(shooting), shooting.rtol), &solution);
  double objective = 0;
  if (!exact.objection().empty()) return error;
  exact.move_to(exact.nodes().nlp.start);
  if (!exact.objective(objective) || !std::isfinite(objective)) return error;
  error.known = true;
  error.least = of_slopes * exact.nodes().nlp.objective_scale;
  error.integration = std::abs(objective - (problem.maximize ? -1 : 1) * solution.objective);
  error.objective = error.objective_bound = error.integration;
  return error;
}

}  // namespace bolza::transcribe
