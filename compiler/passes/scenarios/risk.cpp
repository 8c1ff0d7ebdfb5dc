// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/scenarios/risk.h"

#include <algorithm>
#include <iterator>

#include "compiler/ir/canonical.h"
#include "compiler/passes/scenarios/copied_sections.h"

namespace bolza::passes {
namespace {

using ir::ExprId;
using ir::VariableId;

ir::Column run_from(VariableId first, std::size_t n) {
  std::vector<VariableId> ids;
  for (std::size_t s = 0; s < n; ++s) ids.emplace_back(first.value + s);
  return ir::Column::listed(std::move(ids));
}

ir::Column always(VariableId id, std::size_t n) { return ir::Column::listed(std::vector<VariableId>(n, id)); }

std::vector<ir::RowId> rows_from(std::size_t first, std::size_t n) {
  std::vector<ir::RowId> rows;
  for (std::size_t s = 0; s < n; ++s) rows.emplace_back(first + s);
  return rows;
}

class RiskBuilder {
 public:
  RiskBuilder(ir::FlatModel& model, const Copies& copies, const ir::ScenarioTable& table)
      : model_(model),
        dag_(model.expressions.dag),
        problem_(*model.optimization),
        copies_(copies),
        table_(table),
        n_(table.size()) {
    origin_ = static_cast<std::uint32_t>(model_.origins.size());
    model_.origins.push_back({problem_.span, {}, 0});
  }

  void worst(const ir::Section& objective, const ir::Section& integrand) {
    VariableId worst = parameter("worst", 1, "objective of the worst scenario");
    limit(objective, integrand, {always(worst, n_)});
    set_objective({{dag_.slot(0)}, 1, {always(worst, 1)}, {}, {rows_from(0, 1)}, {origin_}});
  }

  void cvar(const ir::Section& objective, const ir::Section& integrand) {
    VariableId threshold = parameter("threshold", 1, "objective that the worst share exceeds");
    VariableId excess = parameter("excess", n_, "of the scenario's objective over the threshold");
    ir::variable_of(model_, excess).attributes[static_cast<std::size_t>(ir::Attribute::min)].terms = {number(0)};
    limit(objective, integrand, {always(threshold, n_), run_from(excess, n_)});
    set_objective({{dag_.slot(0)}, 1, {always(threshold, 1)}, {}, {rows_from(0, 1)}, {origin_}});
    std::vector<double> shares;
    for (double weight : table_.weights) shares.push_back((problem_.maximize ? -1 : 1) * weight / table_.tail);
    problem_.objective.groups.push_back(canonical({{dag_.mul(dag_.datum(0), dag_.slot(0))},
                                                   static_cast<std::uint32_t>(n_),
                                                   {run_from(excess, n_)},
                                                   {ir::DataColumn(shares)},
                                                   {std::vector<ir::RowId>(n_, ir::RowId(0u))},
                                                   std::vector<std::uint32_t>(n_, origin_)}));
  }

 private:
  ir::Group canonical(const ir::Group& group) { return ir::canonical(dag_, group); }
  ir::Term number(double value) { return ir::canonical(dag_, ir::Term{dag_.number(value), {}, {}, problem_.span}); }

  VariableId add(ir::Variable variable, const char* name, std::size_t size) {
    variable.name = {{"risk", 0}, {name, size > 1 ? 1u : 0u}};
    if (size > 1) variable.dimensions = {static_cast<std::uint32_t>(size)};
    variable.first = VariableId(model_.n_scalars);
    variable.size = static_cast<std::uint32_t>(size);
    variable.span = problem_.span;
    model_.n_scalars += variable.size;
    return model_.variables.emplace_back(std::move(variable)).first;
  }

  VariableId parameter(const char* name, std::size_t size, const char* description) {
    ir::Variable variable;
    variable.kind = ir::VariableKind::parameter;
    variable.free = true;
    variable.description = description;
    return add(std::move(variable), name, size);
  }

