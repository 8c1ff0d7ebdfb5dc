// SPDX-License-Identifier: Apache-2.0
// Operators of operator records, on values. [MLS, 14].
#include <algorithm>

#include "compiler/instance/build_internal.h"
#include "compiler/instance/library/codes.h"
#include "compiler/instance/overloads.h"
#include "compiler/instance/values/evaluator_internal.h"
#include "compiler/syntax/print.h"

namespace bolza::instance {

namespace {

OperandType type_of(const Value& value) {
  OperandType out{.type = Type::none, .definition = value.definition, .rank = value.dimensions.size()};
  switch (value.kind) {
    case ValueKind::real:
      out.type = Type::real;
      break;
    case ValueKind::integer:
      out.type = Type::integer;
      break;
    case ValueKind::boolean:
      out.type = Type::boolean;
      break;
    case ValueKind::string:
      out.type = Type::string;
      break;
    case ValueKind::enumeration:
      out.type = Type::enumeration;
      break;
    case ValueKind::record:
    case ValueKind::function:
      break;
  }
  return out;
}

std::vector<OperandType> types_of(const std::vector<Value>& values) {
  std::vector<OperandType> types;
  for (const Value& value : values) types.push_back(type_of(value));
  return types;
}

std::string texts_of(const std::vector<Value>& values) {
  std::string text;
  for (const Value& value : values) text += (text.empty() ? "" : ", ") + text_of(type_of(value));
  return text;
}

/// `'+'` of `+` and `.+`.
std::string quoted(ast::Operator op) {
  std::string_view sign = syntax::spelling(op);
  if (sign.starts_with('.')) sign.remove_prefix(1);
  return "'" + std::string(sign) + "'";
}

/// Calls `visit` with all indices of an array, the last one fastest.
template <class Visit>
bool for_each_index(const std::vector<std::int64_t>& sizes, Visit visit) {
  if (std::any_of(sizes.begin(), sizes.end(), [](std::int64_t n) { return n == 0; })) return true;
  std::vector<std::int64_t> at(sizes.size(), 1);
  for (;;) {
    if (!visit(at)) return false;
    std::size_t i = sizes.size();
    while (i > 0 && ++at[i - 1] > sizes[i - 1]) at[--i] = 1;
    if (i == 0) return true;
  }
}

}  // namespace

std::optional<Result<Value>> Evaluator::overloaded(std::string_view name, std::vector<Value> operands, bool elementwise,
                                                   Span span) {
  std::vector<OperandType> types = types_of(operands);
  if (std::none_of(types.begin(), types.end(), [](const OperandType& t) { return t.is_operator_record(); })) return {};
  auto overload = overload_of(tree_, name, types, span, d_);
  if (!overload) return Result<Value>(d_.already_reported());
  if (*overload) {
    std::vector<const Instance*> inputs = inputs_of(*(*overload)->function);
    std::vector<std::pair<const Instance*, Value>> given;
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if (const Instance* conversion = (*overload)->conversions[k]) {
        auto made = run_with(*conversion, {{inputs_of(*conversion)[0], std::move(operands[k])}}, span);
        if (!made) return Result<Value>(d_.already_reported());
        operands[k] = std::move(made->front());
      }
      given.emplace_back(inputs[k], std::move(operands[k]));
    }
    auto results = run_with(*(*overload)->function, std::move(given), span);
    if (!results) return Result<Value>(d_.already_reported());
    return std::move(results->front());
  }
  bool arrays = operands.size() == 2 && !operands[0].scalar() && !operands[1].scalar();
  if (arrays && name == "'*'" && !elementwise) return product_of_arrays(operands[0], operands[1], span);
  bool any_array = std::any_of(operands.begin(), operands.end(), [](const Value& v) { return !v.scalar(); });
  if (any_array) return over_elements(name, operands, span);
  return Result<Value>(d_.error(codes::no_operator, span, {name, texts_of(operands)}));
}

Result<Value> Evaluator::over_elements(std::string_view name, const std::vector<Value>& operands, Span span) {
  std::vector<std::int64_t> sizes;
  for (const Value& operand : operands) {
    if (operand.scalar()) continue;
    if (!sizes.empty() && sizes != operand.dimensions)
      return d_.error(codes::size_mismatch, span,
                      {"an operand", dimensions_text(operand.dimensions), dimensions_text(sizes)});
    sizes = operand.dimensions;
  }
  std::vector<Value> results;
  bool good = for_each_index(sizes, [&](const std::vector<std::int64_t>& at) {
    std::vector<Value> one;
    for (const Value& operand : operands) one.push_back(operand.scalar() ? operand : element(operand, at));
    auto result = overloaded(name, std::move(one), /*elementwise=*/true, span);
    if (!result || !*result) return false;
    results.push_back(std::move(**result));
    return true;
  });
  if (!good) return d_.already_reported();
  return results.empty() ? operands[0] : stack(std::move(results), sizes);
}

