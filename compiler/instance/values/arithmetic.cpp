// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "compiler/instance/library/codes.h"
#include "compiler/instance/values/evaluator_internal.h"
#include "compiler/ir/program.h"
#include "compiler/syntax/print.h"

namespace bolza::instance {

using ast::Operator;

namespace {

Reported mismatch(Operator op, const Value& a, const Value& b, Span at, Diagnostics& d) {
  return d.error(codes::type_mismatch, at,
                 {"`" + std::string(syntax::spelling(op)) + "`", type_name(a) + " and " + type_name(b)});
}

double compute(Operator op, double a, double b) {
  switch (op) {
    case Operator::add:
    case Operator::elementwise_add:
      return a + b;
    case Operator::subtract:
    case Operator::elementwise_subtract:
      return a - b;
    case Operator::multiply:
    case Operator::elementwise_multiply:
      return a * b;
    case Operator::divide:
    case Operator::elementwise_divide:
      return a / b;
    case Operator::power:
    case Operator::elementwise_power:
      return std::pow(a, b);
    case Operator::less:
      return a < b;
    case Operator::less_equal:
      return a <= b;
    case Operator::greater:
      return a > b;
    case Operator::greater_equal:
      return a >= b;
    case Operator::equal:
      return a == b;
    case Operator::not_equal:
      return a != b;
    case Operator::and_:
      return a != 0.0 && b != 0.0;
    case Operator::or_:
      return a != 0.0 || b != 0.0;
    case Operator::not_:
      return a == 0.0;
  }
  return 0.0;
}

Reported overflow(const std::string& what, Span at, Diagnostics& d) {
  return d.error(codes::undefined_result, at, {"this", what + " is beyond the Integers from -2^53 to 2^53"});
}

Result<Value> elementwise(Operator op, const Value& a, const Value& b, Span at, Diagnostics& d) {
  if (!a.scalar() && !b.scalar() && a.dimensions != b.dimensions) {
    return d.error(codes::size_mismatch, at,
                   {"the right operand", dimensions_text(b.dimensions), dimensions_text(a.dimensions)});
  }
  bool divides = op == Operator::divide || op == Operator::elementwise_divide || op == Operator::power ||
                 op == Operator::elementwise_power;
  bool whole = a.kind == ValueKind::integer && b.kind == ValueKind::integer && !divides;
  Value out = filled(whole ? ValueKind::integer : ValueKind::real, a.scalar() ? b.dimensions : a.dimensions);
  for (std::size_t i = 0; i < out.numbers.size(); ++i) {
    double x = a.numbers[a.scalar() ? 0 : i], y = b.numbers[b.scalar() ? 0 : i];
    double z = compute(op, x, y);
    if (std::isnan(z) || (std::isinf(z) && std::isfinite(x) && std::isfinite(y))) {
      std::string what = print(real_value(x)) + " " + std::string(syntax::spelling(op)) + " " + print(real_value(y));
      return d.error(codes::undefined_result, at, {"this", what});
    }
    if (whole && std::fabs(z) > ir::largest_integer)
      return overflow(print(real_value(x)) + " " + std::string(syntax::spelling(op)) + " " + print(real_value(y)), at, d);
    out.numbers[i] = z;
  }
  return out;
}

std::int64_t row_count(const Value& v) { return v.dimensions[0]; }

Result<Value> multiply(const Value& a, const Value& b, Span at, Diagnostics& d) {
  if (a.scalar() || b.scalar()) return elementwise(Operator::multiply, a, b, at, d);
  std::size_t p = a.dimensions.size(), q = b.dimensions.size();
  if (p > 2 || q > 2) return mismatch(Operator::multiply, a, b, at, d);
  std::int64_t inner = a.dimensions[p - 1];
  if (inner != row_count(b)) {
    return d.error(codes::size_mismatch, at,
                   {"the right operand of `*`", dimensions_text(b.dimensions), std::to_string(inner) + " rows"});
  }
  std::int64_t m = p == 2 ? row_count(a) : 1, n = q == 2 ? b.dimensions[1] : 1;
  if (static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(inner + 1) > 1e8) {
    return d.error(codes::too_long, at, {"*", "100 million multiplications"});
  }
  std::vector<std::int64_t> dimensions;
  if (p == 2) dimensions.push_back(m);
  if (q == 2) dimensions.push_back(n);
  bool whole = a.kind == ValueKind::integer && b.kind == ValueKind::integer;
  Value out = filled(whole ? ValueKind::integer : ValueKind::real, dimensions);
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = 0.0;
      for (std::int64_t k = 0; k < inner; ++k) {
        sum += a.numbers[static_cast<std::size_t>(i * inner + k)] * b.numbers[static_cast<std::size_t>(k * n + j)];
      }
      if (whole && std::fabs(sum) > ir::largest_integer) return overflow("an element of the product", at, d);
      out.numbers[static_cast<std::size_t>(i * n + j)] = sum;
    }
  }
  return out;
}

