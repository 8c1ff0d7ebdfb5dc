// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/limits.h"

#include <gtest/gtest.h>

#include "runtime/transcribe/collocation/conflict.h"
#include "runtime/transcribe/collocation/solve.h"
#include "tests/unit/transcribe/known_problems.h"

namespace bolza::transcribe {
namespace {

using bolza::testing::given;
using bolza::testing::HandProblem;
using bolza::testing::inf;
using bolza::testing::Problem;

/// x' = u from x(0) = 0, min ∫ u² over one second, x(1) = 1, u <= most, x <= 5, -9 <= u + x.
Problem a_way_of_one(double most) {
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates =
      h->function<[](auto* p, auto*, auto* r) { r[0] = 1.0 * p[2], r[1] = p[2] * p[2]; }, 3, 2, 0, 2>("rates");
  bolza_function* path = h->function<[](auto* p, auto*, auto* r) { r[0] = p[1] + p[2]; }, 3, 2, 0, 1>(
      "path", nullptr, {{"-9 <= u + x", {"hand.mop", 9, 3}, -9, inf}});
  bolza_variable u = HandProblem::guessed("u", 0, -inf, most), x = HandProblem::started("x", 0, -inf, 5);
  h->model({{x}, {}, {u}, {}}, rates, path);
  h->parameters({given("t0", 0), given("tf", 1)});
  h->phase(0, {0, 1});
  std::int32_t end = h->place(0, 0, 1);
  h->value(BOLZA_INTEGRAL, 0, 0);
  h->value(BOLZA_STATE, end, 0);
  h->point(h->function<[](auto* v, auto*, auto* r) { r[0] = 1.0 * v[0], r[1] = 1.0 * v[1]; }, 2, 2, 0, 2>(
               "point", nullptr, {{"objective", {}, 0, 0}, {"x(finalTime) = 1", {"hand.mop", 7, 3}, 1, 1}}),
           1);
  return h;
}

std::vector<std::string> texts(const std::vector<Limit>& limits) {
  std::vector<std::string> out;
  for (const Limit& limit : limits) out.push_back(limit.text);
  return out;
}

TEST(limits, are_constraints_and_bounds_with_the_words_of_the_model) {
  Problem h = a_way_of_one(0.5);
  abi::Finding error;
  std::vector<Limit> limits = limits_of(*transcribe(h->problem, {.mesh = 4}, nullptr, error));
  EXPECT_EQ(texts(limits), (std::vector<std::string>{"-9 <= u + x", "x(finalTime) = 1", "x <= 5", "u <= 0.5"}));
  EXPECT_EQ(limits[1].line, 7);
}

TEST(limits, that_are_let_go_are_not_held) {
  Problem h = a_way_of_one(0.5);
  TranscribeOptions options{.mesh = 4};
  ASSERT_EQ(solve(h->problem, options).status, abi::SolveStatus::infeasible);
  options.let_go = {{Limit::Kind::control, 0, 0}};
  EXPECT_NEAR(solve(h->problem, options).objective, 1, 1e-6);
  options.let_go = {{Limit::Kind::point, -1, 0}};
  EXPECT_NEAR(solve(h->problem, options).objective, 0, 1e-6);
}

// The guess rests at 0: the end condition is broken by 1, and half of that allows x(1) = 1/2, ∫ u² = 1/4.
TEST(limits, are_widened_by_a_share_of_what_the_start_breaks) {
  Problem h = a_way_of_one(2);
  for (double share : {0.0, 0.5, 0.75, 1.0}) {
    TranscribeOptions options{.mesh = 4};
    options.widened = share;
    EXPECT_NEAR(solve(h->problem, options).objective, (1 - share) * (1 - share), 1e-6) << share;
  }
}

TEST(conflict, is_a_smallest_set_of_limits) {
  Problem h = a_way_of_one(0.5);
  EXPECT_EQ(texts(find_conflict(h->problem, {}, nullptr)), (std::vector<std::string>{"x(finalTime) = 1", "u <= 0.5"}));
}

/// x' = -x from x(0) = 1, min ∫ u² over one second, x >= least, u <= 3.
Problem decay(double least) {
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates =
      h->function<[](auto* p, auto*, auto* r) { r[0] = -p[1], r[1] = p[2] * p[2]; }, 3, 2, 0, 2>("rates");
  bolza_variable u = HandProblem::variable("u", -inf, 3), x = HandProblem::started("x", 1, least, inf);
  h->model({{x}, {}, {u}, {}}, rates);
  h->parameters({given("t0", 0), given("tf", 1)});
  h->phase(0, {0, 1});
  h->value(BOLZA_INTEGRAL, 0, 0);
  h->point(h->function<[](auto* v, auto*, auto* r) { r[0] = 1.0 * v[0]; }, 1, 2, 0, 1>("objective"), 0);
  return h;
}

TEST(conflict, is_one_limit_that_the_equations_do_not_allow) {
  EXPECT_EQ(texts(find_conflict(decay(0.5)->problem, {}, nullptr)), (std::vector<std::string>{"x >= 0.5"}));
  EXPECT_TRUE(find_conflict(decay(0.3)->problem, {}, nullptr).empty());
}

TEST(conflict, is_empty_for_what_can_be_solved_or_is_not_known_in_time) {
  EXPECT_TRUE(find_conflict(a_way_of_one(2)->problem, {}, nullptr).empty());
  EXPECT_TRUE(find_conflict(a_way_of_one(0.5)->problem, {.nlp = {.budget = Budget(0.0)}}, nullptr).empty());
}

}  // namespace
}  // namespace bolza::transcribe