Result<Value> Evaluator::product_of_arrays(const Value& a, const Value& b, Span span) {
  std::size_t ra = a.dimensions.size(), rb = b.dimensions.size();
  if (ra > 2 || rb > 2 || a.dimensions.back() != b.dimensions.front())
    return d_.error(codes::size_mismatch, span,
                    {"an operand of `*`", dimensions_text(b.dimensions), dimensions_text(a.dimensions) + " in front"});
  std::vector<std::int64_t> sizes;
  if (ra == 2) sizes.push_back(a.dimensions[0]);
  if (rb == 2) sizes.push_back(b.dimensions[1]);
  std::vector<Value> results;
  bool good = for_each_index(sizes, [&](const std::vector<std::int64_t>& at) {
    std::vector<Value> terms;
    for (std::int64_t k = 1; k <= b.dimensions[0]; ++k) {
      std::vector<std::int64_t> left{k}, right{k};
      if (ra == 2) left.insert(left.begin(), at[0]);
      if (rb == 2) right.push_back(at.back());
      auto term = overloaded("'*'", {element(a, left), element(b, right)}, /*elementwise=*/true, span);
      if (!term || !*term) return false;
      terms.push_back(std::move(**term));
    }
    auto n = static_cast<std::int64_t>(terms.size());
    auto sum = terms.empty() ? Result<Value>(a) : folded("sum", stack(std::move(terms), std::span(&n, 1)), span);
    if (sum) results.push_back(std::move(*sum));
    return bool(sum);
  });
  if (!good) return d_.already_reported();
  if (sizes.empty() && results.size() == 1) return std::move(results[0]);
  return results.empty() ? a : stack(std::move(results), sizes);
}

/// `sum` and `product` of all elements.
Result<Value> Evaluator::folded(std::string_view name, const Value& all, Span span) {
  bool sum = name == "sum";
  if (!sum && name != "product")
    return d_.error(codes::type_mismatch, span, {"`" + std::string(name) + "`", type_name(all)});
  std::optional<Value> total;
  bool good = for_each_index(all.dimensions, [&](const std::vector<std::int64_t>& at) {
    Value next = element(all, at);
    if (!total) {
      total = std::move(next);
      return true;
    }
    auto result = overloaded(sum ? "'+'" : "'*'", {std::move(*total), std::move(next)}, /*elementwise=*/true, span);
    if (!result || !*result) return false;
    total = std::move(**result);
    return true;
  });
  if (!good) return d_.already_reported();
  if (total) return std::move(*total);
  OperandType record{.type = Type::none, .definition = all.definition, .rank = 0};
  auto zero = sum && all.definition ? zero_of(tree_, *all.definition, span, d_) : Result<const Instance*>(nullptr);
  if (!zero) return d_.already_reported();
  if (*zero) {
    auto results = run_with(**zero, {}, span);
    if (!results) return d_.already_reported();
    return std::move(results->front());
  }
  return d_.error(codes::no_operator, span, {sum ? "'0'" : "'*'", text_of(record)});
}

Result<Value> Evaluator::binary(ast::Operator op, const Value& a, const Value& b, Span span) {
  if (a.kind == ValueKind::record || b.kind == ValueKind::record) {
    bool elementwise = syntax::spelling(op).starts_with('.');
    if (auto result = overloaded(quoted(op), {a, b}, elementwise, span)) return std::move(*result);
  }
  return apply_binary(op, a, b, span, d_);
}

Result<const Instance*> Evaluator::constructor_for(const Instance& record, const ast::Arguments& arguments, Span span) {
  const Instance* none = nullptr;
  auto any = has_constructors(tree_, *record.definition, d_);
  if (!any) return d_.already_reported();
  if (!*any) return none;
  std::vector<OperandType> positional;
  std::vector<NamedOperand> named;
  for (const ast::Expr* argument : arguments.positional) {
    auto v = value(*argument);
    if (!v) return d_.already_reported();
    positional.push_back(type_of(*v));
  }
  for (const ast::NamedArgument& argument : arguments.named) {
    auto v = value(*argument.value);
    if (!v) return d_.already_reported();
    named.emplace_back(argument.name, type_of(*v));
  }
  return constructor_of(tree_, *record.definition, record.enclosing, positional, named, span, d_);
}

}  // namespace bolza::instance
