// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/shooting/delayed_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "runtime/transcribe/shooting/shooting_internal.h"
#include "tests/unit/further_samples.h"
#include "tests/unit/transcribe/shooting/delayed_problem.h"
#include "tests/unit/transcribe/shooting/derivative_check.h"

namespace bolza::transcribe {
namespace {

using bolza::testing::delayed_problem;
using bolza::testing::DelayedProblem;

struct DelayKind {
  const char* name;
  DelayedProblem (*make)();
  bool is_further_sample = false;  ///< by an integrator with steps of its own
};

constexpr DelayKind delay_kinds[] = {{"of_states_that_shifts_mesh_points_onto_mesh_points",
                                      [] {
                                        return delayed_problem<[](auto* w, auto*, auto* r) {
                                          r[0] = 2.0 * w[1] - w[2] + 0.1, r[1] = w[2];
                                          r[2] = r[4] = 0.375, r[3] = r[5] = 0.75;
                                        }>();
                                      },
                                      true},
                                     {"of_states_that_does_not_divide_the_mesh",
                                      [] {
                                        return delayed_problem<[](auto* w, auto*, auto* r) {
                                          r[0] = 2.0 * w[1] - w[2] + 0.1, r[1] = w[2];
                                          r[2] = r[4] = 0.29, r[3] = r[5] = 0.2 * std::sqrt(2.0);
                                        }>();
                                      }},
                                     {"of_controls",
                                      [] {
                                        return delayed_problem<[](auto* w, auto*, auto* r) {
                                          r[0] = w[4], r[1] = 3.0 * w[4] - w[1];
                                          r[2] = r[4] = 0.375, r[3] = r[5] = 0.23;
                                        }>();
                                      },
                                      true},
                                     {"by_parameters",
                                      [] {
                                        return delayed_problem<[](auto* w, auto* p, auto* r) {
                                          r[0] = 2.0 * w[1] - w[2], r[1] = w[4];
                                          r[2] = p[4], r[3] = 2.0 * p[3] - p[4], r[4] = r[5] = 1.0;
                                        }>();
                                      },
                                      true},
                                     {"of_algebraic_variables",
                                      [] {
                                        return delayed_problem<[](auto* w, auto*, auto* r) {
                                          r[0] = w[3], r[1] = 2.0 * w[3] - w[1] + 0.5 * w[4];
                                          r[2] = r[4] = 0.375, r[3] = r[5] = 0.29;
                                        }>();
                                      }},
                                     {"that_are_sought", [] {
                                        return delayed_problem<[](auto* w, auto* p, auto* r) {
                                          r[0] = 2.0 * w[1] - w[2] + 0.1, r[1] = w[2];
                                          r[2] = 1.1 * p[3], r[3] = 0.3 * p[3] + 0.1 * p[2], r[4] = r[5] = 1.5;
                                        }>(true);
                                      }}};

class DelaysInShooting : public ::testing::TestWithParam<std::tuple<DelayKind, bool, std::string>> {
 protected:
  template <class Method>
  void compare() {
    auto [kind, constant, integrator] = GetParam();
    DelayedProblem delayed = kind.make();
    TranscribeOptions options;
    options.mesh = 3, options.control_constant = constant;
    bool continuous = integrator == "cvodes";
    if (continuous && kind.is_further_sample && !bolza::testing::further_samples()) GTEST_SKIP() << "a further sample";
    Method shooting(delayed.problem(), options, {.rtol = continuous ? 1e-11 : 1e-4, .integrator = integrator}, nullptr);
    ASSERT_EQ(shooting.objection(), "");
    ASSERT_TRUE(std::ranges::any_of(shooting.nodes().rows,
                                    [](const ShootingRow& row) { return row.kind == ShootingRow::Kind::delay; }));
    bolza::testing::ShootingDerivatives(shooting).compare_along(delayed.problem().n_parameters, continuous ? 2e-6 : 1e-7,
                                                                continuous ? 2e-5 : 1e-6);
  }
};

TEST_P(DelaysInShooting, have_derivatives_that_agree_with_difference_quotients) { compare<MultipleShooting>(); }

TEST_P(DelaysInShooting, have_derivatives_in_single_shooting_that_agree_with_difference_quotients) { compare<Shooting>(); }

std::string name_of_case(const ::testing::TestParamInfo<DelaysInShooting::ParamType>& info) {
  return std::string(std::get<0>(info.param).name) + (std::get<1>(info.param) ? "_constant_" : "_linear_") +
         std::get<2>(info.param);
}

INSTANTIATE_TEST_SUITE_P(All, DelaysInShooting,
                         ::testing::Combine(::testing::ValuesIn(delay_kinds), ::testing::Bool(),
                                            ::testing::Values("dopri5")),
                         name_of_case);
INSTANTIATE_TEST_SUITE_P(Continuous, DelaysInShooting,
                         ::testing::Combine(::testing::ValuesIn(delay_kinds), ::testing::Values(true),
                                            ::testing::Values("cvodes")),
                         name_of_case);

/// x' = 3 t² - 2 t + 0.5 and an algebraic variable like x: cubic polynomials, whose delayed values are known. A linear
/// control.
struct CubicPast {
  std::unique_ptr<bolza::testing::HandProblem> hand = std::make_unique<bolza::testing::HandProblem>();
  bolza_hybrid hybrid = {};

