// SPDX-License-Identifier: Apache-2.0
// Which variables are discrete: by what when-clauses set.
#include "compiler/flatten/variables/discrete_internal.h"

#include <algorithm>

#include "compiler/flatten/model/clock_names_internal.h"
#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/typing/nonuniform_arrays_internal.h"

namespace bolza::flatten {
namespace {

/// Notes the components on the left of equations and statements inside when-clauses.
class WhenTargets {
 public:
  WhenTargets(Model& model, const Scope& scope) : model_(model), scope_(scope) {}

  void equation(const ast::Equation& e, bool in_when) {
    if (e.kind == ast::EquationKind::if_ && !in_when) return branches(e);
    if (in_when && e.kind == ast::EquationKind::equality) target(*e.left);
    bool inside = in_when || (e.kind == ast::EquationKind::when && !is_clock(model_, scope_, *e.branches[0].condition));
    for (const auto& branch : e.branches)
      for (const ast::Equation* inner : branch.body) equation(*inner, inside);
    for (const ast::Equation* inner : e.body) equation(*inner, inside);
  }

  void statement(const ast::Statement& s, bool in_when) {
    if (in_when && s.target != nullptr) target(*s.target);
    bool inside = in_when || s.kind == ast::StatementKind::when;
    for (const auto& branch : s.branches)
      for (const ast::Statement* inner : branch.body) statement(*inner, inside);
    for (const ast::Statement* inner : s.body) statement(*inner, inside);
  }

 private:
  /// What stands in branches that are not there sets nothing.
  void branches(const ast::Equation& e) {
    for (const auto& branch : e.branches) {
      auto value = branch.condition ? instance::try_evaluate(model_.tree, *branch.condition, scope_) : std::nullopt;
      bool known = value && value->scalar() && value->numbers.size() == 1;
      if (known && value->numbers[0] == 0) continue;
      for (const ast::Equation* inner : branch.body) equation(*inner, /*in_when=*/false);
      if (known) return;
    }
  }

  void target(const ast::Expr& expr) {
    if (expr.kind == ast::ExprKind::tuple) {
      for (const ast::Expr* part : expr.operands)
        if (part != nullptr) target(*part);
      return;
    }
    if (expr.kind != ast::ExprKind::name) return;
    Diagnostics quiet;
    auto resolved = instance::lookup(model_.tree, scope_, *expr.reference, quiet);
    if (!resolved || resolved->kind != instance::ResolvedKind::component || resolved->removed) return;
    if (const Instance* part = inner_model(*resolved)) {
      model_.diagnostics.error(when_inside, expr.span, {instance::path_of(resolved->component()), instance::path_of(*part)},
                               {{part->span, "declared here"}});
      return;
    }
    for (const Instance* component : meant_by(model_, *resolved))
      for (const Instance* leaf : leaves_of(*component)) model_.assigned_in_when.insert(leaf);
  }

  /// The model or block among the components that the name goes through; null: none.
  static const Instance* inner_model(const instance::Resolved& resolved) {
    for (std::size_t k = 0; k + 1 < resolved.path.size(); ++k) {
      ast::ClassKind kind = resolved.path[k].instance->class_kind;
      if (!resolved.through_outer && (kind == ast::ClassKind::model || kind == ast::ClassKind::block))
        return resolved.path[k].instance;
    }
    return nullptr;
  }

