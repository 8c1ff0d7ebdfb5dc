// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "compiler/instance/build/instantiate.h"
#include "compiler/instance/build_internal.h"
#include "compiler/instance/functions/external_values_internal.h"
#include "compiler/instance/library/codes.h"
#include "compiler/instance/values/evaluator_internal.h"
#include "compiler/syntax/print.h"

/// Functions computed at compile time: their algorithm is run on values.
namespace bolza::instance {

/// Runs statements in one frame.
class FunctionRun {
 public:
  FunctionRun(Evaluator& evaluator) : e_(evaluator) {}

  Result<Flow> run(ast::List<const ast::Statement*> statements) {
    for (const ast::Statement* statement : statements) {
      auto flow = run(*statement);
      if (!flow || *flow != Flow::next) return flow;
    }
    return Flow::next;
  }

 private:
  Result<Flow> run(const ast::Statement& s);
  Result<Flow> run_if(const ast::Statement& s);
  Result<Flow> run_for(const ast::Statement& s, std::size_t at);
  Result<Flow> run_while(const ast::Statement& s);
  Result<Flow> run_call(const ast::Expr& call);
  Result<Flow> multi_assign(const ast::Statement& s);
  Result<Done> assign(const ast::Reference& target, Value value, Span span);
  Result<Done> store(Value& place, ast::List<ast::NamePart> parts, Value value, Span span);

