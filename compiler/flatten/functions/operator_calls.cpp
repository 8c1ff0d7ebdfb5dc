// SPDX-License-Identifier: Apache-2.0
// Operators of operator records are calls of their functions. [MLS, 14].
#include <algorithm>

#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/typing/typer_internal.h"
#include "compiler/instance/library/codes.h"
#include "compiler/instance/overloads.h"

namespace bolza::flatten {

using instance::OperandType;

namespace {

OperandType type_for_operator(const Node& node) {
  OperandType out{.type = instance::Type::none, .definition = nullptr, .rank = node.dims.size()};
  switch (node.basic) {
    case Basic::real:
      out.type = instance::Type::real;
      break;
    case Basic::integer:
      out.type = instance::Type::integer;
      break;
    case Basic::boolean:
      out.type = instance::Type::boolean;
      break;
    case Basic::string:
      out.type = instance::Type::string;
      break;
    case Basic::enumeration:
      out.type = instance::Type::enumeration;
      break;
    case Basic::clock:
      out.type = instance::Type::clock;
      break;
    case Basic::record:
      out.definition = node.instance ? node.instance->definition : nullptr;
      break;
  }
  return out;
}

std::vector<OperandType> operand_types(const std::vector<const Node*>& nodes) {
  std::vector<OperandType> types;
  for (const Node* node : nodes) types.push_back(type_for_operator(*node));
  return types;
}

std::vector<const Instance*> inputs_in_order(const Instance& function) {
  std::vector<const Instance*> inputs;
  for (const Instance* child : function.children)
    if (child->causality == ast::Causality::input) inputs.push_back(child);
  return inputs;
}

/// A call whose arguments are nodes already.
ast::Expr call_at(Span span) {
  static const ast::Arguments none;
  ast::Expr expr;
  expr.kind = ast::ExprKind::call;
  expr.span = span;
  expr.arguments = &none;
  return expr;
}

}  // namespace

bool Typer::is_operator_record(const Node& node) const { return type_for_operator(node).is_operator_record(); }

Typed Typer::call_of(const Instance& function, const std::vector<const Node*>& arguments, Span span) {
  std::vector<const Instance*> inputs = inputs_in_order(function);
  std::map<const Instance*, const Node*> bound;
  for (std::size_t k = 0; k < arguments.size(); ++k) bound[inputs[k]] = arguments[k];
  return call_with(function, call_at(span), std::move(bound));
}

/// The call for operands of these types: of arrays, element by element. Nothing where no function fits.
std::optional<Typed> Typer::fitting_call(std::string_view name, std::vector<const Node*> operands,
                                         const std::vector<OperandType>& types, Span span) {
  auto overload = instance::overload_of(model.tree, name, types, span, model.diagnostics);
  if (!overload) return Typed(reported());
  if (!*overload) return {};
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (!(*overload)->conversions[k]) continue;
    auto converted = call_of(*(*overload)->conversions[k], {operands[k]}, span);
    if (!converted) return converted;
    operands[k] = converted;
  }
  return call_of(*(*overload)->function, operands, span);
}

std::optional<Typed> Typer::overloaded(std::string_view name, const std::vector<const Node*>& operands, bool elementwise,
                                       Span span) {
  if (std::none_of(operands.begin(), operands.end(), [&](const Node* x) { return is_operator_record(*x); })) return {};
  std::vector<OperandType> types = operand_types(operands);
  if (auto whole = fitting_call(name, operands, types, span)) return whole;
  bool arrays = operands.size() == 2 && !operands[0]->dims.empty() && !operands[1]->dims.empty();
  if (arrays && name == "'*'" && !elementwise) return overloaded_product(operands[0], operands[1], span);
  if (arrays)
    if (auto same = check_same_dims(operands[0], operands[1], "operation on operator records", span); !same)
      return same.failure();
  std::string text;
  for (OperandType& type : types) {
    text += (text.empty() ? "" : ", ") + instance::text_of(type);
    type.rank = 0;
  }
  if (auto by_elements = fitting_call(name, operands, types, span)) return by_elements;
  return Typed(wrong(instance::codes::no_operator, span, {name, text}));
}

/// Products of vectors and matrices: sums of products of their elements.
Typed Typer::overloaded_product(const Node* a, const Node* b, Span span) {
  std::size_t ra = a->dims.size(), rb = b->dims.size();
  if (ra > 2 || rb > 2 || a->dims.back() != b->dims.front())
    return wrong(sizes_differ, span, {"matrix product", dims_text(a->dims), dims_text(b->dims)});
  auto entry = [&](std::int64_t row, std::int64_t column) -> Typed {
    std::vector<const Node*> terms;
    for (std::int64_t k = 1; k <= b->dims[0]; ++k) {
      std::vector<std::int64_t> left{k}, right{k};
      if (ra == 2) left.insert(left.begin(), row);
      if (rb == 2) right.push_back(column);
      auto term = overloaded("'*'", {nodes().element(a, left), nodes().element(b, right)}, /*elementwise=*/true, span);
      if (!*term) return *term;
      terms.push_back(*term);
    }
    return folded_record("sum", terms, is_operator_record(*a) ? *a : *b, span);
  };
  std::vector<const Node*> rows;
  for (std::int64_t i = 1; i <= (ra == 2 ? a->dims[0] : 1); ++i) {
    std::vector<const Node*> columns;
    for (std::int64_t j = 1; j <= (rb == 2 ? b->dims[1] : 1); ++j) {
      auto one = entry(i, j);
      if (!one) return one;
      columns.push_back(one);
    }
    rows.push_back(rb == 2 ? nodes().array(std::move(columns), span) : columns[0]);
  }
  return ra == 2 ? nodes().array(std::move(rows), span) : rows[0];
}

/// `sum` or `product` of operator records. @param record  one of them, where there are no terms
Typed Typer::folded_record(std::string_view name, const std::vector<const Node*>& terms, const Node& record, Span span) {
  bool sum = name == "sum";
  if (!sum && name != "product") return wrong(flatten::operand_type, span, {name, "numeric", type_text(record)});
  if (terms.empty()) {
    auto zero = sum ? instance::zero_of(model.tree, *record.instance->definition, span, model.diagnostics)
                    : Result<const Instance*>(nullptr);
    if (!zero) return reported();
    if (*zero) return call_of(**zero, {}, span);
    return wrong(instance::codes::no_operator, span, {sum ? "'0'" : "'*'", "nothing"});
  }
  Typed total = terms[0];
  for (std::size_t k = 1; k < terms.size() && total; ++k)
    total = *overloaded(sum ? "'+'" : "'*'", {total, terms[k]}, /*elementwise=*/true, span);
  return total;
}

Outcome<const Instance*> Typer::constructor_for(const Instance& record, const ast::Expr& expr) {
  auto any = instance::has_constructors(model.tree, *record.definition, model.diagnostics);
  if (!any) return reported();
  if (!*any) return static_cast<const Instance*>(nullptr);
  std::vector<OperandType> positional;
  std::vector<instance::NamedOperand> named;
  for (const ast::Expr* argument : expr.arguments->positional) {
    auto node = expression(*argument);
    if (!node) return node.failure();
    positional.push_back(type_for_operator(*node));
  }
  for (const ast::NamedArgument& argument : expr.arguments->named) {
    auto node = expression(*argument.value);
    if (!node) return node.failure();
    named.emplace_back(argument.name, type_for_operator(*node));
  }
  auto found = instance::constructor_of(model.tree, *record.definition, record.enclosing, positional, named, expr.span,
                                        model.diagnostics);
  if (!found) return reported();
  return *found;
}

}  // namespace bolza::flatten
