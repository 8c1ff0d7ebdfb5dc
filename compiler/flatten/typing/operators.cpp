// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/typing/typer_internal.h"

#include <algorithm>
#include <cmath>

#include "compiler/flatten/nodes/clock_codes.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"

namespace bolza::flatten {

using ir::Op;

namespace {

Basic joined(const Node* a, const Node* b) {
  return a->basic == Basic::integer && b->basic == Basic::integer ? Basic::integer : Basic::real;
}

bool shapes_the_model(const Node& node) {
  if (node.kind == NodeKind::variable) {
    const Instance* p = node.instance;
    if (p == nullptr || p->variability > instance::Variability::parameter) return false;
    if (p->variability == instance::Variability::constant) return true;
    return p->type != instance::Type::real && p->attribute("free") == nullptr && p->attribute("fixed") == nullptr &&
           (p->binding || p->attribute("start"));
  }
  if (node.kind == NodeKind::call || node.level > Level::parameter) return false;
  auto good = [](const Node* part) { return part == nullptr || shapes_the_model(*part); };
  return std::all_of(node.children.begin(), node.children.end(), good) &&
         std::all_of(node.subscripts.begin(), node.subscripts.end(), good);
}

}  // namespace

bool Typer::is_structural(const Node& condition) { return shapes_the_model(condition); }

Outcome<Done> Typer::check_same_dims(const Node* a, const Node* b, const char* what, Span span) {
  if (a->dims == b->dims) return Done{};
  return wrong(sizes_differ, span, {what, dims_text(a->dims), dims_text(b->dims)});
}

const Node* Typer::negate(const Node* a, Span span) {
  if (a->kind == NodeKind::number) {
    Node node = *a;
    node.value = -a->value;
    node.span = span;
    return nodes().add(std::move(node));
  }
  return nodes().apply(Op::neg, {a}, a->basic, span);
}

Typed Typer::add(Op op, const Node* a, const Node* b, bool elementwise, Span span) {
  const char* sign = op == Op::add ? "+" : "-";
  if (auto result = overloaded(op == Op::add ? "'+'" : "'-'", {a, b}, elementwise, span)) return *result;
  for (const Node* x : {a, b})
    if (!is_numeric(x->basic)) return wrong(operand_type, x->span, {sign, "numeric", type_text(*x)});
  bool broadcast = elementwise && (a->dims.empty() || b->dims.empty());
  if (!broadcast)
    if (auto same = check_same_dims(a, b, op == Op::add ? "sum" : "difference", span); !same) return same.failure();
  return nodes().apply(op, {a, b}, joined(a, b), span);
}

Typed Typer::multiply(const Node* left, const Node* right, bool elementwise, Span span) {
  if (auto result = overloaded("'*'", {left, right}, elementwise, span)) return *result;
  const Node *a = beside_flow(left, right), *b = beside_flow(right, left);
  for (const Node* x : {a, b})
    if (!is_numeric(x->basic)) return wrong(operand_type, x->span, {"*", "numeric", type_text(*x)});
  if (a->dims.empty() || b->dims.empty()) return nodes().apply(Op::mul, {a, b}, joined(a, b), span);
  if (!elementwise) return matrix_product(a, b, span);
  if (auto same = check_same_dims(a, b, "element-wise product", span); !same) return same.failure();
  return nodes().apply(Op::mul, {a, b}, joined(a, b), span);
}

Typed Typer::matrix_product(const Node* a, const Node* b, Span span) {
  std::size_t ra = a->dims.size(), rb = b->dims.size();
  if (ra > 2 || rb > 2 || a->dims.back() != b->dims.front())
    return wrong(sizes_differ, span, {"matrix product", dims_text(a->dims), dims_text(b->dims)});
  std::vector<std::int64_t> sizes;
  if (ra == 2) sizes.push_back(a->dims[0]);
  if (rb == 2) sizes.push_back(b->dims[1]);
  return generate(sizes, span, [&](const std::vector<const Node*>& at) {
    AxisId inner = nodes().new_axis();
    const Node* k = nodes().axis(inner, span);
    std::vector<const Node*> left, right{k};
    if (ra == 2) left.push_back(at[0]);
    left.push_back(k);
    if (rb == 2) right.push_back(at.back());
    const Node* term =
        nodes().apply(Op::mul, {nodes().index(a, left, span), nodes().index(b, right, span)}, joined(a, b), span);
    return nodes().reduce(Op::add, term, {inner}, {nullptr}, {b->dims[0]}, span);
  });
}

Typed Typer::divide(const Node* a, const Node* b, bool elementwise, Span span) {
  if (auto result = overloaded("'/'", {a, b}, elementwise, span)) return *result;
  for (const Node* x : {a, b})
    if (!is_numeric(x->basic)) return wrong(operand_type, x->span, {"/", "numeric", type_text(*x)});
  if (!elementwise && !b->dims.empty()) return wrong(operand_type, b->span, {"/", "a scalar divisor", type_text(*b)});
  if (!a->dims.empty() && !b->dims.empty())
    if (auto same = check_same_dims(a, b, "element-wise quotient", span); !same) return same.failure();
  return nodes().apply(Op::div, {a, b}, Basic::real, span);
}

Typed Typer::power(const Node* a, const Node* b, bool elementwise, Span span) {
  if (auto result = overloaded("'^'", {a, b}, elementwise, span)) return *result;
  for (const Node* x : {a, b})
    if (!is_numeric(x->basic)) return wrong(operand_type, x->span, {"^", "numeric", type_text(*x)});
  if (elementwise || (a->dims.empty() && b->dims.empty())) {
    if (!a->dims.empty() && !b->dims.empty())
      if (auto same = check_same_dims(a, b, "element-wise power", span); !same) return same.failure();
    return nodes().apply(Op::pow, {a, b}, Basic::real, span);
  }
  if (a->dims.size() != 2 || a->dims[0] != a->dims[1])
    return wrong(operand_type, a->span, {"^", "scalar or square", type_text(*a)});
  auto exponent = known_integer(b);
  if (!exponent) return exponent.failure();
  if (*exponent < 0)
    return wrong(operand_type, b->span, {"^", "a non-negative exponent of a matrix", std::to_string(*exponent)});
  constexpr double most_terms = 20000;  // every element is written out
  double terms = std::pow(static_cast<double>(a->dims[0]), static_cast<double>(*exponent - 1));
  if (terms > most_terms)
    return wrong(unsupported, span,
                 {"the power " + std::to_string(*exponent) + " of a matrix of size " + std::to_string(a->dims[0]) +
                  ", whose elements have too many terms (name products on the way, as `B = A*A`)"});
  auto result = generate(a->dims, span, [&](const std::vector<const Node*>& at) {
    const Node* diagonal = nodes().apply(Op::equal, {at[0], at[1]}, Basic::boolean, span);
    return nodes().choose(NodeKind::choice, diagonal, nodes().number(1, Basic::integer, span),
                          nodes().number(0, Basic::integer, span), span);
  });
  for (std::int64_t k = 0; k < *exponent; ++k)
    if (result) result = k == 0 ? Typed(a) : matrix_product(result, a, span);
  return result;
}

Typed Typer::if_expression(const Node* condition, const Node* yes, const Node* no, Span span) {
  if (condition->kind == NodeKind::number) return condition->value != 0 ? yes : no;
  bool structural = frame == nullptr && is_structural(*condition);
  if (yes->basic == Basic::clock && no->basic == Basic::clock) {
    if (condition->level > Level::parameter) return wrong(clock_choice_varies, condition->span);
    auto holds = number_now(*condition);
    if (!holds) return holds.failure();
    return *holds != 0 ? yes : no;
  }
  bool same_kind = yes->basic == no->basic || (is_numeric(yes->basic) && is_numeric(no->basic));
  if (yes->dims != no->dims || yes->basic == Basic::string) {
    bool known = structural || (frame == nullptr && condition->level <= Level::parameter);
    if (!known && yes->dims != no->dims)
      return wrong(sizes_differ, span, {"if-expression", dims_text(yes->dims), dims_text(no->dims)});
    if (!known && !same_kind) return wrong(types_differ, span, {type_text(*yes), type_text(*no)});
    if (!known) return wrong(unsupported, span, {"a String that is chosen while the model runs"});
    auto same = number_now(*condition);
    if (!same) return same.failure();
    return *same != 0 ? yes : no;
  }
  if (!same_kind) return wrong(types_differ, span, {type_text(*yes), type_text(*no)});
  NodeKind kind = structural || condition->level == Level::constant ? NodeKind::choice : NodeKind::select;
  return nodes().choose(kind, condition, yes, no, span);
}

}  // namespace bolza::flatten
