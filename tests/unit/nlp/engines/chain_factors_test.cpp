// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/engines/chain_factors.h"

#include <gtest/gtest.h>

#include <vector>

namespace bolza::nlp {
namespace {

constexpr std::size_t stages = 12;

/// A variable in each stage, joined with the one before: −2 on the diagonal, 1 beside it, all eigenvalues negative.
struct DownwardsChain {
  Pattern hessian, jacobian;
  std::vector<double> values;
  kkt::ChainShape shape;
  DownwardsChain() {
    for (std::size_t k = 0; k < stages; ++k) {
      add(k, k, -2);
      if (k > 0) add(k, k - 1, 1);
      shape.variable_stage.push_back(static_cast<std::int32_t>(k));
    }
    shape.n = stages;
    shape.is_free.assign(stages, 1);
    shape.hessian = {hessian.row, hessian.col};
  }
  void add(std::size_t row, std::size_t col, double value) {
    hessian.row.push_back(static_cast<std::int32_t>(row));
    hessian.col.push_back(static_cast<std::int32_t>(col));
    values.push_back(value);
  }
};

TEST(ChainFactors, solve_what_the_factors_along_the_chain_left_for_its_inertia) {
  DownwardsChain chain;
  LinearAlgebra used;
  std::unique_ptr<ChainFactors> factors = chain_factors(chain.shape, chain.hessian, chain.jacobian, used);
  ASSERT_TRUE(factors->is_chain());
  std::vector<double> zeros(stages, 0.0), x;
  ASSERT_TRUE(factors->factor(chain.values, {}, zeros, {}));
  EXPECT_GT(factors->inertia().negative, 0u);
  EXPECT_EQ(used.mumps, 0);
  for (std::size_t k = 0; k < stages; ++k) x.push_back(static_cast<double>(k % 5) - 1.5);
  std::vector<double> solved(stages, 0.0);
  for (std::size_t k = 0; k < stages; ++k) solved[k] = -2 * x[k] + (k > 0 ? x[k - 1] : 0) + (k + 1 < stages ? x[k + 1] : 0);
  factors->solve(solved);
  for (std::size_t k = 0; k < stages; ++k) EXPECT_NEAR(solved[k], x[k], 1e-12) << k;
  EXPECT_EQ(used.mumps, 1);
}

}  // namespace
}  // namespace bolza::nlp
