// SPDX-License-Identifier: Apache-2.0
// Guesses that are made from the problem alone.
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/transcribe/collocation/data_guess.h"
#include "runtime/transcribe/collocation/guess.h"
#include "runtime/transcribe/collocation/natural_horizon.h"
#include "runtime/transcribe/collocation/simulated_guess.h"
#include "runtime/transcribe/collocation/transcription.h"
#include "runtime/transcribe/mesh/interpolate.h"
#include "runtime/transcribe/sizes_as_nominals.h"
#include "tests/unit/transcribe/known_problems.h"

namespace bolza::transcribe {
namespace {

using bolza::testing::given;
using bolza::testing::HandProblem;
using bolza::testing::inf;
using bolza::testing::Problem;

bolza_variable unguessed(const char* name, double min, double max) {
  bolza_variable v = HandProblem::guessed(name, 0, min, max);
  v.has_guess = 0;
  return v;
}

/// x' = v, v' = u from rest at `from` to rest at 3 in a free time; u in [least, most].
Problem move_to_three(double from, const bolza_variable& final_time, double least = -1, double most = 3) {
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates =
      h->function<[](auto* p, auto*, auto* r) { r[0] = 1.0 * p[2], r[1] = 1.0 * p[3]; }, 4, 2, 0, 2>("rates");
  h->model(
      {{HandProblem::started("x", from), HandProblem::started("v", 0)}, {}, {HandProblem::variable("u", least, most)}, {}},
      rates);
  h->parameters({given("t0", 0), final_time});
  h->phase(0, {0, 1});
  std::int32_t end = h->place(0, 0, 1);
  h->value(BOLZA_STATE, end, 0);
  h->value(BOLZA_STATE, end, 1);
  h->point(h->function<[](auto* v, auto* s, auto* r) { r[0] = 1.0 * s[1], r[1] = 2.0 * v[0] - 6.0, r[2] = 1.0 * v[1]; }, 2,
                       2, 0, 3>("point"),
           2);
  return h;
}

/// x' = v sin(φ), y' = v cos(φ), v' = 1e-10: from rest at (0, 0) to x = 3 in a free time; φ has no limits, and guesses of 0
/// move y alone.
Problem steered_to_three() {
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates = h->function<[](auto* p, auto*, auto* r) {
    r[0] = p[3] * sin(p[4]), r[1] = p[3] * cos(p[4]), r[2] = 1e-10 + 0.0 * p[3];
  },
                                      5, 2, 0, 3>("rates");
  h->model({{HandProblem::started("x", 0), HandProblem::started("y", 0), HandProblem::started("v", 0)},
            {},
            {HandProblem::variable("phi", -inf, inf)},
            {}},
           rates);
  h->parameters({given("t0", 0), unguessed("tf", 0, inf)});
  h->phase(0, {0, 1});
  h->value(BOLZA_STATE, h->place(0, 0, 1), 0);
  h->point(h->function<[](auto* v, auto* s, auto* r) { r[0] = 1.0 * s[1], r[1] = v[0] - 3.0; }, 1, 2, 0, 2>("point"), 1);
  return h;
}

TEST(guesses, run_straight_to_what_end_conditions_ask_for) {
  Problem h = move_to_three(1, HandProblem::guessed("tf", 2, 0.1, 10));
  abi::Finding error;
  for (bool lines : {false, true}) {
    auto t = transcribe(h->problem, {.mesh = 4, .lines_to_end = lines}, nullptr, error);
    ASSERT_TRUE(t);
    std::size_t x = t->phases[0].mesh_state(t->scheme, 0), v = t->phases[0].mesh_state(t->scheme, 1);
    for (std::size_t i = 0; i <= 4; ++i) {
      EXPECT_NEAR(t->nlp.start[x + i], lines ? 1 + 0.5 * static_cast<double>(i) : 1, 1e-12);
      EXPECT_EQ(t->nlp.start[v + i], 0);
    }
  }
}

TEST(guesses, of_the_horizon_follow_from_the_equations_in_any_units) {
  for (double most : {1e-10, 1e-3, 1.0, 1e4, 1e12}) {
    Problem h = move_to_three(0, unguessed("tf", 0, inf), -most, most);
    double fastest = 2 * std::sqrt(3 / most), found = natural_horizon(h->problem);
    EXPECT_GT(found, 0.2 * fastest) << most;
    EXPECT_LT(found, 5 * fastest) << most;
  }
  EXPECT_EQ(natural_horizon(move_to_three(0, unguessed("tf", 0, inf), -inf, inf)->problem),
            0);  // nothing limits the control
  double straight = std::sqrt(2 * 3 / 1e-10), found = natural_horizon(steered_to_three()->problem);
  EXPECT_GT(found, 0.2 * straight);
  EXPECT_LT(found, 5 * straight);
  EXPECT_EQ(natural_horizon(move_to_three(3, unguessed("tf", 0, inf))->problem), 0);  // it is there
}

TEST(guesses, are_simulated_with_controls_in_the_middle_of_their_bounds) {
  Problem h = move_to_three(1, HandProblem::guessed("tf", 2, 0.1, 10));
  abi::Solution s = simulated_guess(h->problem, Budget(10));
  ASSERT_EQ(s.phases.size(), 1u);
  const abi::Trajectories& y = s.phases[0].trajectories;
  EXPECT_EQ(y.time.back(), 2);
  for (std::size_t k = 0; k < y.time.size(); ++k) EXPECT_NEAR(y.x[0][k], 1 + 0.5 * y.time[k] * y.time[k], 1e-3);
  EXPECT_EQ(y.u[0].back(), 1);
}

TEST(guesses, of_a_simulation_that_ends_early_are_held_to_the_end) {
  // x' = x², x(0) = 1 is 1/(1 - t): it leaves every bound before t = 1
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates = h->function<[](auto* p, auto*, auto* r) { r[0] = p[1] * p[1]; }, 2, 2, 0, 1>("rates");
  bolza_variable x = HandProblem::started("x", 1);
  x.min = 0, x.max = 4;
  h->model({{x}, {}, {}, {}}, rates);
  h->parameters({given("t0", 0), given("tf", 3)});
  h->phase(0, {0, 1});
  h->value(BOLZA_STATE, h->place(0, 0, 1), 0);
  h->point(h->function<[](auto* v, auto*, auto* r) { r[0] = 1.0 * v[0]; }, 1, 2, 0, 1>("objective"), 0);
  abi::Solution s = simulated_guess(h->problem, Budget(10));
  ASSERT_EQ(s.phases.size(), 1u);
  const abi::Trajectories& y = s.phases[0].trajectories;
  EXPECT_EQ(y.time.back(), 3);
  EXPECT_EQ(y.x[0].back(), y.x[0][y.x[0].size() - 2]);
  for (double value : y.x[0])
    EXPECT_TRUE(value >= 1 && value <= 8) << value;  // no farther outside than the bounds are apart
}

TEST(guesses, that_are_simulated_go_on_where_links_say) {
  // a' = 1, b' = a in two phases; a = a₁ − 0.5 and b + a = k b₁ where the second begins
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates =
      h->function<[](auto* p, auto*, auto* r) { r[0] = 1 + 0 * p[0], r[1] = p[1]; }, 3, 2, 0, 2>("rates");
  h->model({{HandProblem::started("a", 2), HandProblem::started("b", 0)}, {}, {}, {}}, rates);
  h->model({{HandProblem::guessed("a", 7), HandProblem::variable("b")}, {}, {}, {}}, rates);
  h->parameters({given("t0", 0), given("t1", 1), given("t2", 3), HandProblem::guessed("k", 3)});
  h->phase(0, {0, 1}), h->phase(1, {1, 2});
  std::int32_t end = h->place(0, 0, 1), begin = h->place(1, 1, 0);
  h->value(BOLZA_STATE, end, 0), h->value(BOLZA_STATE, end, 1);
  h->value(BOLZA_STATE, begin, 0), h->value(BOLZA_STATE, begin, 1);
  auto rows = [](auto* v, auto* s, auto* r) {
    r[0] = 1.0 * v[0], r[1] = v[3] + v[2] - s[3] * v[1], r[2] = v[2] - v[0] + 0.5;
  };
  h->point(h->function<rows, 4, 4, 0, 3>("point"), 2);
  abi::Solution s = simulated_guess(h->problem, Budget(10));
  ASSERT_EQ(s.phases.size(), 2u);
  const abi::Trajectories& y = s.phases[1].trajectories;
  EXPECT_NEAR(s.phases[0].trajectories.x[1].back(), 2.5, 1e-3);
  EXPECT_NEAR(y.x[0].front(), 2.5, 1e-3);
  EXPECT_NEAR(y.x[1].front(), 5, 3e-3);
  EXPECT_NEAR(y.x[1].back(), 5 + 2 * 2.5 + 2, 1e-2);
  h->state(1, 0).fixed = 1, h->state(1, 0).start = 4, h->state(1, 0).has_start = 1;  // what is fixed stays
  EXPECT_EQ(simulated_guess(h->problem, Budget(10)).phases[1].trajectories.x[0].front(), 4);
}

TEST(guesses, of_final_times_lie_between_their_bounds) {
  struct Row {
    double min, max, expected;
  };
  for (const Row& row : {Row{0.1, 1000, 1}, {1, 100, 10}, {5, inf, 10}, {0, inf, 1}, {0, 0.5, 0.25}, {-inf, inf, 1}}) {
    Problem h = move_to_three(0, unguessed("tf", row.min, row.max));
    EXPECT_NEAR(guessed_parameters(h->problem, nullptr)[1], row.expected, 1e-12) << row.min << " " << row.max;
  }
  Problem with_guess = move_to_three(0, HandProblem::guessed("tf", 7, 0.1, 1000));
  EXPECT_EQ(guessed_parameters(with_guess->problem, nullptr)[1], 7);
}

TEST(guesses, of_ends_of_phases_are_spread_evenly_until_a_time_that_is_known) {
  auto ends = [](const bolza_variable& second, const bolza_variable& last) {
    Problem h = move_to_three(0, unguessed("e1", 0, 9));
    h->parameters({given("t0", 0), unguessed("e1", 0, 9), second, last});
    h->phase(0, {1, 2}), h->phase(0, {2, 3});
    std::vector<double> values = guessed_parameters(h->problem, nullptr);
    return std::vector<double>(values.begin() + 1, values.end());
  };
  EXPECT_EQ(ends(unguessed("e2", 0, 9), given("tf", 9)), (std::vector<double>{3, 6, 9}));
  EXPECT_EQ(ends(unguessed("e2", 7, 9), given("tf", 9)), (std::vector<double>{3, 7, 9}));  // within bounds
  EXPECT_EQ(ends(HandProblem::guessed("e2", 8, 0, 9), given("tf", 9)), (std::vector<double>{4, 8, 9}));
  EXPECT_EQ(ends(unguessed("e2", 0, inf), unguessed("tf", 0, inf)), (std::vector<double>{1, 2, 3}));  // a second each
}

/// x' = -k x, x(0) = 8, x compared with 4, 3 and 1 at t = 1, 2 and 3, weights 1, 10 and 1/2; k to be found.
Problem decay_with_data() {
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates = h->function<[](auto* p, auto* s, auto* r) { r[0] = -s[2] * p[1]; }, 2, 3, 0, 1>("rates");
  h->model({{HandProblem::started("x", 8)}, {}, {}, {}}, rates, nullptr, nullptr, nullptr, {0, 4, 1});
  h->parameters({given("t0", 0), given("tf", 4), unguessed("k", 0, inf)});
  h->phase(0, {0, 1, 2});
  for (double t : {1.0, 2.0, 3.0}) h->value(BOLZA_STATE, h->place(0, 1, 0, t), 0);
  h->point(h->function<[](auto* v, auto*, auto* r) {
    r[0] = (v[0] - 4.0) * (v[0] - 4.0) + 10.0 * (v[1] - 3.0) * (v[1] - 3.0) + 0.5 * (v[2] - 1.0) * (v[2] - 1.0);
  },
                       3, 3, 0, 1>("objective"),
           0);
  return h;
}

TEST(guesses, run_through_the_data_that_the_objective_compares_with) {
  Problem h = decay_with_data();
  abi::Solution s = data_guess(h->problem);
  ASSERT_EQ(s.phases.size(), 1u);
  const abi::Trajectories& y = s.phases[0].trajectories;
  ASSERT_EQ(y.time, (std::vector<double>{0, 1, 2, 3, 4}));
  const double expected[] = {8, 4, 3, 1, 1};
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(y.x[0][k], expected[k], 1e-9);
  Problem without = move_to_three(1, HandProblem::guessed("tf", 2, 0.1, 10));
  EXPECT_TRUE(data_guess(without->problem).phases.empty());
}

/// The same with x in units of 1e-6 and k in units of 1e5: x' = -1e-5 k x.
Problem decay_in_other_units() {
  auto h = std::make_unique<HandProblem>();
  bolza_function* rates = h->function<[](auto* p, auto* s, auto* r) { r[0] = -1e-5 * s[2] * p[1]; }, 2, 3, 0, 1>("rates");
  h->model({{HandProblem::started("x", 8e-6)}, {}, {}, {}}, rates, nullptr, nullptr, nullptr, {0, 4, 1});
  h->parameters({given("t0", 0), given("tf", 4), unguessed("k", 0, inf)});
  h->phase(0, {0, 1, 2});
  for (double t : {1.0, 2.0, 3.0}) h->value(BOLZA_STATE, h->place(0, 1, 0, t), 0);
  h->point(h->function<[](auto* v, auto*, auto* r) {
    r[0] = (v[0] - 4e-6) * (v[0] - 4e-6) + (v[1] - 2e-6) * (v[1] - 2e-6) + (v[2] - 1e-6) * (v[2] - 1e-6);
  },
                       3, 3, 0, 1>("objective"),
           0);
  return h;
}

TEST(guesses, start_rates_at_what_suits_the_data_in_any_units) {
  Problem usual = decay_with_data(), other = decay_in_other_units();
  EXPECT_EQ(data_guess(usual->problem).parameters[2], 1);
  abi::Solution s = data_guess(other->problem);  // k = 1e5 log(2)
  ASSERT_EQ(s.phases.size(), 1u);
  EXPECT_GE(s.parameters[2], 1e4);
  EXPECT_LE(s.parameters[2], 1e5);
}

TEST(guesses, are_simulated_with_the_sizes_of_a_solution_which_are_nominal_values_no_longer_than_that) {
  Problem h = decay_in_other_units();
  const bolza_model& m = *h->problem.models[0];
  abi::PhaseSolution solved;
  solved.x_size = {8e-6};
  {
    SizesAsNominals nominals(h->problem, 0, solved);
    EXPECT_TRUE(m.x[0].has_nominal);
    EXPECT_EQ(m.x[0].nominal, 8e-6);
  }
  EXPECT_FALSE(m.x[0].has_nominal);
}

TEST(guesses, are_perturbed_within_their_bounds_and_the_same_for_the_same_seed) {
  Problem h = move_to_three(1, HandProblem::guessed("tf", 2, 0.1, 10));
  abi::Finding error;
  auto start = [&](std::uint32_t mesh, double amount, std::uint32_t seed) {
    auto t = transcribe(h->problem, {.mesh = mesh, .perturbation = amount, .seed = seed}, nullptr, error);
    EXPECT_TRUE(t);
    for (std::size_t v = 0; v < t->nlp.n(); ++v) {
      EXPECT_GE(t->nlp.start[v], t->nlp.lower[v]);
      EXPECT_LE(t->nlp.start[v], t->nlp.upper[v]);
    }
    std::size_t x = t->phases[0].mesh_state(t->scheme, 0);
    return std::vector<double>{t->nlp.start[x], t->nlp.start[x + mesh / 2], t->nlp.start[1]};
  };
  std::vector<double> plain = start(4, 0, 1), moved = start(4, 0.3, 1);
  EXPECT_EQ(moved[0], plain[0]);  // the initial value is fixed
  EXPECT_NE(moved[1], plain[1]);
  EXPECT_NE(moved[2], plain[2]);
  EXPECT_EQ(start(4, 0.3, 1), moved);
  EXPECT_EQ(start(8, 0.3, 1), moved);  // the mesh does not matter
  EXPECT_NE(start(4, 0.3, 2), moved);
  EXPECT_NEAR(start(4, 0.03, 1)[1] - plain[1], 0.1 * (moved[1] - plain[1]), 1e-12);
}

}  // namespace
}  // namespace bolza::transcribe
