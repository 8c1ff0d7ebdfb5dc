// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/system/interval.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler/ir/node_map.h"

namespace bolza::passes {

using ir::ExprId;
using ir::Op;

namespace {

/// 0·∞ is 0 here: a bound at infinity is never reached.
double product(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

Interval times(Interval a, Interval b) {
  double c[]{product(a.lower, b.lower), product(a.lower, b.upper), product(a.upper, b.lower), product(a.upper, b.upper)};
  return {*std::min_element(c, c + 4), *std::max_element(c, c + 4)};
}

/// A zero end stands for values that come near zero but may be infinitely small: their reciprocals are unbounded.
Interval reciprocal(Interval a) {
  if (!a.excludes_zero()) return everything();
  return {std::isinf(a.upper) ? 0 : 1 / a.upper, std::isinf(a.lower) ? 0 : 1 / a.lower};
}

Interval power(Interval a, Interval b) {
  if (b.lower != b.upper) return a.lower > 0 ? Interval{std::numeric_limits<double>::min(), infinite} : everything();
  double n = b.lower;
  if (n == 2 && a.lower <= 0 && a.upper >= 0) return {0, std::max(a.lower * a.lower, a.upper * a.upper)};
  if (a.lower > 0 || (a.lower >= 0 && n > 0)) {
    double u = std::pow(a.lower, n), v = std::pow(a.upper, n);
    return {std::min(u, v), std::max(u, v)};
  }
  if (a.upper < 0 && n == std::floor(n)) {
    double u = std::pow(a.lower, n), v = std::pow(a.upper, n);
    return {std::min(u, v), std::max(u, v)};
  }
  return everything();
}

Interval monotone(Interval a, double (*f)(double)) { return {f(a.lower), f(a.upper)}; }
double root(double v) { return std::sqrt(v); }
double exponential(double v) { return std::exp(v); }

Interval combine_intervals(Op op, std::span<const Interval> x) {
  switch (op) {
    case Op::neg:
      return {-x[0].upper, -x[0].lower};
    case Op::no_event:
      return x[0];
    case Op::add:
      return {x[0].lower + x[1].lower, x[0].upper + x[1].upper};
    case Op::sub:
      return {x[0].lower - x[1].upper, x[0].upper - x[1].lower};
    case Op::mul:
      return times(x[0], x[1]);
    case Op::div:
      return times(x[0], reciprocal(x[1]));
    case Op::pow:
      return power(x[0], x[1]);
    case Op::sqrt:
      return x[0].lower > 0 ? monotone(x[0], root) : Interval{0, infinite};
    case Op::exp: {
      Interval e = monotone(x[0], exponential);
      return {std::max(e.lower, std::numeric_limits<double>::min()), e.upper};
    }
    case Op::abs:
      if (x[0].lower >= 0) return x[0];
      if (x[0].upper <= 0) return {-x[0].upper, -x[0].lower};
      return {0, infinite};
    case Op::min:
      return {std::min(x[0].lower, x[1].lower), std::min(x[0].upper, x[1].upper)};
    case Op::max:
      return {std::max(x[0].lower, x[1].lower), std::max(x[0].upper, x[1].upper)};
    case Op::select:
      return {std::min(x[1].lower, x[2].lower), std::max(x[1].upper, x[2].upper)};
    default:
      return everything();
  }
}

}  // namespace

Interval everything() { return {-infinite, infinite}; }

bool is_steady(const Interval& interval) {
  double one = std::fabs(interval.lower), other = std::fabs(interval.upper), most = std::max(one, other);
  return !std::isfinite(most) || most <= 1e3 * std::min(one, other);
}

Interval range_of(const ir::Dag& dag, ExprId root, std::span<const Interval> slots, std::span<const double> data) {
  ir::NodeMap<Interval> found;
  std::vector<Interval> x;
  for (ExprId e : ir::reachable(dag, std::span(&root, 1))) {
    Interval own = everything();
    if (dag.op(e) == Op::number) own = {dag.value(e), dag.value(e)};
    else if (dag.op(e) == Op::slot) own = slots[dag.index(e)];
    else if (dag.op(e) == Op::datum) own = {data[dag.index(e)], data[dag.index(e)]};
    else if (dag.op(e) != Op::call && dag.op(e) != Op::output) {
      x.clear();
      for (ExprId operand : dag.operands(e)) x.push_back(*found.find(operand));
      own = combine_intervals(dag.op(e), x);
    }
    if (std::isnan(own.lower) || std::isnan(own.upper)) own = everything();
    found[e] = own;
  }
  return *found.find(root);
}

}  // namespace bolza::passes