  static double curve(double t) { return t * t * t - t * t + 0.5 * t + 2; }
  static double line(double t) { return 0.7 - 0.4 * t; }

  /// 3 x - 1 is delayed by `lag`, u by 0.41, z + x by 0.23.
  CubicPast(double lag, bool is_free) {
    using bolza::testing::given;
    using bolza::testing::HandProblem;
    bolza_function* rates =
        hand->function<[](auto* w, auto*, auto* r) { r[0] = 3.0 * w[0] * w[0] - 2.0 * w[0] + 0.5; }, 7, 3, 0, 1>("rates");
    bolza_function* residuals =
        hand->function<[](auto* w, auto*, auto* r) { r[0] = w[2] - (w[0] * w[0] * w[0] - w[0] * w[0] + 0.5 * w[0] + 2.0); },
                       7, 3, 0, 1>("residuals");
    bolza_model& model = hand->model(
        {{HandProblem::started("x", 2)},
         {HandProblem::variable("z")},
         {HandProblem::variable("u"), HandProblem::variable("d1"), HandProblem::variable("d2"), HandProblem::variable("d3")},
         {}},
        rates, residuals, nullptr, nullptr, {0, 1.2, lag});
    hand->parameters({given("startTime", 0), given("finalTime", 1.2),
                      is_free ? HandProblem::guessed("lag", lag, 0.05, 1) : given("lag", lag)});
    hand->phase(0, {0, 1, 2});
    hybrid.n_delays = 3, hybrid.is_literal = 1, hybrid.initial = hybrid.terminal = hybrid.homotopy = -1;
    hybrid.delays = hand->function<[](auto* w, auto* p, auto* r) {
      r[0] = 3.0 * w[1] - 1.0, r[1] = w[3], r[2] = w[2] + w[1];
      r[3] = r[6] = p[2], r[4] = r[7] = 0.41, r[5] = r[8] = 0.23;
    },
                                   7, 3, 0, 9>("delays");
    hand->value(BOLZA_STATE, hand->place(0, 0, 1), 0);
    hand->point(hand->function<[](auto* v, auto*, auto* r) { r[0] = v[0] * v[0]; }, 1, 3, 0, 1>("point"), 0);
    model.hybrid = &hybrid;
  }
};

class DelayedValues : public ::testing::TestWithParam<std::tuple<double, bool>> {};

TEST_P(DelayedValues, are_those_of_cubic_states_and_algebraics_and_linear_controls) {
  auto [lag, is_free] = GetParam();
  CubicPast past(lag, is_free);
  TranscribeOptions options;
  options.mesh = 5, options.control_constant = false;
  MultipleShooting shooting(past.hand->problem, options, {.rtol = 1e-12, .integrator = "dopri5"}, nullptr);
  ASSERT_EQ(shooting.objection(), "");
  ShootingNodes& nodes = shooting.nodes();
  const ShootingPhase& phase = nodes.phases[0];
  std::vector<double> w = nodes.nlp.start;
  auto time = [&](std::size_t k) { return phase.mesh.point[k].at(0, 1.2); };
  for (std::size_t k = 0; k <= phase.N(); ++k) w[phase.x_at(k, 0)] = CubicPast::curve(time(k));
  for (std::size_t k = 0; k < phase.grid[0].size(); ++k)
    w[phase.grid_variable[0][k]] = CubicPast::line(time(phase.grid[0][k]));
  for (std::size_t k = 0; k < phase.N(); ++k)
    for (std::size_t side = 0; side < phase.sides(); ++side) {
      double t = time(k) + phase.input_places[side] * (time(k + 1) - time(k));
      auto put = [&](std::size_t i, double value) { w[phase.control_at(k, i, side).low] = value; };
      put(1, 3 * CubicPast::curve(std::max(t - lag, 0.0)) - 1);
      put(2, CubicPast::line(std::max(t - 0.41, 0.0)));
      put(3, 2 * CubicPast::curve(std::max(t - 0.23, 0.0)));
    }
  shooting.move_to(w);
  const double* rows = shooting.constraints();
  ASSERT_TRUE(rows);
  std::size_t delays = 0;
  for (std::size_t r = 0; r < nodes.rows.size(); ++r) {
    if (nodes.rows[r].kind != ShootingRow::Kind::delay) continue;
    EXPECT_NEAR(rows[r], nodes.nlp.row_lower[r], 1e-13) << "row " << r;
    ++delays;
  }
  EXPECT_EQ(delays, phase.N() * phase.sides() * 3);
}

INSTANTIATE_TEST_SUITE_P(All, DelayedValues, ::testing::Combine(::testing::Values(0.17, 0.24, 0.6), ::testing::Bool()));

}  // namespace
}  // namespace bolza::transcribe
