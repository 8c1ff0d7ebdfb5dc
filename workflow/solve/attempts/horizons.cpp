// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/attempts/horizons.h"

#include <cmath>

namespace bolza::workflow {

const bolza_variable* shrunk_horizon(const bolza_problem& problem, const abi::Solution& solution, double share) {
  for (std::size_t p = 0; p < solution.phases.size(); ++p) {
    const bolza_variable& v = problem.parameters[static_cast<std::size_t>(problem.phases[p].parameter[1])];
    const abi::PhaseSolution& phase = solution.phases[p];
    double usual = v.has_guess ? std::abs(v.guess - phase.start_time) : 1;
    if (!v.fixed && phase.final_time - phase.start_time < share * usual) return &v;
  }
  return nullptr;
}

}  // namespace bolza::workflow
