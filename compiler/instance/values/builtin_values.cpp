// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "compiler/instance/library/codes.h"
#include "compiler/instance/values/evaluator_internal.h"

/// Built-in functions whose arguments are values, one small function each, found by name in one table.
namespace bolza::instance {

namespace {

using Arguments = std::span<const Value>;
struct BuiltinCall {
  std::string_view name;
  Span at;
  Diagnostics& d;
};

bool number(const Value& v) { return is_numeric(v) && v.scalar(); }
bool whole_number(const Value& v, std::int64_t least) {
  return v.kind == ValueKind::integer && v.scalar() && v.integer() >= least;
}

Reported refuse(const BuiltinCall& c, Arguments a) {
  std::string types;
  for (const Value& v : a) types += (types.empty() ? "" : ", ") + type_name(v);
  return c.d.error(codes::type_mismatch, c.at, {"`" + std::string(c.name) + "`", types.empty() ? "nothing" : types});
}

Result<Value> map_real(const BuiltinCall& c, Arguments a, double (*f)(double)) {
  if (a.size() != 1 || !is_numeric(a[0])) return refuse(c, a);
  Value out = as_real(a[0]);
  for (double& x : out.numbers) {
    double y = f(x);
    bool grows = f == static_cast<double (*)(double)>(std::exp) || f == static_cast<double (*)(double)>(std::sinh) ||
                 f == static_cast<double (*)(double)>(std::cosh);
    bool overflows = grows && std::isinf(y) && std::isfinite(x);  // 1/exp(800) is 0
    if (!std::isfinite(y) && !overflows) {
      std::string what = std::string(c.name) + "(" + print(real_value(x)) + ")";
      return c.d.error(codes::undefined_result, c.at, {"`" + std::string(c.name) + "`", what});
    }
    x = y;
  }
  return out;
}

struct RealFunction {
  std::string_view name;
  double (*compute)(double);
};
constexpr std::array<RealFunction, 17> real_functions{{
    {"sin", std::sin},
    {"cos", std::cos},
    {"tan", std::tan},
    {"asin", std::asin},
    {"acos", std::acos},
    {"atan", std::atan},
    {"sinh", std::sinh},
    {"cosh", std::cosh},
    {"tanh", std::tanh},
    {"exp", std::exp},
    {"log", std::log},
    {"log10", std::log10},
    {"sqrt", std::sqrt},
    {"ceil", std::ceil},
    {"floor", std::floor},
    {"integer", std::floor},
    {"Integer", std::floor},
}};

Result<Value> abs_or_sign(const BuiltinCall& c, Arguments a) {
  if (a.size() != 1 || !is_numeric(a[0])) return refuse(c, a);
  Value out = a[0];
  bool sign = c.name == "sign";
  for (double& x : out.numbers) x = sign ? (x > 0.0) - (x < 0.0) : std::abs(x);
  if (sign) out.kind = ValueKind::integer;
  return out;
}

Result<Value> divide_whole(const BuiltinCall& c, Arguments a) {
  if (a.size() != 2 || !is_numeric(a[0]) || !is_numeric(a[1]) || !a[0].scalar() || !a[1].scalar()) return refuse(c, a);
  double x = a[0].numbers[0], y = a[1].numbers[0];
  if (y == 0.0) return c.d.error(codes::undefined_result, c.at, {"`" + std::string(c.name) + "`", "a division by zero"});
  double z = c.name == "div" ? std::trunc(x / y) : c.name == "mod" ? x - std::floor(x / y) * y : x - std::trunc(x / y) * y;
  bool whole = a[0].kind == ValueKind::integer && a[1].kind == ValueKind::integer;
  return whole ? integer_value(static_cast<std::int64_t>(z)) : real_value(z);
}

Result<Value> atan2_(const BuiltinCall& c, Arguments a) {
  if (a.size() != 2 || !is_numeric(a[0]) || !is_numeric(a[1]) || !a[0].scalar() || !a[1].scalar()) return refuse(c, a);
  return real_value(std::atan2(a[0].numbers[0], a[1].numbers[0]));
}

Result<Value> min_max(const BuiltinCall& c, Arguments a) {
  std::vector<double> all;
  bool whole = true;
  for (const Value& v : a) {
    if (v.kind == ValueKind::string || v.kind == ValueKind::record || (a.size() == 2 && !v.scalar())) return refuse(c, a);
    all.insert(all.end(), v.numbers.begin(), v.numbers.end());
    whole = whole && v.kind != ValueKind::real;
  }
  if (a.empty() || a.size() > 2) return refuse(c, a);
  bool least = c.name == "min";
  if (all.empty() && a[0].kind == ValueKind::boolean) return boolean_value(least);
  if (all.empty() && a[0].kind == ValueKind::integer) return integer_value(least ? 2147483647 : -2147483647);
  if (all.empty()) return real_value(least ? 1.7976931348623157e308 : -1.7976931348623157e308);
  Value out = a[0].scalar() ? a[0] : filled(a[0].kind, {});
  out.definition = a[0].definition;
  out.numbers = {least ? *std::min_element(all.begin(), all.end()) : *std::max_element(all.begin(), all.end())};
  if (!whole) out.kind = ValueKind::real;
  return out;
}

Result<Value> sum_product(const BuiltinCall& c, Arguments a) {
  if (a.size() != 1 || !is_numeric(a[0])) return refuse(c, a);
  double out = c.name == "sum" ? 0.0 : 1.0;
  for (double x : a[0].numbers) out = c.name == "sum" ? out + x : out * x;
  Value v = filled(a[0].kind, {});
  v.numbers[0] = out;
  return v;
}

constexpr double largest = 1e7;  ///< elements of an array computed while compiling
Reported too_large(const BuiltinCall& c) {
  return c.d.error(codes::too_long, c.at, {c.name, "an array of 10 million elements"});
}

/// The sizes in arguments [first, last).
Result<std::vector<std::int64_t>> argument_sizes(const BuiltinCall& c, Arguments a, std::size_t first) {
  std::vector<std::int64_t> out;
  double elements = 1.0;
  for (std::size_t i = first; i < a.size(); ++i) {
    if (a[i].kind != ValueKind::integer || !a[i].scalar() || a[i].integer() < 0) return refuse(c, a);
    out.push_back(a[i].integer());
    elements *= static_cast<double>(a[i].integer());
  }
  if (elements > largest) return too_large(c);
  return out;
}

Result<Value> constant_array(const BuiltinCall& c, Arguments a) {
  bool fill = c.name == "fill";
  if (a.size() < (fill ? 2u : 1u)) return refuse(c, a);
  auto dimensions = argument_sizes(c, a, fill ? 1 : 0);
  if (!dimensions) return c.d.already_reported();
  if (!fill) return filled(ValueKind::integer, *dimensions, c.name == "ones" ? 1.0 : 0.0);
  std::int64_t count = 1;
  for (std::int64_t n : *dimensions) count *= n;
  if (a[0].scalar() && is_numeric(a[0])) return filled(a[0].kind, *dimensions, a[0].numbers[0]);
  if (static_cast<double>(count) * static_cast<double>(a[0].numbers.size() + 10) > largest) return too_large(c);
  Value out = stack(std::vector<Value>(static_cast<std::size_t>(count), a[0]), *dimensions);
  if (count == 0) out.kind = a[0].kind;
  return out;
}

Result<Value> identity_(const BuiltinCall& c, Arguments a) {
  auto n = argument_sizes(c, a, 0);
  if (!n || a.size() != 1) return refuse(c, a);
  if (static_cast<double>((*n)[0]) * static_cast<double>((*n)[0]) > largest) return too_large(c);
  Value out = filled(ValueKind::integer, {(*n)[0], (*n)[0]});
  for (std::int64_t i = 0; i < (*n)[0]; ++i) out.numbers[static_cast<std::size_t>(i * (*n)[0] + i)] = 1.0;
  return out;
}

Result<Value> diagonal_(const BuiltinCall& c, Arguments a) {
  if (a.size() != 1 || a[0].dimensions.size() != 1 || !is_numeric(a[0])) return refuse(c, a);
  std::int64_t n = a[0].dimensions[0];
  if (static_cast<double>(n) * static_cast<double>(n) > largest) return too_large(c);
  Value out = filled(a[0].kind, {n, n});
  for (std::int64_t i = 0; i < n; ++i)
    out.numbers[static_cast<std::size_t>(i * n + i)] = a[0].numbers[static_cast<std::size_t>(i)];
  return out;
}

Result<Value> linspace_(const BuiltinCall& c, Arguments a) {
  if (a.size() != 3 || !number(a[0]) || !number(a[1]) || !whole_number(a[2], 2)) return refuse(c, a);
  if (static_cast<double>(a[2].integer()) > largest) return too_large(c);
  std::int64_t n = a[2].integer();
  Value out = filled(ValueKind::real, {n});
  for (std::int64_t i = 0; i < n; ++i) {
    out.numbers[static_cast<std::size_t>(i)] =
        a[0].number() + (a[1].number() - a[0].number()) * static_cast<double>(i) / static_cast<double>(n - 1);
  }
  return out;
}

Result<Value> transpose_(const BuiltinCall& c, Arguments a) {
  if (a.size() != 1 || a[0].dimensions.size() < 2 || a[0].kind == ValueKind::record) return refuse(c, a);
  Value out = a[0];
  std::swap(out.dimensions[0], out.dimensions[1]);
  std::int64_t m = a[0].dimensions[0], n = a[0].dimensions[1], inner = 1;
  for (std::size_t k = 2; k < a[0].dimensions.size(); ++k) inner *= a[0].dimensions[k];
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      for (std::int64_t k = 0; k < inner; ++k) {
        auto from = static_cast<std::size_t>((i * n + j) * inner + k),
             to = static_cast<std::size_t>((j * m + i) * inner + k);
        if (a[0].kind == ValueKind::string) out.strings[to] = a[0].strings[from];
        else out.numbers[to] = a[0].numbers[from];
      }
    }
  }
  return out;
}

