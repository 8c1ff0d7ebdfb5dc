// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "tests/unit/transcribe/hand_problem.h"

namespace bolza::testing {

using Problem = std::unique_ptr<HandProblem>;

/// x' = -z, z = x² (x = 1/(1+t)); y' = y cos t (y = exp(sin t)); no control.
inline Problem smooth_dae() {
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates =
      h->function<[](auto* p, auto*, auto* r) { r[0] = -p[3], r[1] = p[2] * cos(p[0]); }, 4, 2, 0, 2>("rates");
  bolza_function* residuals =
      h->function<[](auto* p, auto*, auto* r) { r[0] = p[3] - p[1] * p[1]; }, 4, 2, 0, 1>("residuals");
  h->model({{HandProblem::started("x", 1), HandProblem::started("y", 1)}, {HandProblem::variable("z")}, {}, {}}, rates,
           residuals);
  h->parameters({given("t0", 0), given("tf", 2)});
  h->phase(0, {0, 1});
  h->value(BOLZA_STATE, h->place(0, 0, 1), 0);
  h->point(h->function<[](auto* v, auto*, auto* r) { r[0] = 0.0 * v[0]; }, 1, 2, 0, 1>("objective"), 0);
  return h;
}

/// Van der Pol: min ∫ x1² + x2² + u² on [0, 20], u <= 0.75.
inline Problem van_der_pol() {
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates = h->function<[](auto* p, auto*, auto* r) {
    auto &x1 = p[1], &x2 = p[2], &u = p[3];
    r[0] = (1.0 - x2 * x2) * x1 - x2 + u;
    r[1] = x1;
    r[2] = x1 * x1 + x2 * x2 + u * u;
  },
                                      4, 2, 0, 3>("rates");
  h->model(
      {{HandProblem::started("x1", 0), HandProblem::started("x2", 1)}, {}, {HandProblem::variable("u", -inf, 0.75)}, {}},
      rates, nullptr, nullptr, nullptr, {0, 20});
  h->parameters({given("startTime", 0), given("finalTime", 20)});
  h->phase(0, {0, 1});
  h->value(BOLZA_INTEGRAL, 0, 0);
  h->point(h->function<[](auto* v, auto*, auto* r) { r[0] = 1.0 * v[0]; }, 1, 2, 0, 1>("objective"), 0);
  return h;
}

/// Goddard's rocket [COPS, problem 10]: max h(tf), tf free.
inline Problem goddard() {
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates = h->function<[](auto* p, auto*, auto* r) {
    auto &height = p[1], &v = p[2], &m = p[3], &thrust = p[4];
    auto drag = 310.0 * v * v * exp(-500.0 * (height - 1.0));
    r[0] = v;
    r[1] = (thrust - drag) / m - 1.0 / (height * height);
    r[2] = -2.0 * thrust;
  },
                                      5, 2, 0, 3>("rates");
  auto started = [](const char* name, double start, double min, double max) {
    return HandProblem::started(name, start, min, max);
  };
  h->model({{started("h", 1, 1, inf), started("v", 0, 0, inf), started("m", 1, 0.6, 1)},
            {},
            {HandProblem::guessed("T", 1.75, 0, 3.5)},
            {}},
           rates);
  bolza_variable tf = HandProblem::guessed("finalTime", 1, 0, inf);
  h->parameters({given("startTime", 0), tf});
  h->phase(0, {0, 1});
  std::int32_t end = h->place(0, 0, 1);
  h->value(BOLZA_STATE, end, 0);
  h->value(BOLZA_STATE, end, 2);
  h->point(h->function<[](auto* v, auto*, auto* r) { r[0] = 1.0 * v[0], r[1] = v[1] - 0.6; }, 2, 2, 0, 2>("point"), 1);
  h->problem.maximize = 1;
  return h;
}

/// Catalyst mixing [COPS, problem 14]: min -1 + x1(1) + x2(1), 0 <= u <= 1.
inline Problem catalyst_mixing() {
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates = h->function<[](auto* p, auto*, auto* r) {
    auto &x1 = p[1], &x2 = p[2], &u = p[3];
    r[0] = u * (10.0 * x2 - x1);
    r[1] = u * (x1 - 10.0 * x2) - (1.0 - u) * x2;
  },
                                      4, 2, 0, 2>("rates");
  h->model({{HandProblem::started("x1", 1), HandProblem::started("x2", 0)}, {}, {HandProblem::variable("u", 0, 1)}, {}},
           rates);
  h->parameters({given("startTime", 0), given("finalTime", 1)});
  h->phase(0, {0, 1});
  std::int32_t end = h->place(0, 0, 1);
  h->value(BOLZA_STATE, end, 0);
  h->value(BOLZA_STATE, end, 1);
  h->point(h->function<[](auto* v, auto*, auto* r) { r[0] = v[0] + v[1] - 1.0; }, 2, 2, 0, 1>("objective"), 0);
  return h;
}

}  // namespace bolza::testing
