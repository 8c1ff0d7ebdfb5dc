// SPDX-License-Identifier: Apache-2.0
#include "runtime/linalg/dense_decompositions.h"

namespace bolza::linalg {

Eigen::MatrixXd least_squares(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  if (A.size() == 0) return Eigen::MatrixXd::Zero(A.cols(), B.cols());
  return A.completeOrthogonalDecomposition().solve(B);
}

Eigen::MatrixXd solve(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) { return A.partialPivLu().solve(B); }

std::optional<Eigen::MatrixXd> solve_if_regular(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  if (A.size() == 0) return Eigen::MatrixXd(0, B.cols());
  Eigen::FullPivLU<Eigen::MatrixXd> factors(A);
  if (!factors.isInvertible()) return std::nullopt;
  return factors.solve(B);
}

Eigen::MatrixXd inverse(const Eigen::MatrixXd& A) { return A.inverse(); }

Eigen::MatrixXd null_space(const Eigen::MatrixXd& A, double threshold) {
  if (A.size() == 0) return Eigen::MatrixXd::Identity(A.cols(), A.cols());
  Eigen::FullPivLU<Eigen::MatrixXd> factors(A);
  factors.setThreshold(threshold);
  if (factors.dimensionOfKernel() == 0) return {A.cols(), 0};
  return factors.kernel();
}

Eigen::MatrixXd orthonormal_columns(const Eigen::MatrixXd& A) {
  return A.householderQr().householderQ() * Eigen::MatrixXd::Identity(A.rows(), A.cols());
}

SingularValues singular_values(const Eigen::MatrixXd& A) {
  if (A.size() == 0) return {Eigen::VectorXd(), Eigen::MatrixXd(A.rows(), 0), Eigen::MatrixXd::Identity(A.cols(), A.cols())};
  Eigen::JacobiSVD<Eigen::MatrixXd> svd(A, Eigen::ComputeThinU | Eigen::ComputeFullV);
  return {svd.singularValues(), svd.matrixU(), svd.matrixV()};
}

std::optional<Spectrum> spectrum(const Eigen::MatrixXd& A) {
  if (A.size() == 0) return Spectrum{};
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(A);
  if (solver.info() != Eigen::Success) return std::nullopt;
  return Spectrum{solver.eigenvalues(), solver.eigenvectors()};
}

Eigenvectors eigenvectors(const Eigen::MatrixXd& A) {
  if (A.size() == 0) return {};
  Eigen::EigenSolver<Eigen::MatrixXd> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace bolza::linalg