Result<Value> symmetric_(const BuiltinCall& c, Arguments a) {
  if (a.size() != 1 || !is_numeric(a[0]) || a[0].dimensions.size() != 2 || a[0].dimensions[0] != a[0].dimensions[1])
    return refuse(c, a);
  Value out = a[0];
  std::int64_t n = a[0].dimensions[0];
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < i; ++j)
      out.numbers[static_cast<std::size_t>(i * n + j)] = a[0].numbers[static_cast<std::size_t>(j * n + i)];
  }
  return out;
}

Result<Value> outer_product(const BuiltinCall& c, Arguments a) {
  if (a.size() != 2 || a[0].dimensions.size() != 1 || a[1].dimensions.size() != 1) return refuse(c, a);
  Value column = promote(a[0], 2), row = a[1];
  row.dimensions = {1, a[1].dimensions[0]};
  return apply_binary(ast::Operator::multiply, column, row, c.at, c.d);
}

Result<Value> cross_(const BuiltinCall& c, Arguments a) {
  if (a.size() != 2 || !is_numeric(a[0]) || !is_numeric(a[1]) || a[0].numbers.size() != 3 || a[1].numbers.size() != 3)
    return refuse(c, a);
  const auto &x = a[0].numbers, &y = a[1].numbers;
  Value out = filled(ValueKind::real, {3});
  out.numbers = {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
  return out;
}

Result<Value> skew_(const BuiltinCall& c, Arguments a) {
  if (a.size() != 1 || a[0].numbers.size() != 3 || a[0].dimensions.size() != 1) return refuse(c, a);
  const auto& x = a[0].numbers;
  Value out = filled(ValueKind::real, {3, 3});
  out.numbers = {0.0, -x[2], x[1], x[2], 0.0, -x[0], -x[1], x[0], 0.0};
  return out;
}

Result<Value> reshape(const BuiltinCall& c, Arguments a) {
  if (a.size() != 1 || a[0].kind == ValueKind::record) return refuse(c, a);
  Value out = a[0];
  std::int64_t n = out.size();
  if (c.name == "scalar") {
    if (n != 1) return refuse(c, a);
    out.dimensions.clear();
  } else if (c.name == "vector") {
    out.dimensions = {n};
  } else {
    while (out.dimensions.size() < 2) out.dimensions.push_back(1);
    std::int64_t second = out.dimensions[0] == 0 ? out.dimensions[1] : n / out.dimensions[0];
    out.dimensions = {out.dimensions[0], second};
  }
  return out;
}

Result<Value> cat_(const BuiltinCall& c, Arguments a) {
  if (a.size() < 2 || !whole_number(a[0], 1)) return refuse(c, a);
  return concatenate(static_cast<std::size_t>(a[0].integer() - 1), a.subspan(1), c.at, c.d);
}

Result<Value> promote_(const BuiltinCall& c, Arguments a) {
  if (a.size() != 2 || a[0].kind == ValueKind::record || !whole_number(a[1], 0) || a[1].integer() > 20) return refuse(c, a);
  return promote(a[0], static_cast<std::size_t>(a[1].integer()));
}

Result<Value> array_(const BuiltinCall& c, Arguments a) {
  if (a.empty()) return refuse(c, a);
  for (const Value& v : a) {
    if (!stackable(a[0], v)) return refuse(c, a);
  }
  auto n = static_cast<std::int64_t>(a.size());
  return stack(std::vector<Value>(a.begin(), a.end()), std::span(&n, 1));
}

Result<Value> semi_linear(const BuiltinCall& c, Arguments a) {
  if (a.size() != 3 || !number(a[0]) || !number(a[1]) || !number(a[2])) return refuse(c, a);
  return apply_binary(ast::Operator::multiply, a[0], a[0].number() >= 0.0 ? a[1] : a[2], c.at, c.d);
}

Result<Value> first_argument(const BuiltinCall& c, Arguments a) {
  if (a.empty()) return refuse(c, a);
  return a[0];
}
Result<Value> last_argument(const BuiltinCall& c, Arguments a) {
  if (a.empty()) return refuse(c, a);
  return a.back();
}

struct BuiltinFunction {
  std::string_view name;
  Result<Value> (*apply)(const BuiltinCall&, Arguments);
};
constexpr std::array builtin_functions{
    BuiltinFunction{"abs", abs_or_sign},
    BuiltinFunction{"sign", abs_or_sign},
    BuiltinFunction{"div", divide_whole},
    BuiltinFunction{"mod", divide_whole},
    BuiltinFunction{"rem", divide_whole},
    BuiltinFunction{"atan2", atan2_},
    BuiltinFunction{"min", min_max},
    BuiltinFunction{"max", min_max},
    BuiltinFunction{"sum", sum_product},
    BuiltinFunction{"product", sum_product},
    BuiltinFunction{"zeros", constant_array},
    BuiltinFunction{"ones", constant_array},
    BuiltinFunction{"fill", constant_array},
    BuiltinFunction{"identity", identity_},
    BuiltinFunction{"diagonal", diagonal_},
    BuiltinFunction{"linspace", linspace_},
    BuiltinFunction{"transpose", transpose_},
    BuiltinFunction{"symmetric", symmetric_},
    BuiltinFunction{"cross", cross_},
    BuiltinFunction{"skew", skew_},
    BuiltinFunction{"scalar", reshape},
    BuiltinFunction{"vector", reshape},
    BuiltinFunction{"matrix", reshape},
    BuiltinFunction{"cat", cat_},
    BuiltinFunction{"promote", promote_},
    BuiltinFunction{"array", array_},
    BuiltinFunction{"semiLinear", semi_linear},
    BuiltinFunction{"noEvent", first_argument},
    BuiltinFunction{"homotopy", first_argument},
    BuiltinFunction{"smooth", last_argument},
    BuiltinFunction{"pure", first_argument},
    BuiltinFunction{"outerProduct", outer_product},
};

}  // namespace

std::optional<Result<Value>> apply_builtin(std::string_view name, std::span<const Value> arguments, Span at,
                                           Diagnostics& d) {
  BuiltinCall call{name, at, d};
  for (const RealFunction& f : real_functions) {
    if (f.name != name) continue;
    auto out = map_real(call, arguments, f.compute);
    if (out && (name == "integer" || name == "Integer")) out->kind = ValueKind::integer;
    return out;
  }
  for (const BuiltinFunction& f : builtin_functions) {
    if (f.name == name) return f.apply(call, arguments);
  }
  return std::nullopt;
}

}  // namespace bolza::instance
