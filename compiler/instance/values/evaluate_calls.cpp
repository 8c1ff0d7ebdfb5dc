// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "compiler/instance/build/instantiate.h"
#include "compiler/instance/build_internal.h"
#include "compiler/instance/library/codes.h"
#include "compiler/instance/values/evaluator_internal.h"
#include "compiler/instance/values/shape_internal.h"
#include "compiler/syntax/print.h"

namespace bolza::instance {

std::vector<const Instance*> inputs_of(const Instance& function) {
  std::vector<const Instance*> out;
  for (const Instance* child : function.children) {
    if (child->causality == ast::Causality::input) out.push_back(child);
  }
  return out;
}

std::vector<const Instance*> outputs_of(const Instance& function) {
  std::vector<const Instance*> out;
  for (const Instance* child : function.children) {
    if (child->causality == ast::Causality::output) out.push_back(child);
  }
  return out;
}

Result<Value> Evaluator::call(const ast::Expr& expr) {
  auto resolved = lookup(tree_, scope_, *expr.reference, d_);
  if (!resolved) return d_.already_reported();
  std::string text = syntax::print(*expr.reference);
  switch (resolved->kind) {
    case ResolvedKind::builtin_function:
      return builtin(resolved->name, expr);
    case ResolvedKind::builtin_type:
      return type_call(resolved->type, expr);
    case ResolvedKind::component:
      if (const Value* closure = functional(*resolved)) {
        auto results = call_function(*closure->function, expr.arguments, expr.span, closure);
        if (!results) return d_.already_reported();
        if (results->empty()) return d_.error(codes::wrong_arguments, expr.span, {text, "it has no result"});
        return std::move(results->front());
      }
      return d_.error(codes::depends_on_variable, expr.span,
                      {syntax::print(expr), "is the value of a variable at one time"});
    case ResolvedKind::enumeration_literal:
    case ResolvedKind::time:
      return d_.error(codes::wrong_arguments, expr.span, {text, "it is not a function"});
    case ResolvedKind::class_:
      break;
  }
  const ast::Class& cls = *resolved->definition->ast;
  if (cls.form == ast::ClassForm::enumeration) return enumeration_call(*resolved->definition, expr);
  auto function = instance_of(tree_, *resolved->definition, resolved->enclosing, expr.span, d_);
  if (!function) return d_.already_reported();
  if ((*function)->class_kind == ast::ClassKind::record) {
    auto constructor = constructor_for(**function, *expr.arguments, expr.span);
    if (!constructor) return d_.already_reported();
    if (!*constructor) return record_call(**function, expr);
    function = *constructor;
  }
  auto results = call_function(**function, expr.arguments, expr.span);
  if (!results) return d_.already_reported();
  if (results->empty()) return d_.error(codes::wrong_arguments, expr.span, {text, "it has no result"});
  return std::move(results->front());
}

Result<std::vector<Value>> Evaluator::positional(const ast::Expr& expr, std::size_t least, std::size_t most) {
  std::vector<Value> out;
  const ast::Arguments& a = *expr.arguments;
  std::string text = syntax::print(*expr.reference);
  if (a.positional.size() < least || a.positional.size() > most) {
    std::string count = least == most ? std::to_string(least) : "at least " + std::to_string(least);
    return d_.error(codes::wrong_arguments, expr.span,
                    {text, "needs " + count + " arguments, not " + std::to_string(a.positional.size())});
  }
  for (const ast::Expr* argument : a.positional) {
    auto v = value(*argument);
    if (!v) return d_.already_reported();
    out.push_back(std::move(*v));
  }
  return out;
}

/// Modelica 3.7.4.4: the simulated model's own name, then the path of the instance in it.
static std::string instance_name(const Instance& instance) {
  const Instance* root = &instance;
  while (root->parent) root = root->parent;
  std::string model = root->definition ? full_name(*root->definition) : "", path = path_of(instance);
  if (root->class_kind == ast::ClassKind::package || model.empty()) return path;
  std::string own = model.substr(model.rfind('.') + 1);
  return path.empty() ? own : own + "." + path;
}

Result<Value> Evaluator::builtin(std::string_view name, const ast::Expr& expr) {
  if (!expr.arguments->iterators.empty()) return reduction(name, expr);
  if (name == "size" || name == "ndims") return size_call(expr);
  if (name == "der" || name == "pre" || name == "delay" || name == "sample" || name == "initial" || name == "terminal" ||
      name == "integral") {
    return d_.error(codes::depends_on_variable, expr.span, {syntax::print(expr), "changes with time"});
  }
  if (name == "homotopy" && expr.arguments->positional.empty() && !expr.arguments->named.empty()) {
    for (const ast::NamedArgument& argument : expr.arguments->named) {
      if (argument.name == "actual") return value(*argument.value);
    }
  }
  if (name == "getInstanceName") return string_value(scope_.instance ? instance_name(*scope_.instance) : "");
  auto arguments = positional(expr, 0, 1000);
  if (!arguments) return d_.already_reported();
  if (arguments->size() == 1 && (name == "sum" || name == "product") && (*arguments)[0].kind == ValueKind::record)
    return folded(name, (*arguments)[0], expr.span);
  if (auto out = apply_builtin(name, *arguments, expr.span, d_)) return std::move(*out);
  return d_.error(codes::not_computable, expr.span, {name, "it is not a function of values"});
}

Result<Value> Evaluator::reduction(std::string_view name, const ast::Expr& expr) {
  const ast::Arguments& a = *expr.arguments;
  auto all = comprehension(*a.positional[0], a.iterators);
  if (!all || name == "array") return all;
  if (name != "sum" && name != "product" && name != "min" && name != "max") {
    return d_.error(codes::wrong_arguments, expr.span, {name, "only sum, product, min, max and array take iterators"});
  }
  if (all->kind == ValueKind::record && (name == "sum" || name == "product")) return folded(name, *all, expr.span);
  std::size_t loops = a.iterators.size();
  bool numbers = all->kind == ValueKind::real || all->kind == ValueKind::integer;
  if (all->dimensions.size() == loops || all->size() == 0 || !numbers)
    return *apply_builtin(name, std::span(&*all, 1), expr.span, d_);
  // a sum of arrays: element by element
  std::vector<std::int64_t> outer(all->dimensions.begin(), all->dimensions.begin() + static_cast<std::ptrdiff_t>(loops));
  Value total;
  std::int64_t count = 1;
  for (std::int64_t n : outer) count *= n;
  auto each = static_cast<std::size_t>(all->size() / count);
  total = {.kind = all->kind,
           .dimensions = {all->dimensions.begin() + static_cast<std::ptrdiff_t>(loops), all->dimensions.end()}};
  total.numbers.assign(all->numbers.begin(), all->numbers.begin() + static_cast<std::ptrdiff_t>(each));
  for (std::size_t k = 1; k < static_cast<std::size_t>(count); ++k) {
    for (std::size_t i = 0; i < each; ++i) {
      double x = all->numbers[k * each + i];
      double& t = total.numbers[i];
      t = name == "sum" ? t + x : name == "product" ? t * x : name == "min" ? std::min(t, x) : std::max(t, x);
    }
  }
  return total;
}

Result<Value> Evaluator::size_call(const ast::Expr& expr) {
  const ast::Arguments& a = *expr.arguments;
  bool ndims = expr.reference->parts.back().identifier == "ndims";
  if (a.positional.empty() || a.positional.size() > (ndims ? 1u : 2u)) {
    return d_.error(codes::wrong_arguments, expr.span,
                    {ndims ? "ndims" : "size", "needs an array and, for one of its sizes, the dimension"});
  }
  std::vector<std::int64_t> shape;
  const ast::Expr& array = *a.positional[0];
  // inside a function sizes are those of the arguments
  if (frame && !frame->arguments.empty() && array.kind == ast::ExprKind::name) {
    EvaluationContext here{.iterators = iterators, .indices = indices};
    auto found = Shaper(tree_, scope_, d_, here, frame).shape(array);
    if (!found) return d_.already_reported();
    shape = *found;
  } else if (frame || !iterators.empty() || array.kind != ast::ExprKind::name) {
    auto v = value(array);
    if (!v) return v;
    shape = v->dimensions;
  } else {
    auto found = shape_of(tree_, array, scope_, d_, {.iterators = iterators, .indices = indices});
    if (!found) return d_.already_reported();
    shape = *found;
  }
  bool open = std::any_of(shape.begin(), shape.end(), [](std::int64_t n) { return n < 0; });  // of a function's input
  if (open && !ndims) return d_.error(codes::unknown_size, array.span, {syntax::print(array)});
  if (ndims) return integer_value(static_cast<std::int64_t>(shape.size()));
  if (a.positional.size() == 1) {
    Value out{.kind = ValueKind::integer, .dimensions = {static_cast<std::int64_t>(shape.size())}};
    for (std::int64_t n : shape) out.numbers.push_back(static_cast<double>(n));
    return out;
  }
  auto k = scalar(*a.positional[1], ValueKind::integer, "`size`");
  if (!k) return k;
  if (k->integer() < 1 || static_cast<std::size_t>(k->integer()) > shape.size()) {
    return d_.error(
        codes::index_out_of_range, a.positional[1]->span,
        {std::to_string(k->integer()), std::to_string(shape.size()), "the dimensions of " + syntax::print(array)});
  }
  return integer_value(shape[static_cast<std::size_t>(k->integer() - 1)]);
}

Result<Value> Evaluator::type_call(Type type, const ast::Expr& expr) {
  if (type == Type::string) return string_call(expr);
  auto arguments = positional(expr, 1, 1);
  if (!arguments) return d_.already_reported();
  const Value& a = arguments->front();
  if (type == Type::integer) {
    if (a.kind == ValueKind::string || a.kind == ValueKind::record)
      return d_.error(codes::type_mismatch, expr.span, {"`Integer`", type_name(a)});
    Value out = a;
    out.kind = ValueKind::integer;
    out.definition = nullptr;
    for (double& x : out.numbers) x = std::floor(x);
    return out;
  }
  if (type == Type::real && (a.kind == ValueKind::integer || a.kind == ValueKind::real)) return as_real(a);
  return d_.error(codes::type_mismatch, expr.span, {"`" + std::string(name_of(type)) + "`", type_name(a)});
}

Result<Value> Evaluator::enumeration_call(const Definition& enumeration, const ast::Expr& expr) {
  auto arguments = positional(expr, 1, 1);
  if (!arguments) return d_.already_reported();
  const Value& a = arguments->front();
  auto count = static_cast<std::int64_t>(enumeration.ast->literals.size());
  if (a.kind != ValueKind::integer || !a.scalar())
    return d_.error(codes::type_mismatch, expr.span, {"`" + full_name(enumeration) + "`", type_name(a)});
  if (a.integer() < 1 || a.integer() > count) {
    return d_.error(codes::index_out_of_range, expr.span,
                    {std::to_string(a.integer()), std::to_string(count), full_name(enumeration)});
  }
  return enumeration_value(enumeration, a.integer());
}

Result<std::vector<Evaluator::Given>> Evaluator::arguments_of(const Instance& function, const ast::Arguments* arguments,
                                                              Span span, const Value* closure) {
  std::vector<Given> out;
  if (!arguments) return out;
  bool record = function.class_kind == ast::ClassKind::record;
  std::vector<const Instance*> inputs = record ? function.children : inputs_of(function);
  std::erase_if(inputs, [&](const Instance* input) {
    const Value* value = closure ? closure->field(input->name) : nullptr;
    if (value) out.push_back({input, *value, span});
    return value != nullptr;
  });
  std::string text = full_name(*function.definition);
  if (arguments->positional.size() > inputs.size()) {
    return d_.error(codes::wrong_arguments, span,
                    {text, "takes " + std::to_string(inputs.size()) + " arguments, not " +
                               std::to_string(arguments->positional.size())});
  }
  auto add = [&](const Instance& input, const ast::Expr& expr) {
    auto v = is_functional_input(input) ? function_value(expr) : value(expr);
    if (v) out.push_back({&input, std::move(*v), expr.span});
    return bool(v);
  };
  auto given = [&](const Instance* input) {
    return std::any_of(out.begin(), out.end(), [&](const Given& g) { return g.input == input; });
  };
  for (std::size_t i = 0; i < arguments->positional.size(); ++i) {
    if (!add(*inputs[i], *arguments->positional[i])) return d_.already_reported();
  }
  for (const ast::NamedArgument& argument : arguments->named) {
    const Instance* input = nullptr;
    std::vector<std::string> candidates;
    for (const Instance* candidate : inputs) {
      candidates.emplace_back(candidate->name);
      if (candidate->name == argument.name) input = candidate;
    }
    if (!input) {
      return d_.error(codes::wrong_arguments, argument.name_span,
                      {text, "has no input `" + std::string(argument.name) + "`"}, did_you_mean(argument.name, candidates));
    }
    if (given(input))
      return d_.error(codes::wrong_arguments, argument.name_span,
                      {text, "`" + std::string(argument.name) + "` is given twice"});
    if (!add(*input, *argument.value)) return d_.already_reported();
  }
  for (const Instance* input : inputs) {
    if (given(input) || input->binding || (record && input->type == Type::none)) continue;
    return d_.error(codes::wrong_arguments, span, {text, "its input `" + std::string(input->name) + "` is not given"},
                    {{input->span, "declared here"}});
  }
  return out;
}

Result<Done> Evaluator::pass_arguments(Frame& callee, const std::vector<Given>& arguments) {
  for (const Given& g : arguments) {
    if (g.value.kind == ValueKind::function) {
      callee.locals[g.input] = g.value;
      continue;
    }
    auto fits = fitted(g.value, *g.input, g.span);
    if (!fits) return d_.already_reported();
    callee.locals[g.input] = std::move(*fits);
  }
  return Done{};
}

const Value* Evaluator::functional(const Resolved& resolved) const {
  if (frame == nullptr || resolved.kind != ResolvedKind::component || resolved.path.size() != 1) return nullptr;
  auto local = frame->locals.find(resolved.path[0].instance);
  bool found = local != frame->locals.end() && local->second.kind == ValueKind::function;
  return found ? &local->second : nullptr;
}

Result<Value> Evaluator::function_value(const ast::Expr& expr) {
  bool is_name = expr.kind == ast::ExprKind::name || expr.kind == ast::ExprKind::partial_function;
  if (!is_name) return d_.error(codes::type_mismatch, expr.span, {"a function", "something else"});
  auto resolved = lookup(tree_, scope_, *expr.reference, d_);
  if (!resolved) return d_.already_reported();
  Value out{.kind = ValueKind::function};
  if (const Value* known = functional(*resolved)) {
    out = *known;
  } else {
    bool is_function = resolved->kind == ResolvedKind::class_ && resolved->definition->ast->kind == ast::ClassKind::function;
    if (!is_function) return d_.error(codes::type_mismatch, expr.span, {"a function", "something else"});
    auto function = instance_of(tree_, *resolved->definition, resolved->enclosing, expr.span, d_);
    if (!function) return d_.already_reported();
    out.function = *function;
  }
  if (expr.kind == ast::ExprKind::name) return out;
  for (const ast::NamedArgument& given : expr.arguments->named) {
    const Instance* input = out.function->child(given.name);
    if (!input || input->causality != ast::Causality::input || out.field(given.name))
      return d_.error(codes::wrong_arguments, given.name_span,
                      {full_name(*out.function->definition), "has no input `" + std::string(given.name) + "` to be given"});
    auto v = is_functional_input(*input) ? function_value(*given.value) : value(*given.value);
    if (!v) return v;
    out.fields.push_back({std::string(given.name), std::move(*v)});
  }
  return out;
}

/// A function of scalars called with arrays is called for each element.
Result<std::vector<Value>> Evaluator::call_function(const Instance& function, const ast::Arguments* arguments, Span span,
                                                    const Value* closure) {
  auto given = arguments_of(function, arguments, span, closure);
  if (!given) return d_.already_reported();
  std::vector<std::int64_t> over;
  for (const Given& g : *given) {
    if (g.value.dimensions.size() <= g.input->rank()) continue;
    auto extra = static_cast<std::ptrdiff_t>(g.value.dimensions.size() - g.input->rank());
    std::vector<std::int64_t> own(g.value.dimensions.begin(), g.value.dimensions.begin() + extra);
    if (!over.empty() && over != own) {
      return d_.error(codes::size_mismatch, g.span,
                      {"this argument", dimensions_text(g.value.dimensions), dimensions_text(over) + " in front"});
    }
    over = std::move(own);
  }
  if (over.empty()) return run_once(function, *given, span);
  std::int64_t count = 1;
  for (std::int64_t n : over) count *= n;
  std::vector<std::vector<Value>> columns(outputs_of(function).size());
  std::vector<std::int64_t> at(over.size(), 1);
  for (std::int64_t k = 0; k < count; ++k) {
    std::vector<Given> one = *given;
    for (Given& g : one) {
      if (g.value.dimensions.size() > g.input->rank()) g.value = element(g.value, at);
    }
    auto results = run_once(function, one, span);
    if (!results) return results;
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i].push_back(std::move((*results)[i]));
    for (std::size_t i = at.size(); i-- > 0;) {
      if (++at[i] <= over[i]) break;
      at[i] = 1;
    }
  }
  std::vector<Value> out;
  for (std::vector<Value>& column : columns) out.push_back(stack(std::move(column), over));
  return out;
}

Result<Value> Evaluator::record_call(const Instance& record, const ast::Expr& expr) {
  Frame fields{.function = &record};
  auto given = arguments_of(record, expr.arguments, expr.span);
  if (!given || !pass_arguments(fields, *given)) return d_.already_reported();
  Evaluator inside(tree_, scope_of(record), d_, budget_);
  inside.frame = &fields;
  Value out{.kind = ValueKind::record, .definition = record.definition};
  for (const Instance* field : record.children) {
    auto v = inside.local(*field, expr.span);
    auto sizes = v ? inside.declared_sizes(*field) : Result<std::vector<std::int64_t>>(d_.already_reported());
    if (!sizes) return d_.already_reported();
    for (std::size_t k = 0; k < sizes->size(); ++k)
      if ((*sizes)[k] >= 0 && (*sizes)[k] != (*v)->dimensions[k])
        return d_.error(
            codes::size_mismatch, expr.span,
            {"the value of `" + std::string(field->name) + "`", dimensions_text((*v)->dimensions), dimensions_text(*sizes)});
    out.fields.emplace_back(std::string(field->name), **v);
  }
  return out;
}

}  // namespace bolza::instance
