// SPDX-License-Identifier: Apache-2.0
// Sizes of variables: what absolute tolerances are shares of.
#include "runtime/integrate/variable_sizes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "tests/unit/support/hand_hybrid.h"

namespace bolza::integrate {
namespace {

using bolza::testing::HandHybrid;
using bolza::testing::NoEvents;

/// a' = -a, b' = a - 1000 b, p' = v, v' = -100 p.
struct Amounts : NoEvents {
  static constexpr std::size_t nx = 4, np = 2, n_free = 2;
  template <class T>
  static void rates(const T* w, const T*, T* r) {
    r[0] = T(0) - w[1];
    r[1] = w[1] - T(1000) * w[2];
    r[2] = w[4];
    r[3] = T(-100) * w[3];
  }
};

class Sizes : public ::testing::Test {
 protected:
  Sizes() {
    hand.horizon(0, 10);
    hand.build();
    model = std::make_unique<nonlinear::ModelAt>(hand.problem, hand.model, hand.shared);
  }
  VariableSizes begun(std::vector<double> x) {
    VariableSizes sizes(*model, {});
    sizes.begin({0, x.data(), nullptr, nullptr}, 10, 1e-6);
    return sizes;
  }
  HandHybrid<Amounts> hand;
  std::unique_ptr<nonlinear::ModelAt> model;
};

TEST_F(Sizes, are_those_of_starts_up_to_one) {
  VariableSizes sizes = begun({1e-9, 1e-3, 5, 2});
  EXPECT_EQ(sizes.of_state(0), 1e-9);
  EXPECT_EQ(sizes.of_state(1), 1e-3);
  EXPECT_EQ(sizes.of_state(2), 1);
}

TEST_F(Sizes, of_states_that_start_at_zero_follow_from_their_equations) {
  VariableSizes sizes = begun({1e-9, 0, 0, 1e-3});
  EXPECT_GT(sizes.of_state(1), 0.5e-12);  // it settles at a/1000 = 1e-12; rate and coefficients both count
  EXPECT_LT(sizes.of_state(1), 4e-12);
  EXPECT_NEAR(sizes.of_state(2), 1e-4, 1.1e-4);  // of an oscillation with 10 rad/s
}

TEST_F(Sizes, are_one_where_nothing_is_known) {
  VariableSizes sizes = begun({0, 0, 0, 0});
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(sizes.of_state(i), 1);
}

TEST_F(Sizes, grow_with_the_trajectory_by_factors_of_two) {
  VariableSizes sizes = begun({1e-9, 1e-9, 1, 1});
  EXPECT_FALSE(sizes.grow({1, {1.5e-9, 1e-9, 1, 1}, {}, {}}));
  EXPECT_TRUE(sizes.grow({1, {3e-9, 1e-9, 1, 1}, {}, {}}));
  EXPECT_EQ(sizes.of_state(0), 3e-9);
  EXPECT_TRUE(sizes.grow({2, {300, 1e-9, 1, 1}, {}, {}}));
  EXPECT_EQ(sizes.of_state(0), 1);
}

TEST_F(Sizes, are_not_below_what_rounding_makes_of_a_rate) {
  VariableSizes sizes = begun({1, 1e-30, 1, 1});
  EXPECT_GT(sizes.of_state(1) * 1e-6, 1e-17);  // 1 within 1 ms, by a rounding unit
}

TEST_F(Sizes, that_were_guessed_too_large_are_told_when_others_leave_them_so) {
  VariableSizes sizes = begun({0, 0, 0, 0});
  sizes.grow({1, {1e-7, 0, 0, 0}, {}, {}});
  std::vector<double> end{1e-7, 0, 0, 0};
  std::vector<VariableSizes::Mistaken> mistaken = sizes.mistaken({1, end.data(), nullptr, nullptr});
  ASSERT_EQ(mistaken.size(), 1u);
  EXPECT_EQ(mistaken[0].variable, 0u);
  EXPECT_EQ(mistaken[0].largest, 1e-7);
  EXPECT_EQ(sizes.shown()[0], 1e-7);
}

TEST_F(Sizes, that_errors_of_others_explain_are_not) {
  VariableSizes sizes = begun({1, 0, 0, 1});
  sizes.grow({1, {1, 1e-12, 1e-12, 1}, {}, {}});
  std::vector<double> end{1, 1e-12, 1e-12, 1};
  EXPECT_TRUE(sizes.mistaken({1, end.data(), nullptr, nullptr}).empty());
}

}  // namespace
}  // namespace bolza::integrate
