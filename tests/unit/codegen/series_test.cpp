// SPDX-License-Identifier: Apache-2.0
// Kernels of Taylor coefficients: the sum of the series against the operator at the sum of its operands' series.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "compiler/codegen/series_rows_internal.h"
#include "kernel_call.h"

namespace bolza::codegen {
namespace {

using ir::Op;
using test::Rows;

constexpr std::size_t order = 10;
constexpr double h = 0.01;  // what the series leave out is below 1e-18

/// A value of operand `k` well inside the operator's domain.
double series_sample(const ir::OpRow& row, int k, std::mt19937& random) {
  std::uniform_real_distribution<double> u(0, 1);
  bool truth = row.op == Op::logical_and || row.op == Op::logical_or || row.op == Op::logical_not;
  if (truth || (row.op == Op::select && k == 0)) return u(random) < 0.5 ? 0 : 1;
  if (row.op == Op::equal || row.op == Op::not_equal) return std::floor(3 * u(random));
  if (row.guarded == k && row.domain != ir::Domain::all) return row.safe + 0.4 * u(random);
  return 0.5 + 2 * u(random);
}

double sum(const std::vector<double>& coefficients) {
  double s = 0;
  for (std::size_t k = coefficients.size(); k-- > 0;) s = s * h + coefficients[k];
  return s;
}

/// Coefficients of the outputs, one call after the other.
std::vector<std::vector<double>> series_of(const ir::Expressions& all, KernelShape shape, Rows& point,
                                           const std::vector<double>& shared, std::size_t slots) {
  shape.series = shape.scalar = true;
  KernelStore store(host_machine(1), Cache(""), test::open_jit);
  bolza_kernel kernel = store.get(all, std::span(&shape, 1), Tier::quick)[0];
  Rows out(shape.outputs.size(), order + 1);
  Rows scratch(series_rows(all, shape), order + 1);
  test::PlainCall plain(slots, shape.outputs.size(), 0, 1, point, out);
  plain.call.shared = shared.data(), plain.call.scratch = scratch.data();
  plain.call.scratch_size = series_rows(all, shape) * point.ld();
  for (std::size_t k = 0; k <= order; ++k) {
    plain.call.n = k + 1;
    EXPECT_EQ(kernel(&plain.call), 0) << "coefficient " << k;
  }
  std::vector<std::vector<double>> result(shape.outputs.size());
  for (std::size_t o = 0; o < result.size(); ++o)
    for (std::size_t k = 0; k <= order; ++k) result[o].push_back(out.at(o, k));
  return result;
}

TEST(Series, of_every_operator_sums_to_the_operator_at_the_sums) {
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
  std::size_t slots = 3 * rows.size();
  std::mt19937 random(11);
  std::uniform_real_distribution<double> u(-0.5, 0.5);
  for (int repeat = 0; repeat < 3; ++repeat) {
    Rows point(slots, order + 1);
    std::vector<double> at_h;
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (int k = 0; k < 3; ++k) {
        std::size_t slot = 3 * r + static_cast<std::size_t>(k);
        bool moves = rows[r]->smoothness != ir::Smoothness::discontinuous || (rows[r]->op == Op::select && k > 0) ||
                     rows[r]->op == Op::mod || rows[r]->op == Op::rem;
        std::vector<double> c{series_sample(*rows[r], k, random)};
        for (std::size_t j = 1; j <= order; ++j) c.push_back(moves ? u(random) : 0);
        for (std::size_t j = 0; j <= order; ++j) point.at(slot, j) = c[j];
        at_h.push_back(sum(c));
      }
    auto series = series_of(all, test::plain_shape(outputs, slots, true), point, {}, slots);
    std::vector<double> expected = ir::evaluate(all, outputs, {.slots = at_h});
    for (std::size_t r = 0; r < rows.size(); ++r)
      EXPECT_NEAR(sum(series[r]), expected[r], 1e-13 * std::max(1.0, std::fabs(expected[r]))) << rows[r]->name;
  }
}

TEST(Series, of_powers_with_literal_and_with_constant_exponents) {
  ir::Expressions all;
  std::vector<double> exponents{-16, -3, -2.5, -1, 0.5, 1.5, 2, 3, 4, 7, 13, 16, 17, 0.3};
  std::vector<ir::ExprId> outputs;
  for (double e : exponents) outputs.push_back(all.dag.make(Op::pow, all.dag.slot(0), all.dag.number(e)));
  outputs.push_back(all.dag.make(Op::pow, all.dag.slot(0), all.dag.slot(1)));
  KernelShape shape = test::plain_shape(outputs, 2, true);
  shape.slots[1] = SlotClass::shared;
  Rows point(2, order + 1);
  std::vector<double> c, shared{0, -0.7};
  for (std::size_t j = 0; j <= order; ++j) c.push_back(point.at(0, j) = j ? 0.3 - 0.1 * static_cast<double>(j % 5) : 1.3);
  auto series = series_of(all, shape, point, shared, 2);
  for (std::size_t e = 0; e < exponents.size(); ++e)
    EXPECT_NEAR(sum(series[e]) / std::pow(sum(c), exponents[e]), 1, 1e-12) << exponents[e];
  EXPECT_NEAR(sum(series.back()), std::pow(sum(c), -0.7), 1e-13) << "an exponent that is a parameter";
}

TEST(Series, of_a_whole_power_of_a_variable_that_begins_at_zero) {
  ir::Expressions all;
  KernelShape shape = test::plain_shape({all.dag.make(Op::pow, all.dag.slot(0), all.dag.number(3))}, 1, true);
  Rows point(1, order + 1, 0.0);
  point.at(0, 1) = 2;
  auto series = series_of(all, shape, point, {}, 1);
  for (std::size_t k = 0; k <= order; ++k) EXPECT_EQ(series[0][k], k == 3 ? 8 : 0) << "(2t)³";
}

}  // namespace
}  // namespace bolza::codegen
