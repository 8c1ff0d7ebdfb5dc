// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/indirect/random_start.h"

#include <algorithm>
#include <random>

namespace bolza::workflow {

abi::Solution random_start(Model& model, const SolverLibrary& library, const Budget& budget, std::uint32_t seed,
                           std::size_t intervals) {
  constexpr double middle_of_bounds = 0.5, seconds = 10;
  abi::Solution out = library.simulated_guess(model.abi(), budget.part(seconds), nullptr, nullptr, middle_of_bounds);
  auto is_empty = [](const abi::PhaseSolution& phase) { return phase.trajectories.time.size() < 2; };
  if (out.phases.empty() || std::ranges::any_of(out.phases, is_empty)) return {};
  if (out.parameters.empty()) out.parameters = library.guessed_parameters(model.abi(), &out);
  std::mt19937 random(seed);
  auto draw = [&] { return 2.0 * random() / std::mt19937::max() - 1; };  // the same with every library
  for (abi::PhaseSolution& phase : out.phases) {
    abi::Trajectories& y = phase.trajectories;
    y.costate.clear();
    for (std::size_t i = 0; i < y.x.size(); ++i) y.costate.emplace_back(y.time.size(), draw());
    phase.start_time = y.time.front();
    phase.final_time = y.time.back();
    phase.mesh.clear();
    for (std::size_t k = 0; k <= intervals; ++k)
      phase.mesh.push_back(static_cast<double>(k) / static_cast<double>(intervals));
    phase.interval_multiplier.clear();
  }
  out.point_multipliers.clear();
  for (std::size_t k = 0; k < model.abi().n_k; ++k) out.point_multipliers.push_back(draw());
  return out;
}

}  // namespace bolza::workflow
