// SPDX-License-Identifier: Apache-2.0
// der() of expressions: sums, products, quotients, powers, functions of one variable, branches.
#include <cmath>
#include <numbers>

#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/typing/typer_internal.h"

namespace bolza::flatten {

using ir::Op;

namespace {

/// Makes what stands in the rules for derivatives.
class Rules {
 public:
  Rules(Nodes& nodes, Span span) : nodes_(nodes), span_(span) {}

  const Node* number(double value) { return nodes_.number(value, Basic::real, span_); }
  const Node* of(Op op, std::vector<const Node*> x) { return nodes_.apply(op, std::move(x), Basic::real, span_); }
  const Node* square(const Node* x) { return of(Op::mul, {x, x}); }
  const Node* over(double factor, const Node* x) { return of(Op::div, {number(factor), x}); }
  const Node* root(double sign, const Node* x, double shift) {  // of sign x^2 + shift
    return of(Op::sqrt, {of(Op::add, {of(Op::mul, {number(sign), square(x)}), number(shift)})});
  }
  /// Of a function of one variable, whose value is `y` at `x`; null for an operator that is none, or not differentiable.
  const Node* slope(Op op, const Node* x, const Node* y);

 private:
  Nodes& nodes_;
  Span span_;
};

const Node* Rules::slope(Op op, const Node* x, const Node* y) {
  switch (op) {
    case Op::no_event:
      return number(1);
    case Op::abs:
      return of(Op::sign, {x});
    case Op::sqrt:
      return over(0.5, y);
    case Op::exp:
      return y;
    case Op::log:
      return over(1, x);
    case Op::log10:
      return over(1 / std::numbers::ln10, x);
    case Op::sin:
      return of(Op::cos, {x});
    case Op::cos:
      return of(Op::neg, {of(Op::sin, {x})});
    case Op::tan:
      return of(Op::add, {number(1), square(y)});
    case Op::asin:
      return over(1, root(-1, x, 1));
    case Op::acos:
      return over(-1, root(-1, x, 1));
    case Op::atan:
      return over(1, of(Op::add, {number(1), square(x)}));
    case Op::sinh:
      return of(Op::cosh, {x});
    case Op::cosh:
      return of(Op::sinh, {x});
    case Op::tanh:
      return of(Op::sub, {number(1), square(y)});
    case Op::asinh:
      return over(1, root(1, x, 1));
    case Op::acosh:
      return over(1, root(1, x, -1));
    case Op::atanh:
      return over(1, of(Op::sub, {number(1), square(x)}));
    default:
      return nullptr;
  }
}

}  // namespace

/// Of an application of an operator; nothing for operators without a rule.
std::optional<Typed> Typer::derivative_of_operator(const Node* of, Span span) {
  Rules rules(nodes(), span);
  const std::vector<const Node*>& x = of->children;
  std::vector<const Node*> d;
  auto known = [&](std::size_t k) { return x[k]->level <= Level::parameter; };
  bool has_rule = of->op == Op::add || of->op == Op::sub || of->op == Op::neg || of->op == Op::mul || of->op == Op::div ||
                  of->op == Op::pow || (x.size() == 1 && rules.slope(of->op, x[0], of));
  if (!has_rule) return {};
  for (const Node* operand : x) {
    auto part = derivative(operand, span);
    if (!part) return part;
    d.push_back(part);
  }
  auto make = [&](Op op, std::vector<const Node*> operands) { return rules.of(op, std::move(operands)); };
  switch (of->op) {
    case Op::add:
    case Op::sub:
    case Op::neg:
      return make(of->op, d);
    case Op::mul:
      return make(Op::add, {make(Op::mul, {d[0], x[1]}), make(Op::mul, {x[0], d[1]})});
    case Op::div:
      if (known(1)) return make(Op::div, {d[0], x[1]});
      return make(Op::div, {make(Op::sub, {d[0], make(Op::mul, {of, d[1]})}), x[1]});
    case Op::pow: {
      const Node* less = make(Op::pow, {x[0], make(Op::sub, {x[1], rules.number(1)})});
      const Node* by_base = make(Op::mul, {make(Op::mul, {x[1], less}), d[0]});
      if (known(1)) return by_base;
      return make(Op::add, {by_base, make(Op::mul, {make(Op::mul, {of, make(Op::log, {x[0]})}), d[1]})});
    }
    default:
      return make(Op::mul, {rules.slope(of->op, x[0], of), d[0]});
  }
}

Typed Typer::derivative(const Node* of, Span span) {
  if (of->level <= Level::parameter) return fill(nodes().number(0, Basic::real, span), of->dims, span);
  if (of->kind == NodeKind::apply)
    if (auto result = derivative_of_operator(of, span)) return *result;
  if (of->kind == NodeKind::select || of->kind == NodeKind::choice) {
    auto yes = derivative(of->children[1], span), no = derivative(of->children[2], span);
    if (!yes || !no) return yes ? no : yes;
    return nodes().choose(of->kind, of->children[0], yes, no, span);
  }
  if (of->kind == NodeKind::array) {
    std::vector<const Node*> parts;
    for (const Node* child : of->children) {
      auto part = derivative(child, span);
      if (!part) return part;
      parts.push_back(part);
    }
    return nodes().array(parts, span);
  }
  const Node* place = of->kind == NodeKind::index ? of->children[0] : of;
  if (place->basic == Basic::record) return wrong(derivative_of_expression, of->span);
  if (place->kind != NodeKind::variable) {  // an auxiliary variable equals it, whose derivative index reduction finds
    bool in_equation = frame == nullptr && !in_statements;
    if (!in_equation || of->basic != Basic::real || of->level < Level::continuous)
      return wrong(derivative_of_expression, of->span);
  } else if (place->instance == nullptr) {
    return nodes().number(1, Basic::real, span);
  } else if (place->basic != Basic::real || place->instance->declared_discrete) {
    return wrong(derivative_of_discrete, of->span, {instance::path_of(*place->instance)});
  }
  Node node;
  node.kind = NodeKind::derivative;
  node.basic = Basic::real;
  node.dims = of->dims;
  node.children = {of};
  node.span = span;
  return nodes().add(std::move(node));
}

}  // namespace bolza::flatten