int order(const Value& a, const Value& b) {
  if (a.kind == ValueKind::string) return a.text() < b.text() ? -1 : a.text() > b.text();
  return a.number() < b.number() ? -1 : a.number() > b.number();
}

Result<Value> relate(Operator op, const Value& a, const Value& b, Span at, Diagnostics& d) {
  bool fits = is_numeric(a) ? is_numeric(b) : a.kind == b.kind;
  if (!fits || !a.scalar() || !b.scalar() || a.kind == ValueKind::record) return mismatch(op, a, b, at, d);
  return boolean_value(compute(op, order(a, b), 0.0) != 0.0);
}

}  // namespace

Result<Value> apply_unary(Operator op, const Value& a, Span at, Diagnostics& d) {
  if (op == Operator::not_) {
    if (a.kind != ValueKind::boolean) return d.error(codes::type_mismatch, at, {"`not`", type_name(a)});
    Value out = a;
    for (double& x : out.numbers) x = x == 0.0 ? 1.0 : 0.0;
    return out;
  }
  if (!is_numeric(a))
    return d.error(codes::type_mismatch, at, {"`" + std::string(syntax::spelling(op)) + "`", type_name(a)});
  Value out = a;
  if (op == Operator::subtract || op == Operator::elementwise_subtract) {
    for (double& x : out.numbers) x = 0.0 - x;
  }
  return out;
}

Result<Value> apply_binary(Operator op, const Value& a, const Value& b, Span at, Diagnostics& d) {
  switch (op) {
    case Operator::less:
    case Operator::less_equal:
    case Operator::greater:
    case Operator::greater_equal:
    case Operator::equal:
    case Operator::not_equal:
      return relate(op, a, b, at, d);
    case Operator::power:
    case Operator::elementwise_power:
      return apply_power(op, a, b, at, d);
    case Operator::and_:
    case Operator::or_:
      if (a.kind != ValueKind::boolean || b.kind != ValueKind::boolean || !a.scalar() || !b.scalar())
        return mismatch(op, a, b, at, d);
      return boolean_value(compute(op, a.numbers[0], b.numbers[0]) != 0.0);
    case Operator::add:
      if (a.kind == ValueKind::string && b.kind == ValueKind::string && a.scalar() && b.scalar()) {
        if (a.text().size() + b.text().size() > 1'000'000)
          return d.error(codes::too_long, at, {"+", "a string of a million characters"});
        return string_value(a.text() + b.text());
      }
      [[fallthrough]];
    case Operator::subtract:
      if (!is_numeric(a) || !is_numeric(b) || a.scalar() != b.scalar()) return mismatch(op, a, b, at, d);
      return elementwise(op, a, b, at, d);
    case Operator::multiply:
      if (!is_numeric(a) || !is_numeric(b)) return mismatch(op, a, b, at, d);
      return multiply(a, b, at, d);
    case Operator::divide:
      if (!is_numeric(a) || !is_numeric(b) || !b.scalar()) return mismatch(op, a, b, at, d);
      return elementwise(op, a, b, at, d);
    case Operator::elementwise_add:
    case Operator::elementwise_subtract:
    case Operator::elementwise_multiply:
    case Operator::elementwise_divide:
      if (!is_numeric(a) || !is_numeric(b)) return mismatch(op, a, b, at, d);
      return elementwise(op, a, b, at, d);
    case Operator::not_:
      break;
  }
  return mismatch(op, a, b, at, d);
}

