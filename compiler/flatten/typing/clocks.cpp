// SPDX-License-Identifier: Apache-2.0
// Clock constructors and the operators between clocked and continuous values [MLS, 16.3 to 16.5, 16.10].
#include <algorithm>
#include <array>

#include "compiler/flatten/nodes/clock_codes.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/typing/typer_internal.h"

namespace bolza::flatten {

namespace {

bool is_clock_sample(const std::vector<const Node*>& x) {
  return x.size() == 1 || x[1] == nullptr || x[1]->basic == Basic::clock;
}

/// A name of a value, perhaps with subscripts: what has a start value.
bool is_component(const Node& node) {
  const Node* place = node.kind == NodeKind::index ? node.children[0] : &node;
  if (place->basic == Basic::record && place->kind == NodeKind::record) return true;
  return place->kind == NodeKind::variable && place->instance != nullptr;
}

std::optional<ClockOperator> conversion(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, ClockOperator>, 5> known{{{"subSample", ClockOperator::sub_sample},
                                                                             {"superSample", ClockOperator::super_sample},
                                                                             {"shiftSample", ClockOperator::shift_sample},
                                                                             {"backSample", ClockOperator::back_sample},
                                                                             {"noClock", ClockOperator::no_clock}}};
  for (const auto& [own, op] : known)
    if (own == name) return op;
  return {};
}

}  // namespace

Outcome<std::vector<const Node*>> Typer::named_arguments(const ast::Expr& expr, std::span<const std::string_view> names) {
  const ast::Arguments& given = *expr.arguments;
  std::string_view called = expr.reference->parts.back().identifier;
  if (frame != nullptr) return wrong(not_in_function, expr.span);
  if (given.positional.size() > names.size())
    return wrong(argument_count, expr.span,
                 {called, "at most " + std::to_string(names.size()), std::to_string(given.positional.size())});
  std::vector<const Node*> out(names.size(), nullptr);
  auto take = [&](std::size_t k, const ast::Expr& value) -> Outcome<Done> {
    auto node = expression(value);
    if (!node) return node.failure();
    out[k] = node;
    return Done{};
  };
  for (std::size_t k = 0; k < given.positional.size(); ++k)
    if (auto done = take(k, *given.positional[k]); !done) return done.failure();
  for (const ast::NamedArgument& argument : given.named) {
    auto at = std::find(names.begin(), names.end(), argument.name);
    if (at == names.end() || argument.value == nullptr)
      return wrong(no_such_argument, argument.name_span, {argument.name, called});
    if (auto done = take(static_cast<std::size_t>(at - names.begin()), *argument.value); !done) return done.failure();
  }
  return out;
}

Outcome<std::int64_t> Typer::clock_factor(const Node* factor, std::int64_t absent, std::int64_t least) {
  if (factor == nullptr) return absent;
  if (factor->basic != Basic::integer || !factor->dims.empty())
    return wrong(expected_type, factor->span, {"a scalar Integer", type_text(*factor)});
  if (factor->level > Level::parameter) return wrong(clock_factor_varies, factor->span);
  auto value = known_integer(factor);
  if (value && *value < least)
    return wrong(clock_factor_small, factor->span, {std::to_string(least), std::to_string(*value)});
  return value;
}

const Node* Typer::clocked(ClockOperator op, const Node* operand, Basic basic, Span span) {
  Node node;
  node.kind = NodeKind::clocked;
  node.basic = basic;
  node.value = static_cast<double>(op);
  node.children = {operand, nullptr};
  node.counts = {0, 1};
  node.span = span;
  return nodes().add(std::move(node));
}

Typed Typer::clocked_operand(Node made, const Node* operand) {
  if (operand->basic != Basic::record) {
    made.basic = operand->basic;
    made.dims = operand->dims;
    made.definition = operand->definition;
    made.children[0] = operand;
    return nodes().add(std::move(made));
  }
  Node record;
  record.kind = NodeKind::record;
  record.basic = Basic::record;
  record.instance = operand->instance;
  record.dims = operand->dims;
  record.span = made.span;
  for (const Instance* field : operand->instance->children) {
    auto part = member(operand, field->name, made.span);
    auto own = part ? clocked_operand(made, part) : part;
    if (!own) return own;
    record.children.push_back(own);
  }
  return nodes().add(std::move(record));
}

// ---------------------------------------------------------------- constructors

Typed Typer::solver_clock(const Node* clock, const Node* method, Span span) {
  if (method == nullptr) return clock;
  if (method->basic != Basic::string) return wrong(expected_type, method->span, {"a String", type_text(*method)});
  auto texts = texts_of(*method);
  if (!texts) return texts.failure();
  if (!*texts || (*texts)->size() != 1) return wrong(not_known_at_compile_time, method->span, {"the solver method"});
  constexpr std::array<std::string_view, 7> methods{
      "", "External", "ExplicitEuler", "ExplicitMidPoint2", "ExplicitRungeKutta4", "ImplicitEuler", "ImplicitTrapezoid"};
  const std::string& name = (**texts)[0];
  if (std::find(methods.begin(), methods.end(), name) == methods.end()) return wrong(no_solver_method, method->span, {name});
  Node node = *clocked(ClockOperator::solver, clock, Basic::clock, span);
  node.text = name;
  node.dims = clock->dims;
  return nodes().add(std::move(node));
}

Typed Typer::event_clock(const Node* condition, const Node* start, Span span) {
  if (!condition->dims.empty()) return wrong(expected_type, condition->span, {"a scalar Boolean", type_text(*condition)});
  if (start && (!is_numeric(start->basic) || !start->dims.empty()))
    return wrong(expected_type, start->span, {"a scalar number", type_text(*start)});
  if (start && start->level > Level::parameter) return wrong(value_varies, start->span, {"startInterval"});
  Node node = *clocked(ClockOperator::event, condition, Basic::clock, span);
  node.children[1] = start;
  return nodes().add(std::move(node));
}

Typed Typer::interval_clock(const Node* interval, const Node* resolution, Span span) {
  if (!is_numeric(interval->basic) || !interval->dims.empty())
    return wrong(expected_type, interval->span, {"a number, a Boolean condition or a clock", type_text(*interval)});
  bool rational = interval->basic == Basic::integer, known = interval->level <= Level::parameter;
  if (!rational && resolution) return wrong(clock_resolution, resolution->span);
  auto parts = clock_factor(resolution, 1, 1);
  if (!parts) return parts.failure();
  ClockOperator op = rational ? (known ? ClockOperator::rational : ClockOperator::counted)
                              : (known ? ClockOperator::real : ClockOperator::paced);
  if (!known && !is_component(*interval)) return wrong(clock_interval_component, interval->span);
  std::int64_t counter = 0;
  if (rational && known) {
    auto value = clock_factor(interval, 0, 0);
    if (!value) return value.failure();
    counter = *value;
  }
  if (!rational && known) {
    auto now = this->known(*interval);
    if (!now) return now.failure();
    if (*now && !(**now).is_uniform()) return work.split_by(**now);
    if (*now && !((**now).uniform() > 0)) return wrong(clock_interval_positive, interval->span);
  }
  if (op == ClockOperator::rational && counter == 0) op = ClockOperator::inferred;
  Node node = *clocked(op, op == ClockOperator::inferred ? nullptr : interval, Basic::clock, span);
  node.counts = {counter, *parts};
  return nodes().add(std::move(node));
}

Typed Typer::clock_constructor(const ast::Expr& expr) {
  constexpr std::array<std::string_view, 8> all{"intervalCounter", "resolution",    "interval", "",
                                                "condition",       "startInterval", "c",        "solverMethod"};
  std::size_t pair = 0;  // the constructor that a name belongs to
  for (const ast::NamedArgument& argument : expr.arguments->named)
    if (auto at = std::find(all.begin(), all.end(), argument.name); at != all.end())
      pair = static_cast<std::size_t>(at - all.begin()) / 2;
  auto given = named_arguments(expr, std::span(all).subspan(2 * pair, 2));
  if (!given) return given.failure();
  const Node *first = (*given)[0], *second = (*given)[1];
  if (first == nullptr && second) return wrong(argument_count, expr.span, {"Clock", "1", "0"});
  if (first == nullptr) return clocked(ClockOperator::inferred, nullptr, Basic::clock, expr.span);
  if (first->basic == Basic::clock) return solver_clock(first, second, expr.span);
  if (first->basic == Basic::boolean) return event_clock(first, second, expr.span);
  return interval_clock(first, second, expr.span);
}

// ---------------------------------------------------------------- conversions

Typed Typer::converted_clock(std::string_view name, const ast::Expr& expr) {
  constexpr std::array<std::string_view, 1> alone{"u"};
  constexpr std::array<std::string_view, 2> by_factor{"u", "factor"};
  constexpr std::array<std::string_view, 3> by_shift{"u", "shiftCounter", "resolution"},
      back{"u", "backCounter", "resolution"};
  ClockOperator op = *conversion(name);
  bool shifts = op == ClockOperator::shift_sample || op == ClockOperator::back_sample;
  std::span<const std::string_view> names = by_factor;
  if (op == ClockOperator::no_clock) names = alone;
  if (shifts) names = op == ClockOperator::shift_sample ? by_shift : back;
  auto x = named_arguments(expr, names);
  if (!x) return x.failure();
  const Node* u = (*x)[0];
  if (u == nullptr || (shifts && (*x)[1] == nullptr))
    return wrong(argument_count, expr.span, {name, shifts ? "2" : "1", u ? "1" : "0"});
  if (op == ClockOperator::no_clock && u->basic == Basic::clock)
    return wrong(expected_type, u->span, {"a clocked value", type_text(*u)});
  auto factor = clock_factor(names.size() > 1 ? (*x)[1] : nullptr, 0, 0);
  auto resolution = factor ? clock_factor(names.size() > 2 ? (*x)[2] : nullptr, 1, 1) : factor;
  if (!resolution) return resolution.failure();
  if (u->basic != Basic::clock && u->level <= Level::parameter) return u;
  if (op == ClockOperator::back_sample && u->basic != Basic::clock && !is_component(*u))
    return wrong(clocked_component, u->span, {name});
  Node node = *clocked(op, u, u->basic, expr.span);
  node.counts = {*factor, *resolution};
  return clocked_operand(std::move(node), u);
}

std::optional<Typed> Typer::clock_operator(std::string_view name, const ast::Expr& expr) {
  constexpr std::array<std::string_view, 1> alone{"u"};
  constexpr std::array<std::string_view, 2> with_clock{"u", "clock"};
  if (conversion(name)) return converted_clock(name, expr);
  bool sampled = name == "sample", one = name == "hold" || name == "previous",
       told = name == "interval" || name == "firstTick";
  if (!sampled && !one && !told) return {};
  if (sampled && expr.arguments->named.empty() && expr.arguments->positional.size() == 2) {
    auto second = expression(*expr.arguments->positional[1]);
    if (!second) return second;
    if (second->basic != Basic::clock) return {};
  } else if (sampled && expr.arguments->named.empty() && expr.arguments->positional.size() != 1) {
    return {};
  }
  auto x = named_arguments(expr, sampled ? std::span<const std::string_view>(with_clock) : alone);
  if (!x) return x.failure();
  const Node* u = (*x)[0];
  if (told)
    return clocked(name == "interval" ? ClockOperator::interval : ClockOperator::first_tick, u,
                   name == "interval" ? Basic::real : Basic::boolean, expr.span);
  if (u == nullptr) return wrong(argument_count, expr.span, {name, "1", "0"});
  if (one && u->level <= Level::parameter) return u;
  if (one && !is_component(*u)) return wrong(clocked_component, u->span, {name});
  if (sampled && !is_clock_sample(*x)) return wrong(expected_type, (*x)[1]->span, {"a clock", type_text(*(*x)[1])});
  Node node = *clocked(sampled          ? ClockOperator::sample
                       : name == "hold" ? ClockOperator::hold
                                        : ClockOperator::previous,
                       u, u->basic, expr.span);
  if (sampled) node.children[1] = (*x)[1];
  return clocked_operand(std::move(node), u);
}

}  // namespace bolza::flatten
