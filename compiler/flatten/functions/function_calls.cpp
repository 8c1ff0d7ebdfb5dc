// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/typing/typer_internal.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "base/expects.h"
#include "compiler/flatten/calls/needs_values_internal.h"
#include "compiler/flatten/calls/side_effects_internal.h"
#include "compiler/flatten/functions/closures_internal.h"
#include "compiler/flatten/functions/function_sizes_internal.h"
#include "compiler/flatten/functions/interpreted_calls_internal.h"
#include "compiler/flatten/functions/specialise_internal.h"
#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/frame_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/run_time_sizes_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/typing/builtin_internal.h"
#include "compiler/flatten/typing/evaluated_internal.h"
#include "compiler/instance/build/instantiate.h"
#include "compiler/instance/functions/interpreted_function.h"

namespace bolza::flatten {

using ir::Op;

/// maxOverTime(e), minOverTime(e): of an array, the extremum of all its elements.
Typed Typer::extremum(const ast::Expr& expr, Op op) {
  std::vector<const Node*> x;
  if (auto given = arguments(expr, 1, 1, x); !given) return given.failure();
  if (!is_numeric(x[0]->basic)) return wrong(expected_type, x[0]->span, {"a number", type_text(*x[0])});
  if (x[0]->level <= Level::timed) return wrong(extremum_of_number, x[0]->span);
  Node node;
  node.kind = NodeKind::extremum;
  node.op = op;
  node.basic = Basic::real;
  node.children = {x[0]};
  node.span = expr.span;
  return nodes().add(std::move(node));
}

Typed Typer::integral(const ast::Expr& expr) {
  if (!over_time)
    return model.diagnostics.error(integral_misplaced, expr.span, {},
                                   {{{}, "an equation gets it as a state: `Real J(start = 0, fixed = true); der(J) = …`"}});
  bool at_the_end = std::exchange(final_values, false);  // within, names mean values at every time
  std::vector<const Node*> x;
  auto given = arguments(expr, 1, 1, x);
  final_values = at_the_end;
  if (!given) return given.failure();
  if (!x[0]->dims.empty() || !is_numeric(x[0]->basic))
    return wrong(expected_type, x[0]->span, {"a scalar number", type_text(*x[0])});
  if (x[0]->level == Level::timed) return wrong(integrand_is_timed, x[0]->span);
  return nodes().integral(x[0], expr.span);
}

Typed Typer::call(const ast::Expr& expr) {
  const ast::Reference& reference = *expr.reference;
  std::string_view first = reference.parts[0].identifier;
  if (in_objective && reference.simple() && first == "sumsq") {
    if (!expr.arguments->iterators.empty()) return reduction(first, expr);
    std::vector<const Node*> x;
    if (auto given = arguments(expr, 1, 1, x); !given) return given.failure();
    const Node* two = nodes().number(2, Basic::integer, expr.span);
    return sum_of(nodes().apply(Op::pow, {x[0], two}, Basic::real, expr.span), Op::add, expr.span);
  }
  if (reference.simple() && (first == "maxOverTime" || first == "minOverTime")) {
    if (over_time) return extremum(expr, first == "maxOverTime" ? Op::max : Op::min);
    Diagnostics unsaid;  // a function of the model's own may have the name
    if (!instance::lookup(model.tree, scope, reference, unsaid)) return wrong(extremum_outside, expr.span, {first});
  }
  if (reference.simple() && (first == "pder" || first == "extrapolateField")) {
    Diagnostics unsaid;
    if (!instance::lookup(model.tree, scope, reference, unsaid)) return outside_of_domains(expr);
  }
  bool predefined = reference.global && reference.parts.size() == 1 && instance::is_builtin_function(first);
  if (predefined) return builtin(first, expr);  // `.sin(u)` in a function that is itself called sin
  auto resolved = instance::lookup(model.tree, scope, reference, model.diagnostics);
  if (!resolved) return reported();
  switch (resolved->kind) {
    case instance::ResolvedKind::builtin_function:
      if (resolved->name != "integral") return builtin(resolved->name, expr);
      return expr.arguments->positional.size() == 2 ? integral_over_domain(expr) : integral(expr);
    case instance::ResolvedKind::component:
      if (frame != nullptr && resolved->path.size() == 1 && frame->closures.contains(resolved->path[0].instance)) {
        const Node* f = captured_function(*resolved->path[0].instance, expr.span);
        std::map<const Instance*, const Node*> bound;
        for (std::size_t k = 0; k < f->given.size(); ++k) bound[f->given[k]] = f->children[k];
        return call_with(*f->instance, expr, std::move(bound));
      }
      return timed(*resolved, expr);
    case instance::ResolvedKind::class_: {
      const ast::Class& target = *resolved->definition->ast;
      if (target.form == ast::ClassForm::enumeration) {
        std::vector<const Node*> x;
        if (auto given = arguments(expr, 1, 1, x); !given) return given.failure();
        Node node =
            *nodes().apply(Op::add, {x[0], nodes().number(0, Basic::integer, expr.span)}, Basic::enumeration, expr.span);
        node.definition = resolved->definition;
        return nodes().add(std::move(node));
      }
      bool record = target.kind == ast::ClassKind::record || target.kind == ast::ClassKind::operator_record;
      return record ? record_constructor(*resolved, expr) : function_call(*resolved, expr);
    }
    case instance::ResolvedKind::builtin_type: {
      std::vector<const Node*> x;
      if (resolved->type == instance::Type::string) return text_now(expr);
      if (resolved->type == instance::Type::clock) return clock_constructor(expr);
      if (auto given = arguments(expr, 1, 1, x); !given) return given.failure();
      Basic basic = resolved->type == instance::Type::integer ? Basic::integer : Basic::real;
      return nodes().apply(Op::add, {x[0], nodes().number(0, Basic::integer, expr.span)}, basic, expr.span);
    }
    case instance::ResolvedKind::enumeration_literal:
    case instance::ResolvedKind::time:
      break;
  }
  return wrong(not_a_function, expr.span, {reference.parts.back().identifier});
}

/// A String that is known now.
Typed Typer::text_now(const ast::Expr& expr) {
  auto value = instance::try_evaluate(model.tree, expr, scope);
  if (!value || value->strings.empty())
    return wrong(unsupported, expr.span, {"a String of values that are not known at compile time"});
  note_parameters(model, expr, scope);
  Node node;
  node.kind = NodeKind::text;
  node.basic = Basic::string;
  node.text = value->strings[0];
  node.span = expr.span;
  return nodes().add(std::move(node));
}

Typed Typer::timed(const instance::Resolved& resolved, const ast::Expr& expr) {
  const ast::Arguments& given = *expr.arguments;
  std::string_view name = expr.reference->parts.back().identifier;
  if (given.positional.size() != 1 || !given.named.empty() || !given.iterators.empty())
    return wrong(timed_argument, expr.span, {name});
  auto of = place(resolved, expr.reference->span);
  auto time = of ? expression(*given.positional[0]) : of;
  if (!time) return time;
  if (!time->dims.empty() || !is_numeric(time->basic) || time->level > Level::parameter) {
    std::string past = "`delay(" + std::string(name) + ", d)` is the value a time d ago";
    return model.diagnostics.error(timed_argument, given.positional[0]->span, {name}, {{{}, std::move(past)}});
  }
  if (of->level <= Level::parameter) return of;  // the same at every time
  const Node* base = of->kind == NodeKind::index ? of->children[0] : static_cast<const Node*>(of);
  if (base->kind != NodeKind::variable || base->basic == Basic::record) return wrong(timed_argument, expr.span, {name});
  if (base->instance == nullptr) return time;
  return nodes().timed(of, time, expr.span);
}

namespace {

/// Whether an expression names something at its first part.
bool names_first(const ast::Expr* expr, std::string_view name) {
  if (expr == nullptr) return false;
  auto inside = [&](const ast::Expr* part) { return names_first(part, name); };
  auto any = [&](const ast::List<const ast::Expr*>& parts) { return std::any_of(parts.begin(), parts.end(), inside); };
  if (expr->kind == ast::ExprKind::name) {
    for (const ast::NamePart& part : expr->reference->parts)
      for (const ast::Subscript& subscript : part.subscripts)
        if (inside(subscript.index)) return true;
    return expr->reference->parts[0].identifier == name;
  }
  if (expr->arguments != nullptr && any(expr->arguments->positional)) return true;
  if (expr->arguments != nullptr)
    for (const ast::NamedArgument& argument : expr->arguments->named)
      if (inside(argument.value)) return true;
  return any(expr->operands) || std::any_of(expr->rows.begin(), expr->rows.end(), any) ||
         std::any_of(expr->iterators.begin(), expr->iterators.end(), [&](const auto& i) { return inside(i.range); });
}

/// The inputs in an order in which defaults come after those that they name, where there is one.
std::vector<const Instance*> in_order_of_defaults(const std::vector<const Instance*>& inputs) {
  std::vector<const Instance*> order;
  std::set<const Instance*> seen;
  std::function<void(const Instance*)> visit = [&](const Instance* input) {
    if (!seen.insert(input).second) return;
    if (input->binding)
      for (const Instance* other : inputs)
        if (other != input && names_first(input->binding.expr, other->name)) visit(other);
    order.push_back(input);
  };
  for (const Instance* input : inputs) visit(input);
  return order;
}

}  // namespace

Outcome<Done> Typer::bind_arguments(const Instance& function, const ast::Expr& expr,
                                    std::map<const Instance*, const Node*>& bound) {
  std::vector<const Instance*> takes;
  bool record = function.class_kind == ast::ClassKind::record || function.class_kind == ast::ClassKind::operator_record;
  for (const Instance* child : function.children)
    if ((record ? child->variability != instance::Variability::constant || !child->binding : is_input(*child)) &&
        !bound.contains(child))
      takes.push_back(child);
  const ast::Arguments& given = *expr.arguments;
  if (given.positional.size() > takes.size())
    return wrong(argument_count, expr.span,
                 {function.name, std::to_string(takes.size()), std::to_string(given.positional.size())});
  std::optional<Failure> mistake;
  std::set<const Instance*> mistaken;  // inputs that are given by a mistake
  auto bind = [&](const Instance* input, const ast::Expr& expr) {
    auto value = instance::is_functional_input(*input) ? function_argument(expr) : expression(expr);
    if (value) bound[input] = value;
    else {
      mistaken.insert(input);
      mistake = value.failure();
    }
    return value || value.failure().reported();
  };
  for (std::size_t k = 0; k < given.positional.size(); ++k)
    if (!bind(takes[k], *given.positional[k])) return *mistake;
  for (const ast::NamedArgument& argument : given.named) {
    auto at = std::find_if(takes.begin(), takes.end(), [&](const Instance* i) { return i->name == argument.name; });
    if (at == takes.end()) return wrong(no_such_argument, argument.name_span, {argument.name, function.name});
    if (bound.contains(*at) || mistaken.contains(*at)) return wrong(argument_twice, argument.name_span, {argument.name});
    if (!bind(*at, *argument.value)) return *mistake;
  }
  if (mistake) return *mistake;
  std::erase_if(takes, [&](const Instance* input) { return bound.contains(input); });
  for (const Instance* input : in_order_of_defaults(takes)) {
    if (!input->binding) return wrong(argument_missing, expr.span, {input->name, function.name});
    Typer defaults(model, work, input->binding.scope);
    defaults.inputs = &bound;
    auto value = defaults.expression(*input->binding.expr);
    if (!value) return value.failure();
    bound[input] = value;
  }
  return Done{};
}

Typed Typer::record_constructor(const instance::Resolved& resolved, const ast::Expr& expr) {
  auto made = instance::instance_of(model.tree, *resolved.definition, resolved.enclosing, expr.span, model.diagnostics);
  if (!made) return reported();
  const Instance& type = **made;
  auto constructor = constructor_for(type, expr);
  if (!constructor) return constructor.failure();
  if (*constructor) return call_with(**constructor, expr, {});
  std::map<const Instance*, const Node*> bound;
  if (auto done = bind_arguments(type, expr, bound); !done) return done.failure();
  Node node;
  node.kind = NodeKind::record;
  node.basic = Basic::record;
  node.instance = &type;
  node.span = expr.span;
  for (const Instance* child : type.children) {
    auto value = bound.find(child);
    if (value != bound.end()) {
      node.children.push_back(value->second);
      continue;
    }
    auto constant = value_of(model, *child, {}, expr.span);
    if (!constant) return reported();
    auto part = constant_value(*child, **constant, expr.span);
    if (!part) return part;
    node.children.push_back(part);
  }
  return nodes().add(std::move(node));
}

namespace {

/// Whether a size asks a function that counts something: `Integer places[countTrue(mask)]`.
bool counts(const ast::Expr& size) {
  constexpr std::array<std::string_view, 10> plain{"size", "ndims", "max", "min",     "abs",
                                                   "div",  "mod",   "rem", "integer", "sign"};
  bool calls = size.kind == ast::ExprKind::call && size.reference &&
               std::find(plain.begin(), plain.end(), size.reference->parts.back().identifier) == plain.end();
  return calls || std::any_of(size.operands.begin(), size.operands.end(),
                              [](const ast::Expr* part) { return part != nullptr && counts(*part); });
}

/// Whether the size of an output is what the algorithm makes it: `output Real y[:]`.
bool has_open_output(const Instance& function) {
  auto is_open = [](const Instance* part) {
    return !part->binding && std::any_of(part->dimensions.begin(), part->dimensions.end(),
                                         [](const auto& d) { return d.expr == nullptr || counts(*d.expr); });
  };
  return std::any_of(function.children.begin(), function.children.end(), [&](const Instance* child) {
    if (!is_output(*child) || child->binding) return false;
    std::vector<const Instance*> leaves = leaves_of(*child);
    return is_open(child) || std::any_of(leaves.begin(), leaves.end(), is_open);
  });
}

}  // namespace

std::optional<Typed> Typer::computed_call(const Instance& function, const ast::Expr& expr, Diagnostics& quiet) {
  auto values = instance::evaluate_call(model.tree, function, expr, scope, quiet);
  if (!values && instance::is_own_failure(quiet)) {  // it says itself what is wrong
    (void)instance::evaluate_call(model.tree, function, expr, scope, model.diagnostics);
    return reported();
  }
  if (!values) return {};
  if (values->empty()) return nodes().number(1, Basic::boolean, expr.span);  // it has no outputs, and nothing to object to
  std::vector<const Node*> outputs;
  for (const Instance* child : function.children) {
    if (!is_output(*child)) continue;
    auto output = constant_value(*child, (*values)[outputs.size()], expr.span);
    if (!output) return output;
    outputs.push_back(output);
  }
  note_parameters(model, expr, scope);
  const Node* first = outputs[0];
  model.computed_outputs.emplace(first, std::move(outputs));
  return first;
}

namespace {

/// Whether a free parameter stands in it: derivatives by it are asked for.
bool mentions_free(const Node& node) {
  if (node.kind == NodeKind::variable && node.instance && node.instance->attribute("free")) return true;
  return std::any_of(node.children.begin(), node.children.end(), [](const Node* c) { return c && mentions_free(*c); });
}

}  // namespace

void Typer::warn_of_quotients(const Frame& special, const Call& call, Span span) {
  const ir::Program& program = model.flat.expressions.programs[special.program.index()];
  bool varies = std::any_of(call.arguments.begin(), call.arguments.end(), [](const Call::Argument& a) {
    bool number = a.value->basic == Basic::real || a.value->basic == Basic::record;
    return number && (a.value->level == Level::continuous || mentions_free(*a.value));
  });
  if (varies && program.derivatives.empty() && model.warned_of_quotients.insert(special.function).second)
    model.diagnostics.warning(difference_quotients, span, {special.function->name});
}

Typed Typer::statement(const ast::Expr& call) {
  as_statement_ = true;
  auto value = expression(call);
  as_statement_ = false;
  return value;
}

Typed Typer::function_call(const instance::Resolved& resolved, const ast::Expr& expr) {
  auto made = instance::instance_of(model.tree, *resolved.definition, resolved.enclosing, expr.span, model.diagnostics);
  if (!made) return reported();
  const Instance& function = **made;
  ast::ClassKind named = resolved.definition->ast->kind;
  bool is_function =
      function.class_kind == ast::ClassKind::function || function.class_kind == ast::ClassKind::operator_function;
  if (!is_function || (named != ast::ClassKind::function && named != ast::ClassKind::operator_function))
    return wrong(not_a_function, expr.span, {expr.reference->parts.back().identifier});
  return call_with(function, expr, {});
}

/// The last arguments of an interpreted call: a number of its own, for every instance of an equation, and when it is made,
/// which is never where the when-equation around it is not due.
void Typer::name_event(const Frame& special, Call& call, Span span) {
  const Node* time = nodes().time_of_event(span);
  if (due != nullptr)
    time = nodes().choose(NodeKind::select, due, time,
                          nodes().number(instance::InterpretedFunction::never, Basic::real, span), span);
  std::size_t n = special.made.size(), instances = work.space.n;
  const Node* number = nodes().number(static_cast<double>(model.n_interpreted++), Basic::real, span);
  if ((due != nullptr || (in_initial && !in_statements)) && instances > 1) {
    std::vector<double> apart(instances);
    for (std::size_t i = 0; i < instances; ++i) apart[i] = static_cast<double>(i);
    AxisId which = nodes().new_axis();
    work.space.axes.emplace_back(which, Known(std::move(apart)));
    const Node* share =
        nodes().apply(Op::mul, {nodes().axis(which, span), nodes().number(0x1p20, Basic::real, span)}, Basic::real, span);
    number = nodes().apply(Op::add, {number, share}, Basic::real, span);
  }
  call.arguments.push_back({&special.made[n - 2], number, 0});
  call.arguments.push_back({&special.made[n - 1], time, 0});
}

/// The value of an argument, or of a part of one that is a record: the same wherever it stands in an array.
Outcome<double> Typer::known_argument(const std::map<const Instance*, const Node*>& bound, const Instance& input,
                                      Span span) {
  std::vector<const Instance*> fields;
  const Instance* top = &input;
  for (; top->parent != nullptr && top->parent->parent != nullptr; top = top->parent) fields.push_back(top);
  auto given = bound.find(top);
  if (given == bound.end()) return wrong(not_known_at_compile_time, span, {"`" + instance::path_of(input) + "`"});
  Typed node = given->second;
  for (std::size_t k = fields.size(); node && k-- > 0;) node = member(node, fields[k]->name, span);
  if (!node) return node.failure();
  std::optional<double> common;
  for (std::int64_t e = 0; e < size_of(node->dims); ++e) {
    auto same = number_now(node->dims.empty() ? *node : *nodes().element(node, indices_at(node->dims, e)));
    if (!same) return same;
    if (common && *common != *same)
      return wrong(not_known_at_compile_time, span, {"one value of `" + instance::path_of(input) + "` for all elements"});
    common = *same;
  }
  if (!common)
    return wrong(not_known_at_compile_time, span, {"`" + instance::path_of(input) + "` of a call over an empty array"});
  return *common;
}

Typed Typer::call_with(const Instance& function, const ast::Expr& expr, std::map<const Instance*, const Node*> bound) {
  bool is_statement = std::exchange(as_statement_, false);
  bool has_output =
      std::any_of(function.children.begin(), function.children.end(), [](const Instance* c) { return is_output(*c); });
  bool has_body = function.external != nullptr || !function.algorithms.empty();
  if (!has_output && has_body && !is_statement) return wrong(no_output, expr.span, {function.name});
  bool fires = in_when && (in_statements || due), at_start = in_initial && !in_when;
  bool at_event = (fires || at_start) && frame == nullptr && can_be_interpreted(function);
  CallShape shape;
  shape.function = &function;
  shape.interpreted = at_event && (has_side_effects(model, function) || is_impure(model, function));
  bool at_compile_time =
      frame == nullptr && !shape.interpreted && (needs_values(model, function) || !has_output || has_open_output(function));
  Diagnostics not_computed;
  if (at_compile_time)
    if (auto value = computed_call(function, expr, not_computed)) return *value;
  bool was_begun = instance::is_broken_off(not_computed);
  if (auto done = bind_arguments(function, expr, bound); !done) return done.failure();
  if (function.external != nullptr)
    if (auto node = table_call(function, bound, expr.span)) return *node;
  auto call = std::make_unique<Call>();
  call->function = &function;
  for (const Instance* child : function.children) {
    if (!is_input(*child)) continue;
    const Node* value = bound.at(child);
    std::size_t extra = value->dims.size() > child->rank() ? value->dims.size() - child->rank() : 0;
    if (value->dims.size() < child->rank())
      return wrong(argument_type, value->span,
                   {child->name, function.name, std::to_string(child->rank()), type_text(*value)});
    if (extra > 0) {
      std::vector<std::int64_t> over(value->dims.begin(), value->dims.begin() + static_cast<std::ptrdiff_t>(extra));
      if (!call->dims.empty() && call->dims != over)
        return wrong(sizes_differ, value->span, {"vectorised call", dims_text(call->dims), dims_text(over)});
      call->dims = over;
    }
    std::vector<std::int64_t> own(value->dims.begin() + static_cast<std::ptrdiff_t>(extra), value->dims.end());
    if (has_run_time_size(own)) return wrong(not_known_at_compile_time, value->span, {"the size of this slice"});
    for (std::size_t d = 0; d < own.size(); ++d)
      if (child->dimensions[d].size >= 0 && child->dimensions[d].size != own[d])
        return wrong(sizes_differ, value->span,
                     {"argument", "[" + std::to_string(child->dimensions[d].size) + "]", dims_text(own)});
    if (child->type != instance::Type::none && value->basic == Basic::record)
      return wrong(argument_type, value->span,
                   {child->name, function.name, std::to_string(child->rank()), type_text(*value)});
    if (value->kind == NodeKind::function) {
      auto closure = closure_of(*this, *value);
      if (!closure) return closure.failure();
      shape.closures[child] = std::move(*closure);
    } else if (auto done = sizes_of_fields(*this, function, *child, *value, shape.fields); !done) {
      return done.failure();
    }
    shape.dims.push_back(own);
    call->arguments.push_back({child, value, extra});
  }
  if (auto op = external_operator(function)) {
    std::vector<const Node*> x;
    for (const Call::Argument& argument : call->arguments) x.push_back(argument.value);
    return nodes().apply(*op, x, Basic::real, expr.span);
  }
  if (auto done = fixed_arguments(*call, shape); !done) return done.failure();
  if (function.external != nullptr && !has_output) {  // when and how often it would be called is not defined
    model.diagnostics.warning(print_ignored, expr.span);
    return nodes().number(1, Basic::boolean, expr.span);
  }
  std::optional<Diagnostics> before;
  std::optional<Diagnostics> without_value;  // what is said where the function cannot do without the value of an argument
  if (at_event) before = model.diagnostics;
  if (was_begun) without_value = model.diagnostics;
  Outcome<Specialised> made = specialise(model, shape, expr.span);
  if (!made && fires && at_event && !shape.interpreted) {  // it cannot be a Program
    std::swap(model.diagnostics, *before);
    shape.interpreted = true;
    if (auto done = fixed_arguments(*call, shape); !done) made = done.failure();
    else made = specialise(model, shape, expr.span);
    if (!made && made.failure().restarts()) return made.failure();
    if (!made) std::swap(model.diagnostics, *before);  // the reasons why not say more
  }
  while (made && made->asks()) {
    bool recurs = made->recurs;
    for (const Instance* input : made->needed) {
      Diagnostics so_far = model.diagnostics;
      auto value = known_argument(bound, *input, expr.span);
      if (value) {
        shape.values.emplace_back(input, *value);
        continue;
      }
      if (!value.failure().reported()) return value.failure();
      std::swap(model.diagnostics, so_far);
      if (!without_value && !recurs) without_value = std::move(so_far);
      shape.at_run_time.insert(input);
    }
    made = specialise(model, shape, expr.span);
  }
  bool lacks_value = !made && made.failure().reported() && !model.diagnostics.all().empty() &&
                     model.diagnostics.all().back().code == &not_known_at_compile_time;
  if (lacks_value && without_value) {
    model.diagnostics = std::move(*without_value);
    if (was_begun) (void)instance::evaluate_call(model.tree, function, expr, scope, model.diagnostics);
  }
  if (!made) return made.failure();
  Frame* special = made->frame;
  call->program = special->program.value;
  if (special->interpreted) name_event(*special, *call, expr.span);
  if (function.external != nullptr) warn_of_quotients(*special, *call, expr.span);
  const Instance* output = nullptr;
  for (const Instance* child : function.children)
    if (is_output(*child) && !output) output = child;
  if (output == nullptr) {  // whether all of its assertions hold
    nodes().calls.push_back(std::move(*call));
    Node node;
    node.kind = NodeKind::call;
    node.call = &nodes().calls.back();
    node.basic = Basic::boolean;
    node.dims = node.call->dims;
    node.span = expr.span;
    for (const Call::Argument& argument : node.call->arguments) node.level = std::max(node.level, argument.value->level);
    return nodes().add(std::move(node));
  }
  Typer inside(model, work, scope_of(function), special);
  Node node;
  nodes().calls.push_back(std::move(*call));
  node.kind = NodeKind::call;
  node.call = &nodes().calls.back();
  node.instance = output;
  const Node* local = inside.own_component(*output, expr.span);
  node.basic = local->basic;
  node.definition = output->enumeration;
  node.dims = node.call->dims;
  node.dims.insert(node.dims.end(), local->dims.begin(), local->dims.end());
  node.span = expr.span;
  for (const Call::Argument& argument : node.call->arguments) node.level = std::max(node.level, argument.value->level);
  node.has_call = special->n_outputs > 1;
  return nodes().add(std::move(node));
}

Typed Typer::applied(const Instance& function, const std::vector<const Node*>& inputs, Span span) {
  static const ast::Arguments none;
  ast::Expr call;
  call.kind = ast::ExprKind::call;
  call.arguments = &none;
  call.span = span;
  std::map<const Instance*, const Node*> bound;
  std::size_t k = 0;
  for (const Instance* child : function.children)
    if (is_input(*child) && k < inputs.size()) bound[child] = inputs[k++];
  return call_with(function, call, std::move(bound));
}

std::vector<const Node*> Typer::outputs_of(const Node* call) {
  if (auto computed = model.computed_outputs.find(call); computed != model.computed_outputs.end()) return computed->second;
  if (call->kind == NodeKind::transported) return {call, right_end(*call)};
  if (call->kind != NodeKind::call) return {call};
  Frame& special = frame_of(model, call->call->program);
  Typer inside(model, work, scope_of(*special.function), &special);
  std::vector<const Node*> outputs;
  for (const Instance* child : special.function->children) {
    if (!is_output(*child)) continue;
    Node node = *call;
    const Node* local = inside.own_component(*child, call->span);
    node.instance = child;
    node.basic = local->basic;
    node.definition = child->enumeration;
    node.dims = call->call->dims;
    node.dims.insert(node.dims.end(), local->dims.begin(), local->dims.end());
    outputs.push_back(nodes().add(std::move(node)));
  }
  return outputs;
}

}  // namespace bolza::flatten
