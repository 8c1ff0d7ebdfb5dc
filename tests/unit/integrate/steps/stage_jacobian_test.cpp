// SPDX-License-Identifier: Apache-2.0
// Systems with the Jacobian of Radau IIA's stages against the matrix itself, and how long factors last.
#include "runtime/integrate/steps/stage_jacobian.h"

#include <gtest/gtest.h>

#include "runtime/integrate/steps/runge_kutta_steps.h"

namespace bolza::integrate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

struct Case {
  std::size_t n_x, n_z;
  double varies;  ///< how far the stages' Jacobians are from each other
  bool index_2 = false;
  double h = 0.1;
};

RungeKuttaForm radau5_form() {
  const double r = std::sqrt(6.0), c[] = {(4 - r) / 10, (4 + r) / 10, 1};
  return collocation_form(c);
}

/// Band matrices, diagonally dominant in f_x and h_z; with `index_2` h_z = 0 and h_x f_z regular.
std::vector<MatrixXd> parts_of(const Case& c, unsigned seed) {
  std::srand(seed);
  auto nx = static_cast<Index>(c.n_x), nz = static_cast<Index>(c.n_z), n = nx + nz;
  auto band = [&](double size) {
    MatrixXd m = MatrixXd::Zero(n, n);
    for (Index i = 0; i < n; ++i)
      for (Index j = std::max<Index>(0, i - 2); j < std::min(n, i + 3); ++j) m(i, j) = size * MatrixXd::Random(1, 1)(0, 0);
    return m;
  };
  MatrixXd common = band(1);
  for (Index i = 0; i < n; ++i) common(i, i) += i < nx ? -5 : 4;
  for (Index i = 0; i < nz && c.index_2; ++i) common(nx + i, i) += 3, common(i, nx + i) += 2;
  std::vector<MatrixXd> parts;
  for (int i = 0; i < 3; ++i) {
    parts.push_back(common + band(c.varies));
    if (c.index_2) parts.back().bottomRightCorner(nz, nz).setZero();
  }
  return parts;
}

MatrixXd whole(const Case& c, const std::vector<MatrixXd>& parts, const std::vector<double>& a) {
  auto nx = static_cast<Index>(c.n_x), nz = static_cast<Index>(c.n_z);
  MatrixXd S = MatrixXd::Zero(3 * (nx + nz), 3 * (nx + nz));
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 3; ++j) {
      const MatrixXd& J = parts[static_cast<std::size_t>(i)];
      double w = c.h * a[static_cast<std::size_t>(3 * i + j)];
      S.block(i * nx, j * nx, nx, nx) = (i == j ? 1.0 : 0.0) * MatrixXd::Identity(nx, nx) - w * J.topLeftCorner(nx, nx);
      S.block(3 * nx + i * nz, j * nx, nz, nx) = w * J.bottomLeftCorner(nz, nx);
      if (i != j) continue;
      S.block(i * nx, 3 * nx + i * nz, nx, nz) = -J.topRightCorner(nx, nz);
      S.block(3 * nx + i * nz, 3 * nx + i * nz, nz, nz) = J.bottomRightCorner(nz, nz);
    }
  return S;
}

std::vector<StageJacobian::Sparse> sparse(const std::vector<MatrixXd>& parts) {
  std::vector<StageJacobian::Sparse> out;
  for (const MatrixXd& part : parts) out.push_back(part.sparseView());
  return out;
}

