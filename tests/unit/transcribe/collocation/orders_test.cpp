// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/transcribe/collocation/solve.h"
#include "runtime/transcribe/mesh/scheme.h"
#include "tests/unit/transcribe/known_problems.h"

namespace bolza::transcribe {
namespace {

using bolza::testing::given;
using bolza::testing::HandProblem;
using bolza::testing::Problem;
using bolza::testing::smooth_dae;

/// min ∫ ½(x² + u²) on [0, 1], x' = u, x(0) = 1: value ½ tanh 1, x = cosh(1-t)/cosh 1, costate sinh(1-t)/cosh 1 = -u.
Problem linear_quadratic() {
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates =
      h->function<[](auto* p, auto*, auto* r) { r[0] = 1.0 * p[2], r[1] = 0.5 * (p[1] * p[1] + p[2] * p[2]); }, 3, 2, 0, 2>(
          "rates");
  h->model({{HandProblem::started("x", 1)}, {}, {HandProblem::variable("u")}, {}}, rates);
  h->parameters({given("t0", 0), given("tf", 1)});
  h->phase(0, {0, 1});
  h->value(BOLZA_INTEGRAL, 0, 0);
  h->point(h->function<[](auto* v, auto*, auto* r) { r[0] = 1.0 * v[0]; }, 1, 2, 0, 1>("objective"), 0);
  return h;
}

struct OrderRow {
  const char* method;
  std::uint32_t points;
  std::uint32_t mesh;  ///< coarse enough that errors stay above rounding when halved
};

const OrderRow rows[] = {{"radau", 1, 32},       {"radau", 2, 8},     {"radau", 3, 4},          {"radau", 4, 4},
                         {"gauss", 1, 16},       {"gauss", 2, 4},     {"gauss", 3, 2},          {"lobatto", 2, 16},
                         {"lobatto", 3, 6},      {"lobatto", 4, 3},   {"euler", 1, 32},         {"implicit-euler", 1, 32},
                         {"trapezoidal", 2, 16}, {"midpoint", 1, 16}, {"hermite-simpson", 3, 6}};

int order_of(const OrderRow& row) { return find_scheme(row.method)->make(row.points).order; }

template <class Error>
double observed_order(Error error, std::uint32_t mesh) {
  return std::log2(error(mesh) / error(2 * mesh));
}

TranscribeOptions tight(const OrderRow& row, std::uint32_t mesh) {
  TranscribeOptions options{.transcription = row.method, .points = row.points, .mesh = mesh};
  options.nlp.tol = 1e-13;
  return options;
}

TEST(orders, of_states_at_the_end_of_a_differential_algebraic_system) {
  Problem h = smooth_dae();
  for (const OrderRow& row : rows) {
    auto error = [&](std::uint32_t mesh) {
      abi::Solution s = solve(h->problem, tight(row, mesh));
      return std::hypot(s.phases[0].trajectories.x[0].back() - 1.0 / 3,
                        s.phases[0].trajectories.x[1].back() - std::exp(std::sin(2.0)));
    };
    EXPECT_NEAR(observed_order(error, row.mesh), order_of(row), 0.35) << row.method << row.points;
  }
}

TEST(orders, of_the_optimal_value_and_the_first_costate_of_a_linear_quadratic_problem) {
  Problem h = linear_quadratic();
  for (const OrderRow& row : rows) {
    auto value = [&](std::uint32_t mesh) {
      return std::abs(solve(h->problem, tight(row, mesh)).objective - 0.5 * std::tanh(1.0));
    };
    auto costate = [&](std::uint32_t mesh) {
      return std::abs(solve(h->problem, tight(row, mesh)).phases[0].trajectories.costate[0][0] - std::tanh(1.0));
    };
    std::uint32_t mesh = order_of(row) >= 7 ? 1 : order_of(row) >= 5 ? 2 : row.mesh;
    EXPECT_NEAR(observed_order(value, mesh), order_of(row), 0.45) << row.method << row.points;
    EXPECT_NEAR(observed_order(costate, mesh), order_of(row), 0.45) << row.method << row.points;
  }
}

TEST(orders, costates_and_controls_follow_their_closed_forms_over_time) {
  Problem h = linear_quadratic();
  struct Case {
    const char* method;
    double state, costate;  // inside intervals the adjoint of Lobatto IIIA has a lower order than at mesh points
  };
  for (Case c : {Case{"radau", 1e-8, 2e-6}, Case{"gauss", 1e-8, 2e-6}, Case{"lobatto", 2e-7, 1e-5}}) {
    abi::Solution s = solve(h->problem, tight({c.method, 4, 0}, 10));
    const abi::Trajectories& y = s.phases[0].trajectories;
    for (std::size_t k = 0; k < y.time.size(); ++k) {
      double costate = std::sinh(1 - y.time[k]) / std::cosh(1.0);
      EXPECT_NEAR(y.x[0][k], std::cosh(1 - y.time[k]) / std::cosh(1.0), c.state) << c.method;
      EXPECT_NEAR(y.costate[0][k], costate, c.costate) << c.method << " " << y.time[k];
      EXPECT_NEAR(y.u[0][k], -costate, 2e-5) << c.method << " " << y.time[k];
    }
  }
}

}  // namespace
}  // namespace bolza::transcribe
