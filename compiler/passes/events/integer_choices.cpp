// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/events/integer_choices.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "compiler/derive/guard.h"
#include "compiler/ir/substitute.h"
#include "compiler/passes/events/truth_values.h"
#include "compiler/passes/system/add_rows.h"

namespace bolza::passes {

using ir::Op;

namespace {

/// The integers between the bounds of a variable: first, first + 1, …
struct Choice {
  double first = 0;
  int n = 0;
};

/// More are a number rather than a choice, and cost a control each.
constexpr int most_values = 16;

/// Absent for what is no decision between a few integers.
std::optional<Choice> choice_of(const System& system, VariableId v) {
  if (v.index() >= system.n()) return std::nullopt;
  const ir::Variable& variable = ir::variable_of(system.flat, v);
  bool is_whole = variable.type == ir::ValueType::integer || variable.type == ir::ValueType::enumeration;
  if (!is_whole || (variable.kind != ir::VariableKind::input && !system.is_free(v))) return std::nullopt;
  const ir::Numbers& numbers = system.numbers[v.index()];
  if (!(numbers.max - numbers.min < most_values)) return std::nullopt;
  double first = std::ceil(numbers.min);
  int n = static_cast<int>(std::floor(numbers.max) - first) + 1;
  return n > 1 ? std::optional(Choice{first, n}) : std::nullopt;
}

/// The Boolean controls that say which value an integer control has.
class ValueControls {
 public:
  explicit ValueControls(System& system) : system_(system), dag_(system.dag()), composer_(system.dag()) {}

  /// In the order of the values.
  const std::vector<VariableId>& of(VariableId u) {
    std::vector<VariableId>& controls = controls_[u];
    Choice choice = *choice_of(system_, u);
    for (int k = static_cast<int>(controls.size()); k < choice.n; ++k) controls.push_back(control(u, choice.first + k));
    return controls;
  }

  /// What binds them to the controls whose values they are; once all are known.
  void state_constraints() {
    for (const auto& [u, controls] : controls_) bind(u, controls);
  }

 private:
  void bind(VariableId u, const std::vector<VariableId>& controls) {
    Choice choice = *choice_of(system_, u);
    std::vector<VariableId> slots = controls;
    slots.push_back(u);
    ExprId one = dag_.zero(), sum = dag_.neg(dag_.slot(static_cast<std::uint32_t>(choice.n)));
    for (int k = 0; k < choice.n; ++k) {
      ExprId is = dag_.slot(static_cast<std::uint32_t>(k));
      one = dag_.add(one, is);
      sum = dag_.add(sum, dag_.mul(dag_.number(choice.first + k), is));
    }
    std::uint32_t origin = add_origin(system_, ir::variable_of(system_.flat, u).span);
    for (auto [e, value] : {std::pair{one, 1.0}, std::pair{sum, 0.0}})
      add_constraint(system_, system_.flat.optimization->path, composer_.canonical({{e}, slots, {}}), constant(dag_, value),
                     ir::Relation::equal, origin);
  }

  VariableId control(VariableId u, double value) {
    const ir::Variable& chosen = ir::variable_of(system_.flat, u);
    ir::Variable variable;
    variable.name = {{"'" + system_.name(u) + " = " + number_text(value) + "'", 0}};
    variable.kind = ir::VariableKind::input;
    variable.type = ir::ValueType::boolean;
    variable.span = chosen.span;
    VariableId v = add_variable(system_, std::move(variable));
    system_.phase[v.index()] = system_.phase[u.index()];
    bool is_guess = system_.numbers[u.index()].guess == value;
    system_.numbers[v.index()].start = system_.numbers[v.index()].guess = is_guess ? 1 : 0;
    return v;
  }

  System& system_;
  ir::Dag& dag_;
  Composer composer_;
  std::map<VariableId, std::vector<VariableId>> controls_;
};

class IntegerChoices {
 public:
  explicit IntegerChoices(System& system)
      : system_(system),
        dag_(system.dag()),
        composer_(system.dag()),
        controls_(system) {}

  void in(ir::Section& section) {
    SectionBuilder builder(system_.options.enabled("group"));
    for (GroupInstance& i : instances_of(section)) {
      if (has_choice(i.applied)) rewrite(i.applied);
      builder.add(i);
    }
    section = builder.finish(section.n_rows);
  }

  void finish() { controls_.state_constraints(); }

 private:
  struct Made {
    ExprId e;
    bool is_truth = false;
  };

  bool has_choice(const Applied& what) {
    for (ExprId e : ir::reachable(dag_, what.roots))
      if (chosen_in(e, what)) return true;
    return false;
  }

  void rewrite(Applied& what) {
    what.roots = derive::guard(dag_, what.roots);
    slots_ = what.slots;
    made_.clear();
    for (ExprId e : ir::reachable(dag_, what.roots)) made_[e] = value(e, what);
    for (ExprId& root : what.roots) root = made_.at(root).e;
    what.slots = slots_;
    what = composer_.canonical(what);
  }