  Evaluator& e_;
};

Result<Flow> FunctionRun::run(const ast::Statement& s) {
  if (++e_.budget_.steps > e_.budget_.most_steps())
    return e_.d_.error(codes::too_long, s.span, {full_name(*e_.frame->function->definition), e_.budget_.most_steps_text()});
  switch (s.kind) {
    case ast::StatementKind::assign: {
      auto value = e_.value(*s.value);
      if (!value) return e_.d_.already_reported();
      auto done = assign(*s.target->reference, std::move(*value), s.span);
      if (!done) return e_.d_.already_reported();
      return Flow::next;
    }
    case ast::StatementKind::multi_assign:
      return multi_assign(s);
    case ast::StatementKind::call:
      return run_call(*s.value);
    case ast::StatementKind::if_:
      return run_if(s);
    case ast::StatementKind::for_:
      return run_for(s, 0);
    case ast::StatementKind::while_:
      return run_while(s);
    case ast::StatementKind::when:
      return e_.d_.error(codes::not_supported, s.span, {"`when` in a function"});
    case ast::StatementKind::break_:
      return Flow::break_;
    case ast::StatementKind::return_:
      return Flow::return_;
  }
  return Flow::next;
}

Result<Flow> FunctionRun::run_if(const ast::Statement& s) {
  for (const auto& branch : s.branches) {
    if (branch.condition) {
      auto condition = e_.scalar(*branch.condition, ValueKind::boolean, "`if`");
      if (!condition) return e_.d_.already_reported();
      if (condition->numbers[0] == 0.0) continue;
    }
    return run(branch.body);
  }
  return Flow::next;
}

Result<Flow> FunctionRun::run_for(const ast::Statement& s, std::size_t at) {
  if (at == s.iterators.size()) return run(s.body);
  const ast::Iterator& iterator = s.iterators[at];
  if (!iterator.range) return e_.d_.error(codes::not_supported, iterator.span, {"a for-statement without range"});
  auto range = e_.iterator_range(iterator, *iterator.range);
  if (!range) return e_.d_.already_reported();
  for (std::int64_t i = 1; i <= range->dimensions[0]; ++i) {
    e_.iterators.push_back({iterator.name, element(*range, std::span(&i, 1))});
    auto flow = run_for(s, at + 1);
    e_.iterators.pop_back();
    if (!flow || *flow == Flow::return_) return flow;
    if (*flow == Flow::break_) break;
  }
  return Flow::next;
}

Result<Flow> FunctionRun::run_while(const ast::Statement& s) {
  for (;;) {
    auto condition = e_.scalar(*s.value, ValueKind::boolean, "`while`");
    if (!condition) return e_.d_.already_reported();
    if (condition->numbers[0] == 0.0) return Flow::next;
    auto flow = run(s.body);
    if (!flow || *flow == Flow::return_) return flow;
    if (*flow == Flow::break_) return Flow::next;
  }
}

Result<Flow> FunctionRun::run_call(const ast::Expr& call) {
  auto resolved = lookup(e_.tree_, e_.scope_, *call.reference, e_.d_);
  if (!resolved) return e_.d_.already_reported();
  if (resolved->kind == ResolvedKind::builtin_function && resolved->name == "assert") {
    const ast::Arguments& a = *call.arguments;
    if (a.positional.size() < 2)
      return e_.d_.error(codes::wrong_arguments, call.span, {"assert", "needs a condition and a message"});
    auto condition = e_.scalar(*a.positional[0], ValueKind::boolean, "`assert`");
    if (!condition) return e_.d_.already_reported();
    if (condition->numbers[0] != 0.0) return Flow::next;
    auto message = e_.value(*a.positional[1]);
    if (!message) return e_.d_.already_reported();
    const ast::Expr* level = a.positional.size() > 2 ? a.positional[2] : nullptr;
    for (const ast::NamedArgument& named : a.named)
      if (named.name == "level") level = named.value;
    auto value = level ? e_.value(*level) : Value{};
    if (!value) return e_.d_.already_reported();
    if (level && value->integer() == 1) return Flow::next;  // a warning
    if (e_.budget_.may_act) e_.budget_.objection = message->text();
    return e_.d_.error(codes::failed_assertion, call.span, {print(*message)});
  }
  if (resolved->kind == ResolvedKind::class_) {
    auto function = instance_of(e_.tree_, *resolved->definition, resolved->enclosing, call.span, e_.d_);
    if (!function || !e_.call_function(**function, call.arguments, call.span)) return e_.d_.already_reported();
    return Flow::next;  // with or without results
  }
  auto ignored = e_.value(call);
  if (!ignored) return e_.d_.already_reported();
  return Flow::next;
}

Result<Flow> FunctionRun::multi_assign(const ast::Statement& s) {
  const ast::Expr& call = *s.value;
  if (call.kind != ast::ExprKind::call)
    return e_.d_.error(codes::type_mismatch, call.span, {"a list of targets", "something that is not a call"});
  auto resolved = lookup(e_.tree_, e_.scope_, *call.reference, e_.d_);
  if (!resolved) return e_.d_.already_reported();
  if (resolved->kind != ResolvedKind::class_)
    return e_.d_.error(codes::wrong_arguments, call.span, {syntax::print(*call.reference), "it has one result"});
  auto function = instance_of(e_.tree_, *resolved->definition, resolved->enclosing, call.span, e_.d_);
  if (!function) return e_.d_.already_reported();
  auto results = e_.call_function(**function, call.arguments, call.span);
  if (!results) return e_.d_.already_reported();
  for (std::size_t i = 0; i < s.target->operands.size(); ++i) {
    const ast::Expr* target = s.target->operands[i];
    if (!target) continue;
    if (target->kind != ast::ExprKind::name)
      return e_.d_.error(codes::type_mismatch, target->span, {"an assignment", "something that is not a variable"});
    if (i >= results->size()) {
      return e_.d_.error(codes::wrong_arguments, target->span,
                         {syntax::print(*call.reference), "it has " + std::to_string(results->size()) + " results"});
    }
    auto done = assign(*target->reference, std::move((*results)[i]), target->span);
    if (!done) return e_.d_.already_reported();
  }
  return Flow::next;
}

Result<Done> FunctionRun::assign(const ast::Reference& target, Value value, Span span) {
  auto resolved = lookup(e_.tree_, e_.scope_, target, e_.d_);
  if (!resolved) return e_.d_.already_reported();
  std::vector<ast::NamePart> of_elements;
  ast::List<ast::NamePart> parts = target.parts;
  if (goes_through_nonuniform(*resolved)) {
    auto led = e_.elements_in(*resolved);
    if (!led) return e_.d_.already_reported();
    if (led->ways.size() != 1)
      return e_.d_.error(codes::not_supported, target.span, {"an assignment to several elements of different sizes"});
    *resolved = led->ways[0];
    parts = of_elements = parts_of(*resolved, target.span);
  }
  bool ours = resolved->kind == ResolvedKind::component && resolved->path[0].instance->parent == e_.frame->function;
  if (!ours)
    return e_.d_.error(codes::type_mismatch, target.span,
                       {"an assignment", "`" + syntax::print(target) + "`, which is not a variable of the function"});
  const Instance& variable = *resolved->path[0].instance;
  if (variable.causality == ast::Causality::input) {
    return e_.d_.error(codes::type_mismatch, target.span,
                       {"an assignment", "`" + syntax::print(target) + "`, which is an input"});
  }
  if (parts.size() == 1 && parts[0].subscripts.empty()) {
    auto fits = e_.fitted(std::move(value), variable, span);
    if (!fits) return e_.d_.already_reported();
    e_.frame->locals[&variable] = std::move(*fits);
    return Done{};
  }
  auto current = e_.local(variable, span);
  if (!current) return e_.d_.already_reported();
  return store(e_.frame->locals[&variable], parts, std::move(value), span);
}

Result<Done> FunctionRun::store(Value& place, ast::List<ast::NamePart> parts, Value value, Span span) {
  const ast::NamePart& part = parts[0];
  auto chosen = e_.selectors(part.subscripts, place.dimensions, part.identifier);
  if (!chosen) return e_.d_.already_reported();
  if (parts.size() > 1) {
    Value inner = select_part(place, *chosen);
    for (auto& [name, field] : inner.fields) {
      if (name != parts[1].identifier) continue;
      Value next = field;
      if (parts.size() == 2 && parts[1].subscripts.empty()) next = std::move(value);
      else if (auto done = store(next, parts.subspan(1), std::move(value), span); !done) return done;
      field = std::move(next);
      break;
    }
    if (chosen->empty()) place = std::move(inner);
    else assign_part(place, *chosen, inner);
    return Done{};
  }
  Value target = select_part(place, *chosen);
  if (target.dimensions != value.dimensions) {
    return e_.d_.error(codes::size_mismatch, span,
                       {"the value", dimensions_text(value.dimensions), dimensions_text(target.dimensions)});
  }
  if (target.kind == ValueKind::real) value = as_real(std::move(value));
  if (target.kind != value.kind || !stackable(target, value))
    return e_.d_.error(codes::type_mismatch, span, {"an assignment to " + type_name(target), type_name(value)});
  assign_part(place, *chosen, value);
  return Done{};
}

/// `external "builtin" y = sin(u)`: what the built-in function of that name gives.
namespace {

/// Whether what a C function returned can be what the output declares: a text, a number, or a list of them.
bool may_give(const Value& result, const Instance& output) {
  return (result.kind == ValueKind::string) == (output.type == Type::string) && output.type != Type::none &&
         result.dimensions.size() == output.rank();
}

}  // namespace

Result<std::vector<Value>> Evaluator::external_result(const Instance& function, Span span) {
  const ast::External& external = *function.external;
  std::vector<const Instance*> outputs = outputs_of(function),
                               given;  // `given`: what the results are, in the order of the call
  auto output_named = [&](const ast::Expr* e) -> const Instance* {
    if (!e || e->kind != ast::ExprKind::name || !e->reference->simple()) return nullptr;
    for (const Instance* output : outputs) {
      if (output->name == e->reference->parts[0].identifier) return output;
    }
    return nullptr;
  };
  if (const Instance* output = output_named(external.output)) given.push_back(output);
  std::vector<Value> arguments;
  for (const ast::Expr* argument : external.arguments) {
    if (const Instance* output = output_named(argument)) {
      given.push_back(output);
      continue;
    }
    auto v = value(*argument);
    if (!v) return d_.already_reported();
    arguments.push_back(std::move(*v));
  }
  if (auto results = apply_library_function(external.function, arguments, span, tree_.library(), d_)) {
    if (!*results) return d_.already_reported();
    std::vector<Value> ordered;
    for (const Instance* output : outputs) {
      auto at = static_cast<std::size_t>(std::find(given.begin(), given.end(), output) - given.begin());
      if (at >= (**results).size() || !may_give((**results)[at], *output))
        return d_.error(codes::not_computable, span,
                        {full_name(*function.definition), "its outputs are not those of the C function"});
      ordered.push_back(std::move((**results)[at]));
      if (output->type == Type::enumeration) {
        ordered.back().kind = ValueKind::enumeration;
        ordered.back().definition = output->enumeration;
      }
    }
    return ordered;
  }
  if (external.function == "readTable" && arguments.size() == 1 && arguments[0].kind == ValueKind::string) {
    Sources& sources = tree_.library().sources();
    std::vector<std::string_view> beside;
    if (span.file) beside.push_back(sources.path(span.file));
    if (tree_.root().definition) beside.push_back(sources.path(tree_.root().definition->source));
    auto table = read_table(arguments[0].text(), beside, tree_.library().trust(), span, d_);
    if (!table) return d_.already_reported();
    return std::vector<Value>{std::move(*table)};
  }
  std::string_view name = external.called ? std::string_view(external.function) : std::string_view(function.name);
  auto result = apply_builtin(name, arguments, span, d_);
  if (!result) result = apply_string_function(name, arguments, span, d_);
  if (!result) return shared_library_result(function, span);
  if (!*result) return d_.already_reported();
  return std::vector<Value>{std::move(**result)};
}

Result<std::vector<Value>> Evaluator::run_with(const Instance& function,
                                               std::vector<std::pair<const Instance*, Value>> inputs, Span span) {
  std::vector<Given> given;
  for (auto& [input, value] : inputs) given.push_back({input, std::move(value), span});
  return run_once(function, given, span);
}

Result<std::vector<Value>> Evaluator::run_once(const Instance& function, const std::vector<Given>& arguments, Span span) {
  std::string text = full_name(*function.definition);
  if (!function.external && function.algorithms.empty() && outputs_of(function).empty())
    return d_.error(codes::not_computable, span, {text, "it has no algorithm"});
  budget_.depth += 20;
  if (budget_.depth > EvaluationBudget::most_depth)
    return d_.error(codes::too_long, span, {text, "1200 nested calls and expressions"});
  Frame callee{.function = &function};
  if (!pass_arguments(callee, arguments)) return d_.already_reported();
  Evaluator inside(tree_, scope_of(function), d_, budget_);
  inside.frame = &callee;
  if (function.external) {
    budget_.depth -= 20;
    return inside.external_result(function, span);
  }
  for (const Instance* child : function.children)  // before an assignment changes what they begin with
    if (child->binding && child->causality != ast::Causality::input && !inside.begin(*child, span))
      return d_.already_reported();
  for (const auto& section : function.algorithms) {
    inside.scope_ = section.scope;
    auto flow = FunctionRun(inside).run(section.node->items);
    if (!flow) return d_.already_reported();
    if (*flow == Flow::return_) break;
  }
  std::vector<Value> results;
  for (const Instance* output : outputs_of(function)) {
    auto v = inside.local(*output, span);
    if (!v) return d_.already_reported();
    for (double x : (*v)->numbers) {
      if (x != x)
        return d_.error(codes::not_computable, span,
                        {text, "its output `" + std::string(output->name) + "` was not assigned"});
    }
    results.push_back(**v);
  }
  budget_.depth -= 20;
  return results;
}

}  // namespace bolza::instance
