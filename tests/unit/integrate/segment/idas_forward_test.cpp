// SPDX-License-Identifier: Apache-2.0
// Sensitivities on IDAS, staggered and simultaneous, with and without a say in the steps: held against CVODES, a closed
// form, and against what each option promises.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "runtime/integrate/segment/segment.h"
#include "tests/unit/support/hand_second.h"
#include "tests/unit/support/known_models.h"

namespace bolza::integrate {
namespace {

using bolza::testing::HandProblem;
using bolza::testing::Mixed;
using bolza::testing::NoFunctions;
using bolza::testing::Reaction;
using Eigen::MatrixXd;

long forward_evaluations = 0;

// x'' = −p sin x − 0.1 x' at rest: only how it would move has errors.
struct Rest : NoFunctions {
  static constexpr std::size_t nx = 2, nq = 1, np = 3;
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    using std::sin;
    ++forward_evaluations;
    r[0] = w[2], r[1] = -p[2] * sin(w[1]) - T(0.1) * w[2], r[2] = w[1];
  }
};

// So many that a sparse matrix is taken: x_i' = x_(i−1) − p x_i.
struct Chain : NoFunctions {
  static constexpr std::size_t nx = 48, np = 3;
  template <class T>
  static void rates(const T* w, const T* p, T* r) {
    for (std::size_t i = 0; i < nx; ++i) r[i] = (i ? w[i] : T(0)) - p[2] * w[1 + i];
  }
};

struct Outcome {
  std::vector<double> x, q;
  Segment::Directions d;
  bool good = false;
  long forward_evaluations = 0;
};

/// All states' begins and the inputs as directions, each `scale` long and of this size.
template <class M>
Outcome forward(const SegmentOptions& options, double p, double T, std::vector<double> x, double scale = 1,
                double size = 1) {
  HandProblem<M> hand;
  hand.horizon(0, T), hand.parameter(2, p);
  hand.build();
  ReducedModel model(hand.problem, hand.model);
  model.at().shared = hand.shared;
  Segment segment(model, options);
  auto states = static_cast<Eigen::Index>(M::nx), inputs = static_cast<Eigen::Index>(segment.inputs());
  Eigen::Index m = states + inputs;
  Outcome out{std::move(x), std::vector<double>(M::nq), {}, false, 0};
  out.d = {
      MatrixXd::Zero(states, m), MatrixXd::Zero(static_cast<Eigen::Index>(M::nq), m), MatrixXd::Zero(inputs, m), {}, {}};
  out.d.x.leftCols(states).setIdentity(), out.d.direct.rightCols(inputs).setIdentity();
  out.d.x *= scale, out.d.direct *= scale;
  out.d.sizes.assign(static_cast<std::size_t>(m), size);
  forward_evaluations = 0;
  std::vector<double> u(M::nu, 0.3);
  out.good = segment.tangent({0, T}, u, u, out.x, out.q, out.d);
  out.forward_evaluations = forward_evaluations;
  return out;
}

SegmentOptions on_idas(const std::string& method, double rtol) {
  SegmentOptions options{.rtol = rtol, .idas = true};
  options.method_options.sensitivity_method = method;
  return options;
}

class IdasForward : public ::testing::TestWithParam<const char*> {};

TEST_P(IdasForward, agrees_with_cvodes_on_algebraics_inputs_times_and_integrals) {
  Outcome idas = forward<Mixed>(on_idas(GetParam(), 1e-10), 0.7, 1.5, {0.4, -0.2});
  Outcome cvodes = forward<Mixed>({.rtol = 1e-10}, 0.7, 1.5, {0.4, -0.2});
  ASSERT_TRUE(idas.good && cvodes.good);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(idas.x[i], cvodes.x[i], 1e-8);
  EXPECT_LT((idas.d.x - cvodes.d.x).cwiseAbs().maxCoeff(), 2e-8);
  EXPECT_LT((idas.d.q - cvodes.d.q).cwiseAbs().maxCoeff(), 2e-8);
  EXPECT_GT(cvodes.d.q.cwiseAbs().maxCoeff(), 0.1);
}

TEST_P(IdasForward, has_the_closed_form_of_a_reaction) {
  Outcome run = forward<Reaction>(on_idas(GetParam(), 1e-9), 2, 3, {1.5});
  ASSERT_TRUE(run.good);
  double below = 1 + 2 * 1.5 * 3;
  EXPECT_NEAR(run.d.x(0, 0), 1 / (below * below), 1e-7) << "by the initial value";
  EXPECT_NEAR(run.d.x(0, 3), -1.5 * 1.5 * 3 / (below * below), 1e-7) << "by p";
  EXPECT_NEAR(run.d.x(0, 5), -2 * std::pow(1.5 / below, 2), 1e-7) << "by the length";
}

TEST_P(IdasForward, takes_sparse_matrices) {
  std::vector<double> x(Chain::nx);
  x[0] = 1;
  Outcome run = forward<Chain>(on_idas(GetParam(), 1e-9), 1, 2, x);
  ASSERT_TRUE(run.good);
  for (Eigen::Index k : {0, 1, 5}) EXPECT_NEAR(run.d.x(k, 0), std::exp(-2.0) * std::pow(2, k) / std::tgamma(k + 1), 1e-7);
}

// Off, the states choose the steps: at rest one is as good as the next, and nothing is right; on, their tolerance is kept.
TEST_P(IdasForward, has_a_say_in_the_steps_where_it_is_asked_for) {
  constexpr double p = 7.2, T = 10;
  double frequency = std::sqrt(p - 0.0025),
         exact = std::exp(-0.05 * T) * (std::cos(frequency * T) + 0.05 / frequency * std::sin(frequency * T));
  SegmentOptions options = on_idas(GetParam(), 1e-8);
  Outcome on = forward<Rest>(options, p, T, {0, 0});
  options.method_options.sensitivity_error_control = 0;
  Outcome off = forward<Rest>(options, p, T, {0, 0});
  ASSERT_TRUE(on.good && off.good);
  EXPECT_NEAR(on.d.x(0, 0), exact, 1e-6);
  EXPECT_GT(std::fabs(off.d.x(0, 0) - exact), 1e-2);
  EXPECT_LT(off.forward_evaluations, on.forward_evaluations / 3);
}

// Absolute tolerances of sensitivities: rtol × sensitivity_tolerance / |p̄|.
TEST_P(IdasForward, has_tolerances_over_the_sizes_of_directions) {
  SegmentOptions options = on_idas(GetParam(), 1e-8), loose = options;
  loose.method_options.sensitivity_tolerance = 1e4;
  Outcome one = forward<Rest>(options, 7.2, 10, {0, 0}), same = forward<Rest>(loose, 7.2, 10, {0, 0}, 1, 1e4),
          rough = forward<Rest>(loose, 7.2, 10, {0, 0});
  ASSERT_TRUE(one.good && same.good && rough.good);
  EXPECT_LT((one.d.x - same.d.x).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_EQ(one.forward_evaluations, same.forward_evaluations);
  EXPECT_LT(rough.forward_evaluations, 0.6 * static_cast<double>(one.forward_evaluations));
  EXPECT_GT((one.d.x - rough.d.x).cwiseAbs().maxCoeff(), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Methods, IdasForward, ::testing::Values("staggered", "simultaneous", "staggered1"),
                         [](const auto& info) { return std::string(info.param); });

// Staggered sensitivities follow states that do not know of them; simultaneous ones share their iterations.
TEST(IdasForwardMethods, differ_in_what_sensitivities_do_to_the_states) {
  for (const char* method : {"staggered", "simultaneous"}) {
    SegmentOptions options = on_idas(method, 1e-6);
    options.method_options.sensitivity_error_control = 0;
    Outcome small = forward<Mixed>(options, 0.7, 1.5, {0.4, -0.2}),
            large = forward<Mixed>(options, 0.7, 1.5, {0.4, -0.2}, 1e8);
    ASSERT_TRUE(small.good && large.good) << method;
    EXPECT_EQ(small.x == large.x, std::string(method) == "staggered") << method;
    EXPECT_LT((small.d.x - 1e-8 * large.d.x).cwiseAbs().maxCoeff(), 1e-3);
  }
}

}  // namespace
}  // namespace bolza::integrate
