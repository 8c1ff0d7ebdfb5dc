// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/timeless_internal.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "compiler/flatten/model/components_internal.h"
#include "compiler/syntax/made.h"

namespace bolza::flatten {
namespace {

using instance::ClassAttribute;
using instance::Instance;

/// Names and operators whose value, or whose meaning, depends on time.
constexpr std::array<std::string_view, 23> timed_names{
    "time",     "startTime", "finalTime",   "der",         "delay",         "spatialDistribution", "pre",   "edge",
    "change",   "sample",    "initial",     "reinit",      "terminal",      "terminate",           "Clock", "hold",
    "previous", "integral",  "maxOverTime", "minOverTime", "allowedValues", "extrapolateField",    "pder"};

class TimeSearch {
 public:
  bool finds_any_in(const Instance& root) {
    for_each_component(root, [&](const Instance& part) {
      found_ = found_ || is_timed(part);
      if (found_) return;
      scope_ = &part;
      look(part.binding.expr);
      for (const instance::GivenAttribute& given : part.attributes) look(given.value.expr);
      for (const auto& equation : part.equations) look(*equation.node);
      for (const auto& section : part.algorithms) look_at_all(section.node->items);
      for (const auto& constraint : part.constraints) look(*constraint.node);
      for (const auto& objective : part.objectives) look(objective.node->expression);
    });
    return found_;
  }

 private:
  /// What its declaration tells.
  static bool is_timed(const Instance& part) {
    using enum ClassAttribute;
    ClassAttribute which = part.class_attribute;
    bool is_said = part.binding || !part.attributes.empty();
    if (which == start_time || which == final_time || which == objective_integrand) return is_said;
    bool is_control = part.causality == ast::Causality::input && part.type != instance::Type::none;
    bool is_discrete = part.type != instance::Type::none && part.variability == instance::Variability::discrete;
    bool begins = part.variability > instance::Variability::parameter && part.attribute("fixed") != nullptr;
    bool has_events = !part.initial_equations.empty() || !part.initial_algorithms.empty() || !part.final_constraints.empty();
    bool is_integrand = part.declaration != nullptr && instance::annotated(part, "isLagrange");
    return is_integrand || part.is_phase || part.domain != nullptr || is_control || is_discrete || begins || has_events;
  }

  void look(const ast::Expr* expr) {
    if (expr == nullptr || found_) return;
    syntax::visit(*expr, [&](const ast::Expr& part) {
      found_ = found_ || names_time(part);
      return !found_;
    });
  }

  bool names_time(const ast::Expr& part) const {
    bool is_call = part.kind == ast::ExprKind::call;
    if ((!is_call && part.kind != ast::ExprKind::name) || part.reference == nullptr) return false;
    const auto& parts = part.reference->parts;
    if (parts.empty()) return false;
    if (std::ranges::find(timed_names, parts[parts.size() - 1].identifier) != timed_names.end()) return true;
    return is_call && scope_->child(parts[0].identifier) != nullptr;  // x(t1)
  }

  template <class Item>
  void look_at_all(const Item& items) {
    for (const auto* item : items) look(*item);
  }

  template <class Item>
  void look_at_branches(const Item& item) {
    for (const auto& branch : item.branches) {
      look(branch.condition);
      look_at_all(branch.body);
    }
    for (const ast::Iterator& iterator : item.iterators) look(iterator.range);
    look_at_all(item.body);
  }

  void look(const ast::Equation& equation) {
    found_ = found_ || equation.kind == ast::EquationKind::when || equation.domain != nullptr;
    look(equation.left);
    look(equation.right);
    look_at_branches(equation);
  }

  void look(const ast::Statement& statement) {
    found_ = found_ || statement.kind == ast::StatementKind::when;
    look(statement.target);
    look(statement.value);
    look_at_branches(statement);
  }

  void look(const ast::Constraint& constraint) {
    found_ = found_ || constraint.domain != nullptr;
    for (const ast::Expr* operand : constraint.operands) look(operand);
    look_at_branches(constraint);
  }

  const Instance* scope_ = nullptr;
  bool found_ = false;
};

}  // namespace

bool is_timeless(const Instance& root) { return !TimeSearch().finds_any_in(root); }

}  // namespace bolza::flatten
