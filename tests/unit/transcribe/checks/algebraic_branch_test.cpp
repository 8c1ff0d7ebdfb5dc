// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/checks/algebraic_branch.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/transcribe/known_problems.h"

namespace bolza::transcribe {
namespace {

using bolza::testing::given;
using bolza::testing::HandProblem;
using bolza::testing::Problem;

/// x' = u with 0 = z³ − z − x: three solutions where |x| < 2/√27, else one.
Problem cubic() {
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates = h->function<[](auto* p, auto*, auto* r) { r[0] = 1.0 * p[3]; }, 4, 2, 0, 1>("rates");
  bolza_function* residuals =
      h->function<[](auto* p, auto*, auto* r) { r[0] = p[2] * p[2] * p[2] - p[2] - p[1]; }, 4, 2, 0, 1>("residuals");
  h->model({{HandProblem::started("x", 0)}, {HandProblem::variable("z")}, {HandProblem::variable("u")}, {}}, rates,
           residuals);
  h->parameters({given("t0", 0), given("tf", 1)});
  h->phase(0, {0, 1});
  return h;
}

AlgebraicBranch branch_of(const HandProblem& h) { return {h.problem, *h.problem.models[0], {0, 1}, {1}}; }

AlgebraicBranch::Inputs at(double x) { return {0, {x}, {0}}; }

TEST(algebraic_branch, finds_the_solution_next_to_a_point) {
  Problem h = cubic();
  AlgebraicBranch branch = branch_of(*h);
  for (double root : {-1.0, 0.0, 1.0}) {
    auto z = branch.solution_at(at(0), {root + 0.05});
    ASSERT_TRUE(z) << root;
    EXPECT_NEAR(z->front(), root, 1e-12);
  }
  EXPECT_FALSE(branch.solution_at(at(0), {std::sqrt(1.0 / 3)})) << "there ∂h/∂z is zero";
}

TEST(algebraic_branch, is_followed_however_far_it_leads) {
  Problem h = cubic();
  AlgebraicBranch branch = branch_of(*h);
  constexpr double far = 1e6;
  auto z = branch.follow(at(0), std::vector<double>{1}, at(far));
  ASSERT_TRUE(z);
  EXPECT_NEAR(z->front() * z->front() * z->front() - z->front(), far, 1e-6);
}

// The upper branch ends at x = −2/√27, and only the lower one goes on.
TEST(algebraic_branch, is_followed_close_to_its_end_and_not_onto_another) {
  Problem h = cubic();
  AlgebraicBranch branch = branch_of(*h);
  double end = -2 / std::sqrt(27.0);
  auto z = branch.follow(at(0), std::vector<double>{1}, at(0.9999 * end));
  ASSERT_TRUE(z);
  EXPECT_GT(z->front(), std::sqrt(1.0 / 3));
  EXPECT_FALSE(branch.follow(at(0), std::vector<double>{1}, at(1.01 * end)));
  EXPECT_FALSE(branch.follow(at(0), std::vector<double>{1}, at(100 * end)));
}

}  // namespace
}  // namespace bolza::transcribe
