// SPDX-License-Identifier: Apache-2.0
// Widths of indicators: what rounding alone has moved may not make events for ever.
#include "runtime/integrate/events/indicators.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "tests/unit/support/hand_hybrid.h"

namespace bolza::integrate {
namespace {

using bolza::testing::HandHybrid;
using bolza::testing::NoEvents;

/// A relation 3 x1 - 2 x2 > 0.
struct Difference : NoEvents {
  static constexpr std::size_t nx = 2, np = 3, n_free = 2, nm = 1, n_indicators = 1;
  template <class T>
  static void rates(const T*, const T*, T* r) {
    r[0] = T(0), r[1] = T(0);
  }
  template <class T>
  static void indicators(const T* w, const T*, T* r) {
    r[0] = T(3) * w[1] - T(2) * w[2];
  }
};

class Widths : public ::testing::Test {
 protected:
  Widths() {
    hand.horizon(0, 1);
    hand.relation("rises", 2, -1, 0, true, false);
    hand.build();
    model = std::make_unique<nonlinear::ModelAt>(hand.problem, hand.model, hand.shared);
    sizes = std::make_unique<VariableSizes>(*model, std::vector<double>());
    indicators = std::make_unique<Indicators>(*model, rtol, *sizes);
  }
  /// The width after an event at t.
  double after_event(double t, double x1, double x2) {
    x = {x1, x2};
    nonlinear::ModelAt::Point point{t, x.data(), nullptr, nullptr};
    indicators->crossed(0, point, 1e-9);
    EXPECT_TRUE(indicators->begin(point));
    return indicators->width(0);
  }
  static constexpr double rtol = 1e-6;
  HandHybrid<Difference> hand;
  std::unique_ptr<nonlinear::ModelAt> model;
  std::unique_ptr<VariableSizes> sizes;
  std::unique_ptr<Indicators> indicators;
  std::vector<double> x;
};

TEST_F(Widths, grow_while_events_follow_without_time_up_to_the_error_of_the_solution) {
  double width = after_event(0.5, 0, 0);
  EXPECT_EQ(width, 1e-15) << "it has been zero so far";
  for (int k = 1; k <= 8; ++k) EXPECT_NEAR(after_event(0.5, 0, 0) / 1e-15, std::pow(10, k), 1e-3 * std::pow(10, k));
  for (int k = 0; k < 10; ++k) width = after_event(0.5, 0, 0);
  EXPECT_NEAR(width, 5 * rtol, 1e-12) << "3 and 2 times what variables of size 1 may be off by";
}

TEST_F(Widths, are_small_again_when_time_has_passed) {
  for (int k = 0; k < 20; ++k) after_event(0.5, 0, 0);
  EXPECT_EQ(after_event(0.6, 0, 0), 1e-15);
}

TEST_F(Widths, are_a_share_of_the_largest_value) {
  EXPECT_NEAR(after_event(0.5, 4, 1), 1e-4 * rtol * 10, 1e-20);
  EXPECT_NEAR(after_event(0.6, 0, 0), 1e-4 * rtol * 10, 1e-20) << "also later";
}

}  // namespace
}  // namespace bolza::integrate