TEST(StageJacobian, solves_with_the_matrix_and_its_transpose) {
  for (const Case& c : {Case{4, 0, 0.02},
                        {4, 2, 0.02},
                        {5, 2, 0.02, true},
                        {90, 20, 0.02},
                        {3, 2, 2.0},
                        {0, 3, 0.1},
                        {6, 0, 9.0, false, 3},
                        {9, 2, 0.02},
                        {12, 0, 9.0, false, 3}}) {
    RungeKuttaForm form = radau5_form();
    StageJacobian matrix(3, form.a, c.n_x, c.n_z);
    std::vector<MatrixXd> parts = parts_of(c, 7);
    ASSERT_TRUE(matrix.set(sparse(parts), c.h));
    MatrixXd S = whole(c, parts, form.a), R = MatrixXd::Random(S.rows(), 2);
    for (bool transposed : {false, true}) {
      std::optional<MatrixXd> X = matrix.solve(R, transposed);
      ASSERT_TRUE(X) << c.n_x;
      MatrixXd left = transposed ? MatrixXd(S.transpose() * *X) : MatrixXd(S * *X);
      double size = S.cwiseAbs().rowwise().sum().maxCoeff() * X->cwiseAbs().maxCoeff();
      EXPECT_LT((left - R).cwiseAbs().maxCoeff(), 1e-14 * size) << c.n_x << " " << c.n_z << " " << transposed;
    }
  }
}

TEST(StageJacobian, keeps_factors_while_they_contract) {
  RungeKuttaForm form = radau5_form();
  Case c{9, 2, 1e-3};
  StageJacobian matrix(3, form.a, c.n_x, c.n_z);
  std::vector<MatrixXd> parts = parts_of(c, 3);
  MatrixXd R = MatrixXd::Random(33, 1);
  for (double h : {0.1, 0.101, 0.102}) {
    for (MatrixXd& part : parts) part *= 1.001;
    c.h = h;
    ASSERT_TRUE(matrix.set(sparse(parts), h));
    std::optional<MatrixXd> X = matrix.solve(R, true);
    ASSERT_TRUE(X);
    EXPECT_LT((whole(c, parts, form.a).transpose() * *X - R).cwiseAbs().maxCoeff(), 1e-13);
  }
  EXPECT_EQ(matrix.factorisations(), 1u);
  ASSERT_TRUE(matrix.set(sparse(parts), 5.0));
  EXPECT_TRUE(matrix.solve(R, false));
  EXPECT_EQ(matrix.factorisations(), 2u) << "another length of the step";
}

TEST(StageJacobian, begins_with_the_factors_that_a_run_left) {
  RungeKuttaForm form = radau5_form();
  for (const Case& c : {Case{9, 2, 1e-3}, {90, 20, 1e-3}}) {
    auto factors = std::make_shared<StageFactors>(3, form.a, c.n_x, c.n_x + c.n_z);
    std::vector<MatrixXd> parts = parts_of(c, 3);
    ASSERT_TRUE(factors->factorise(parts[1].sparseView(), 1.1 * c.h));
    StageJacobian matrix(3, form.a, c.n_x, c.n_z);
    matrix.begin_with(factors);
    ASSERT_TRUE(matrix.set(sparse(parts), c.h));
    MatrixXd S = whole(c, parts, form.a), R = MatrixXd::Random(S.rows(), 2);
    EXPECT_LT((S * *matrix.solve(R, false) - R).cwiseAbs().maxCoeff(), 1e-11);
    EXPECT_LT((S.transpose() * *matrix.solve(R, true) - R).cwiseAbs().maxCoeff(), 1e-11);
    EXPECT_EQ(matrix.factorisations(), 0u);
  }
}

TEST(StageJacobian, says_what_it_cannot_solve) {
  RungeKuttaForm form = radau5_form();
  StageJacobian matrix(3, form.a, 1, 1);
  MatrixXd singular = MatrixXd::Zero(2, 2);  // an algebraic that no equation holds
  ASSERT_TRUE(matrix.set(sparse({singular, singular, singular}), 0.1));
  EXPECT_FALSE(matrix.solve(MatrixXd::Ones(6, 1), false));
  singular(0, 0) = NAN;
  EXPECT_FALSE(matrix.set(sparse({singular, singular, singular}), 0.1));
}

}  // namespace
}  // namespace bolza::integrate
