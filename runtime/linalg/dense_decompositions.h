// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <optional>

// Decompositions of dense matrices by Eigen, compiled once: a compiler takes two to ten seconds for each of them in every
// file that names its class. Matrices may be empty, which Eigen's classes refuse by an assertion.

namespace bolza::linalg {

/// The X of smallest norm among those that minimise ‖A X − B‖, by a complete orthogonal decomposition; any shape and rank of
/// A. Cost: O(m n min(m, n)).
Eigen::MatrixXd least_squares(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

/// A⁻¹ B by LU factors with partial pivoting.     Requires  A is square and regular.     Cost: O(n³).
Eigen::MatrixXd solve(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

/// A⁻¹ B by LU factors with full pivoting, where A is regular to rounding.     Requires  A is square.     Cost: O(n³).
std::optional<Eigen::MatrixXd> solve_if_regular(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

/// A⁻¹ by LU factors with partial pivoting.     Requires  A is square and regular.     Cost: O(n³).
Eigen::MatrixXd inverse(const Eigen::MatrixXd& A);

/// Columns that span {x: A x = 0}; none where A has full column rank.     @param threshold  pivots below it, relative to the
/// largest, are zero Cost: O(m n min(m, n)).
Eigen::MatrixXd null_space(const Eigen::MatrixXd& A, double threshold);

/// Orthonormal columns that span those of A.     Requires  m ≥ n.     Cost: O(m n²).
Eigen::MatrixXd orthonormal_columns(const Eigen::MatrixXd& A);

/// A = U diag(values) V'.
struct SingularValues {
  Eigen::VectorXd values;  ///< [min(m, n)], decreasing
  Eigen::MatrixXd U;       ///< [m × min(m, n)]
  Eigen::MatrixXd V;       ///< [n × n]: columns after the values span what A maps to zero
};

/// Any shape, by Jacobi rotations after a QR decomposition: small values are as exact as large ones. Cost: O(m n²), n³ for
/// each of some six sweeps.
SingularValues singular_values(const Eigen::MatrixXd& A);

/// A = vectors diag(values) vectors'.
struct Spectrum {
  Eigen::VectorXd values;   ///< ascending
  Eigen::MatrixXd vectors;  ///< orthonormal columns
};

/// Of a symmetric matrix, whose lower triangle is read; nothing where the iteration does not converge.     Cost: 9 n³.
std::optional<Spectrum> spectrum(const Eigen::MatrixXd& A);

struct Eigenvectors {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;  ///< columns, of length one
};

/// Of any square matrix.     Cost: O(n³).
Eigenvectors eigenvectors(const Eigen::MatrixXd& A);

}  // namespace bolza::linalg
