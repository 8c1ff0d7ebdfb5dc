// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "kernel_call.h"

namespace bolza::codegen {
namespace {

using ir::Op;
using test::Rows;

/// A value of operand `k` inside the operator's domain.
double sample(const ir::OpRow& row, int k, std::mt19937& random) {
  std::uniform_real_distribution<double> u(0, 1);
  if (row.op == Op::logical_and || row.op == Op::logical_or || row.op == Op::logical_not) return u(random) < 0.5 ? 0 : 1;
  if (row.op == Op::select && k == 0) return u(random) < 0.5 ? 0 : 1;
  if (row.op == Op::equal || row.op == Op::not_equal) return std::floor(3 * u(random));
  if (row.guarded != k) return 6 * u(random) - 3;
  switch (row.domain) {
    case ir::Domain::all:
      return 6 * u(random) - 3;
    case ir::Domain::nonnegative:
    case ir::Domain::positive:
    case ir::Domain::power:
      return 1e-3 + 5 * u(random);
    case ir::Domain::unit_interval:
    case ir::Domain::open_unit_interval:
      return 1.98 * u(random) - 0.99;
    case ir::Domain::above_one:
      return 1.01 + 5 * u(random);
    case ir::Domain::nonzero:
      return (u(random) < 0.5 ? -1 : 1) * (0.1 + 3 * u(random));
  }
  return 0;
}

class Operator : public testing::TestWithParam<std::uint32_t> {};

TEST_P(Operator, agrees_with_the_interpreter_to_a_few_units_in_the_last_place) {
  ir::Expressions all;
  std::vector<ir::ExprId> outputs;
  std::vector<const ir::OpRow*> rows;
  for (const ir::OpRow& row : ir::op_rows) {
    if (row.arity < 1 || row.op == Op::output) continue;
    auto base = static_cast<std::uint32_t>(3 * rows.size());
    std::vector<ir::ExprId> operands;
    for (int k = 0; k < row.arity; ++k) operands.push_back(all.dag.slot(base + static_cast<std::uint32_t>(k)));
    outputs.push_back(all.dag.make(row.op, operands));
    rows.push_back(&row);
  }
  KernelStore store(host_machine(GetParam()), Cache(""), test::open_jit);
  KernelShape shape = test::plain_shape(outputs, 3 * rows.size());
  constexpr std::size_t n = 203;
  Rows point(3 * rows.size(), n), out(rows.size(), n);
  std::mt19937 random(7);
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (int k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < n; ++i) point.at(3 * r + static_cast<std::size_t>(k), i) = sample(*rows[r], k, random);
  test::PlainCall plain(3 * rows.size(), rows.size(), 0, n, point, out);
  EXPECT_EQ(store.get(all, std::span(&shape, 1), Tier::quick)[0](&plain.call), 0);
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> slots;
    for (std::size_t k = 0; k < 3 * rows.size(); ++k) slots.push_back(point.at(k, i));
    std::vector<double> expected = ir::evaluate(all, outputs, {.slots = slots});
    for (std::size_t r = 0; r < rows.size(); ++r)  // libmvec promises 4 units
      EXPECT_LE(test::ulps(out.at(r, i), expected[r]), 4)
          << rows[r]->name << " of " << slots[3 * r] << ", " << slots[3 * r + 1];
  }
}

INSTANTIATE_TEST_SUITE_P(widths, Operator, testing::Values(0u, 4u, 1u));

TEST(Power, with_literal_exponents_agrees_with_libm) {
  ir::Expressions all;
  std::vector<double> exponents{-16, -3, -2.5, -1, -0.5, 0.5, 1.5, 2, 3, 4, 7, 8.5, 16, 17, 0.3};
  std::vector<ir::ExprId> outputs;
  for (double e : exponents) outputs.push_back(all.dag.make(Op::pow, all.dag.slot(0), all.dag.number(e)));
  KernelStore store(host_machine(), Cache(""), test::open_jit);
  KernelShape shape = test::plain_shape(outputs, 1);
  constexpr std::size_t n = 40;
  Rows point(1, n), out(exponents.size(), n);
  for (std::size_t i = 0; i < n; ++i) point.at(0, i) = 0.07 * static_cast<double>(i + 1);
  test::PlainCall plain(1, exponents.size(), 0, n, point, out);
  store.get(all, std::span(&shape, 1), Tier::quick)[0](&plain.call);
  for (std::size_t e = 0; e < exponents.size(); ++e)
    for (std::size_t i = 0; i < n; ++i)  // each of up to 8 roundings may double on its way through the squares
      EXPECT_LE(test::ulps(out.at(e, i), std::pow(point.at(0, i), exponents[e])), 12) << exponents[e];
}

TEST(Select, does_not_let_the_branch_not_taken_through) {
  ir::Expressions all;
  ir::ExprId x = all.dag.slot(0);
  ir::ExprId root = all.dag.select(all.dag.make(Op::greater, x, all.dag.zero()), all.dag.make(Op::sqrt, x), all.dag.zero());
  KernelStore store(host_machine(), Cache(""), test::open_jit);
  KernelShape shape = test::plain_shape({root}, 1);
  Rows point(1, 16), out(1, 16);
  for (std::size_t i = 0; i < 16; ++i) point.at(0, i) = static_cast<double>(i) - 8;
  test::PlainCall plain(1, 1, 0, 16, point, out);
  EXPECT_EQ(store.get(all, std::span(&shape, 1), Tier::quick)[0](&plain.call), 0);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(out.at(0, i), i <= 8 ? 0 : std::sqrt(static_cast<double>(i) - 8));
}

}  // namespace
}  // namespace bolza::codegen
