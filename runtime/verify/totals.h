// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <vector>

#include "runtime/verify/stored_phase.h"

namespace bolza::verify {

/// Derivatives at one point with the algebraic variables as functions of the rest, by h(t, x, z, u, p) = 0.
struct TotalSlopes {
  Eigen::MatrixXd rows;       ///< of f, q, g [n_x + n_q + n_g × 1 + n_x + n_u + n_p] by time, states, controls, parameters
  Eigen::MatrixXd algebraic;  ///< of z [n_z × the same columns]
  Eigen::MatrixXd inverse;    ///< of ∂h/∂z [n_z × n_z]
  Eigen::MatrixXd by_z;       ///< of f, q, g by z, the rest as it is [n_x + n_q + n_g × n_z]
  bool regular = true;        ///< ∂h/∂z can be inverted and all is finite
};

/// By difference quotients at all points at once.     @param points  [1 + n_x + n_z + n_u × n]
/// @param parameters  true: columns of the model's global parameters follow, start and final time the first two of them
/// Cost  2 (1 + n_x + n_z + n_u + n_p) n evaluations of rates and residuals, n inversions of order n_z.
std::vector<TotalSlopes> total_slopes(const StoredPhase& phase, const Eigen::MatrixXd& points, bool parameters = false);

}  // namespace bolza::verify
