// SPDX-License-Identifier: Apache-2.0
// First roots within a step.
#include "runtime/integrate/events/locate.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bolza::integrate {
namespace {

using Function = std::function<double(double)>;

struct Found {
  Located located;
  int evaluations = 0;
};

Found first_root(const Function& f, double a, double b, bool curved = false) {
  Found out;
  std::vector<double> g{f(a)};
  constexpr double quarters[] = {0.25, 0.5, 0.75, 1};
  const char flags[] = {1};
  auto at = [&](double t, std::span<double> values) { return ++out.evaluations, values[0] = f(t), true; };
  Looking looking{.shares = quarters};
  if (curved) looking.curved = flags, looking.longest = (b - a) / 50;
  out.located = locate_root(at, a, b, g, looking);
  return out;
}

TEST(LocateRoot, finds_a_simple_one_to_rounding) {
  Found found = first_root([](double t) { return t * t * t - 2; }, 0, 3);
  EXPECT_TRUE(found.located.found);
  EXPECT_NEAR(found.located.t, std::cbrt(2.0), 1e-14);
}

TEST(LocateRoot, finds_the_first_of_two_within_a_part_of_the_step) {
  Found found = first_root([](double t) { return (t - 4.3215) * (t - 4.3216); }, 0, 10);
  EXPECT_TRUE(found.located.found);
  EXPECT_NEAR(found.located.t, 4.3215, 1e-9);
}

TEST(LocateRoot, finds_the_lowest_place_of_a_quartic) {
  auto bowl = [](double t) { return std::pow(t - 3.1, 4) + std::pow(t - 3.1, 2) - 1e-8; };
  Found found = first_root(bowl, 0, 10);
  EXPECT_TRUE(found.located.found);
  EXPECT_NEAR(found.located.t, 3.1 - 1e-4, 1e-9);
}

TEST(LocateRoot, gives_nothing_where_zero_is_only_neared) {
  Found found = first_root([](double t) { return std::pow(t - 3.1, 2) + 1e-6; }, 0, 10);
  EXPECT_FALSE(found.located.found);
  EXPECT_EQ(found.located.t, 10);
  EXPECT_LT(found.evaluations, 60);
}

TEST(LocateRoot, looks_at_four_places_where_zero_is_far) {
  EXPECT_EQ(first_root([](double t) { return 5 + t; }, 0, 1).evaluations, 4);
  EXPECT_EQ(first_root([](double t) { return 2 + std::sin(t); }, 0, 1).evaluations, 4);
}

TEST(LocateRoot, finds_the_first_turn_of_a_hundred) {
  Found found = first_root([](double t) { return std::cos(62.8 * t + 0.1); }, 0, 10, true);
  EXPECT_TRUE(found.located.found);
  EXPECT_NEAR(found.located.t, (1.5707963267948966 - 0.1) / 62.8, 1e-12);
}

TEST(LocateRoot, finds_the_pulse_of_a_curved_component) {
  Found found = first_root([](double t) { return 0.5 - std::exp(-std::pow((t - 6.66) / 0.3, 2)); }, 0, 10, true);
  EXPECT_TRUE(found.located.found);
  EXPECT_NEAR(found.located.t, 6.66 - 0.3 * std::sqrt(std::log(2.0)), 1e-9);
}

TEST(LocateRoot, finds_the_point_of_a_fold) {
  for (double at : {1.3, 4.999999, 5.0, 7.77}) {
    Found found = first_root([&](double t) { return std::fabs(t - at) - 1e-7; }, 0, 10, true);
    EXPECT_TRUE(found.located.found) << at;
    EXPECT_NEAR(found.located.t, at - 1e-7, 1e-12);
  }
  EXPECT_FALSE(first_root([](double t) { return std::fabs(t - 3.3) + 1e-3; }, 0, 10, true).located.found);
}

TEST(LocateRoot, tells_where_a_component_that_turned_came_nearest) {
  Located::Nearest nearest = first_root([](double t) { return std::pow(t - 3.1, 2) + 1e-6; }, 0, 10).located.nearest;
  EXPECT_NEAR(nearest.t, 3.1, 1e-3);
  EXPECT_NEAR(nearest.value, 1e-6, 1e-7);
  EXPECT_TRUE(std::isinf(first_root([](double t) { return 5 + t; }, 0, 1).located.nearest.value));
}

TEST(LocateRoot, stops_where_a_value_is_not_finite) {
  std::vector<double> g{1};
  Located located = locate_root([](double t, std::span<double> v) { return v[0] = 1, t < 0.6; }, 0, 1, g);
  EXPECT_FALSE(located.finite);
  EXPECT_LE(located.t, 0.6);
}

}  // namespace
}  // namespace bolza::integrate
