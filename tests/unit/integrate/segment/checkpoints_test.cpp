// SPDX-License-Identifier: Apache-2.0
// A record of steps in checkpoints: the same derivatives, and memory that does not grow with the steps.
#include "runtime/integrate/segment/checkpoints.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "runtime/integrate/segment/segment.h"
#include "tests/unit/support/allocated.h"
#include "tests/unit/support/hand_second.h"
#include "tests/unit/support/hand_series.h"
#include "tests/unit/support/known_models.h"

namespace bolza::integrate {
namespace {

using bolza::testing::allocated;
using bolza::testing::HandProblem;
using bolza::testing::HandSecond;
using bolza::testing::HandSeries;
using bolza::testing::Mixed;
using bolza::testing::Reaction;

std::vector<const Method*> discrete_methods() {
  std::vector<const Method*> out;
  for (const Method* m : methods())
    if (m->discrete()) out.push_back(m);
  return out;
}

TEST(StepLengths, equal_steps_in_a_row_are_found_again) {
  StepLengths lengths;
  std::vector<StepLengths::Step> all;
  for (int k = 0; k < 100; ++k) all.push_back({k < 40 ? 0.5 : k == 77 ? 0.1 : 0.25, k < 3 ? k : 3});
  for (StepLengths::Step s : all) lengths.push_back(s);
  ASSERT_EQ(lengths.size(), all.size());
  for (std::size_t k = 0; k < all.size(); ++k) EXPECT_EQ(lengths[k], all[k]) << k;
}

TEST(Checkpoints, their_number_and_the_steps_between_them_grow_with_the_root_of_the_steps) {
  for (const char* storage : {"memory", "disk"}) {
    MethodOptions o;
    o.checkpoint_storage = storage;
    Checkpoints checkpoints(o);
    const std::size_t N = 100000;
    for (std::size_t k = 0; k < N; ++k) {
      if (!checkpoints.due(k)) continue;
      ASSERT_TRUE(checkpoints.add(k, std::vector<double>{static_cast<double>(k), 2}));
    }
    std::size_t widest = 0;
    for (std::size_t k = 0; k < checkpoints.count(); ++k) {
      std::vector<double> values;
      ASSERT_TRUE(checkpoints.get(k, values));
      EXPECT_EQ(values[0], static_cast<double>(checkpoints.step(k)));
      EXPECT_TRUE(checkpoints.has(checkpoints.step(k)));
      widest = std::max(widest, (k + 1 < checkpoints.count() ? checkpoints.step(k + 1) : N) - checkpoints.step(k));
    }
    EXPECT_EQ(checkpoints.step(0), 0u);
    EXPECT_LE(checkpoints.count(), 2 * 317u);
    EXPECT_LE(widest, 2 * 317u);
    ASSERT_TRUE(checkpoints.set(1, std::vector<double>{-1, 3, 4}));
    std::vector<double> values;
    ASSERT_TRUE(checkpoints.get(1, values));
    EXPECT_EQ(values, (std::vector<double>{-1, 3, 4}));
    ASSERT_TRUE(checkpoints.get(2, values));
    EXPECT_EQ(values[0], static_cast<double>(checkpoints.step(2)));
  }
}

// J = x1 + 1.5 x2 + 0.7 Q: values, the adjoint, the tangent, and all of it again after everything has moved with the steps
// held.
std::vector<double> everything(const Method& method, double fixed, const MethodOptions& checkpoints) {
  HandProblem<Mixed> hand;
  hand.horizon(0.3, 1.5), hand.parameter(2, 1.2);
  HandSecond<Mixed> second(hand);
  HandSeries<Mixed> series(hand);
  hand.build();
  ReducedModel model(hand.problem, hand.model);
  model.at().shared = hand.shared;
  Segment segment(
      model, {.rtol = 1e-4, .linear_control = true, .method = &method, .fixed_step = fixed, .method_options = checkpoints});
  std::vector<double> out;
  for (double by : {0.0, 0.01}) {
    segment.repeat_steps(by != 0);
    model.at().shared[2] = 1.2 + by;
    std::vector<double> x{0.7 + by, -0.4}, q{0}, left{0.5}, right{-0.3 - by};
    SegmentTimes times{0.4, 0.9 * (1 + by)};
    EXPECT_TRUE(segment.forward(times, left, right, x, q));
    out.insert(out.end(), {x[0], x[1], q[0]});
    std::vector<double> lambda{1, 1.5}, weight{0.7}, gradient(segment.inputs()), samples{1, 0.5, 0.1}, at_samples;
    EXPECT_TRUE(segment.adjoint(lambda, weight, gradient, samples, &at_samples));
    out.insert(out.end(), lambda.begin(), lambda.end());
    out.insert(out.end(), gradient.begin(), gradient.end());
    out.insert(out.end(), at_samples.begin(), at_samples.end());
    Segment::Directions d{Eigen::MatrixXd::Ones(2, 2),
                          Eigen::MatrixXd::Zero(1, 2),
                          Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(segment.inputs()), 2),
                          {}};
    d.x(0, 1) = 0, d.direct(1, 0) = 1, d.direct.col(1).setOnes();
    x = {0.7 + by, -0.4}, q = {0};
    EXPECT_TRUE(segment.tangent(times, left, right, x, q, d));
    out.insert(out.end(), d.x.data(), d.x.data() + d.x.size());
    out.insert(out.end(), d.q.data(), d.q.data() + d.q.size());
  }
  return out;
}

TEST(Checkpoints, derivatives_of_every_method_are_those_of_the_whole_record) {
  for (const Method* m : discrete_methods())
    for (double fixed : {0.0, 0.04}) {
      SCOPED_TRACE(m->name);
      if (!m->automatic && fixed == 0) continue;
      std::vector<double> whole = everything(*m, fixed, {});
      MethodOptions few, little;
      few.checkpoint_steps = 4, few.checkpoint_storage = "disk";
      little.checkpoint_memory = 0.005;  // the record is dropped on the way
      for (const MethodOptions& o : {few, little}) {
        std::vector<double> parts = everything(*m, fixed, o);
        ASSERT_EQ(parts.size(), whole.size());
        for (std::size_t k = 0; k < whole.size(); ++k)
          EXPECT_NEAR(parts[k], whole[k], 1e-12 * std::max(1.0, std::fabs(whole[k]))) << "number " << k;
      }
    }
}

// Bytes; a sanitizer has an allocator of its own, which counts nothing but what was asked for.
#ifdef BOLZA_SANITIZES_ADDRESS
constexpr double much = 8e6;
#else
constexpr double much = 1e7;
#endif

// Bytes that a segment holds after its adjoint, and dx(1)/dx0 of N Euler steps.
std::pair<double, double> after_adjoint(const char* name, double N, const char* storage, double memory) {
  HandProblem<Reaction> hand;
  hand.horizon(0, 1), hand.parameter(2, 0.8);
  HandSecond<Reaction> second(hand);
  hand.build();
  ReducedModel model(hand.problem, hand.model);
  model.at().shared = hand.shared;
  SegmentOptions o{.max_steps = 2000000, .method = find_method(name), .fixed_step = 1 / N};
  o.method_options.checkpoint_storage = storage, o.method_options.checkpoint_memory = memory;
  double before = allocated();
  Segment segment(model, o);
  std::vector<double> x{1.5}, q, lambda{1}, gradient(segment.inputs());
  EXPECT_TRUE(segment.forward({0, 1}, {}, {}, x, q));
  EXPECT_TRUE(segment.adjoint(lambda, {}, gradient));
  return {allocated() - before, lambda[0]};
}

TEST(Checkpoints, a_million_steps_need_no_more_memory_than_a_few) {
  double x = 1.5, by = 1;  // the recursion itself: d(x − h p x²) = 1 − 2 h p x
  for (int k = 0; k < 1000000; ++k) by *= 1 - 2e-6 * 0.8 * x, x -= 1e-6 * 0.8 * x * x;
  auto [bytes, gradient] = after_adjoint("euler", 1e6, "memory", 1);
  EXPECT_LT(bytes, 1.5e6);
  EXPECT_NEAR(gradient, by, 1e-10) << "rounding of a million factors, and of their fractions of the horizon";
  auto [few, parts] = after_adjoint("adams", 1e4, "disk", 1);
  auto [many, whole] = after_adjoint("adams", 1e4, "memory", 1000);
  EXPECT_LT(few, 1e6);
  EXPECT_GT(many, much);
  EXPECT_NEAR(parts, whole, 1e-13);
}

TEST(Checkpoints, no_file_is_left_in_the_temporary_folder) {
  std::filesystem::path folder = std::filesystem::temp_directory_path() / "bolza-checkpoints-test";
  std::filesystem::create_directories(folder);
  ASSERT_EQ(setenv("TMPDIR", folder.c_str(), 1), 0);
  MethodOptions o;
  o.checkpoint_storage = "disk";
  Checkpoints checkpoints(o);
  EXPECT_TRUE(checkpoints.add(0, std::vector<double>{1}));
  EXPECT_TRUE(std::filesystem::is_empty(folder)) << "it has no name, so that nothing can leave it behind";
  ASSERT_EQ(setenv("TMPDIR", (folder / "missing").c_str(), 1), 0);
  Checkpoints nowhere(o);
  EXPECT_FALSE(nowhere.add(0, std::vector<double>{1}));
  unsetenv("TMPDIR");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace bolza::integrate
