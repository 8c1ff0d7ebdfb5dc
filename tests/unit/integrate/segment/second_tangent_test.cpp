// SPDX-License-Identifier: Apache-2.0
// Sensitivities of a segment on CVODES, of first and second order: against a closed form differentiated by jets, and against
// the adjoint form, λ' x_ij + w' Q_ij being its Hessian.
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/integrate/segment/segment.h"
#include "tests/unit/support/hand_second.h"
#include "tests/unit/support/known_models.h"

namespace bolza::integrate {
namespace {

using bolza::testing::HandProblem;
using bolza::testing::HandSecond;
using bolza::testing::Jet;
using bolza::testing::Mixed;
using bolza::testing::NoFunctions;
using bolza::testing::Roberts;
using Eigen::Index;
using Eigen::MatrixXd;

std::vector<ReducedModel::Pair> all_pairs(Index m) {
  std::vector<ReducedModel::Pair> pairs;
  for (Index i = 0; i < m; ++i)
    for (Index j = 0; j <= i; ++j) pairs.push_back({i, j});
  return pairs;
}

/// A segment whose inputs all are directions, the states at its start first.
template <class M>
struct Piece {
  HandProblem<M> hand;
  HandSecond<M> second{hand};
  std::unique_ptr<ReducedModel> model;
  std::unique_ptr<Segment> segment;
  SegmentTimes times;
  std::vector<double> left, right, x, q = std::vector<double>(M::nq);

