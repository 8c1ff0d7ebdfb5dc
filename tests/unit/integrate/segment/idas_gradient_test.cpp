// SPDX-License-Identifier: Apache-2.0
// Gradients of segments on IDAS, by its own adjoints, against difference quotients of its own runs: 1e-7.
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/integrate/segment/segment.h"
#include "tests/unit/support/hand_model.h"

namespace bolza::integrate {
namespace {

using bolza::testing::HandProblem;
using bolza::testing::NoFunctions;

/// An oscillator that is driven and damped, without algebraics.
struct DrivenOscillator : NoFunctions {
  static constexpr std::size_t nx = 2, nu = 1, nq = 1, np = 3;
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    using std::sin;
    r[0] = w[2], r[1] = -p[2] * sin(w[1]) - T(0.2) * w[2] + w[3] * w[0], r[2] = w[1] * w[1] + w[3] * w[3] * w[2];
  }
};

/// Index 1: two algebraics in a loop that is not linear, with time, control and parameter in it.
struct AlgebraicLoop : NoFunctions {
  static constexpr std::size_t nx = 2, nz = 2, nu = 1, nq = 1, np = 3;
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    using std::sin;
    r[0] = w[3] - T(0.5) * w[1] + sin(w[0]), r[1] = w[4] * w[1] - p[2] * w[2], r[2] = w[3] * w[4] + w[5] * w[2];
  }
  template <class T>
  static void residuals(const T* w, const T* p, T* r) {
    r[0] = w[3] * w[3] * w[3] + w[3] + T(0.5) * w[4] - w[2] - w[5];
    r[1] = w[4] + T(0.3) * w[4] * w[4] * w[4] - T(0.4) * w[3] - p[2] * w[0];
  }
};

/// x(begin), u left, u right, parameter, begin, length.
constexpr std::size_t n_inputs = 7;
using InputValues = std::array<double, n_inputs>;

template <class M>
struct IdasRun {
  HandProblem<M> hand;
  std::unique_ptr<ReducedModel> model;
  std::unique_ptr<Segment> segment;

  IdasRun() {
    hand.horizon(0, 2), hand.parameter(2, 1.3);
    hand.build();
    model = std::make_unique<ReducedModel>(hand.problem, hand.model);
    model->at().shared = hand.shared;
    segment = std::make_unique<Segment>(*model, SegmentOptions{.rtol = 1e-12, .linear_control = true, .idas = true});
  }
  /// x and Q at the end.
  Eigen::Vector3d end(const InputValues& v) {
    model->at().shared[2] = v[4];
    std::vector<double> x{v[0], v[1]}, q{0};
    EXPECT_TRUE(segment->forward({v[5], v[6]}, std::span(v).subspan(2, 1), std::span(v).subspan(3, 1), x, q));
    return {x[0], x[1], q[0]};
  }
  /// Central differences, extrapolated twice: an error of h⁶.
  Eigen::Vector3d quotient(const InputValues& at, std::size_t k) {
    auto central = [&](double h) {
      InputValues a = at, b = at;
      a[k] -= h, b[k] += h;
      return Eigen::Vector3d((end(b) - end(a)) / (2 * h));
    };
    Eigen::Vector3d coarse = central(4e-2), middle = central(2e-2), fine = central(1e-2);
    Eigen::Vector3d first = (4 * middle - coarse) / 3, second = (4 * fine - middle) / 3;
    return (16 * second - first) / 15;
  }
  void compare() {
    InputValues at{0.7, -0.4, 0.5, -0.3, 1.3, 0.2, 1.4};
    Eigen::Matrix<double, 3, n_inputs> expected;
    for (std::size_t k = 0; k < n_inputs; ++k) expected.col(static_cast<Eigen::Index>(k)) = quotient(at, k);
    end(at);
    for (Eigen::Index row = 0; row < 3; ++row) {
      std::vector<double> lambda(2), weight(1), gradient(segment->inputs());
      (row < 2 ? lambda[static_cast<std::size_t>(row)] : weight[0]) = 1;
      ASSERT_TRUE(segment->adjoint(lambda, weight, gradient));
      // startTime and finalTime are not inputs here
      std::vector<double> all{lambda[0], lambda[1], gradient[0], gradient[1], gradient[4], gradient[5], gradient[6]};
      for (Eigen::Index k = 0; k < static_cast<Eigen::Index>(n_inputs); ++k)
        EXPECT_NEAR(all[static_cast<std::size_t>(k)], expected(row, k), 1e-7 * std::max(1.0, std::fabs(expected(row, k))))
            << "row " << row << " by input " << k;
    }
  }
};

TEST(IdasGradient, agrees_with_difference_quotients) { IdasRun<DrivenOscillator>().compare(); }

TEST(IdasGradient, of_index_1_agrees_with_difference_quotients) { IdasRun<AlgebraicLoop>().compare(); }

}  // namespace
}  // namespace bolza::integrate
