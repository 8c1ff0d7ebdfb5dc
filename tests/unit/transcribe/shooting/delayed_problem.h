// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "tests/unit/transcribe/known_problems.h"

namespace bolza::testing {

/// A problem that reads two delayed values, with what the functions of such a problem can be made of: products of delayed
/// values, an integral, a path constraint, an initial equation, point values inside.
struct DelayedProblem {
  std::unique_ptr<HandProblem> hand = std::make_unique<HandProblem>();
  bolza_hybrid hybrid = {};

  bolza_problem& problem() { return hand->problem; }
};

/// @tparam delays  (w, p, r): two expressions, two times, two longest times; w = t, x, y, z, u, d1, d2, and p = startTime,
/// finalTime, k (free), lag (free or not), tau (data)
template <auto delays>
DelayedProblem delayed_problem(bool lag_is_free = false) {
  DelayedProblem out;
  HandProblem& h = *out.hand;
  bolza_function* rates = h.function<[](auto* w, auto* p, auto* r) {
    r[0] = w[3] * w[5] - sin(w[1]) + w[4], r[1] = p[2] * cos(w[1]) - 0.5 * w[5] * w[6],
    r[2] = w[1] * w[1] + p[2] * w[6] * w[6] + w[4] * w[4];
  },
                                     7, 4, 1, 3>("rates");
  bolza_function* residuals = h.function<[](auto* w, auto* p, auto* r) {
    r[0] = w[3] * w[3] * w[3] + w[3] - w[1] * p[2] - 0.3 * w[4], r[1] = w[1] * w[6] + w[3] * w[0];
  },
                                         7, 4, 1, 2>(
      "residuals", nullptr, {bolza_row{"z", {"hand.mop", 7, 3}, 0, 0}, bolza_row{"path", {"hand.mop", 8, 3}, -8, 8}});
  bolza_function* initial =
      h.function<[](auto* w, auto* p, auto* r) { r[0] = w[1] * w[1] - p[2] * w[2]; }, 7, 4, 1, 1>("initial");
  std::vector<double> shared{0.2, 1.7, 1.3, 0.37, 0.31};
  bolza_model& model =
      h.model({{HandProblem::guessed("x", 0.8), HandProblem::guessed("y", 0.4)},
               {HandProblem::variable("z")},
               {HandProblem::variable("u", -3, 3), HandProblem::variable("d1"), HandProblem::variable("d2")},
               {}},
              rates, residuals, initial, nullptr, shared);
  bolza_variable lag = lag_is_free ? HandProblem::guessed("lag", 0.37, 0.05, 0.7) : given("lag", 0.37);
  h.parameters({given("startTime", 0.2), given("finalTime", 1.7), HandProblem::guessed("k", 1.3, 0.2, 3), lag});
  h.phase(0, {0, 1, 2, 3});
  out.hybrid.n_delays = 2, out.hybrid.is_literal = 1;
  out.hybrid.initial = out.hybrid.terminal = out.hybrid.homotopy = -1;
  out.hybrid.delays = h.function<delays, 7, 4, 1, 6>("delays");
  std::int32_t end = h.place(0, 0, 1), between = h.place(0, 0.6, 0.4);
  h.value(BOLZA_STATE, end, 0), h.value(BOLZA_INTEGRAL, 0, 0), h.value(BOLZA_RATE, between, 1),
      h.value(BOLZA_CONTROL, end, 0);
  h.point(h.function<[](auto* v, auto* p, auto* r) {
    r[0] = v[0] * v[0] * p[2] + v[1] * v[1] + p[3] * p[3], r[1] = v[2] * v[0] - v[3] * v[3], r[2] = v[1] * v[0];
  },
                     4, 4, 0, 3>("point"),
          2);
  model.hybrid = &out.hybrid;
  return out;
}

}  // namespace bolza::testing
