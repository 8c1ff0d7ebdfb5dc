// SPDX-License-Identifier: Apache-2.0
// Products with total derivatives and equations of implicit steps, sparse with algebraics as unknowns, against the same
// with full matrices from which the algebraics are eliminated.
#include "runtime/integrate/model/rate_jacobian.h"

#include <gtest/gtest.h>

#include "runtime/integrate/model/reduced_model.h"
#include "runtime/integrate/steps/implicit_matrix.h"
#include "tests/unit/support/hand_second.h"
#include "tests/unit/support/hand_series.h"

namespace bolza::integrate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Sparse = RateJacobian::Sparse;

/// A band in every block, h_z diagonally dominant.
struct Example {
  Index n_x, n_q, n_z, behind = 3;
  Sparse S, S_dot;
  RateJacobian J;
  MatrixXd full, G;  ///< [(n_x + n_q) × (1 + n_x + after)] with the algebraics eliminated

  Example(Index n_x, Index n_q, Index n_z) : n_x(n_x), n_q(n_q), n_z(n_z) {
    S = band(4), S_dot = band(0);
    J = {S, nullptr, n_x, n_z};
    Index n = n_x + n_q, first = 1 + n_x;
    MatrixXd all = S, dot = S_dot, hz = all.block(n, first, n_z, n_z), by_c = without(all), Y(all.cols(), by_c.cols());
    if (n_z) {
      auto factors = std::make_shared<linalg::Factors<double>>();
      EXPECT_TRUE(factors->compute(hz.sparseView()));
      J.algebraic = factors;
    }
    MatrixXd inverse = hz.inverse(), z = -inverse * by_c.bottomRows(n_z), identity = MatrixXd::Identity(Y.cols(), Y.cols());
    Y << identity.topRows(first), z, identity.bottomRows(behind);
    full = all.topRows(n) * Y;
    G = dot.topRows(n) * Y - all.block(0, first, n, n_z) * inverse * (dot.bottomRows(n_z) * Y);
  }

  Sparse band(double dominance) const {
    MatrixXd m = MatrixXd::Zero(n_x + n_q + n_z, 1 + n_x + n_z + behind);
    for (Index r = 0; r < m.rows(); ++r)
      for (Index c = 0; c < m.cols(); ++c)
        if (c == 0 || c > n_x + n_z || std::abs(r - c) < 3 || r == n_x) m(r, c) = std::sin(1.0 + 3 * r + 7 * c + dominance);
    for (Index k = 0; k < n_z; ++k) m(n_x + n_q + k, 1 + n_x + k) += dominance;
    return m.sparseView();
  }

  MatrixXd without(const MatrixXd& all) const {
    MatrixXd out(all.rows(), all.cols() - n_z);
    out << all.leftCols(1 + n_x), all.rightCols(behind);
    return out;
  }
};

void expect_near(const MatrixXd& a, const MatrixXd& b, const char* what) {
  ASSERT_EQ(a.rows(), b.rows()) << what;
  EXPECT_LT((a - b).cwiseAbs().maxCoeff(), 1e-11 * std::max(1.0, b.cwiseAbs().maxCoeff())) << what << " " << a.rows();
}

TEST(RateJacobian, has_the_products_of_the_matrix_without_algebraics) {
  for (const Example& e : {Example(4, 0, 0), Example(4, 2, 0), Example(5, 1, 3), Example(90, 2, 20)}) {
    MatrixXd c = MatrixXd::Random(e.full.cols(), 2), psi = MatrixXd::Random(e.full.rows(), 2);
    expect_near(e.J.times(c), e.full * c, "J c");
    expect_near(e.J.transposed_times(psi), e.full.transpose() * psi, "J'psi");
    expect_near(e.J.curved_times(e.S_dot, c), e.G * c, "G c");
    expect_near(e.J.curved_transposed_times(e.S_dot, psi), e.G.transpose() * psi, "G'psi");
  }
}

