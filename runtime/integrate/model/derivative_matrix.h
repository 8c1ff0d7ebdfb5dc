// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "runtime/linalg/entry_matrix.h"
#include "runtime/nonlinear/model_at.h"

namespace bolza::integrate {

/// Derivatives of (f, q, h) by (t, x, z, u, p) at a point, sparse at the places that the Jacobian kernels have. p are the
/// n_global first shared values. [(n_x + n_q + n_z) × (1 + n_x + n_z + n_u + n_p)]
class DerivativeMatrix {
 public:
  using Sparse = Eigen::SparseMatrix<double>;
  explicit DerivativeMatrix(const bolza_model& model);

  /// False: not finite, the model's `trouble` says where. Cost: the Jacobian kernels.
  bool fill(nonlinear::ModelAt& model, const nonlinear::ModelAt::Point& point, Sparse& matrix);
  /// From values of the entries of both kernels in the kernels' order.
  void put(std::span<const double> of_rates, std::span<const double> of_residuals, Sparse& matrix);

 private:
  using Part = nonlinear::ModelAt::Part;
  std::vector<std::size_t> rates_, residuals_;  // entries of the kernels in the order of places
  linalg::EntryMatrix<double> entries_;
  nonlinear::Derivative of_rates_, of_residuals_;
};

struct Columns {
  Eigen::Index first, count;
};
/// Some columns of the rows before `above` and of those from `below` on, one after the other.
DerivativeMatrix::Sparse part_of(const DerivativeMatrix::Sparse& matrix, Columns columns, Eigen::Index above,
                                 Eigen::Index below);

}  // namespace bolza::integrate
