// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bolza::ir {

/// Every operator of the expression DAG. Truth values are 1.0 and 0.0.
enum class Op : std::uint8_t {
  // leaves
  number,
  slot,
  datum,
  weight,
  direction,
  // unary
  neg,
  abs,
  sign,
  sqrt,
  exp,
  log,
  log10,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  floor,
  ceil,
  logical_not,
  no_event,
  // binary
  add,
  sub,
  mul,
  div,
  pow,
  atan2,
  min,
  max,
  mod,
  rem,
  quotient,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  logical_and,
  logical_or,
  // ternary: select(condition, value if true, value if false)
  select,
  // a Program and one of its outputs
  call,
  output,
};

inline constexpr std::size_t op_count = static_cast<std::size_t>(Op::output) + 1;

/// How smooth an operator is in its operands, away from the edges of its domain.
enum class Smoothness : std::uint8_t { smooth, continuous, discontinuous };

/// Where an operator is defined; `safe` below is a point well inside, used to guard branches that are not taken.
enum class Domain : std::uint8_t {
  all,
  nonnegative,
  positive,
  unit_interval,
  open_unit_interval,
  above_one,
  nonzero,
  power
};

struct OpRow {
  Op op;
  std::string_view name;  ///< in printed models and messages, Modelica's spelling where there is one
  std::int8_t arity;      ///< −1: variable
  bool commutative;
  Smoothness smoothness;
  Domain domain;          ///< of the operand `guarded`
  std::int8_t guarded;    ///< operand that the domain restricts, −1 none
  double safe;            ///< a value of that operand with finite value and derivatives
  std::string_view libm;  ///< scalar function of libm and stem of its libmvec name, "" when lowered to instructions
};

