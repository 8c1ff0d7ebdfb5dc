// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/switching_internal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/numbers.h"
#include "compiler/flatten/groups/emit_internal.h"
#include "compiler/flatten/model/auxiliaries_internal.h"
#include "compiler/flatten/nodes/codes.h"

namespace bolza::flatten {

using ast::SwitchingCall;
using ir::Op;

Reported SwitchingRules::wrong(const ast::Expr& call, const char* what) {
  return model_.diagnostics.error(switching_arguments, call.span, {call.reference->parts[0].identifier, what});
}

Outcome<Done> SwitchingRules::state(const ast::Expr& call, Typer& typer, bool in_a_part) {
  if (in_a_part) return wrong(call, "to stand outside an `if` whose condition varies with time");
  const ast::Arguments& given = *call.arguments;
  if (given.positional.size() != 2 || !given.named.empty() || !given.iterators.empty())
    return wrong(call, "a control and a value");
  auto place = typer.expression(*given.positional[0]);
  auto value = place ? typer.expression(*given.positional[1]) : place;
  if (!value) return value.failure();
  auto numbers = numbers_of(call, typer, *value);  // before anything is kept: these may ask for a split
  if (!numbers) return numbers.failure();
  auto ids = ids_of_controls(call, typer, *place);
  if (!ids) return ids.failure();
  const Space& space = typer.work.space;
  const Node& controls = *place;
  std::size_t size = ids->size() / space.n;
  for (std::uint32_t k = 0; k < ids->size(); ++k) {
    std::uint32_t instance = k / static_cast<std::uint32_t>(size);
    Control& control = controls_[(*ids)[k]];
    control.name = ir::name_of(model_.flat, ir::VariableId(std::size_t{(*ids)[k]}));
    control.space = pick(space, std::span(&instance, 1));
    control.span = call.span;
    control.place = controls.dims.empty() ? &controls : model_.nodes.element(&controls, indices_at(controls.dims, k % size));
    auto [said, is_new] = control.said.emplace(call.reference->parts[0].identifier, call.span);
    if (!is_new && std::exchange(control.is_wrong, true)) return model_.diagnostics.already_reported();
    if (!is_new)
      return model_.diagnostics.error(switching_twice, call.span, {said->first, control.name},
                                      {{said->second, "the other one is here"}});
    set(control, ast::switching_call(call), *numbers);
  }
  return Done{};
}

/// The controls of an argument for every instance.
Outcome<std::vector<std::uint32_t>> SwitchingRules::ids_of_controls(const ast::Expr& call, Typer& typer, const Node& place) {
  const Node& base = place.kind == NodeKind::index ? *place.children[0] : place;
  constexpr const char* needed = "a control, an input of the problem, as its first argument";
  if (base.kind != NodeKind::variable) return wrong(call, needed);
  auto ids = ids_in(model_, typer.work.space, place);
  if (!ids) return ids;
  bool is_set = ast::switching_call(call) == SwitchingCall::allowed_values;
  for (std::uint32_t id : *ids) {
    const ir::Variable& variable = ir::variable_of(model_.flat, ir::VariableId(std::size_t{id}));
    if (variable.kind != ir::VariableKind::input) return wrong(call, needed);
    if (is_set && variable.type == ir::ValueType::boolean)
      return wrong(call, "a control that is a number: a Boolean has its two values");
  }
  return ids;
}

/// The second argument, which has to be known now: one number, or those of a set.
Outcome<std::vector<double>> SwitchingRules::numbers_of(const ast::Expr& call, Typer& typer, const Node& value) {
  SwitchingCall which = ast::switching_call(call);
  bool is_set = which == SwitchingCall::allowed_values;
  if (!is_numeric(value.basic) || value.dims.size() != (is_set ? 1 : 0))
    return wrong(call,
                 is_set ? "a vector of the values that are allowed, `{0, 0.5, 1}`" : "a number as its second argument");
  std::vector<double> numbers;
  for (std::int64_t k = 1; k <= (is_set ? value.dims[0] : 1); ++k) {
    auto number = typer.number_now(is_set ? *model_.nodes.element(&value, {k}) : value);
    if (!number) return number.failure();
    if (!std::isfinite(*number)) return wrong(call, "numbers that are finite");
    numbers.push_back(*number);
  }
  if (numbers.empty()) return wrong(call, "at least one value: the set is empty");
  if (which == SwitchingCall::min_dwell_time && numbers[0] < 0) return wrong(call, "a time that is not negative");
  bool whole = numbers[0] >= 0 && numbers[0] == std::floor(numbers[0]) && numbers[0] < 1e9;
  if (which == SwitchingCall::max_switches && !whole) return wrong(call, "a whole number of switches, 0 or more");
  return numbers;
}

/// "-1 to 1": the bounds of a control, where they are numbers and none of the values is between them; else empty.
std::string SwitchingRules::bounds_missed(std::uint32_t id, const Control& control) const {
  const ir::Variable& variable = ir::variable_of(model_.flat, ir::VariableId(std::size_t{id}));
  auto bound = [&](ir::Attribute which, double none) {
    const ir::ElementValues& given = variable.attributes[static_cast<std::size_t>(which)];
    if (!given.present()) return none;
    const ir::Term& term = given.terms[given.terms.size() == 1 ? 0 : id - variable.first.index()];
    const ir::Dag& dag = model_.dag();
    if (dag.op(term.root) == Op::datum) return term.data[dag.index(term.root)];
    return dag.op(term.root) == Op::number ? dag.value(term.root) : none;
  };
  constexpr double infinite = std::numeric_limits<double>::infinity();
  double least = bound(ir::Attribute::min, -infinite), most = bound(ir::Attribute::max, infinite);
  bool missed = !control.values.empty() && std::none_of(control.values.begin(), control.values.end(),
                                                        [&](double value) { return least <= value && value <= most; });
  return missed ? shown(least) + " to " + shown(most) : "";
}

void SwitchingRules::set(Control& control, SwitchingCall which, const std::vector<double>& numbers) {
  if (which == SwitchingCall::min_dwell_time) control.dwell = numbers[0];
  if (which == SwitchingCall::max_switches) control.switches = static_cast<std::uint32_t>(numbers[0]);
  if (which != SwitchingCall::allowed_values) return;
  control.values = numbers;
  std::sort(control.values.begin(), control.values.end());
  control.values.erase(std::unique(control.values.begin(), control.values.end()), control.values.end());
}

/// A new Boolean control, true where the control has this value.
const Node* SwitchingRules::indicator(const Control& control, double value, ir::SwitchingRule& rule) {
  AuxiliaryRun run{
      0, 1, control.span, "'" + control.name + " = " + shown(value) + "'", ir::VariableKind::input, ir::ValueType::boolean};
  std::uint32_t id = add_auxiliaries(model_, run);
  rule.controls.emplace_back(std::size_t{id});
  Node node;
  node.kind = NodeKind::auxiliary;
  node.basic = Basic::real;
  node.value = static_cast<double>(id & ~provisional::kind);
  node.span = control.span;
  return model_.nodes.add(std::move(node));
}

void SwitchingRules::equate(const Control& control, const Node& left, const Node& right, Span span) {
  NamedAxes no_names;
  std::uint32_t rows =
      emit_pairs(model_, control.space, left, right, {&problem_.path.section, ExpressionPlace::path, span, &no_names});
  problem_.path.relations.insert(problem_.path.relations.end(), rows, ir::Relation::equal);
}

void SwitchingRules::emit_values(const Control& control, ir::SwitchingRule& rule) {
  Nodes& nodes = model_.nodes;
  const std::vector<double>& values = control.values;
  Span span = control.said.at("allowedValues");
  auto number = [&](double value) { return nodes.number(value, Basic::real, span); };
  auto apply = [&](Op op, const Node* a, const Node* b) { return nodes.apply(op, {a, b}, Basic::real, span); };
  if (values.size() == 1) return equate(control, *control.place, *number(values[0]), span);
  if (values.size() == 2) {
    const Node* share = apply(Op::mul, number(values[1] - values[0]), indicator(control, values[1], rule));
    return equate(control, *control.place, *apply(Op::add, number(values[0]), share), span);
  }
  const Node *sum = nullptr, *one = nullptr;
  for (double value : values) {
    const Node* here = indicator(control, value, rule);
    const Node* part = apply(Op::mul, number(value), here);
    sum = sum ? apply(Op::add, sum, part) : part;
    one = one ? apply(Op::add, one, here) : here;
  }
  equate(control, *control.place, *sum, span);
  equate(control, *one, *number(1), span);
}

void SwitchingRules::emit() {
  for (const auto& [id, control] : controls_) {
    ir::SwitchingRule rule{{}, control.dwell.value_or(0), control.switches, control.span};
    bool limited = control.dwell || control.switches;
    bool boolean = ir::variable_of(model_.flat, ir::VariableId(std::size_t{id})).type == ir::ValueType::boolean;
    if (control.is_wrong) continue;
    if (limited && !boolean && control.values.empty()) {
      model_.diagnostics.error(switching_without_values, control.span, {control.said.begin()->first, control.name});
      continue;
    }
    if (std::string bounds = bounds_missed(id, control); !bounds.empty()) {
      std::string needed = "a value between the bounds of `" + control.name + "`, " + bounds;
      model_.diagnostics.error(switching_arguments, control.said.at("allowedValues"), {"allowedValues", needed});
      continue;
    }
    if (boolean) rule.controls.emplace_back(std::size_t{id});
    else emit_values(control, rule);
    if (limited && !rule.controls.empty()) problem_.switching.push_back(std::move(rule));
  }
}

}  // namespace bolza::flatten
