// SPDX-License-Identifier: Apache-2.0
// Points of plans, and where samples lie.
#include "workflow/study/plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "workflow/study/run_study.h"

namespace bolza::workflow {
namespace {

Plan plan_of(const PlanRequest& request) {
  Diagnostics diagnostics;
  auto plan = Plan::make(request, diagnostics);
  EXPECT_TRUE(plan) << (diagnostics.all().empty() ? "" : diagnostics.all()[0].message);
  return plan ? *plan : *Plan::make({.settings = {"k=choices(1)"}}, diagnostics);
}

std::string refusal_of_plan(const PlanRequest& request) {
  Diagnostics diagnostics;
  EXPECT_TRUE(Plan::make(request, diagnostics).failed());
  return diagnostics.all().empty() ? "" : diagnostics.all()[0].message;
}

TEST(Plan, has_every_combination_once) {
  Plan plan = plan_of({.settings = {"a=choices(1,2,3)", "m=7", "b=range(0,1,4)"}, .guesses = 2});
  ASSERT_EQ(plan.size(), 24u);
  EXPECT_EQ(plan.common(), std::vector<std::string>{"m=7"});
  std::set<std::vector<std::string>> seen;
  for (std::size_t point = 0; point < plan.size(); ++point) {
    std::vector<std::string> all = plan.settings(point);
    all.push_back(std::to_string(plan.guess(point)));
    seen.insert(all);
  }
  EXPECT_EQ(seen.size(), 24u);
  EXPECT_EQ(plan.settings(23), (std::vector<std::string>{"a=3", "b=1"}));
}

TEST(Plan, draws_the_same_samples_at_every_listed_value) {
  Plan plan = plan_of({.settings = {"a=choices(1,2)", "b=normal(0,1)"}, .samples = 5});
  ASSERT_EQ(plan.size(), 10u);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(plan.values(k)[1], plan.values(5 + k)[1]);
}

TEST(Plan, is_not_made_of_too_much_or_nothing) {
  EXPECT_NE(refusal_of_plan({.settings = {"a=range(0,1,100000)", "b=range(0,1,10000)"}}).find("more than 100000000"),
            std::string::npos);
  EXPECT_NE(refusal_of_plan({.settings = {"a=range(0,1,10000000)", "b=range(0,1,10000000)", "c=range(0,1,10000000)"}})
                .find("more than"),
            std::string::npos);
  EXPECT_NE(refusal_of_plan({.settings = {"a=1"}}).find("nothing varies"), std::string::npos);
  EXPECT_NE(refusal_of_plan({.settings = {"a=uniform(0,1)"}}).find("--draws"), std::string::npos);
  EXPECT_NE(refusal_of_plan({.settings = {"a=choices(1,2)"}, .samples = 3}).find("draws nothing"), std::string::npos);
  EXPECT_NE(refusal_of_plan({.settings = {"a=choices(1,2)", "a=choices(3,4)"}}).find("set twice"), std::string::npos);
  EXPECT_NE(refusal_of_plan({.settings = {"a=choices(x,y)"}, .continuation = "a"}).find("numbers in a list"),
            std::string::npos);
  EXPECT_NE(refusal_of_plan({.settings = {"a=choices(1,2)"}, .continuation = "b"}).find("no `--set`"), std::string::npos);
  EXPECT_NE(refusal_of_plan({.settings = {"a=range(0,1,2)"}, .guesses = 2, .continuation = "a"}).find("one guess"),
            std::string::npos);
}

TEST(Plan, of_a_hundred_million_points_costs_nothing) {
  Plan plan =
      plan_of({.settings = {"a=range(0,1,100)", "b=uniform(0,1)"}, .samples = 1'000'000, .sampling = PointSampling::sobol});
  EXPECT_EQ(plan.size(), 100'000'000u);
  EXPECT_EQ(plan.values(99'999'999)[0], "1");
}

TEST(Plan, continues_along_lines_that_stay_in_one_shard) {
  Plan plan = plan_of({.settings = {"a=range(0,1,3)", "b=range(0,1,4)", "c=choices(x,y)"}, .continuation = "b"});
  EXPECT_FALSE(plan.before(0));
  EXPECT_EQ(plan.before(2), 0u);  // the same a and c, the b before
  std::set<std::size_t> lines;
  for (std::size_t point = 0; point < plan.size(); ++point) {
    lines.insert(plan.line(point));
    auto before = plan.before(point);
    if (!before) continue;
    EXPECT_EQ(plan.after(*before), point);
    EXPECT_EQ(plan.line(*before), plan.line(point));
    EXPECT_EQ(shard_of(plan, *before, 3), shard_of(plan, point, 3));
    EXPECT_EQ(plan.values(*before)[0] + plan.values(*before)[2], plan.values(point)[0] + plan.values(point)[2]);
  }
  EXPECT_EQ(lines.size(), 6u);
  EXPECT_EQ(*lines.rbegin(), 5u);
}

TEST(Plan, comes_back_from_its_description) {
  Plan plan = plan_of({.settings = {"a=choices(1,2)", "b=normal(0,1)"},
                       .samples = 4,
                       .sampling = PointSampling::latin_hypercube,
                       .seed = 9});
  Diagnostics diagnostics;
  auto again = Plan::read(plan.json().dump(), diagnostics);
  ASSERT_TRUE(again);
  for (std::size_t point = 0; point < plan.size(); ++point) EXPECT_EQ(again->values(point), plan.values(point));
  EXPECT_TRUE(Plan::read("{\"settings\": 3}", diagnostics).failed());
  EXPECT_TRUE(Plan::read("nonsense", diagnostics).failed());
}

TEST(Sequence, of_a_hypercube_has_one_point_in_each_slice) {
  Sequence sequence(PointSampling::latin_hypercube, 64, 5, 3);
  for (std::size_t axis = 0; axis < 5; ++axis) {
    std::set<int> slices;
    for (std::size_t k = 0; k < 64; ++k) slices.insert(static_cast<int>(64 * sequence.at(k, axis)));
    EXPECT_EQ(slices.size(), 64u);
  }
}

/// Sobol's numbers are right where every axis is a net of its own: of 2^m points one lies in each of 2^m slices. Two axes
/// together are even to a coarser degree.
TEST(Sequence, of_sobol_is_a_net_on_every_axis) {
  Sequence sequence(PointSampling::sobol, 1024, most_of_sobol, 5);
  for (std::size_t axis = 0; axis < most_of_sobol; ++axis) {
    std::set<int> slices;
    for (std::size_t k = 0; k < 1024; ++k) slices.insert(static_cast<int>(1024 * sequence.at(k, axis)));
    EXPECT_EQ(slices.size(), 1024u) << axis;
  }
  for (std::size_t a = 0; a < most_of_sobol; ++a)
    for (std::size_t b = 0; b < a; ++b) {
      std::set<int> boxes;
      for (std::size_t k = 0; k < 1024; ++k)
        boxes.insert(static_cast<int>(4 * sequence.at(k, a)) * 4 + static_cast<int>(4 * sequence.at(k, b)));
      EXPECT_EQ(boxes.size(), 16u) << a << " " << b;
    }
}

TEST(Sequence, integrates_a_product_better_than_random_points) {
  auto error = [](PointSampling sampling) {
    constexpr std::size_t n = 4096, axes = 6;
    Sequence sequence(sampling, n, axes, 1);
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) {
      double product = 1;
      for (std::size_t axis = 0; axis < axes; ++axis) product *= 2 * sequence.at(k, axis);
      sum += product;
    }
    return std::fabs(sum / n - 1);  // ∫ Π 2x = 1
  };
  EXPECT_LT(error(PointSampling::sobol), 4e-3);
  EXPECT_LT(error(PointSampling::random), 0.1);
}

TEST(Sequence, differs_by_seed_and_stays_inside) {
  for (PointSampling sampling : {PointSampling::random, PointSampling::latin_hypercube, PointSampling::sobol}) {
    Sequence one(sampling, 100, 2, 1), two(sampling, 100, 2, 2);
    std::size_t same = 0;
    for (std::size_t k = 0; k < 100; ++k) {
      same += one.at(k, 1) == two.at(k, 1);
      EXPECT_GT(one.at(k, 0), 0);
      EXPECT_LT(one.at(k, 0), 1);
    }
    EXPECT_EQ(same, 0u);
  }
}

}  // namespace
}  // namespace bolza::workflow