TEST(ImplicitMatrix, solves_the_equations_of_implicit_steps_and_their_transposes) {
  for (const Example& e : {Example(4, 0, 0), Example(4, 2, 0), Example(5, 1, 3), Example(90, 2, 20)})
    for (auto [w1, w2] : {std::pair{0.02, 0.0}, {0.02, -3e-3}, {0.01, 2e-3}}) {
      Index n = e.full.rows(), nx = e.n_x;
      MatrixXd B = w1 * e.full + w2 * (e.G + e.full.middleCols(1, nx) * e.full.topRows(nx));
      MatrixXd of_states = MatrixXd::Zero(n, n);
      of_states.leftCols(nx) = B.middleCols(1, nx);
      MatrixXd A = MatrixXd::Identity(n, n) - of_states;
      ImplicitMatrix matrix;
      ASSERT_TRUE(matrix.compute(e.J, e.S_dot, w1, w2));
      MatrixXd held = MatrixXd::Random(e.full.cols(), 2), b = MatrixXd::Random(n, 2), y = b, psi = b, back;
      held.middleRows(1, nx).setZero();
      matrix.tangent(held, y);
      expect_near(y, A.inverse() * (b + B * held), "tangent");
      expect_near(matrix.solve(b.topRows(nx)), A.topLeftCorner(nx, nx).inverse() * b.topRows(nx), "solve");
      matrix.adjoint(psi, back);
      MatrixXd expected = A.transpose().inverse() * b;
      expect_near(psi, expected, "adjoint");
      expect_near(back, e.full.middleCols(1, nx).transpose() * expected, "J'psi of the states");
      expect_near(matrix.transposed_times(psi, back), B.transpose() * expected, "B'psi");
    }
}

struct Curved : bolza::testing::NoFunctions {
  static constexpr std::size_t nx = 2, nz = 1, nu = 1, nq = 1, np = 4, nv = 1;
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    r[0] = w[2] * w[3] - p[2] * w[1] * w[1] + w[4] * w[1];
    r[1] = -sin(w[1]) * p[3] + w[4] * w[3] * w[3] + w[0] * w[1] - w[2];
    r[2] = w[1] * w[1] + w[3] * w[4] + p[2] * w[0] * w[4] * w[4];
  }
  template <class T>
  static void residuals(const T* w, const T* p, T* r) {
    r[0] = w[3] * w[3] * w[3] + w[3] - p[3] * w[1] * w[2] - w[2] - w[0] * w[4];
  }
  template <class T>
  static void point(const T* v, const T*, T* r) {
    r[0] = v[0];
  }
};

TEST(RateJacobian, moves_along_directions_as_second_derivatives_of_rows_say) {
  bolza::testing::HandProblem<Curved> hand;
  hand.horizon(0.2, 1.4), hand.parameter(2, 0.9), hand.parameter(3, 1.3);
  hand.build();
  bolza::testing::HandSecond<Curved> second(hand);
  bolza::testing::HandSeries<Curved> series(hand);
  ReducedModel model(hand.problem, hand.model);
  model.at().shared = hand.shared;
  std::vector<double> x{0.4, -0.7}, u{0.3};
  ASSERT_TRUE(model.move_to(0.6, x, u));
  RateJacobian J;
  MatrixXd full, c = MatrixXd::Random(8, 3), psi = MatrixXd::Random(3, 2);
  ASSERT_TRUE(model.rate_jacobian(J) && model.rate_jacobian(full));
  expect_near(J.times(c), full * c, "J c");
  Eigen::VectorXd d = Eigen::VectorXd::Random(8);
  d.tail(4).setZero();
  Sparse by_series, by_rows;
  ASSERT_TRUE(model.jacobian_along(J, d, by_series, 0) && model.jacobian_along(J, d, by_rows, 100));
  ASSERT_GT(MatrixXd(by_series).bottomRows(1).cwiseAbs().maxCoeff(), 0.01) << "by the series of both kernels";
  ASSERT_EQ(MatrixXd(by_rows).bottomRows(1).cwiseAbs().maxCoeff(), 0);
  expect_near(J.curved_times(by_series, c), J.curved_times(by_rows, c), "G c");
  expect_near(J.curved_transposed_times(by_series, psi), J.curved_transposed_times(by_rows, psi), "G'psi");
}

}  // namespace
}  // namespace bolza::integrate