  Made value(ExprId e, const Applied& what) {
    if (std::optional<std::uint32_t> slot = chosen_in(e, what)) return sum_over_values(e, *slot, what);
    std::vector<ExprId> x;
    bool blends = false;
    std::span<const ExprId> operands = dag_.operands(e);
    for (ExprId operand : std::vector<ExprId>(operands.begin(), operands.end())) {
      x.push_back(made_.at(operand).e);
      blends = blends || made_.at(operand).is_truth;
    }
    if (x.empty()) return {e};
    if (!blends) return {ir::with_operands(dag_, e, x)};
    Blended own = blended_operator(dag_, e, x);
    return {own.e, own.is_truth};
  }

  /// The slot of the integer that alone decides where this node jumps: its value, or which operand of `select` is meant.
  std::optional<std::uint32_t> chosen_in(ExprId e, const Applied& what) const {
    if (dag_.op(e) == Op::select) return chosen_in(condition_of(e), what);
    if (ir::row_of(dag_.op(e)).smoothness != ir::Smoothness::discontinuous) return std::nullopt;
    std::vector<ExprId> roots{e};
    std::vector<std::uint32_t> slots = ir::leaves_of(dag_, roots, Op::slot);
    if (slots.size() != 1 || !choice_of(system_, what.slots[slots[0]])) return std::nullopt;
    return slots[0];
  }

  ExprId condition_of(ExprId select) const {
    ExprId condition = dag_.operands(select)[0];
    return dag_.op(condition) == Op::no_event ? dag_.operands(condition)[0] : condition;
  }

  Made sum_over_values(ExprId e, std::uint32_t slot, const Applied& what) {
    VariableId u = what.slots[slot];
    Choice choice = *choice_of(system_, u);
    std::vector<std::pair<ExprId, ExprId>> parts;  // value, sum of its weights
    for (int k = 0; k < choice.n; ++k) {
      ExprId own = at_value(e, choice.first + k, slot, what), weight = weight_of(u, slot, k);
      auto same = std::find_if(parts.begin(), parts.end(), [&](const auto& part) { return part.first == own; });
      if (same == parts.end()) parts.emplace_back(own, weight);
      else same->second = dag_.add(same->second, weight);
    }
    if (parts.size() == 1) return {parts[0].first, is_relation(dag_.op(e))};
    ExprId sum = dag_.zero();
    for (auto& [own, weight] : parts) sum = dag_.add(sum, dag_.mul(weight, own));
    return {sum, is_relation(dag_.op(e))};
  }

  /// What a node is where u has a value; a truth is 0 or 1.
  ExprId at_value(ExprId e, double u, std::uint32_t slot, const Applied& what) {
    while (dag_.op(e) == Op::select && chosen_in(e, what) == slot) {
      bool holds = dag_.is_number(number_at(condition_of(e), u, slot, what), 1);
      e = dag_.operands(e)[holds ? 1 : 2];
    }
    if (chosen_in(e, what) == slot) return number_at(e, u, slot, what);
    return made_.at(e).e;
  }

  ExprId number_at(ExprId e, double u, std::uint32_t slot, const Applied& what) {
    std::vector<ExprId> slots(what.slots.size()), data;
    slots[slot] = dag_.number(u);
    for (double datum : what.data) data.push_back(dag_.number(datum));
    ExprId own = ir::substitute(dag_, e, {.slots = slots, .data = data});
    return is_relation(dag_.op(e)) ? dag_.select(own, dag_.one(), dag_.zero()) : own;
  }

  ExprId weight_of(VariableId u, std::uint32_t slot, int k) {
    Choice choice = *choice_of(system_, u);
    bool is_control = ir::variable_of(system_.flat, u).kind == ir::VariableKind::input;
    if (is_control && choice.n > 2) return slot_of(controls_.of(u)[k]);
    ExprId weight = dag_.one();
    for (int j = 0; j < choice.n; ++j)
      if (j != k)
        weight = dag_.mul(weight, dag_.div(dag_.sub(dag_.slot(slot), dag_.number(choice.first + j)), dag_.number(k - j)));
    return weight;
  }

  ExprId slot_of(VariableId v) {
    auto at = std::find(slots_.begin(), slots_.end(), v);
    if (at == slots_.end()) at = slots_.insert(slots_.end(), v);
    return dag_.slot(static_cast<std::uint32_t>(at - slots_.begin()));
  }

  static bool is_relation(Op op) {
    return op == Op::less || op == Op::less_equal || op == Op::greater || op == Op::greater_equal || op == Op::equal ||
           op == Op::not_equal;
  }

  System& system_;
  ir::Dag& dag_;
  Composer composer_;
  ValueControls controls_;
  std::vector<VariableId> slots_;
  std::map<ExprId, Made> made_;
};

bool has_choices(const System& system) {
  for (std::size_t v = 0; v < system.n(); ++v)
    if (choice_of(system, VariableId(v))) return true;
  return false;
}

}  // namespace

Result<Done> choose_by_integers(System& system, Diagnostics&) {
  if (!system.flat.optimization || system.keeps_events() || !has_choices(system)) return Done{};
  Composer composer(system.dag());
  insert_definitions(system, composer);  // of discrete variables
  IntegerChoices choices(system);
  for (ir::Section* section : sections_of(system.flat)) choices.in(*section);
  choices.finish();
  return Done{};
}

}  // namespace bolza::passes
