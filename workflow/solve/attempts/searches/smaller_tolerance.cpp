// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "workflow/solve/attempts/attempt_table.h"
#include "workflow/solve/attempts/unbounded.h"

namespace bolza::workflow {
namespace {

using transcribe::TranscribeOptions;

constexpr double far = 10;      ///< sizes, or values at the start: a variable farther out may be on its way
constexpr double moved = 0.05;  ///< of its value, by a hundredth of the tolerance
constexpr double smaller = 1e-2;
constexpr int few_iterations = 100;

/// A free variable that is far out on a side without a bound.
struct Traveller {
  const bolza_variable* variable;
  double value;  ///< the one that is farthest out
  std::size_t phase, number;
  bool is_parameter;
};

double extreme(const std::vector<double>& values) {
  double most = 0;
  for (double v : values)
    if (std::abs(v) > std::abs(most)) most = v;
  return most;
}

std::vector<Traveller> travellers(const bolza_problem& problem, const abi::Solution& solution) {
  std::vector<Traveller> out;
  for (std::size_t k = 0; k < problem.n_parameters && k < solution.parameters.size(); ++k)
    if (const bolza_variable& v = problem.parameters[k];
        !v.fixed && is_far_out(v, solution.parameters[k], divisor_of(solution.parameter_scale, k), far))
      out.push_back({&v, solution.parameters[k], 0, k, /*is_parameter=*/true});
  for (std::size_t p = 0; p < solution.phases.size() && !problem.is_static; ++p) {
    const bolza_model& m = *problem.models[problem.phases[p].model];
    const abi::PhaseSolution& phase = solution.phases[p];
    for (std::size_t c = 0; c < m.n_u && c < phase.trajectories.u.size(); ++c)
      if (double value = extreme(phase.trajectories.u[c]); is_far_out(m.u[c], value, divisor_of(phase.u_size, c), far))
        out.push_back({&m.u[c], value, p, c, /*is_parameter=*/false});
  }
  return out;
}

double value_in(const abi::Solution& solution, const Traveller& t) {
  if (t.is_parameter) return solution.parameters[t.number];
  return extreme(solution.phases[t.phase].trajectories.u[t.number]);
}

/// The one that went farthest, where the objective is no worse there.
std::optional<MovesOn> moves_on(const std::vector<Traveller>& travellers, const abi::Solution& closer, double before,
                                double gain) {
  std::optional<MovesOn> out;
  double most = moved;
  for (const Traveller& t : travellers) {
    double now = value_in(closer, t), share = now / t.value - 1;
    if (!(share > most) || !(gain > 0)) continue;
    most = share;
    out = MovesOn{t.variable->name ? t.variable->name : "", t.value, now, before, closer.objective};
  }
  return out;
}

bool is_far_from_start(const Climb& climb) {
  const RetryTask& task = climb.task();
  return task.retry && !task.given && climb.has_solution() && !climb.so_far().integers.any &&
         !travellers(task.problem, climb.so_far()).empty();
}

void look_with_smaller_tolerance(Climb& climb, const TranscribeOptions& first) {
  if (!climb.may_look()) return;
  const abi::Solution& solution = climb.so_far();
  TranscribeOptions options = first;
  options.perturbation = 0;
  options.nlp.tol *= smaller;
  options.nlp.max_iterations = std::min(first.nlp.max_iterations, few_iterations);
  options.nlp.warm_start = true;
  options.nlp.barrier = first.nlp.tol;
  abi::Solution from = solution;
  abi::Solution closer = climb.run("a smaller tolerance", options, &from, /*solved=*/true);
  climb.forget(from.status);
  if (closer.parameters.size() != from.parameters.size() || closer.phases.size() != from.phases.size()) return;
  double gain = (climb.task().problem.maximize ? -1 : 1) * (from.objective - closer.objective);
  if (std::optional<MovesOn> found = moves_on(travellers(climb.task().problem, from), closer, from.objective, gain))
    climb.set_moves_on(*std::move(found));
}

}  // namespace

extern const SearchRow smaller_tolerance_row;
const SearchRow smaller_tolerance_row{
    .name = "smaller tolerance",
    .looks =
        "with a hundredth of the tolerance, where a variable is farther out than ten of its sizes on a side without a "
        "bound: one that moves on has no optimum (`not_attained`)",
    .applies = is_far_from_start,
    .look = look_with_smaller_tolerance};

}  // namespace bolza::workflow