Result<Value> apply_power(Operator op, const Value& a, const Value& b, Span at, Diagnostics& d) {
  if (!is_numeric(a) || !is_numeric(b)) return mismatch(op, a, b, at, d);
  if (op == Operator::elementwise_power || (a.scalar() && b.scalar())) return elementwise(op, a, b, at, d);
  bool square = a.dimensions.size() == 2 && a.dimensions[0] == a.dimensions[1];
  if (!square || b.kind != ValueKind::integer || !b.scalar() || b.integer() < 0) return mismatch(op, a, b, at, d);
  Value out = filled(a.kind, a.dimensions);
  for (std::int64_t i = 0; i < row_count(a); ++i) out.numbers[static_cast<std::size_t>(i * row_count(a) + i)] = 1.0;
  if (b.integer() > 100'000) return d.error(codes::too_long, at, {"^", "100,000 multiplications"});
  for (std::int64_t k = 0; k < b.integer(); ++k) {
    auto next = multiply(out, a, at, d);
    if (!next) return next;
    out = std::move(*next);
  }
  return out;
}

Value promote(Value value, std::size_t rank) {
  auto grow = [&](auto&& self, Value& v, std::size_t wanted) -> void {
    std::size_t missing = wanted > v.dimensions.size() ? wanted - v.dimensions.size() : 0;
    for (auto& [name, field] : v.fields) self(self, field, field.dimensions.size() + missing);
    v.dimensions.resize(v.dimensions.size() + missing, 1);
  };
  grow(grow, value, rank);
  return value;
}

Result<Value> concatenate(std::size_t dimension, std::span<const Value> arrays, Span at, Diagnostics& d) {
  if (arrays.empty()) return d.error(codes::wrong_arguments, at, {"cat", "there is nothing to concatenate"});
  std::vector<std::int64_t> dimensions = arrays[0].dimensions;
  if (dimension >= dimensions.size()) return d.error(codes::wrong_arguments, at, {"cat", "there is no such dimension"});
  ValueKind kind = arrays[0].kind;
  std::size_t elements = 0;
  dimensions[dimension] = 0;
  for (const Value& a : arrays) {
    bool fits = a.dimensions.size() == dimensions.size();
    for (std::size_t k = 0; fits && k < dimensions.size(); ++k)
      fits = k == dimension || a.dimensions[k] == arrays[0].dimensions[k];
    if (!fits) {
      return d.error(codes::size_mismatch, at,
                     {"a part", dimensions_text(a.dimensions), "like " + dimensions_text(arrays[0].dimensions)});
    }
    if (a.kind == ValueKind::record || is_numeric(a) != is_numeric(arrays[0]) || (!is_numeric(a) && a.kind != kind))
      return mismatch(Operator::add, arrays[0], a, at, d);
    if (a.kind == ValueKind::real) kind = ValueKind::real;
    dimensions[dimension] += a.dimensions[dimension];
    elements += a.numbers.size() + a.strings.size();
  }
  if (elements > 10'000'000) return d.error(codes::too_long, at, {"cat", "10 million elements"});
  Value out = filled(kind, dimensions);
  out.definition = arrays[0].definition;
  std::int64_t offset = 0;
  for (const Value& a : arrays) {
    std::vector<Selector> part(dimension + 1);
    for (std::size_t k = 0; k <= dimension; ++k) {
      std::int64_t first = k == dimension ? offset : 0;
      for (std::int64_t i = 1; i <= a.dimensions[k]; ++i) part[k].indices.push_back(first + i);
    }
    assign_part(out, part, a);
    offset += a.dimensions[dimension];
  }
  return out;
}

}  // namespace bolza::instance