inline constexpr std::array<OpRow, op_count> op_rows{{
    {Op::number, "number", 0, false, Smoothness::smooth, Domain::all, -1, 0, ""},
    {Op::slot, "slot", 0, false, Smoothness::smooth, Domain::all, -1, 0, ""},
    {Op::datum, "datum", 0, false, Smoothness::smooth, Domain::all, -1, 0, ""},
    {Op::weight, "weight", 0, false, Smoothness::smooth, Domain::all, -1, 0, ""},
    {Op::direction, "direction", 0, false, Smoothness::smooth, Domain::all, -1, 0, ""},
    {Op::neg, "-", 1, false, Smoothness::smooth, Domain::all, -1, 0, ""},
    {Op::abs, "abs", 1, false, Smoothness::continuous, Domain::all, -1, 0, ""},
    {Op::sign, "sign", 1, false, Smoothness::discontinuous, Domain::all, -1, 0, ""},
    {Op::sqrt, "sqrt", 1, false, Smoothness::smooth, Domain::nonnegative, 0, 1, ""},
    {Op::exp, "exp", 1, false, Smoothness::smooth, Domain::all, -1, 0, "exp"},
    {Op::log, "log", 1, false, Smoothness::smooth, Domain::positive, 0, 1, "log"},
    {Op::log10, "log10", 1, false, Smoothness::smooth, Domain::positive, 0, 1, "log10"},
    {Op::sin, "sin", 1, false, Smoothness::smooth, Domain::all, -1, 0, "sin"},
    {Op::cos, "cos", 1, false, Smoothness::smooth, Domain::all, -1, 0, "cos"},
    {Op::tan, "tan", 1, false, Smoothness::smooth, Domain::all, -1, 0, "tan"},
    {Op::asin, "asin", 1, false, Smoothness::smooth, Domain::unit_interval, 0, 0, "asin"},
    {Op::acos, "acos", 1, false, Smoothness::smooth, Domain::unit_interval, 0, 0, "acos"},
    {Op::atan, "atan", 1, false, Smoothness::smooth, Domain::all, -1, 0, "atan"},
    {Op::sinh, "sinh", 1, false, Smoothness::smooth, Domain::all, -1, 0, "sinh"},
    {Op::cosh, "cosh", 1, false, Smoothness::smooth, Domain::all, -1, 0, "cosh"},
    {Op::tanh, "tanh", 1, false, Smoothness::smooth, Domain::all, -1, 0, "tanh"},
    {Op::asinh, "asinh", 1, false, Smoothness::smooth, Domain::all, -1, 0, "asinh"},
    {Op::acosh, "acosh", 1, false, Smoothness::smooth, Domain::above_one, 0, 2, "acosh"},
    {Op::atanh, "atanh", 1, false, Smoothness::smooth, Domain::open_unit_interval, 0, 0, "atanh"},
    {Op::floor, "floor", 1, false, Smoothness::discontinuous, Domain::all, -1, 0, ""},
    {Op::ceil, "ceil", 1, false, Smoothness::discontinuous, Domain::all, -1, 0, ""},
    {Op::logical_not, "not", 1, false, Smoothness::discontinuous, Domain::all, -1, 0, ""},
    {Op::no_event, "noEvent", 1, false, Smoothness::smooth, Domain::all, -1, 0, ""},
    {Op::add, "+", 2, true, Smoothness::smooth, Domain::all, -1, 0, ""},
    {Op::sub, "-", 2, false, Smoothness::smooth, Domain::all, -1, 0, ""},
    {Op::mul, "*", 2, true, Smoothness::smooth, Domain::all, -1, 0, ""},
    {Op::div, "/", 2, false, Smoothness::smooth, Domain::nonzero, 1, 1, ""},
    {Op::pow, "^", 2, false, Smoothness::smooth, Domain::power, 0, 1, "pow"},
    {Op::atan2, "atan2", 2, false, Smoothness::smooth, Domain::nonzero, 1, 1, "atan2"},
    {Op::min, "min", 2, true, Smoothness::continuous, Domain::all, -1, 0, ""},
    {Op::max, "max", 2, true, Smoothness::continuous, Domain::all, -1, 0, ""},
    {Op::mod, "mod", 2, false, Smoothness::discontinuous, Domain::nonzero, 1, 1, ""},
    {Op::rem, "rem", 2, false, Smoothness::discontinuous, Domain::nonzero, 1, 1, ""},
    {Op::quotient, "div", 2, false, Smoothness::discontinuous, Domain::nonzero, 1, 1, ""},
    {Op::less, "<", 2, false, Smoothness::discontinuous, Domain::all, -1, 0, ""},
    {Op::less_equal, "<=", 2, false, Smoothness::discontinuous, Domain::all, -1, 0, ""},
    {Op::greater, ">", 2, false, Smoothness::discontinuous, Domain::all, -1, 0, ""},
    {Op::greater_equal, ">=", 2, false, Smoothness::discontinuous, Domain::all, -1, 0, ""},
    {Op::equal, "==", 2, true, Smoothness::discontinuous, Domain::all, -1, 0, ""},
    {Op::not_equal, "<>", 2, true, Smoothness::discontinuous, Domain::all, -1, 0, ""},
    {Op::logical_and, "and", 2, true, Smoothness::discontinuous, Domain::all, -1, 0, ""},
    {Op::logical_or, "or", 2, true, Smoothness::discontinuous, Domain::all, -1, 0, ""},
    {Op::select, "if", 3, false, Smoothness::discontinuous, Domain::all, -1, 0, ""},
    {Op::call, "call", -1, false, Smoothness::smooth, Domain::all, -1, 0, ""},
    {Op::output, "output", 1, false, Smoothness::smooth, Domain::all, -1, 0, ""},
}};

constexpr bool rows_in_enum_order() {
  for (std::size_t i = 0; i < op_count; ++i)
    if (op_rows[i].op != static_cast<Op>(i)) return false;
  return true;
}
static_assert(rows_in_enum_order(), "op_rows must list every Op, in order");

constexpr const OpRow& row_of(Op op) { return op_rows[static_cast<std::size_t>(op)]; }

}  // namespace bolza::ir
