// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/attempts/least_hamiltonian.h"

#include <algorithm>
#include <cmath>

#include "runtime/transcribe/checks/minimum_principle.h"
#include "runtime/transcribe/mesh_choice.h"

namespace bolza::workflow {

LeastHamiltonian take_least_hamiltonian(bolza_problem& problem, const SolverLibrary& library,
                                        transcribe::TranscribeOptions options, const SolveFrom& solve,
                                        abi::Solution& solution) {
  constexpr int rounds = 3;
  constexpr double of_objective = 1e-4, of_horizon = 0.01;  ///< shares that matter, the first one of a first-order gain
  constexpr double noise = 1e-6;                            ///< of two solutions with the same tolerance
  auto& set = options.nlp.engine_options;
  options.nlp.warm_start = false;
  options.nlp.barrier = 0;
  options.perturbation = 0;
  if (options.nlp.engine == "ipopt" || options.nlp.engine == "barrier")
    for (const char* name : {"bound_push", "bound_frac", "mu_init"})
      if (std::none_of(set.begin(), set.end(), [&](const auto& option) { return option.first == name; }))
        set.emplace_back(name, "1e-8");
  LeastHamiltonian out;
  if (transcribe::has_control_grid(options)) return out;  // it is least on the mean over a block
  for (int k = 0; k < rounds && abi::is_solution(solution.status) && !solution.integers.any; ++k) {
    std::optional<transcribe::BetterControls> controls = library.better_controls(problem, solution);
    if (!controls || controls->share < of_horizon || controls->gain <= of_objective * std::abs(solution.objective)) break;
    out.local = true;
    abi::Solution found = solve(options, controls->controlled);
    double gain = (problem.maximize ? -1 : 1) * (solution.objective - found.objective);
    if (!abi::is_solution(found.status) || !(gain > noise * std::abs(solution.objective))) break;
    solution = std::move(found);
    out.better = true;
  }
  return out;
}

}  // namespace bolza::workflow
