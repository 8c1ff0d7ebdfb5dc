// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/outcome/size_of_objective.h"

#include <algorithm>
#include <cmath>

namespace bolza::workflow {

double size_of_objective(const abi::Solution& solution) {
  constexpr double of_start = 1e-3, of_scale = 1e-4, most = 0.1;  // a start may be anywhere, and its objective 1e40
  const abi::Statistics& s = solution.statistics;
  double size = std::max(std::abs(solution.objective), of_scale * std::min(1.0, s.objective_scale));
  double start = of_start * std::abs(s.first_objective);
  return start > size ? std::max(size, std::min(start, most)) : size;
}

}  // namespace bolza::workflow