  void make(const std::vector<double>& shared, const SegmentOptions& options) {
    hand.shared = shared;
    hand.build();
    model = std::make_unique<ReducedModel>(hand.problem, hand.model);
    model->at().shared = shared;
    segment = std::make_unique<Segment>(*model, options);
  }
  Index inputs() const { return static_cast<Index>(M::nx + segment->inputs()); }
  /// Of x and Q along every column of `directions` [inputs × m] and all pairs of them.
  Segment::Directions along(const MatrixXd& directions) { return along(directions, all_pairs(directions.cols())); }
  Segment::Directions along(const MatrixXd& directions, const std::vector<ReducedModel::Pair>& pairs) {
    Index all = directions.cols() + static_cast<Index>(pairs.size()), nx = M::nx;
    Segment::Directions d{MatrixXd::Zero(nx, all),
                          MatrixXd::Zero(static_cast<Index>(M::nq), all),
                          MatrixXd::Zero(inputs() - nx, all),
                          {},
                          pairs};
    d.x.leftCols(directions.cols()) = directions.topRows(nx);
    d.direct.leftCols(directions.cols()) = directions.bottomRows(inputs() - nx);
    std::vector<double> end = x, integrals = q;
    EXPECT_TRUE(segment->has_second_tangent());
    EXPECT_TRUE(segment->tangent(times, left, right, end, integrals, d));
    return d;
  }
  Segment::Directions along_all() { return along(MatrixXd::Identity(inputs(), inputs())); }
  Segment::Directions first_along_all() { return along(MatrixXd::Identity(inputs(), inputs()), {}); }
};

/// x' = u t − z x with z = p by z³ + z = p³ + p, q = x.
struct DrivenForTangent : NoFunctions {
  static constexpr std::size_t nz = 1, nu = 1, nq = 1, np = 3;
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    (void)p;
    r[0] = w[3] * w[0] - w[2] * w[1], r[1] = w[1];
  }
  template <class T>
  static void residuals(const T* w, const T* p, T* r) {
    r[0] = w[2] * w[2] * w[2] + w[2] - p[2] * p[2] * p[2] - p[2];
  }
};

TEST(SecondTangent, is_that_of_the_closed_form) {
  for (const char* way : {"staggered", "simultaneous", "staggered1"}) {
    Piece<DrivenForTangent> run;
    SegmentOptions options{.rtol = 1e-10};
    options.method_options.sensitivity_method = way;
    run.make({0, 0, 1.3}, options);
    run.times = {0.4, 1.7}, run.left = {0.6}, run.x = {0.8};
    Segment::Directions d = run.along_all();
    using J = Jet<7>;  // x, u, startTime, finalTime, p, begin, length
    J v[7] = {0.8, 0.6, 0, 0, 1.3, 0.4, 1.7};
    for (std::size_t k = 0; k < 7; ++k) v[k].d[k] = 1;
    J z = v[4], a = v[1] / z, fade = exp(-(z * v[6])), off = v[0] - a * (v[5] - J(1) / z);
    J x = off * fade + a * (v[5] + v[6] - J(1) / z);
    J q = off * (J(1) - fade) / z + a * (v[5] * v[6] + J(0.5) * v[6] * v[6] - v[6] / z);
    for (Index k = 0; k < 7; ++k) {
      EXPECT_NEAR(d.x(0, k), x.d[static_cast<std::size_t>(k)], 1e-7) << way << k;
      EXPECT_NEAR(d.q(0, k), q.d[static_cast<std::size_t>(k)], 1e-7) << way << k;
    }
    for (std::size_t k = 0; k < d.pairs.size(); ++k) {
      std::size_t at = static_cast<std::size_t>(7 * d.pairs[k].first + d.pairs[k].second);
      Index column = 7 + static_cast<Index>(k);  // tolerance: some hundred steps with 1e-10 each
      EXPECT_NEAR(d.x(0, column), x.h[at], 1e-7) << way << d.pairs[k].first << d.pairs[k].second;
      EXPECT_NEAR(d.q(0, column), q.h[at], 1e-7) << way << d.pairs[k].first << d.pairs[k].second;
    }
  }
}

// States and sensitivities of the first order are one vector of CVODES, whatever the matrix and the test of errors are.
TEST(FirstTangent, is_that_of_the_closed_form) {
  for (const char* matrix : {"dense", "band", "klu"})
    for (double tested : {0.0, 1.0}) {
      Piece<DrivenForTangent> run;
      SegmentOptions options{.rtol = 1e-10};
      options.method_options.linear_solver = matrix, options.method_options.sensitivity_error_control = tested;
      run.make({0, 0, 1.3}, options);
      run.times = {0.4, 1.7}, run.left = {0.6}, run.x = {0.8};
      using J = Jet<7>;
      J v[7] = {0.8, 0.6, 0, 0, 1.3, 0.4, 1.7};
      for (std::size_t k = 0; k < 7; ++k) v[k].d[k] = 1;
      J z = v[4], a = v[1] / z, fade = exp(-(z * v[6])), off = v[0] - a * (v[5] - J(1) / z);
      J x = off * fade + a * (v[5] + v[6] - J(1) / z);
      J q = off * (J(1) - fade) / z + a * (v[5] * v[6] + J(0.5) * v[6] * v[6] - v[6] / z);
      for (int again = 0; again < 2; ++again) {  // the objects are kept
        Segment::Directions d = run.first_along_all();
        for (Index k = 0; k < 7; ++k) {
          EXPECT_NEAR(d.x(0, k), x.d[static_cast<std::size_t>(k)], 1e-7) << matrix << tested << k;
          EXPECT_NEAR(d.q(0, k), q.d[static_cast<std::size_t>(k)], 1e-7) << matrix << tested << k;
        }
      }
    }
}

// A stiff model with large and small sensitivities, against CVODES' own staggered correction; along more directions than one
// sum of the norm takes, each the double of another.
TEST(FirstTangent, is_that_of_each_direction_by_itself) {
  Piece<Roberts> run, alone;
  SegmentOptions options{.rtol = 1e-9};
  run.make({0, 0, 0.04, 1e4, 3e7}, options);
  options.method_options.sensitivity_method = "staggered1";
  alone.make({0, 0, 0.04, 1e4, 3e7}, options);
  for (auto* p : {&run, &alone}) p->times = {0, 40}, p->x = {1, 0, 0};
  MatrixXd directions = MatrixXd::Zero(run.inputs(), 20);
  for (Index k = 0; k < 20; ++k) directions(k % run.inputs(), k) = k < run.inputs() ? 1 : 2;
  Segment::Directions d = run.along(directions, {}), e = alone.along(directions, {});
  for (Index k = 0; k < 20; ++k) {
    double size = e.x.col(k).cwiseAbs().maxCoeff();
    EXPECT_LT((d.x.col(k) - e.x.col(k)).cwiseAbs().maxCoeff(), 1e-6 * size + 1e-14) << k;
    if (k >= run.inputs()) {
      EXPECT_LT((d.x.col(k) - 2 * d.x.col(k - run.inputs())).cwiseAbs().maxCoeff(), 1e-9 * size + 1e-14) << k;
    }
  }
}

/// The adjoint form's Hessian of λ' x + w' Q at the end.
template <class M>
MatrixXd by_adjoint(Piece<M>& run, const std::vector<double>& lambda, const std::vector<double>& weight) {
  Index n = run.inputs(), nx = M::nx;
  Segment::Directions d{
      MatrixXd::Identity(nx, n), MatrixXd::Zero(static_cast<Index>(M::nq), n), MatrixXd::Zero(n - nx, n), {}, {}};
  d.direct.rightCols(n - nx).setIdentity();
  MatrixXd lambda_dot = MatrixXd::Zero(nx, n), gradient_dot, H(n, n);
  EXPECT_TRUE(run.segment->second(run.times, run.left, run.right, run.x, d, lambda, weight, {}, lambda_dot, gradient_dot));
  H << lambda_dot, gradient_dot;
  return H;
}

/// The same from second-order sensitivities along `directions`: directions' H directions.
MatrixXd by_sensitivities(const Segment::Directions& d, const std::vector<double>& lambda,
                          const std::vector<double>& weight) {
  Index m = d.x.cols() - static_cast<Index>(d.pairs.size());
  MatrixXd H(m, m);
  for (std::size_t k = 0; k < d.pairs.size(); ++k) {
    Index c = m + static_cast<Index>(k);
    double sum = 0;
    for (Index i = 0; i < d.x.rows(); ++i) sum += lambda[static_cast<std::size_t>(i)] * d.x(i, c);
    for (Index i = 0; i < d.q.rows(); ++i) sum += weight[static_cast<std::size_t>(i)] * d.q(i, c);
    H(d.pairs[k].first, d.pairs[k].second) = H(d.pairs[k].second, d.pairs[k].first) = sum;
  }
  return H;
}

struct MixedPiece : Piece<Mixed> {
  std::vector<double> lambda{1, -0.6}, weight{0.7};
  MixedPiece() {
    make({0.2, 1.5, 1.2}, {.rtol = 1e-10, .linear_control = true});
    times = {0.2, 1.3}, left = {0.4}, right = {-0.3}, x = {0.5, -0.2};
  }
};

TEST(SecondTangent, is_that_of_the_adjoint_form) {
  MixedPiece run;
  MatrixXd a = by_adjoint(run, run.lambda, run.weight), b = by_sensitivities(run.along_all(), run.lambda, run.weight);
  EXPECT_LT((a - b).cwiseAbs().maxCoeff(), 1e-7 * a.cwiseAbs().maxCoeff());
}

// More directions than the segment has inputs: its own are integrated and put together, second order movements of the
// states at the start among them.
TEST(SecondTangent, along_many_directions_is_put_together_from_the_inputs) {
  MixedPiece run;
  Index n = run.inputs(), m = n + 2;
  MatrixXd V = MatrixXd::Random(n, m), H = by_adjoint(run, run.lambda, run.weight);
  MatrixXd a = V.transpose() * H * V, b = by_sensitivities(run.along(V), run.lambda, run.weight);
  EXPECT_LT((a - b).cwiseAbs().maxCoeff(), 1e-7 * a.cwiseAbs().maxCoeff());
}

// d²/dε² of x(end) when inputs move by ε v + ε²/2 b is x_vv + x_b.
TEST(SecondTangent, takes_movements_of_second_order_along) {
  MixedPiece run;
  Index n = run.inputs(), nx = 2;
  Segment::Directions d{MatrixXd::Random(nx, 3), MatrixXd::Zero(1, 3), MatrixXd::Random(n - nx, 3), {}, {{0, 0}}}, e = d;
  e.pairs.clear();
  std::vector<double> x = run.x, q = run.q;
  Segment::Directions held = d;
  held.x.col(2).setZero(), held.direct.col(2).setZero();
  ASSERT_TRUE(run.segment->tangent(run.times, run.left, run.right, x, q, d));
  x = run.x, q = run.q;
  ASSERT_TRUE(run.segment->tangent(run.times, run.left, run.right, x, q, held));
  x = run.x, q = run.q;
  ASSERT_TRUE(run.segment->tangent(run.times, run.left, run.right, x, q, e));
  EXPECT_LT((d.x.col(2) - held.x.col(2) - e.x.col(2)).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_LT((d.q.col(2) - held.q.col(2) - e.q.col(2)).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_GT(held.x.col(2).cwiseAbs().maxCoeff(), 1e-3);
}

TEST(SecondTangent, of_roberts_problem_is_that_of_the_adjoint_form) {
  Piece<Roberts> run;
  run.hand.x[1].nominal = 1e-5, run.hand.x[1].has_nominal = 1;
  run.make({0, 40, 0.04, 1e4, 3e7}, {.rtol = 1e-10});
  run.times = {0, 40}, run.x = {1, 0, 0};
  MatrixXd V = MatrixXd::Zero(run.inputs(), 3);
  for (Index k = 0; k < 3; ++k) V(5 + k, k) = run.hand.shared[static_cast<std::size_t>(2 + k)];  // p_k, relative
  std::vector<double> lambda(3), weight{1};
  MatrixXd a = V.transpose() * by_adjoint(run, lambda, weight) * V, b = by_sensitivities(run.along(V), lambda, weight);
  EXPECT_LT((a - b).cwiseAbs().maxCoeff(), 1e-7 * a.cwiseAbs().maxCoeff());
}

}  // namespace
}  // namespace bolza::integrate
