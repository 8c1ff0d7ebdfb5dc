// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/attempts/at_rest.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace bolza::workflow {
namespace {

double guessed(const bolza_variable& v) {
  double value = v.has_guess ? v.guess : v.has_start ? v.start : v.guess;
  return std::min(std::max(value, v.min), v.max);
}

bool stay(const bolza_variable* variables, std::size_t count, const std::vector<std::vector<double>>& values) {
  constexpr double rounding = 1e-12;
  for (std::size_t k = 0; k < count; ++k) {
    double place = guessed(variables[k]), room = rounding * std::max(1.0, std::abs(place));
    bool stays =
        k < values.size() && std::ranges::all_of(values[k], [&](double value) { return std::abs(value - place) <= room; });
    if (!stays) return false;
  }
  return true;
}

}  // namespace

bool is_at_rest(const bolza_problem& problem, const abi::Solution& simulated) {
  for (std::size_t p = 0; p < simulated.phases.size(); ++p) {
    const bolza_model& m = *problem.models[problem.phases[p].model];
    const abi::Trajectories& y = simulated.phases[p].trajectories;
    if (m.n_z > 0 || y.time.empty() || !stay(m.x, m.n_x, y.x) || !stay(m.u, m.n_u, y.u)) return false;
  }
  return !simulated.phases.empty();
}

}  // namespace bolza::workflow
