// SPDX-License-Identifier: Apache-2.0
// Second derivatives on IDAS, algebraics as they stand: those of CVODES with algebraics eliminated, of differences,
// symmetric.
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/integrate/segment/segment.h"
#include "tests/unit/support/hand_second.h"
#include "tests/unit/support/known_models.h"

namespace bolza::integrate {
namespace {

using bolza::testing::HandProblem;
using bolza::testing::HandSecond;
using bolza::testing::Mixed;
using Eigen::Index;
using Eigen::MatrixXd;

class IdasSecond : public ::testing::TestWithParam<bool> {
 public:
  IdasSecond() : hessians(hand) {
    hand.horizon(0.3, 1.5), hand.parameter(2, 1.2);
    hand.build();
    model = std::make_unique<ReducedModel>(hand.problem, hand.model);
    if (linear) at.insert(at.begin() + 3, -0.3);
  }
  SegmentTimes go_to(const std::vector<double>& v) {
    std::size_t p = linear ? 4 : 3;
    model->at().shared = {v[p], v[p + 1], v[p + 2]};
    return {v[p + 3], v[p + 4]};
  }
  auto left(const std::vector<double>& v) const { return std::span(v).subspan(2, 1); }
  auto right(const std::vector<double>& v) const { return std::span(v).subspan(linear ? 3 : 2, 1); }
  Segment segment(bool idas) const { return {*model, {.rtol = 1e-11, .linear_control = linear, .idas = idas}}; }

  // How the gradient of λ'x + w'Q moves along V, λ and w moving along l and o.
  MatrixXd second(Segment& s, const MatrixXd& V, const MatrixXd& l, const MatrixXd& o) {
    Segment::Directions d{V.topRows(2), MatrixXd::Zero(1, V.cols()), V.bottomRows(V.rows() - 2), {}};
    MatrixXd lambda_dot = l, gradient_dot, out(V.rows(), V.cols());
    SegmentTimes times = go_to(at);
    EXPECT_TRUE(s.has_second());
    EXPECT_TRUE(
        s.second(times, left(at), right(at), std::span(at).first(2), d, lambda, weight, o, lambda_dot, gradient_dot));
    out << lambda_dot, gradient_dot;
    return out;
  }
  Eigen::VectorXd gradient(Segment& s, const std::vector<double>& v) {
    std::vector<double> x{v[0], v[1]}, q(1), l = lambda, by(s.inputs());
    SegmentTimes times = go_to(v);
    EXPECT_TRUE(s.forward(times, left(v), right(v), x, q));
    EXPECT_TRUE(s.adjoint(l, weight, by));
    l.insert(l.end(), by.begin(), by.end());
    return Eigen::Map<Eigen::VectorXd>(l.data(), static_cast<Index>(l.size()));
  }

  bool linear = GetParam();
  HandProblem<Mixed> hand;
  HandSecond<Mixed> hessians;
  std::unique_ptr<ReducedModel> model;
  std::vector<double> at{0.7, -0.4, 0.5, 0.3, 1.5, 1.2, 0.4, 0.9};  // x, u, startTime, finalTime, p, begin, length
  const std::vector<double> lambda{0.7, -1.1}, weight{0.9};
};

TEST_P(IdasSecond, the_hessian_is_that_of_cvodes_and_of_differences_of_the_adjoint_and_symmetric) {
  Segment idas = segment(true), cvodes = segment(false);
  Index n = static_cast<Index>(at.size());
  MatrixXd I = MatrixXd::Identity(n, n), none = MatrixXd::Zero(2, n);
  MatrixXd H = second(idas, I, none, {}), other = second(cvodes, I, none, {});
  EXPECT_LT((H - other).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_LT((H - H.transpose()).cwiseAbs().maxCoeff(), 1e-7) << "to the tolerance of the integrations";
  EXPECT_GT(H.cwiseAbs().maxCoeff(), 0.1);
  for (Index k = 0; k < n; ++k) {
    constexpr double h = 2e-3;
    auto side = [&](double step) {
      std::vector<double> v = at;
      v[static_cast<std::size_t>(k)] += step;
      return gradient(idas, v);
    };
    Eigen::VectorXd quotient = (8 * (side(h) - side(-h)) - (side(2 * h) - side(-2 * h))) / (12 * h);
    EXPECT_LT((H.col(k) - quotient).cwiseAbs().maxCoeff(), 1e-6) << "by " << k;
  }
}

TEST_P(IdasSecond, products_with_directions_along_which_multipliers_and_weights_move_are_those_of_cvodes) {
  Segment idas = segment(true), cvodes = segment(false);
  std::srand(1);
  MatrixXd V = MatrixXd::Random(static_cast<Index>(at.size()), 2), l = MatrixXd::Random(2, 2), o = MatrixXd::Random(1, 2);
  for (int again : {0, 1}) EXPECT_LT((second(idas, V, l, o) - second(cvodes, V, l, o)).cwiseAbs().maxCoeff(), 1e-7) << again;
  EXPECT_LT((second(idas, V.col(0), l.col(0), o.col(0)) - second(cvodes, V, l, o).col(0)).cwiseAbs().maxCoeff(), 1e-7)
      << "another number of directions";
}

INSTANTIATE_TEST_SUITE_P(Controls, IdasSecond, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "linear" : "constant"; });

}  // namespace
}  // namespace bolza::integrate
