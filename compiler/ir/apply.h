// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>

#include "compiler/ir/op.h"

namespace bolza::ir {

/// The value of one operator (not leaves, call, output) of T = double or long double. Truth values are 1 and 0.
/// mod, rem and quotient are Modelica's: mod(x, y) = x − floor(x/y)·y, div truncates towards zero. Domain errors give NaN or
/// ±inf.
template <class T>
T apply(Op op, T a, T b = T(0), T c = T(0)) {
  auto truth = [](bool value) { return value ? T(1) : T(0); };
  switch (op) {
    case Op::number:
    case Op::slot:
    case Op::datum:
    case Op::weight:
    case Op::direction:
    case Op::call:
    case Op::output:
      return T(NAN);
    case Op::neg:
      return -a;
    case Op::abs:
      return std::fabs(a);
    case Op::sign:
      return a > 0 ? T(1) : a < 0 ? T(-1) : a;
    case Op::sqrt:
      return std::sqrt(a);
    case Op::exp:
      return std::exp(a);
    case Op::log:
      return std::log(a);
    case Op::log10:
      return std::log10(a);
    case Op::sin:
      return std::sin(a);
    case Op::cos:
      return std::cos(a);
    case Op::tan:
      return std::tan(a);
    case Op::asin:
      return std::asin(a);
    case Op::acos:
      return std::acos(a);
    case Op::atan:
      return std::atan(a);
    case Op::sinh:
      return std::sinh(a);
    case Op::cosh:
      return std::cosh(a);
    case Op::tanh:
      return std::tanh(a);
    case Op::asinh:
      return std::asinh(a);
    case Op::acosh:
      return std::acosh(a);
    case Op::atanh:
      return std::atanh(a);
    case Op::floor:
      return std::floor(a);
    case Op::ceil:
      return std::ceil(a);
    case Op::logical_not:
      return truth(a == 0);
    case Op::no_event:
      return a;
    case Op::add:
      return a + b;
    case Op::sub:
      return a - b;
    case Op::mul:
      return a * b;
    case Op::div:
      return a / b;
    case Op::pow:
      return std::pow(a, b);
    case Op::atan2:
      return std::atan2(a, b);
    case Op::min:
      return b < a ? b : a;
    case Op::max:
      return a < b ? b : a;
    case Op::mod:
      return a - std::floor(a / b) * b;
    case Op::rem:
      return a - std::trunc(a / b) * b;
    case Op::quotient:
      return std::trunc(a / b);
    case Op::less:
      return truth(a < b);
    case Op::less_equal:
      return truth(a <= b);
    case Op::greater:
      return truth(a > b);
    case Op::greater_equal:
      return truth(a >= b);
    case Op::equal:
      return truth(a == b);
    case Op::not_equal:
      return truth(a != b);
    case Op::logical_and:
      return truth(a != 0 && b != 0);
    case Op::logical_or:
      return truth(a != 0 || b != 0);
    case Op::select:
      return a != 0 ? b : c;
  }
  return T(NAN);
}

}  // namespace bolza::ir
