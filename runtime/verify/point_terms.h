// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <memory>
#include <vector>

#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"
#include "runtime/verify/own_flow.h"
#include "runtime/verify/stored_phase.h"

namespace bolza::verify {

/// The point function at a stored result: objective, point constraints, and the slopes of their Lagrangian.
struct PointTerms {
  bool possible = false;         ///< its kernels are there, and all values are finite
  Eigen::VectorXd values;        ///< V [n_values]
  Eigen::VectorXd rows;          ///< [1 + n_k + n_r]
  Eigen::MatrixXd slopes;        ///< of rows by V [1 + n_k + n_r × n_values]
  Eigen::VectorXd by_value;      ///< ∂(σ φ + Σ ν k)/∂V [n_values], σ = −1 where the objective is maximised
  Eigen::VectorXd by_parameter;  ///< the same by parameters, V fixed [n_parameters]
};

/// What a point constraint is measured by: the largest of its value and its finite limits; where those are small, of what
/// it reads, up to 1; no less than `least_size`.     @param row  0 … n_k − 1
double size_of_point_row(const bolza_problem& problem, const PointTerms& point, std::size_t row);

/// What a parameter is measured by: the larger of its value and its nominal one, no less than `least_size`.
double size_of_parameter(const bolza_variable& parameter, double value);

inline constexpr double least_size = 1e-3;  ///< of what has a value of its own: near 0, differences count as they are

/// The time of a place.
double time_of(const bolza_problem& problem, const abi::Solution& solution, const bolza_place& place);

/// V are taken from the stored trajectories, integrals as given.
/// @param integrals  [phases] Q
PointTerms point_terms(const bolza_problem& problem, const abi::Solution& solution,
                       const std::vector<std::unique_ptr<StoredPhase>>& phases,
                       const std::vector<Eigen::VectorXd>& integrals);

}  // namespace bolza::verify
