// SPDX-License-Identifier: Apache-2.0
// Functions as arguments. A function is specialised for the functions that it is called with; what these were given where
// they were named are further inputs of the Program.
#include "compiler/flatten/functions/closures_internal.h"

#include <algorithm>

#include "compiler/flatten/functions/function_sizes_internal.h"
#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/frame_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/typing/typer_internal.h"
#include "compiler/instance/build/instantiate.h"

namespace bolza::flatten {
namespace {

/// A component as if it were declared in the function of the frame.
const Instance* copied(Frame& frame, const Closure& closure, const Instance& from, const Instance* parent) {
  Instance& to = frame.made.emplace_back(from);
  to.parent = parent;
  if (auto sizes = closure.fields.find(&from); sizes != closure.fields.end()) frame.dims[&to] = sizes->second;
  for (const Instance*& child : to.children) child = copied(frame, closure, *child, &to);
  return &to;
}

}  // namespace

Outcome<Closure> closure_of(Typer& typer, const Node& function) {
  Closure out{.function = function.instance, .given = function.given, .dims = {}, .fields = {}, .inner = {}};
  for (std::size_t k = 0; k < function.given.size(); ++k) {
    const Instance& input = *function.given[k];
    const Node& value = *function.children[k];
    out.dims.push_back(value.dims);
    if (value.kind == NodeKind::function) {
      auto inner = closure_of(typer, value);
      if (!inner) return inner;
      out.inner[&input] = std::move(*inner);
    } else if (auto done = sizes_of_fields(typer, *function.instance, input, value, out.fields); !done) {
      return done.failure();
    }
  }
  return out;
}

void capture(Frame& frame, const Instance& input, const Closure& closure) {
  frame.closures[&input] = closure;
  for (std::size_t k = 0; k < closure.given.size(); ++k) {
    const Instance* stands = copied(frame, closure, *closure.given[k], frame.function);
    frame.captured[&input].push_back(stands);
    frame.dims[stands] = closure.dims[k];
    if (auto inner = closure.inner.find(closure.given[k]); inner != closure.inner.end())
      capture(frame, *stands, inner->second);
  }
}

/// The function that a functional input of the frame stands for, with what it was given as variables of the frame.
const Node* Typer::captured_function(const Instance& input, Span span) {
  const Closure& closure = frame->closures.at(&input);
  Node node;
  node.kind = NodeKind::function;
  node.basic = Basic::record;
  node.level = Level::continuous;
  node.instance = closure.function;
  node.given = closure.given;
  node.span = span;
  for (std::size_t k = 0; k < closure.given.size(); ++k) {
    const Instance& stands = *frame->captured.at(&input)[k];
    node.children.push_back(frame->closures.contains(&stands) ? captured_function(stands, span)
                                                              : own_component(stands, span));
  }
  return nodes().add(std::move(node));
}

/// A name of a function, or `function f(a = 1)`.
Typed Typer::function_argument(const ast::Expr& expr) {
  bool is_name = expr.kind == ast::ExprKind::name || expr.kind == ast::ExprKind::partial_function;
  if (!is_name) return wrong(expected_type, expr.span, {"a function", "another expression"});
  auto resolved = instance::lookup(model.tree, scope, *expr.reference, model.diagnostics);
  if (!resolved) return reported();
  Node node;
  bool captured = resolved->kind == instance::ResolvedKind::component && frame != nullptr && resolved->path.size() == 1 &&
                  frame->closures.contains(resolved->path[0].instance);
  if (captured) {
    node = *captured_function(*resolved->path[0].instance, expr.span);
  } else {
    bool is_function = resolved->kind == instance::ResolvedKind::class_ && resolved->definition &&
                       resolved->definition->ast->kind == ast::ClassKind::function;
    if (!is_function) return wrong(not_a_function, expr.span, {expr.reference->parts.back().identifier});
    auto made = instance::instance_of(model.tree, *resolved->definition, resolved->enclosing, expr.span, model.diagnostics);
    if (!made) return reported();
    node.kind = NodeKind::function;
    node.basic = Basic::record;
    node.instance = *made;
    node.span = expr.span;
  }
  if (expr.kind == ast::ExprKind::partial_function)
    if (auto done = give(node, *expr.arguments); !done) return done.failure();
  return nodes().add(std::move(node));
}

/// The inputs that `function f(a = 1)` gives.
Outcome<Done> Typer::give(Node& function, const ast::Arguments& arguments) {
  for (const ast::NamedArgument& argument : arguments.named) {
    const Instance* input = function.instance->child(argument.name);
    if (input == nullptr || !is_input(*input))
      return wrong(no_such_argument, argument.name_span, {argument.name, function.instance->name});
    if (std::find(function.given.begin(), function.given.end(), input) != function.given.end())
      return wrong(argument_twice, argument.name_span, {argument.name});
    auto value = instance::is_functional_input(*input) ? function_argument(*argument.value) : expression(*argument.value);
    if (!value) return value.failure();
    if (value->dims.size() != input->rank())
      return wrong(argument_type, value->span,
                   {input->name, function.instance->name, std::to_string(input->rank()), type_text(*value)});
    function.given.push_back(input);
    function.children.push_back(value);
    function.level = std::max(function.level, value->level);
  }
  return Done{};
}

}  // namespace bolza::flatten
