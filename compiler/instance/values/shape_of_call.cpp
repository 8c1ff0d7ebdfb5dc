// SPDX-License-Identifier: Apache-2.0
// Dimensions of what functions give, and of fields of records. Only what they depend on is computed.
#include <algorithm>
#include <deque>
#include <limits>

#include "compiler/instance/build/instantiate.h"
#include "compiler/instance/build_internal.h"
#include "compiler/instance/library/codes.h"
#include "compiler/instance/values/shape_internal.h"
#include "compiler/syntax/print.h"

namespace bolza::instance {

Result<Shape> Shaper::shape(const ast::Expr& expr, Names names) {
  if (names.empty()) return shape(expr);
  if (expr.kind == ast::ExprKind::name) return field_of_name(expr, names);
  if (expr.kind == ast::ExprKind::call) return field_of_call(expr, names);
  return by_value(expr, names);
}

Result<Shape> Shaper::field_of_name(const ast::Expr& expr, Names names) {
  const ast::Reference& reference = *expr.reference;
  for (const IteratorValue& iterator : context_.iterators)
    if (iterator.name == reference.parts[0].identifier) return by_value(expr, names);
  auto resolved = lookup(tree_, scope_, reference, d_);
  if (!resolved) return d_.already_reported();
  if (resolved->kind != ResolvedKind::component) return by_value(expr, names);
  if (frame_ && resolved->path[0].instance->parent == frame_->function) return local(*resolved, reference, names);
  auto out = name(reference);
  if (goes_through_nonuniform(*resolved)) {
    auto led = elements_in(*resolved);
    if (!led) return d_.already_reported();
    if (led->ways.size() != 1) return by_value(expr, names);
    *resolved = led->ways[0];
  }
  const Instance* at = &resolved->component();
  for (std::string_view field : names) {
    auto child = child_of(tree_, *at, field, d_);
    if (!out || !child) return d_.already_reported();
    if (!*child) return by_value(expr, names);
    at = *child;
    if (!decide_dimensions(tree_, *at, d_)) return d_.already_reported();
    for (const Dimension& dimension : at->dimensions) out->push_back(dimension.size);
  }
  return out;
}

/// A variable of the function that the expression stands in.
Result<Shape> Shaper::local(const Resolved& resolved, const ast::Reference& reference, Names names) {
  const Instance& first = *resolved.path[0].instance;
  if (goes_through_nonuniform(resolved)) {
    ast::Expr named;
    named.kind = ast::ExprKind::name;
    named.reference = &reference;
    named.span = reference.span;
    return by_value(named, names);
  }
  std::vector<std::string_view> all;
  for (const ast::NamePart& part : reference.parts.subspan(1)) all.push_back(part.identifier);
  all.insert(all.end(), names.begin(), names.end());
  Result<Shape> out = Shape{};
  if (auto argument = frame_->arguments.find(&first); argument != frame_->arguments.end()) {
    const Evaluator& caller = *argument->second.caller;
    EvaluationContext there{.iterators = caller.iterators, .indices = caller.indices};
    out = Shaper(tree_, caller.scope(), d_, there, caller.frame).shape(*argument->second.expr, all);
  } else if (first.binding && !frame_->locals.contains(&first)) {
    EvaluationContext nothing;
    out = Shaper(tree_, first.binding.scope, d_, nothing, frame_).shape(*first.binding.expr, all);
  } else {
    EvaluationBudget budget;
    Evaluator inside(tree_, scope_, d_, budget);
    inside.frame = frame_;
    auto whole = inside.local(first, reference.span);
    const Value* at = whole ? *whole : nullptr;
    for (std::string_view name : all) at = at ? at->field(name) : nullptr;
    if (!whole) return d_.already_reported();
    if (!at) return d_.error(codes::unknown_name, reference.span, {all.back(), "a record"});
    out = at->dimensions;
  }
  std::size_t outer = 0;  // subscripts stand after the dimensions of the records around
  for (std::size_t p = 0; out && p < resolved.path.size(); ++p) {
    std::size_t rank = resolved.path[p].instance->rank(), count = reference.parts[p].subscripts.size();
    Shape own(out->begin() + static_cast<std::ptrdiff_t>(outer), out->begin() + static_cast<std::ptrdiff_t>(outer + rank));
    auto chosen = count > rank ? Result<Shape>(own) : part(own, reference.parts[p].subscripts);
    if (!chosen) return chosen;
    out->erase(out->begin() + static_cast<std::ptrdiff_t>(outer), out->begin() + static_cast<std::ptrdiff_t>(outer + rank));
    out->insert(out->begin() + static_cast<std::ptrdiff_t>(outer), chosen->begin(), chosen->end());
    outer += chosen->size();
  }
  return out;
}

Result<Shape> Shaper::field_of_call(const ast::Expr& expr, Names names) {
  auto resolved = lookup(tree_, scope_, *expr.reference, d_);
  if (!resolved) return d_.already_reported();
  if (resolved->kind != ResolvedKind::class_ || resolved->definition->ast->form == ast::ClassForm::enumeration)
    return by_value(expr, names);
  auto called = instance_of(tree_, *resolved->definition, resolved->enclosing, expr.span, d_);
  if (!called) return d_.already_reported();
  if ((*called)->class_kind != ast::ClassKind::record) return output_of(**called, expr, names);
  const Instance* field = (*called)->child(names[0]);
  const ast::Expr* argument = field ? argument_for(*field, (*called)->children, *expr.arguments) : nullptr;
  return argument ? shape(*argument, names.subspan(1)) : by_value(expr, names);
}

/// The value of an argument when it is known, else an array of its shape filled with "not a number".
Result<Value> Shaper::argument_of_shape(const ast::Expr& expr, const Instance& input) {
  if (auto known = try_evaluate(tree_, expr, scope_, context_)) return std::move(*known);
  auto s = shape(expr);
  if (!s) return d_.already_reported();
  switch (input.type) {
    case Type::none:
      return value(expr);
    case Type::string:
      return filled(ValueKind::string, *s);
    case Type::integer:
      return filled(ValueKind::integer, *s, std::numeric_limits<double>::quiet_NaN());
    case Type::real:
    case Type::boolean:
    case Type::enumeration:
    case Type::clock:
      return filled(ValueKind::real, *s, std::numeric_limits<double>::quiet_NaN());
  }
  return value(expr);
}

/// False when it was reported.
bool Shaper::pass(const Instance& input, const ast::Expr& argument, Evaluator& caller, Frame& callee, Shape& in_front) {
  if (input.type == Type::none && input.rank() == 0) {
    auto s = is_functional_input(input) ? Result<Shape>(Shape{}) : shape(argument);
    if (!s) return false;
    if (s->empty()) callee.arguments[&input] = {&argument, &caller};
    if (s->empty()) return true;
  }
  auto v = argument_of_shape(argument, input);
  if (!v) return false;
  if (v->dimensions.size() > input.rank()) {
    in_front.assign(v->dimensions.begin(), v->dimensions.end() - static_cast<std::ptrdiff_t>(input.rank()));
    Shape first(in_front.size(), 1);
    bool empty = std::find(in_front.begin(), in_front.end(), 0) != in_front.end();
    *v = empty ? filled(v->kind == ValueKind::record ? ValueKind::real : v->kind, Shape(input.rank(), 0))
               : element(*v, first);
  }
  callee.locals[&input] = std::move(*v);
  return true;
}

Result<Shape> Shaper::output_of(const Instance& function, const ast::Expr& expr, Names names) {
  std::vector<const Instance*> outputs = outputs_of(function), inputs = inputs_of(function);
  if (outputs.empty()) return Shape{};
  Frame callee{.function = &function, .locals = {}, .around = nullptr, .at = {}, .modifications = {}, .arguments = {}};
  EvaluationBudget budget;
  Evaluator caller(tree_, scope_, d_, budget);
  caller.frame = frame_;
  caller.indices.assign(context_.indices.begin(), context_.indices.end());
  caller.iterators.assign(context_.iterators.begin(), context_.iterators.end());
  Shape out;  // of a function of scalars called with arrays
  const ast::Arguments& a = *expr.arguments;
  for (std::size_t i = 0; i < std::min(a.positional.size(), inputs.size()); ++i)
    if (!pass(*inputs[i], *a.positional[i], caller, callee, out)) return d_.already_reported();
  for (const ast::NamedArgument& argument : a.named) {
    const Instance* input = function.child(argument.name);
    if (input && !pass(*input, *argument.value, caller, callee, out)) return d_.already_reported();
  }
  auto own = declared(*outputs[0], names, callee, expr);
  if (!own) return own;
  out.insert(out.end(), own->begin(), own->end());
  return out;
}

/// Own dimensions of an output or of a field of one; where they need the value of an argument that has none, the call is at
/// fault.
Result<Shape> Shaper::sizes_in(const Instance& part, Frame& frame, const ast::Expr& call) {
  auto sizes = [&](Diagnostics& d) {
    EvaluationBudget budget;
    Evaluator inside(tree_, scope_of(part), d, budget);
    inside.frame = &frame;
    return inside.declared_sizes(part);
  };
  Diagnostics aside;
  if (auto own = sizes(aside)) return own;
  const Diagnostic& why = aside.all().back();
  bool of_argument = why.code == &codes::depends_on_variable &&
                     std::any_of(part.dimensions.begin(), part.dimensions.end(),
                                 [&](const Dimension& d) { return d.expr && d.expr->span.begin == why.span.begin; });
  if (!of_argument) return sizes(d_);
  return d_.error(codes::depends_on_variable, call.span,
                  {syntax::print(call), "has a size that depends on a value not known"});
}

/// Dimensions of an output, or of a field of it, as the function declares them.
Result<Shape> Shaper::declared(const Instance& output, Names names, Frame& callee, const ast::Expr& call) {
  Shape out;
  std::deque<Frame> records;
  Frame* frame = &callee;
  Names to_go = names;
  for (const Instance* at = &output;;) {
    bool open =
        std::any_of(at->dimensions.begin(), at->dimensions.end(), [](const Dimension& d) { return d.size < 0 && !d.expr; });
    if (at->binding && at->binding.levels.empty() && (open || !to_go.empty())) {
      EvaluationContext nothing;
      auto given = Shaper(tree_, at->binding.scope, d_, nothing, &callee).shape(*at->binding.expr, to_go);
      if (given) out.insert(out.end(), given->begin(), given->end());
      return given ? Result<Shape>(std::move(out)) : given;
    }
    if (open) return by_value(call, names);
    auto own = sizes_in(*at, *frame, call);
    if (!own) return own;
    out.insert(out.end(), own->begin(), own->end());
    if (to_go.empty()) return out;
    frame = &records.emplace_back(
        Frame{.function = at, .locals = {}, .around = frame, .at = {}, .modifications = {}, .arguments = {}});
    at = at->child(to_go[0]);
    if (!at) return by_value(call, names);
    to_go = to_go.subspan(1);
  }
}

}  // namespace bolza::instance
