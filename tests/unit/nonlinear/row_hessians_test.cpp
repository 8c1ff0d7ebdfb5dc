// SPDX-License-Identifier: Apache-2.0
#include "runtime/nonlinear/row_hessians.h"

#include <gtest/gtest.h>

#include "tests/unit/support/hand_second.h"
#include "tests/unit/support/known_models.h"

namespace bolza::nonlinear {
namespace {

using bolza::testing::HandProblem;
using bolza::testing::HandSecond;
using bolza::testing::Mixed;

TEST(RowHessians, are_those_that_each_row_has_alone) {
  HandProblem<Mixed> hand;
  hand.horizon(0.3, 1.5), hand.parameter(2, 1.2);
  HandSecond<Mixed> second(hand);
  hand.build();
  ModelAt model(hand.problem, hand.model, hand.shared);
  const double x[] = {0.7, -0.4}, z[] = {0.3}, u[] = {0.5};
  ModelAt::Point point{0.6, x, z, u};
  RowHessians rows(hand.problem, hand.model.rates);
  ASSERT_TRUE(rows.available());
  for (std::size_t first : {0u, 1u}) {
    ASSERT_EQ(rows.run(hand.model, point, model.shared.data(), first, 3 - first), 0);
    for (std::size_t r = first; r < 3; ++r) {
      std::vector<double> weight(3);
      weight[r] = 1;
      Derivative alone;
      ASSERT_TRUE(model.hessian(ModelAt::Part::rates, point, weight, alone));
      for (std::size_t e = 0; e < alone.value.size(); ++e) EXPECT_EQ(rows.entry(e, r - first), alone.value[e]) << r << e;
    }
  }
  EXPECT_FALSE(RowHessians(hand.problem, nullptr).available());
}

}  // namespace
}  // namespace bolza::nonlinear