  Model& model_;
  Scope scope_;
};

/// Ids that stand alone on a side of a discrete equation, or get the output of an algorithm section.
std::vector<bool> determined(const Model& model) {
  std::vector<bool> set(model.flat.n_scalars, false);
  const ir::Dag& dag = model.flat.expressions.dag;
  for (const ir::Group& group : model.flat.discrete_equations.section.groups)
    for (ir::ExprId root : group.roots) {
      ir::ExprId e = root;
      while (dag.op(e) == ir::Op::logical_not || dag.op(e) == ir::Op::neg) e = dag.operands(e)[0];
      if (dag.op(e) != ir::Op::slot) continue;
      const ir::Column& column = group.slots[dag.index(e)];
      for (std::size_t i = 0; i < group.n; ++i)
        if (std::uint32_t id = column[i].value; id < set.size()) set[id] = true;
    }
  return set;
}

/// A parameter that is not a Real, has no value, and `fixed = false`: it is a discrete variable that never changes.
bool is_set_at_start(Model& model, const Instance& instance) {
  bool discrete_type = instance.type == instance::Type::integer || instance.type == instance::Type::boolean ||
                       instance.type == instance::Type::enumeration;
  if (!discrete_type || instance.variability != instance::Variability::parameter || instance.binding) return false;
  const instance::ScopedExpr* fixed = instance.attribute("fixed");
  auto value = fixed ? instance::try_evaluate(model.tree, *fixed) : std::nullopt;
  return value && !value->numbers.empty() && value->numbers[0] == 0;
}

/// Whether an expression names one of those components.
bool reads(Model& model, const ast::Expr& expr, const Scope& scope, const std::unordered_set<const Instance*>& components) {
  if (expr.kind == ast::ExprKind::name) {
    Diagnostics quiet;
    auto resolved = instance::lookup(model.tree, scope, *expr.reference, quiet);
    if (!resolved || resolved->kind != instance::ResolvedKind::component || resolved->removed) return false;
    std::vector<const Instance*> meant = meant_by(model, *resolved);
    return std::any_of(meant.begin(), meant.end(), [&](const Instance* c) { return components.contains(c); });
  }
  auto in = [&](const ast::Expr* part) { return part != nullptr && reads(model, *part, scope, components); };
  for (const auto& row : expr.rows)
    if (std::any_of(row.begin(), row.end(), in)) return true;
  if (expr.arguments && std::any_of(expr.arguments->positional.begin(), expr.arguments->positional.end(), in)) return true;
  if (expr.arguments)
    for (const ast::NamedArgument& argument : expr.arguments->named)
      if (in(argument.value)) return true;
  return std::any_of(expr.operands.begin(), expr.operands.end(), in);
}

/// Parameters whose values depend on such are discrete variables, too.
void add_dependent(Model& model) {
  std::size_t before = 0;
  while (model.set_at_start.size() > before) {
    before = model.set_at_start.size();
    for_each_component(model.tree.root(), [&](const Instance& instance) {
      bool has_value = instance.variability == instance::Variability::parameter && instance.binding &&
                       instance.type != instance::Type::none && instance.type != instance::Type::string;
      if (has_value && !model.set_at_start.contains(&instance) &&
          reads(model, *instance.binding.expr, instance.binding.scope, model.set_at_start))
        model.set_at_start.insert(&instance);
    });
  }
}

}  // namespace

void find_assigned_in_when(Model& model) {
  for_each_component(model.tree.root(), [&](const Instance& instance) {
    for (const auto& e : instance.equations) WhenTargets(model, e.scope).equation(*e.node, false);
    for (const auto& section : instance.algorithms)
      for (const ast::Statement* s : section.node->items) WhenTargets(model, section.scope).statement(*s, false);
    if (is_set_at_start(model, instance)) model.set_at_start.insert(&instance);
  });
  add_dependent(model);
}

void check_discrete_variables(Model& model) {
  if (model.diagnostics.errors() > 0) return;
  std::vector<bool> set = determined(model);
  for (const ir::Variable& variable : model.flat.variables) {
    if (variable.kind != ir::VariableKind::discrete || variable.type != ir::ValueType::real) continue;
    for (std::uint32_t e = 0; e < variable.size; ++e) {
      ir::VariableId id(std::size_t{variable.first.value + e});
      if (set[id.index()]) continue;
      model.diagnostics.error(discrete_not_set, variable.span, {ir::name_of(model.flat, id)});
      break;
    }
  }
}

}  // namespace bolza::flatten