  /// Row s of the point constraints: J_s <= sum of the limits, or >= threshold − excess where it is maximised.
  void limit(const ir::Section& objective, const ir::Section& integrand, std::vector<ir::Column> limits) {
    ir::ConstraintSection& point = problem_.point;
    std::size_t first = point.section.n_rows;
    for (ir::Group& group : row_for_each(model_, objective, copies_).groups) {
      group.roots.push_back(dag_.zero());
      for (ir::RowId& row : group.rows[0]) row = ir::RowId(first + row.value);
      group.rows.push_back(group.rows[0]);
      point.section.groups.push_back(canonical(group));
    }
    ExprId left = dag_.zero();
    std::vector<ir::Column> columns;
    auto slot = [&](ir::Column column) {
      columns.push_back(std::move(column));
      return dag_.slot(static_cast<std::uint32_t>(columns.size() - 1));
    };
    if (!integrand.groups.empty()) left = slot(run_from(final_integrals(integrand), n_));
    ExprId right = slot(limits[0]);
    if (limits.size() > 1) right = problem_.maximize ? dag_.sub(right, slot(limits[1])) : dag_.add(right, slot(limits[1]));
    std::vector<ir::RowId> rows = rows_from(first, n_);
    point.section.groups.push_back(canonical({{left, right},
                                              static_cast<std::uint32_t>(n_),
                                              columns,
                                              {},
                                              {rows, rows},
                                              std::vector<std::uint32_t>(n_, origin_)}));
    point.section.n_rows += static_cast<std::uint32_t>(n_);
    point.relations.resize(point.section.n_rows, problem_.maximize ? ir::Relation::greater_equal : ir::Relation::less_equal);
  }

  /// States whose rates are the integrands; returns the first of their values at the end.
  VariableId final_integrals(const ir::Section& integrand) {
    ir::Variable variable;
    variable.attributes[static_cast<std::size_t>(ir::Attribute::start)].terms = {number(0)};
    variable.fixed = {true};
    variable.description = "of the scenario's integrand";
    VariableId integral = add(variable, "integral", n_);
    ir::Variable rate;
    rate.kind = ir::VariableKind::derivative;
    rate.of = integral;
    VariableId first_rate = add(rate, "rate", n_);
    std::size_t first = model_.equations.n_rows;
    for (ir::Group& group : row_for_each(model_, integrand, copies_).groups) {
      for (ir::RowId& row : group.rows[0]) row = ir::RowId(first + row.value);
      model_.equations.groups.push_back(std::move(group));
    }
    model_.equations.groups.push_back(canonical({{dag_.neg(dag_.slot(0))},
                                                 static_cast<std::uint32_t>(n_),
                                                 {run_from(first_rate, n_)},
                                                 {},
                                                 {rows_from(first, n_)},
                                                 std::vector<std::uint32_t>(n_, origin_)}));
    model_.equations.n_rows += static_cast<std::uint32_t>(n_);
    ir::Variable at_end;
    at_end.kind = ir::VariableKind::timed;
    at_end.of = integral;
    at_end.time_slot = static_cast<std::uint32_t>(model_.time_slots.size());
    model_.time_slots.push_back({ir::Term{dag_.slot(0), {VariableId(2u)}, {}, problem_.span}});
    return add(at_end, "final", n_);
  }

  void set_objective(const ir::Group& group) {
    problem_.objective = {1, {canonical(group)}};
    problem_.integrand = {};
  }

  ir::FlatModel& model_;
  ir::Dag& dag_;
  ir::OptimizationProblem& problem_;
  const Copies& copies_;
  const ir::ScenarioTable& table_;
  std::size_t n_;
  std::uint32_t origin_ = 0;
};

}  // namespace

void add_risk(ir::FlatModel& model, const ir::Section& objective, const ir::Section& integrand, const Copies& copies,
              const ir::ScenarioTable& table) {
  ir::OptimizationProblem& problem = *model.optimization;
  RiskBuilder builder(model, copies, table);
  if (table.risk == ir::Risk::worst) return builder.worst(objective, integrand);
  if (table.risk == ir::Risk::cvar) return builder.cvar(objective, integrand);
  problem.objective = weighted_sum(model, objective, copies, table.weights);
  problem.integrand = weighted_sum(model, integrand, copies, table.weights);
}

}  // namespace bolza::passes
