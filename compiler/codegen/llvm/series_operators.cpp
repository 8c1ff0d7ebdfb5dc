// SPDX-License-Identifier: Apache-2.0
// The recurrences of Taylor coefficients, one for each operator. r is the result, a and b the operands, k the coefficient.
#include <array>
#include <cmath>
#include <cstddef>

#include "base/expects.h"
#include "compiler/codegen/llvm/series_internal.h"
#include "runtime/abi/bolza.h"

namespace bolza::codegen {

using ir::Op;
using llvm::Value;

namespace {
constexpr double ln10 = 2.302585092994045684;
}

void SeriesLowering::compute(std::uint32_t p, bool first) {
  const ir::Dag& dag = module_.expressions.dag;
  ir::ExprId e = schedule_.order[p];
  if (op(p) == Op::weight || (op(p) == Op::slot && shape_.slots[dag.index(e)] == SlotClass::point)) return;  // given
  if (!first && (fixed(p) || op(p) <= Op::direction)) return set(row(p), operators_.number(0));
  if (op(p) == Op::pow) return compute_power(p, first);
  if (first) compute_first(p);
  else compute_next(p);
}

void SeriesLowering::compute_first(std::uint32_t p) {
  const ir::Dag& dag = module_.expressions.dag;
  ir::ExprId e = schedule_.order[p];
  Op kind = op(p);
  auto operands = schedule_.operands(p);
  auto at = [&](std::size_t k) { return zeroth(operand(p, k)); };
  auto number = [&](double v) { return operators_.number(v); };
  if (kind == Op::number) return set(row(p), number(dag.value(e)));
  if (kind == Op::slot || kind == Op::datum) {
    Value* k = b_.getInt64(dag.index(e));
    Value* place = nullptr;
    if (kind == Op::slot) {
      place = table_entry(field(offsetof(bolza_call, index), b_.getPtrTy()), dag.index(e));
    } else {
      place = b_.CreateAdd(b_.CreateMul(k, field(offsetof(bolza_call, instances), b_.getInt64Ty())), instance_);
    }
    Value* from = field(kind == Op::slot ? offsetof(bolza_call, shared) : offsetof(bolza_call, datum), b_.getPtrTy());
    return set(row(p), zeroth(b_.CreateInBoundsGEP(b_.getDoubleTy(), from, place)));
  }
  if (kind == Op::select) {
    Value* chosen = b_.CreateSelect(operators_.condition(at(0)), operand(p, 1), operand(p, 2));
    return set(row(p), zeroth(chosen));
  }
  std::array<Value*, 2> x{};
  for (std::size_t k = 0; k < operands.size(); ++k)
    x[k] = Operators::takes_mask(kind, k) ? operators_.condition(at(k)) : at(k);
  Value *a = x[0], *r = operators_.apply(kind, x[0], x[1]);
  set(row(p), Operators::gives_mask(kind) ? operators_.truth(r) : r);
  auto square = [&](Value* x) { return b_.CreateFMul(x, x); };
  auto root = [&](Value* x) { return operators_.apply(Op::sqrt, x); };
  Value* w = nullptr;
  if (kind == Op::sin || kind == Op::cos) w = operators_.apply(kind == Op::sin ? Op::cos : Op::sin, a);
  if (kind == Op::sinh || kind == Op::cosh) w = operators_.apply(kind == Op::sinh ? Op::cosh : Op::sinh, a);
  if (kind == Op::tan) w = b_.CreateFAdd(number(1), square(r));
  if (kind == Op::tanh) w = b_.CreateFSub(number(1), square(r));
  if (kind == Op::asin || kind == Op::acos) w = root(b_.CreateFSub(number(1), square(a)));
  if (kind == Op::asinh) w = root(b_.CreateFAdd(square(a), number(1)));
  if (kind == Op::acosh) w = root(b_.CreateFSub(square(a), number(1)));
  if (kind == Op::atan) w = b_.CreateFAdd(number(1), square(a));
  if (kind == Op::atanh) w = b_.CreateFSub(number(1), square(a));
  if (kind == Op::atan2) w = b_.CreateFAdd(square(a), square(at(1)));
  if (w) set(beside(p, 0), w);
}

void SeriesLowering::compute_next(std::uint32_t p) {
  auto operands = schedule_.operands(p);
  Value *r = row(p), *a = operand(p, 0), *b = operands.size() > 1 ? operand(p, 1) : nullptr;
  auto by_order = [&](Value* v) { return b_.CreateFDiv(v, order_); };
  // from r' w = ± a'
  auto integrate = [&](Value* w, double sign) {
    Value* ak = now(a);
    Value* left = sign < 0 ? b_.CreateFNeg(ak) : ak;
    Value* known = by_order(convolution(r, w, 1, 1, true));
    set(r, b_.CreateFDiv(b_.CreateFSub(left, known), zeroth(w)));
  };
  // from w² = c ± a²
  auto root_of_square = [&](Value* w, double sign) {
    Value* square = convolution(a, a, 0, 0);
    if (sign < 0) square = b_.CreateFNeg(square);
    Value* known = convolution(w, w, 1, 1);
    set(w, b_.CreateFDiv(b_.CreateFSub(square, known), b_.CreateFMul(operators_.number(2), zeroth(w))));
  };
  switch (op(p)) {
    case Op::neg:
      return set(r, b_.CreateFNeg(now(a)));
    case Op::no_event:
      return set(r, now(a));
    case Op::abs:
      return set(r, b_.CreateSelect(b_.CreateFCmpOLT(zeroth(a), operators_.number(0)), b_.CreateFNeg(now(a)), now(a)));
    case Op::sqrt: {
      Value* known = convolution(r, r, 1, 1);
      return set(r, b_.CreateFDiv(b_.CreateFSub(now(a), known), b_.CreateFMul(operators_.number(2), zeroth(r))));
    }
    case Op::exp:
      return set(r, by_order(convolution(a, r, 1, 0, true)));
    case Op::log:
    case Op::log10: {
      Value* ak = now(a);
      if (op(p) == Op::log10) ak = b_.CreateFDiv(ak, operators_.number(ln10));
      return set(r, b_.CreateFDiv(b_.CreateFSub(ak, by_order(convolution(r, a, 1, 1, true))), zeroth(a)));
    }
    case Op::sin:
    case Op::cos:
    case Op::sinh:
    case Op::cosh: {
      Value* w = beside(p, 0);
      Value* of_r = by_order(convolution(a, w, 1, 0, true));
      Value* of_w = by_order(convolution(a, r, 1, 0, true));
      if (op(p) == Op::cos) of_r = b_.CreateFNeg(of_r);
      if (op(p) == Op::sin) of_w = b_.CreateFNeg(of_w);
      set(r, of_r);
      return set(w, of_w);
    }
    case Op::tan:
    case Op::tanh: {
      Value* w = beside(p, 0);
      set(r, by_order(convolution(a, w, 1, 0, true)));
      Value* square = convolution(r, r, 0, 0);
      return set(w, op(p) == Op::tan ? square : b_.CreateFNeg(square));
    }
    case Op::asin:
    case Op::acos:
      root_of_square(beside(p, 0), -1);
      return integrate(beside(p, 0), op(p) == Op::asin ? 1 : -1);
    case Op::asinh:
    case Op::acosh:
      root_of_square(beside(p, 0), 1);
      return integrate(beside(p, 0), 1);
    case Op::atan:
    case Op::atanh: {
      Value* square = convolution(a, a, 0, 0);
      set(beside(p, 0), op(p) == Op::atan ? square : b_.CreateFNeg(square));
      return integrate(beside(p, 0), 1);
    }
    case Op::atan2: {  // r' (a² + b²) = b a' − a b'
      Value* w = beside(p, 0);
      set(w, b_.CreateFAdd(convolution(a, a, 0, 0), convolution(b, b, 0, 0)));
      Value* wanted = b_.CreateFSub(convolution(a, b, 1, 0, true), convolution(b, a, 1, 0, true));
      Value* known = convolution(r, w, 1, 1, true);
      return set(r, b_.CreateFDiv(by_order(b_.CreateFSub(wanted, known)), zeroth(w)));
    }
    case Op::add:
      return set(r, b_.CreateFAdd(now(a), now(b)));
    case Op::sub:
      return set(r, b_.CreateFSub(now(a), now(b)));
    case Op::mul:
      if (fixed(operands[0])) return set(r, b_.CreateFMul(zeroth(a), now(b)));
      if (fixed(operands[1])) return set(r, b_.CreateFMul(now(a), zeroth(b)));
      return set(r, convolution(a, b, 0, 0));
    case Op::div:
      if (fixed(operands[1])) return set(r, b_.CreateFDiv(now(a), zeroth(b)));
      return set(r, b_.CreateFDiv(b_.CreateFSub(now(a), convolution(r, b, 0, 1)), zeroth(b)));
    case Op::min:
    case Op::max: {
      Value *a0 = zeroth(a), *b0 = zeroth(b);
      Value* second = op(p) == Op::min ? b_.CreateFCmpOLT(b0, a0) : b_.CreateFCmpOLT(a0, b0);
      return set(r, now(b_.CreateSelect(second, b, a)));
    }
    case Op::mod:
    case Op::rem: {
      Value* whole = operators_.apply(Op::floor, b_.CreateFDiv(zeroth(a), zeroth(b)));
      if (op(p) == Op::rem) whole = operators_.apply(Op::quotient, zeroth(a), zeroth(b));
      return set(r, b_.CreateFSub(now(a), b_.CreateFMul(whole, now(b))));
    }
    case Op::select:
      return set(r, now(b_.CreateSelect(operators_.condition(zeroth(a)), b, operand(p, 2))));
    case Op::sign:
    case Op::floor:
    case Op::ceil:
    case Op::quotient:
    case Op::logical_not:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::equal:
    case Op::not_equal:
    case Op::logical_and:
    case Op::logical_or:
      return set(r, operators_.number(0));
    case Op::number:
    case Op::slot:
    case Op::datum:
    case Op::weight:
    case Op::direction:
    case Op::pow:
    case Op::call:
    case Op::output:
      break;
  }
  expects(false, "an operator with a recurrence");
}

// Whole exponents up to 16 become products, so that the base may be zero; other constant ones follow from r' a = b r a', and
// exponents that vary are exp(b log a).
void SeriesLowering::compute_power(std::uint32_t p, bool first) {
  const ir::Dag& dag = module_.expressions.dag;
  ir::ExprId exponent = schedule_.order[schedule_.operands(p)[1]];
  Value *r = row(p), *a = operand(p, 0), *b = operand(p, 1);
  double value = dag.is_number(exponent) ? dag.value(exponent) : NAN;
  if (value == std::floor(value) && std::fabs(value) <= 16)
    return whole_power(p, static_cast<unsigned>(std::fabs(value)), value < 0, first);
  if (first && dag.is_number(exponent)) return set(r, operators_.power(zeroth(a), value));
  if (fixed(schedule_.operands(p)[1])) {
    if (first) return set(r, operators_.apply(Op::pow, zeroth(a), zeroth(b)));
    Value* with_j = b_.CreateFMul(b_.CreateFAdd(zeroth(b), operators_.number(1)), convolution(a, r, 1, 0, true));
    Value* with_k = b_.CreateFMul(order_, convolution(a, r, 1, 0));
    return set(r, b_.CreateFDiv(b_.CreateFSub(with_j, with_k), b_.CreateFMul(order_, zeroth(a))));
  }
  Value *log = beside(p, 0), *product = beside(p, 1);
  if (first) {
    set(log, operators_.apply(Op::log, zeroth(a)));
    set(product, b_.CreateFMul(zeroth(b), zeroth(log)));
    return set(r, operators_.apply(Op::pow, zeroth(a), zeroth(b)));
  }
  Value* known = b_.CreateFDiv(convolution(log, a, 1, 1, true), order_);
  set(log, b_.CreateFDiv(b_.CreateFSub(now(a), known), zeroth(a)));
  set(product, convolution(b, log, 0, 0));
  set(r, b_.CreateFDiv(convolution(product, r, 1, 0, true), order_));
}

void SeriesLowering::whole_power(std::uint32_t p, unsigned n, bool negative, bool first) {
  std::size_t used = 0;
  auto product = [&](Value* a, Value* b) {
    Value* to = beside(p, used++);
    set(to, convolution(a, b, 0, 0));
    return to;
  };
  Value* result = nullptr;
  for (Value* square = operand(p, 0); n != 0; n >>= 1) {
    if (n & 1) result = result ? product(result, square) : square;
    if (n > 1) square = product(square, square);
  }
  if (!result) return set(row(p), operators_.number(first ? 1 : 0));
  if (!negative) return set(row(p), now(result));
  Value* one = operators_.number(1);
  if (first) return set(row(p), b_.CreateFDiv(one, zeroth(result)));
  set(row(p), b_.CreateFDiv(b_.CreateFNeg(convolution(row(p), result, 0, 1)), zeroth(result)));
}

}  // namespace bolza::codegen
