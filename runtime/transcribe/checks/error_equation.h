// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <cstddef>
#include <span>
#include <vector>

#include "runtime/integrate/model/reduced_model.h"
#include "runtime/linalg/entry_matrix.h"
#include "runtime/linalg/factors.h"
#include "runtime/transcribe/mesh/interpolate.h"

namespace bolza::transcribe {

/// How far a polynomial x̃ is from what solves the equations, from how far it is from their integral along itself,
/// e_k = x̃_0 + h Σ_j A_kj f(x̃_j) − x̃_k. In a stiff system e is h J times the deviation; with the equations linearised
///
///   δ_k = e_k + h Σ_j A_kj J_j δ_j,     J = ∂f/∂x at the points, algebraics solved for
///
/// (for Runge–Kutta methods: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, section IV.8: their error
/// estimates are multiplied by (I − h γ J)⁻¹ for the same reason).
class ErrorEquation {
 public:
  /// @param integrals  A [points][points], of the first point to each
  /// @param size  of the states [n_x]: norms are relative to them
  ErrorEquation(const std::vector<std::vector<double>>& integrals, std::vector<double> size);

  struct At {
    double time;
    const PhaseValues* values;
  };
  /// Replaces e by δ [n_x × points] where that is smaller: not where ‖h J‖ ≤ 1, where an instability is faster than the
  /// interval, where derivatives are not finite, or where the matrix would have more than a million entries.     Cost  a
  /// Jacobian at the last point; where that is stiff, at all of them, and one sparse LU with n_x (points − 1) unknowns.
  void apply(integrate::ReducedModel& model, double h, std::span<const At> points, Eigen::MatrixXd& e);

 private:
  bool jacobian_at(integrate::ReducedModel& model, const At& at);
  double norm() const;
  void make_matrix();

  const std::vector<std::vector<double>>& integrals_;
  std::vector<double> size_;
  struct Entry {
    std::size_t place;  // among those of the model
    int row, col;       // states
  };
  std::vector<Entry> entries_;    // of J
  std::vector<double> jacobian_;  // their values, relative to sizes
  std::vector<double> rows_, all_;
  linalg::EntryMatrix<double> matrix_;
  linalg::Factors<double> factors_;
};

}  // namespace bolza::transcribe
