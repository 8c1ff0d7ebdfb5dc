// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/parameters/parameter_order.h"

#include <charconv>
#include <cmath>

#include "compiler/passes/system/codes.h"

namespace bolza::passes {

using ir::Attribute;
using ir::ElementValues;
using ir::FlatModel;
using ir::Term;
using ir::Variable;
using ir::VariableKind;

namespace {

const Term* element_of(const ElementValues& values, std::size_t i) {
  if (!values.present()) return nullptr;
  return values.terms.size() == 1 ? &values.terms[0] : &values.terms[i];
}

/// What the value of a parameter is computed from.
const Term* value_term(const System& system, VariableId v) {
  if (!system.options.values.empty() && system.options.values.contains(system.name(v))) return nullptr;
  const Term* start = attribute_of(system.flat, v, Attribute::start);
  const Term* binding = binding_of(system.flat, v);
  if (!is_declared_free(system.flat, v)) return binding ? binding : start;
  const Term* guess = attribute_of(system.flat, v, Attribute::initial_guess);
  return guess ? guess : start ? start : binding;
}

/// Depth-first search with an explicit stack; a parameter that is met again while it is open closes a cycle.
class Search {
 public:
  Search(const System& system, Diagnostics& diagnostics)
      : system_(system),
        diagnostics_(diagnostics),
        mark_(system.n(), unseen) {}

  bool run(std::vector<VariableId>& order) {
    for (std::size_t v = 0; v < system_.n(); ++v)
      if (is_parameter(system_, VariableId(v)) && mark_[v] == unseen) visit(VariableId(v), order);
    return good_;
  }

 private:
  enum Mark : std::uint8_t { unseen, open, done };
  struct Frame {
    VariableId v;
    const Term* term;
    std::size_t next = 0;
  };

  void visit(VariableId first, std::vector<VariableId>& order) {
    std::vector<Frame> stack;
    enter(stack, first);
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (!top.term || top.next == top.term->slots.size()) {
        mark_[top.v.index()] = done;
        order.push_back(top.v);
        stack.pop_back();
        continue;
      }
      VariableId needed = top.term->slots[top.next++];
      if (!is_parameter(system_, needed)) continue;
      if (mark_[needed.index()] == open) report(stack, needed);
      else if (mark_[needed.index()] == unseen) enter(stack, needed);
    }
  }

  void enter(std::vector<Frame>& stack, VariableId v) {
    mark_[v.index()] = open;
    stack.push_back({v, value_term(system_, v)});
  }

  void report(const std::vector<Frame>& stack, VariableId again) {
    good_ = false;
    std::string chain;
    bool inside = false;
    for (const Frame& frame : stack) {
      inside |= frame.v == again;
      if (inside) chain += "`" + system_.name(frame.v) + "` needs ";
    }
    chain += "`" + system_.name(again) + "`";
    Span span = stack.back().term->span;
    diagnostics_.error(parameter_cycle, span ? span : system_.span_of(again), {system_.name(again), chain});
  }

  const System& system_;
  Diagnostics& diagnostics_;
  std::vector<Mark> mark_;
  bool good_ = true;
};

}  // namespace

bool is_parameter(const FlatModel& model, VariableId v) {
  VariableKind kind = ir::variable_of(model, v).kind;
  return kind == VariableKind::parameter || kind == VariableKind::start_time || kind == VariableKind::final_time;
}

bool is_parameter(const System& system, VariableId v) {
  switch (system.role(v)) {
    case ScalarRole::start_time:
    case ScalarRole::final_time:
    case ScalarRole::fixed_parameter:
    case ScalarRole::free_parameter:
    case ScalarRole::dependent:
      return true;
    case ScalarRole::time:
    case ScalarRole::state:
    case ScalarRole::derivative:
    case ScalarRole::algebraic:
    case ScalarRole::input:
    case ScalarRole::timed:
    case ScalarRole::discrete:
    case ScalarRole::unused:
      return false;
  }
  return false;
}

const Term* attribute_of(const FlatModel& model, VariableId v, Attribute attribute) {
  const Variable& variable = ir::variable_of(model, v);
  return element_of(variable.attributes[static_cast<std::size_t>(attribute)], v.index() - variable.first.index());
}

const Term* binding_of(const FlatModel& model, VariableId v) {
  const Variable& variable = ir::variable_of(model, v);
  return element_of(variable.binding, v.index() - variable.first.index());
}

Result<std::vector<VariableId>> parameter_order(const System& system, Diagnostics& diagnostics) {
  std::vector<VariableId> order;
  if (!Search(system, diagnostics).run(order)) return diagnostics.already_reported();
  return order;
}

std::string number_text(double value) {
  if (std::isinf(value)) return value > 0 ? "infinity" : "-infinity";
  char text[40];
  if (value == 0) value = 0;  // not "-0", which bounds of negated aliases have
  auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 6).ptr;
  return {text, end};
}

}  // namespace bolza::passes
