// SPDX-License-Identifier: Apache-2.0
// The operators that belong to events and to the past: pre, edge, change, sample, initial, terminal, delay.
#include "compiler/flatten/typing/events_internal.h"

#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/typing/typer_internal.h"
#include "compiler/ir/print.h"

namespace bolza::flatten {

using ir::Op;

bool is_initial_call(const ast::Expr& expr) {
  return expr.kind == ast::ExprKind::call && expr.reference->simple() && expr.reference->parts[0].identifier == "initial" &&
         expr.arguments->positional.empty();
}

Typed Typer::without_events(const Node* node, Span span) {
  if (!makes_events(*node)) return node;
  if (node->basic == Basic::record && node->instance != nullptr) {
    Node record;
    record.kind = NodeKind::record;
    record.basic = Basic::record;
    record.instance = node->instance;
    record.dims = node->dims;
    record.span = span;
    for (const Instance* field : node->instance->children) {
      auto part = member(node, field->name, span), literal = part ? without_events(part, span) : part;
      if (!literal) return literal;
      record.children.push_back(literal);
    }
    return nodes().add(std::move(record));
  }
  Node literal = *nodes().apply(Op::no_event, {node}, node->basic, span);
  literal.definition = node->definition;
  return nodes().add(std::move(literal));
}

Typed Typer::before_event(std::string_view name, const Node* x, Span span) {
  if (x->level <= Level::parameter)
    return name == "pre" ? Typed(x) : fill(nodes().number(0, Basic::boolean, span), x->dims, span);
  const Node* place = x->kind == NodeKind::index ? x->children[0] : x;
  if (place->kind != NodeKind::variable || place->instance == nullptr || place->basic == Basic::record)
    return wrong(pre_argument, x->span, {name, place->kind == NodeKind::variable ? type_text(*x) : "an expression"});
  if (x->level == Level::continuous && !in_when)
    return wrong(pre_argument, x->span, {name, "continuous: `" + instance::path_of(*place->instance) + "`"});
  if (name == "edge" && x->basic != Basic::boolean) return wrong(pre_argument, x->span, {name, type_text(*x)});
  const Node* previous = nodes().previous(x, span);
  if (name == "pre") return previous;
  if (name == "change") return nodes().apply(Op::not_equal, {x, previous}, Basic::boolean, span);
  const Node* was_not = nodes().apply(Op::logical_not, {previous}, Basic::boolean, span);
  return nodes().apply(Op::logical_and, {x, was_not}, Basic::boolean, span);
}

Outcome<Done> Typer::arguments_in_model(const ast::Expr& expr, std::size_t least, std::size_t most,
                                        std::vector<const Node*>& out) {
  if (frame != nullptr) return wrong(not_in_function, expr.span);
  return arguments(expr, least, most, out);
}

std::optional<Typed> Typer::event_operator(std::string_view name, const ast::Expr& expr) {
  std::vector<const Node*> x;
  Span span = expr.span;
  if (name == "initial" || name == "terminal") {
    if (auto given = arguments_in_model(expr, 0, 0, x); !given) return given.failure();
    return nodes().flag(name == "terminal" ? Flag::terminal : Flag::initial, span);
  }
  if (name == "pre" || name == "edge" || name == "change") {
    if (auto given = arguments_in_model(expr, 1, 1, x); !given) return given.failure();
    return before_event(name, x[0], span);
  }
  if (name == "sample") return sample(expr);
  if (name == "getInstanceName") return text_now(expr);
  if (name == "delay") return delay(expr);
  if (name == "spatialDistribution") return spatial_distribution(expr);
  return {};
}

Typed Typer::sample(const ast::Expr& expr) {
  std::vector<const Node*> x;
  if (auto given = arguments_in_model(expr, 2, 2, x); !given) return given.failure();
  for (const Node* time : x) {
    if (!time->dims.empty() || !is_numeric(time->basic))
      return wrong(expected_type, time->span, {"a scalar number", type_text(*time)});
    if (time->level > Level::parameter) return wrong(value_varies, time->span, {"sample"});
  }
  Node node;
  node.kind = NodeKind::sample;
  node.basic = Basic::boolean;
  node.children = x;
  node.span = expr.span;
  return nodes().add(std::move(node));
}

Typed Typer::delay(const ast::Expr& expr) {
  std::vector<const Node*> x;
  if (auto given = arguments_in_model(expr, 2, 3, x); !given) return given.failure();
  if (!is_numeric(x[0]->basic)) return wrong(operand_type, x[0]->span, {"delay", "numeric", type_text(*x[0])});
  for (std::size_t k = 1; k < x.size(); ++k)
    if (!x[k]->dims.empty() || !is_numeric(x[k]->basic))
      return wrong(expected_type, x[k]->span, {"a scalar number", type_text(*x[k])});
  const Node* longest = x.back();
  if (longest->level > Level::parameter) return wrong(value_varies, longest->span, {"delay"});
  if (x[1]->kind == NodeKind::number && longest->kind == NodeKind::number && x[1]->value > longest->value)
    return wrong(delay_too_long, x[1]->span, {ir::to_text(x[1]->value), ir::to_text(longest->value)});
  if (x[0]->level <= Level::parameter) return x[0];
  Node node;
  node.kind = NodeKind::delayed;
  node.dims = x[0]->dims;
  node.children = {x[0], x[1], longest};
  node.span = expr.span;
  return nodes().add(std::move(node));
}

}  // namespace bolza::flatten
