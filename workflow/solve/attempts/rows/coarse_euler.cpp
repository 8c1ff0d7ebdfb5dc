// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include "workflow/solve/attempts/attempt_table.h"

namespace bolza::workflow {
namespace {

using transcribe::TranscribeOptions;

constexpr const char *coarse_euler = "implicit Euler on a coarse mesh",
                     *from_coarse_euler = "from implicit Euler on a coarse mesh";

bool needs_coarse_euler(const Climb& climb) { return has_guess_of_states(climb) || climb.goes_on(); }

void try_coarse_euler(Climb& climb) {
  constexpr std::uint32_t least_intervals = 8;
  constexpr double tolerance = 1e-5;
  TranscribeOptions coarse = climb.usual();
  coarse.transcription = "implicit-euler";
  coarse.points = 0;
  coarse.mesh_fractions.clear();
  coarse.phase_fractions.clear();
  coarse.mesh = std::max(least_intervals, coarse.mesh / 4);
  coarse.control_constant = true;
  coarse.nlp.tol = std::max(coarse.nlp.tol, tolerance);
  abi::Solution rough = climb.run(coarse_euler, coarse, climb.simulated());
  if (abi::is_solution(rough.status)) climb.attempt(from_coarse_euler, climb.usual(), &rough);
}

}  // namespace

extern const AttemptRow coarse_euler_row;
const AttemptRow coarse_euler_row{.name = from_coarse_euler,
                                  .difference =
                                      "a quarter of the intervals, a tolerance of 1e-5, from the simulated guess; its "
                                      "solution is the guess. It is cheap, and tried whatever "
                                      "the others took",
                                  .applies = needs_coarse_euler,
                                  .make = try_coarse_euler,
                                  .is_cheap = true};

}  // namespace bolza::workflow
