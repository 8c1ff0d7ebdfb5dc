// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/outcome/size_of_objective.h"

#include <algorithm>
#include <cmath>

namespace bolza::workflow {

double size_of_objective(const abi::Solution& solution) {
  constexpr double of_start = 1e-3, of_scale = 1e-4;
  double start = of_start * std::abs(solution.statistics.first_objective);
  double size = std::max(std::abs(solution.objective), of_scale * solution.statistics.objective_scale);
  return start > size ? start : size;
}

}  // namespace bolza::workflow
