// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <vector>

#include "runtime/abi/bolza.h"

namespace bolza::verify {

/// Whether rows first … last - 1 of a function are linear in all but time, with coefficients that are constant. Null: yes.
bool are_linear(const bolza_function* f, std::size_t first, std::size_t last);

/// Whether objective and point constraints are linear in their values (their first input is a value as well, and
/// no time).
bool are_points_linear(const bolza_problem& problem);

/// Whether a problem is convex by its structure: dynamics, algebraic equations, path and point constraints are linear with
/// constant coefficients, times are given, and the minimised objective is linear in states and integrals whose integrands
/// are linear, or the sum of squares of linear terms with a weight that is not negative. What is convex in another way is
/// not recognised. No kernels are compiled: the tables of derivatives tell which entries are constant.
/// @param weights  ∂J/∂Q of the minimised objective by phases and integrals
bool is_convex(const bolza_problem& problem, const std::vector<Eigen::VectorXd>& weights);

}  // namespace bolza::verify
