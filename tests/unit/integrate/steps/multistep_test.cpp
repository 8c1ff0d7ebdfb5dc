// SPDX-License-Identifier: Apache-2.0
// Coefficients of multistep methods against tables, their first steps against the formulas written out, Enright's scheme on
// the stiff test problems of Enright, Hull and Lindberg (BIT 15, 1975), and the published gradient of Robertson's kinetics.
#include "runtime/integrate/steps/multistep.h"

#include <gtest/gtest.h>

#include <cmath>

#include "runtime/integrate/segment/segment.h"
#include "runtime/integrate/simulate/simulate.h"
#include "tests/unit/support/hand_hybrid.h"
#include "tests/unit/support/hand_second.h"
#include "tests/unit/support/known_models.h"

namespace bolza::integrate {
namespace {

using bolza::testing::HandProblem;
using bolza::testing::HandSecond;
using bolza::testing::NoEvents;
using bolza::testing::NoFunctions;
using bolza::testing::Roberts;

void expect_weights(std::vector<double> nodes, bool with_slope, const std::vector<double>& expected) {
  std::vector<double> w = integral_weights(nodes, with_slope, 0, 1);
  ASSERT_EQ(w.size(), expected.size());
  for (std::size_t k = 0; k < w.size(); ++k) EXPECT_NEAR(w[k], expected[k], 1e-14) << k;
}

TEST(IntegralWeights, of_equal_steps_are_those_of_adams) {
  expect_weights({0, -1}, false, {3.0 / 2, -1.0 / 2});
  expect_weights({0, -1, -2, -3}, false, {55.0 / 24, -59.0 / 24, 37.0 / 24, -9.0 / 24});
  expect_weights({1, 0, -1, -2}, false, {9.0 / 24, 19.0 / 24, -5.0 / 24, 1.0 / 24});
}

TEST(IntegralWeights, of_equal_steps_are_those_of_enright) {
  expect_weights({1, 0}, true, {2.0 / 3, 1.0 / 3, -1.0 / 6});
  expect_weights({1, 0, -1}, true, {29.0 / 48, 5.0 / 12, -1.0 / 48, -1.0 / 8});
  expect_weights({1, 0, -1, -2}, true, {307.0 / 540, 19.0 / 40, -1.0 / 20, 7.0 / 1080, -19.0 / 180});
}

TEST(IntegralWeights, of_unequal_steps_integrate_polynomials) {
  std::vector<double> nodes{1.3, 0.4, 0, -0.9};
  std::vector<double> w = integral_weights(nodes, true, 0.2, 1.1);
  for (int degree = 0; degree <= 4; ++degree) {
    double sum = w[4] * degree * std::pow(nodes[0], degree - 1);
    for (std::size_t k = 0; k < 4; ++k) sum += w[k] * std::pow(nodes[k], degree);
    EXPECT_NEAR(sum, (std::pow(1.1, degree + 1) - std::pow(0.2, degree + 1)) / (degree + 1), 1e-13) << degree;
  }
}

struct Decay : NoEvents {  // x' = −x²
  static constexpr std::size_t np = 2;
  template <class T>
  static void rates(const T* w, const T*, T* r) {
    r[0] = -w[1] * w[1];
  }
};

double one_step(const char* method, double h) {
  HandProblem<Decay> hand;
  hand.horizon(0, h), hand.x[0].start = 0.8;
  SimulateOptions o{.method = method, .rtol = 1e-13, .intervals = 1};
  o.method_options.fixed_step = h;
  Simulation s = simulate(hand.build(), 0, o);
  EXPECT_TRUE(s.report.finished()) << s.report.message;
  EXPECT_EQ(s.report.steps, 1u);
  return s.trajectories.x[0].back();
}

double f(double x) { return -x * x; }
double second(double x) { return 2 * x * x * x; }

TEST(Multistep, the_first_step_of_adams_is_predictor_and_corrector) {
  double h = 0.3, x = 0.8, y = x + h * f(x);
  EXPECT_NEAR(one_step("adams", h), x + h / 2 * (f(y) + f(x)), 1e-14);
}

TEST(Multistep, the_first_step_of_enright_fulfils_its_formula) {
  double h = 0.3, x = 0.8, y = one_step("enright", h);
  EXPECT_NEAR(y, x + h * (f(x) / 3 + 2 * f(y) / 3) - h * h / 6 * second(y), 1e-13);
}

TEST(Multistep, the_first_step_of_the_semi_implicit_variant_is_predictor_corrector_recorrector) {
  double h = 0.3, x = 0.8, y = x + h * f(x), c = x + h / 2 * (f(y) + f(x)), z = one_step("enright_semi", h);
  EXPECT_NEAR(z, x + h * (f(x) / 3 + 2 * f(z) / 3) - h * h / 6 * second(c), 1e-13);
}

struct A1 : NoEvents {  // real eigenvalues −0.5 … −100
  static constexpr std::size_t nx = 4, np = 2;
  static constexpr double rate[4] = {-0.5, -1, -100, -90};
  template <class T>
  static void rates(const T* w, const T*, T* r) {
    for (std::size_t i = 0; i < 4; ++i) r[i] = T(rate[i]) * w[1 + i];
  }
};

struct B5 : NoEvents {  // eigenvalues −10 ± 100i, −4, −1, −0.5, −0.1: BDF of high order is not stable there
  static constexpr std::size_t nx = 6, np = 2;
  template <class T>
  static void rates(const T* w, const T*, T* r) {
    r[0] = T(-10) * w[1] + T(100) * w[2], r[1] = T(-100) * w[1] - T(10) * w[2];
    r[2] = T(-4) * w[3], r[3] = -w[4], r[4] = T(-0.5) * w[5], r[5] = T(-0.1) * w[6];
  }
};

template <class M>
Simulation run(const char* method, double rtol) {
  HandProblem<M> hand;
  hand.horizon(0, 20);
  for (auto& x : hand.x) x.start = 1;
  return simulate(hand.build(), 0, {.method = method, .rtol = rtol, .intervals = 20});
}

TEST(Enright, solves_the_stiff_test_problems_with_real_and_with_complex_eigenvalues) {
  for (double rtol : {1e-3, 1e-5, 1e-7}) {
    Simulation a = run<A1>("enright", rtol), b = run<B5>("enright", rtol);
    ASSERT_TRUE(a.report.finished() && b.report.finished()) << a.report.message << b.report.message;
    for (std::size_t k = 0; k < a.trajectories.time.size(); ++k) {
      double t = a.trajectories.time[k];
      for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(a.trajectories.x[i][k], std::exp(A1::rate[i] * t), 30 * rtol) << t;
      double damped = std::exp(-10 * t);
      EXPECT_NEAR(b.trajectories.x[0][k], damped * (std::cos(100 * t) + std::sin(100 * t)), 30 * rtol) << t;
      EXPECT_NEAR(b.trajectories.x[5][k], std::exp(-0.1 * t), 30 * rtol) << t;
    }
    // an explicit method needs 2000/3 steps for A1 after the transient, and as many for B5
    if (rtol < 1e-4) continue;
    EXPECT_LT(a.report.steps, 200u);
    EXPECT_LT(b.report.steps, 500u);
  }
}

TEST(Enright, gives_the_published_gradient_of_robertsons_kinetics_by_the_adjoint_of_its_steps) {
  HandProblem<Roberts> hand;
  hand.horizon(0, 40), hand.parameter(2, 0.04), hand.parameter(3, 1e4), hand.parameter(4, 3e7);
  hand.x[1].nominal = 1e-5, hand.x[1].has_nominal = 1;
  HandSecond<Roberts> second(hand);
  hand.build();
  for (const char* method : {"enright", "sdirk", "grk4", "radau5"}) {
    ReducedModel model(hand.problem, hand.model);
    model.at().shared = hand.shared;
    Segment segment(model, {.rtol = 1e-8, .method = find_method(method)});
    std::vector<double> x{1, 0, 0}, q{0}, lambda(3), weight{1}, gradient(segment.inputs());
    ASSERT_TRUE(segment.forward({0, 40}, {}, {}, x, q)) << method;
    EXPECT_NEAR(x[0], 0.7158270688, 2e-7) << method;
    EXPECT_NEAR(q[0] / 7.98858587, 1, 1e-6) << method;
    ASSERT_TRUE(segment.adjoint(lambda, weight, gradient)) << method;
    EXPECT_NEAR(gradient[2] / 129.77648, 1, 3e-6) << method;
    EXPECT_NEAR(gradient[3] / -3.6263831e-4, 1, 3e-6) << method;
    EXPECT_NEAR(gradient[4] / 6.0442929e-8, 1, 3e-6) << method;
  }
}

struct Orbit : NoFunctions {  // Kepler's, eccentricity 0.3: fast and slow parts
  static constexpr std::size_t nx = 4, np = 2;
  template <class T>
  static void rates(const T* w, const T*, T* r) {
    T d = w[1] * w[1] + w[2] * w[2], cube = d * sqrt(d);
    r[0] = w[3], r[1] = w[4], r[2] = -w[1] / cube, r[3] = -w[2] / cube;
  }
};

// Steps of one revolution, and how far from the start it ends.
std::pair<std::size_t, double> revolution(const char* method, double rtol, const char* orders) {
  using std::sqrt;
  bolza::testing::HandProblem<Orbit> hand;
  hand.horizon(0, 2 * 3.14159265358979323846);
  std::vector<double> start{0.7, 0, 0, sqrt(1.3 / 0.7)};
  SimulateOptions o{.method = method, .rtol = rtol, .intervals = 1};
  o.x = start, o.method_options.order_selection = orders;
  Simulation s = simulate(hand.build(), 0, o);
  EXPECT_TRUE(s.report.finished()) << s.report.message;
  double distance = 0;
  for (std::size_t i = 0; i < start.size(); ++i)
    distance = std::max(distance, std::fabs(s.trajectories.x[i].back() - start[i]));
  return {s.report.steps, distance};
}

TEST(OrderSelection, takes_fewer_steps_the_tighter_the_tolerance_is) {
  for (double rtol : {1e-4, 1e-7, 1e-10}) {
    auto [steps, distance] = revolution("adams", rtol, "automatic");
    auto [ramp, its_distance] = revolution("adams", rtol, "ramp");
    EXPECT_LT(distance, 300 * rtol) << "the error of a revolution is some of the errors of its steps";
    EXPECT_LT(static_cast<double>(steps), (rtol < 1e-8 ? 0.5 : 1.2) * static_cast<double>(ramp)) << rtol;
  }
}

}  // namespace
}  // namespace bolza::integrate
