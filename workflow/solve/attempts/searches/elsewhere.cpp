// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/attempts/searches/elsewhere.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "workflow/solve/attempts/attempt_table.h"
#include "workflow/solve/attempts/horizons.h"
#include "workflow/solve/attempts/searches/other_starts.h"

namespace bolza::workflow {
namespace {

using transcribe::TranscribeOptions;

constexpr int several = 3;  ///< steps with a regularised Hessian: the problem is not convex

double size_in(const std::vector<double>& sizes, std::size_t k) { return k < sizes.size() ? sizes[k] : 1; }

/// Whether the controls stay as they are from the start to the end, one of them at least at a bound.
bool controls_stay(const bolza_problem& problem, const abi::Solution& solution) {
  constexpr double close = 0.01;  // of the distance of the bounds
  bool at_a_bound = false;
  for (std::size_t p = 0; p < solution.phases.size(); ++p) {
    const bolza_model& m = *problem.models[problem.phases[p].model];
    const abi::Trajectories& y = solution.phases[p].trajectories;
    for (std::size_t c = 0; c < m.n_u && c < y.u.size(); ++c) {
      const bolza_variable& v = m.u[c];
      if (v.fixed || v.max == v.min) continue;
      auto [least, most] = std::minmax_element(y.u[c].begin(), y.u[c].end());
      double width = v.max - v.min, room = close * (std::isfinite(width) ? width : size_in(solution.phases[p].u_size, c));
      if (least == y.u[c].end() || *most - *least > room) return false;
      at_a_bound = at_a_bound || *most <= v.min + room || *least >= v.max - room;
    }
  }
  return at_a_bound;
}

bool is_idle(const Climb& climb) { return controls_stay(climb.task().problem, climb.so_far()); }
bool has_vanished(const Climb& climb) { return shrunk_horizon(climb.task().problem, climb.so_far(), no_horizon); }
bool was_easy(const Climb& climb) { return climb.so_far().statistics.regularized < several && !climb.first_failed(); }

}  // namespace

bool is_nothing(const Climb& climb) { return is_idle(climb) || has_vanished(climb); }

bool may_be_one_of_several(const Climb& climb) {
  const RetryTask& task = climb.task();
  if (!climb.may_retry() || task.given || !climb.has_solution() || climb.so_far().integers.any) return false;
  if (was_easy(climb) && !is_nothing(climb)) return false;
  return (task.guess == Guess::automatic || task.guess == Guess::perturbed) && !task.reduced && task.starts == 0;
}

namespace {

/// Where the final time is free: from simulations until the time that was found.
void simulations_along_bounds(Climb& climb, const LookFrom& look) {
  if (!climb.with_end_at(much_later)) return;
  abi::Solution times;
  times.parameters = climb.so_far().parameters;
  for (auto [what, place] : {std::pair{"simulated guess with controls near their upper bounds", 0.8},
                             {"simulated guess with controls near their lower bounds", 0.2}}) {
    if (!climb.may_look()) return;
    abi::Solution guess = climb.simulated_from(&times, place);
    if (!guess.phases.empty()) look(what, guess);
  }
}

}  // namespace

void simulations_elsewhere(Climb& climb, const LookFrom& look) {
  bool idle = is_idle(climb), easy = was_easy(climb);
  if (const abi::Solution* times = climb.with_end_at(much_later)) {
    abi::Solution later = climb.simulated_from(times, middle_of_bounds);
    if (!later.phases.empty()) look("simulated guess with a later final time", later);
  }
  if (!easy) simulations_along_bounds(climb, look);
  if (idle && climb.simulated()) look("simulated guess", *climb.simulated());
}

namespace {

bool looks_on_the_mesh(const Climb& climb) { return may_be_one_of_several(climb) && !looks_coarsely(climb); }

void look_elsewhere(Climb& climb, const TranscribeOptions& first) {
  constexpr int least_iterations = 50;
  if (!climb.may_look()) return;
  bool easy = was_easy(climb), perturbed = climb.task().guess == Guess::perturbed;
  int of_solution = climb.so_far().statistics.iterations;
  std::size_t tried = climb.tried();
  TranscribeOptions options = first;
  const abi::Solution* guess = climb.first_guess(options);
  options = cold(std::move(options));
  options.perturbation = 0;
  options.nlp.max_iterations =
      is_nothing(climb) ? first_limit : std::min(first_limit, std::max(least_iterations, 2 * of_solution));
  simulations_elsewhere(climb, [&](const char* what, const abi::Solution& from) { climb.compare(what, options, &from); });
  if ((climb.tried() > tried && !climb.first_failed()) || easy) return;
  if (perturbed) climb.compare("the guess without its perturbation", options, guess);
  else climb.look_perturbed(options);
}

}  // namespace

extern const SearchRow elsewhere_row;
const SearchRow elsewhere_row{
    .name = "elsewhere",
    .looks =
        "where at least three steps had a regularised Hessian, the first attempt failed, or the solution does nothing: "
        "from a simulated guess with a later final time (free, without a guess), from simulations until the time that "
        "was found with controls near their upper and their lower bounds, or from a perturbed guess; where there are other "
        "starts on a coarse mesh, these are among them",
    .applies = looks_on_the_mesh,
    .look = look_elsewhere};

}  // namespace bolza::workflow
