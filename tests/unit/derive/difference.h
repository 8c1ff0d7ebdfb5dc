// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "compiler/derive/hessian.h"
#include "compiler/derive/jacobian.h"
#include "compiler/ir/interpret.h"

/// Difference quotients in long double, the oracle of all derivative tests: with h = 2e-4 the five-point formula is good to
/// about 1e-14 in smooth regions. Two step widths tell whether a kink lies in between.
namespace bolza::test {

using Vector = std::vector<long double>;

inline Vector evaluate(const ir::Expressions& all, const std::vector<ir::ExprId>& roots, const Vector& slots,
                       const Vector& weights = {}, const Vector& data = {}) {
  Vector values(roots.size());
  ir::Interpreter<long double> interpreter(all);
  ir::RunReport report = interpreter.evaluate(roots, {.slots = slots, .data = data, .weights = weights}, values);
  EXPECT_TRUE(bool(report)) << static_cast<int>(report.status) << " " << report.text;
  return values;
}

struct Quotient {
  Vector value;        ///< [roots]
  bool smooth = true;  ///< both step widths agree
};

inline Quotient quotient(const ir::Expressions& all, const std::vector<ir::ExprId>& roots, const Vector& slots,
                         std::size_t by, const Vector& weights = {}, const Vector& data = {}) {
  auto shifted = [&](long double h) {
    Vector x = slots;
    x[by] += h;
    return evaluate(all, roots, x, weights, data);
  };
  auto five_points = [&](long double h) {
    Vector a = shifted(-2 * h), b = shifted(-h), c = shifted(h), d = shifted(2 * h);
    Vector result(roots.size());
    for (std::size_t r = 0; r < roots.size(); ++r) result[r] = (a[r] - 8 * b[r] + 8 * c[r] - d[r]) / (12 * h);
    return result;
  };
  Quotient q{five_points(2e-4L), true};
  Vector finer = five_points(1e-4L);
  for (std::size_t r = 0; r < roots.size(); ++r)
    q.smooth = q.smooth && std::fabs(finer[r] - q.value[r]) <= 1e-8L * (1 + std::fabs(q.value[r]));
  q.value = finer;
  return q;
}

inline void expect_close(long double found, long double expected, const std::string& what) {
  EXPECT_LE(std::fabs(found - expected), 1e-9L * (1 + std::fabs(expected)))
      << what << ": " << static_cast<double>(found) << " is not " << static_cast<double>(expected);
}

/// Compares the Jacobian, the weighted gradient and the Hessian of some roots with difference quotients at one point. Says
/// whether the point was smooth enough to compare everything.
inline bool derivatives_agree(ir::Expressions& all, const std::vector<ir::ExprId>& roots, const Vector& slots,
                              const std::string& what, const Vector& data = {}) {
  std::size_t n = slots.size();
  Vector weights;
  for (std::size_t r = 0; r < roots.size(); ++r) weights.push_back(0.7L + 0.3L * static_cast<long double>(r));
  std::vector<std::vector<ir::ExprId>> jacobian(roots.size(), std::vector<ir::ExprId>(n, all.dag.zero()));
  for (const derive::JacobianEntry& entry : derive::jacobian(all, roots)) jacobian[entry.root][entry.slot] = entry.value;
  derive::WeightedHessian hessian = derive::hessian(all, roots);
  std::vector<ir::ExprId> gradient(n, all.dag.zero());
  for (const derive::GradientEntry& entry : hessian.gradient) gradient[entry.slot] = entry.value;
  std::vector<std::vector<ir::ExprId>> lower(n, std::vector<ir::ExprId>(n, all.dag.zero()));
  for (const derive::HessianEntry& entry : hessian.entries) {
    EXPECT_GE(entry.row, entry.column);
    lower[entry.row][entry.column] = entry.value;
  }
  for (std::size_t k = 0; k < n; ++k) {
    Quotient first = quotient(all, roots, slots, k, weights, data);
    Quotient second = quotient(all, gradient, slots, k, weights, data);
    if (!first.smooth || !second.smooth) return false;
    long double weighted = 0;
    for (std::size_t r = 0; r < roots.size(); ++r) {
      expect_close(evaluate(all, {jacobian[r][k]}, slots, weights, data)[0], first.value[r], what + " Jacobian");
      weighted += weights[r] * first.value[r];
    }
    expect_close(evaluate(all, {gradient[k]}, slots, weights, data)[0], weighted, what + " gradient");
    for (std::size_t m = 0; m <= k; ++m)
      expect_close(evaluate(all, {lower[k][m]}, slots, weights, data)[0], second.value[m], what + " Hessian");
  }
  return true;
}

}  // namespace bolza::test
