// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/passes/model_builder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace bolza::passes::test {

using ir::ExprId;
using ir::Group;
using ir::Op;
using ir::VariableId;
using ir::VariableKind;

E::E(double value) : node(std::make_shared<Node>(Node{Op::number, value, {}, {}})) {}
E::E(VariableId v) : node(std::make_shared<Node>(Node{Op::slot, 0, v, {}})) {}
E::E(Op op, std::vector<E> operands) : node(std::make_shared<Node>(Node{op, 0, {}, std::move(operands)})) {}

ModelBuilder::ModelBuilder() {
  model.name = "M";
  model.origins.push_back({});
  add("time", VariableKind::time);
  add("startTime", VariableKind::start_time);
  add("finalTime", VariableKind::final_time);
  at(VariableId(start_time)).binding.terms = {term(0.0)};
  at(VariableId(final_time)).binding.terms = {term(1.0)};
}

VariableId ModelBuilder::add(const std::string& name, VariableKind kind, std::uint32_t size) {
  ir::Variable v;
  v.name = {{name, size > 1 ? 1u : 0u}};
  if (size > 1) v.dimensions = {size};
  v.first = VariableId(std::size_t{model.n_scalars});
  v.size = size;
  v.kind = kind;
  model.variables.push_back(v);
  model.n_scalars += size;
  return v.first;
}

VariableId ModelBuilder::der(VariableId of) {
  for (const ir::Variable& v : model.variables)
    if (v.kind == VariableKind::derivative && v.of == of) return v.first;
  std::uint32_t size = at(of).size;
  VariableId d = add("", VariableKind::derivative, size);
  at(d).of = of;
  return d;
}

VariableId ModelBuilder::parameter(const std::string& name, double value) { return parameter(name, E(value)); }
VariableId ModelBuilder::parameter(const std::string& name, const E& value) {
  VariableId p = add(name, VariableKind::parameter);
  at(p).binding.terms = {term(value)};
  return p;
}

VariableId ModelBuilder::free_parameter(const std::string& name, double guess) {
  VariableId p = add(name, VariableKind::parameter);
  at(p).free = true;
  set(p, ir::Attribute::initial_guess, guess);
  return p;
}

VariableId ModelBuilder::timed(VariableId of, const E& time) {
  VariableId t = add("", VariableKind::timed);
  at(t).of = of;
  at(t).time_slot = static_cast<std::uint32_t>(model.time_slots.size());
  model.time_slots.push_back({term(time)});
  return t;
}

VariableId ModelBuilder::discrete(const std::string& name, ir::ValueType type, std::uint32_t size) {
  VariableId v = add(name, VariableKind::discrete, size);
  at(v).type = type;
  return v;
}

VariableId ModelBuilder::pre(VariableId of) {
  for (const ir::Variable& v : model.variables)
    if (v.kind == VariableKind::previous && v.of == of) return v.first;
  ir::ValueType type = at(of).type;
  std::uint32_t size = at(of).size;
  VariableId p = add("", VariableKind::previous, size);
  at(p).of = of, at(p).type = type;
  return p;
}

VariableId ModelBuilder::tick(const E& start, const E& interval) {
  VariableId v = add("tick", VariableKind::sample);
  at(v).type = ir::ValueType::boolean;
  model.samples.push_back({v, term(start), term(interval)});
  return v;
}

void ModelBuilder::sides(ir::Section& section, const E& left, const E& right) {
  std::uint32_t row = section.n_rows++;
  section.groups.push_back(group_of({left, right}, {row, row}));
}

void ModelBuilder::reinit(VariableId state, const E& fires, const E& value) {
  sides(model.reinitialisations.section, fires, value);
  model.reinitialisations.states.push_back(state);
}

void ModelBuilder::set(VariableId v, ir::Attribute attribute, const E& value) {
  at(v).attributes[static_cast<std::size_t>(attribute)].terms = {term(value)};
}

void ModelBuilder::fix(VariableId v, double start) {
  set(v, ir::Attribute::start, start);
  at(v).fixed = {true};
}

ir::OptimizationProblem& ModelBuilder::optimization() {
  if (!model.optimization) {
    model.optimization.emplace();
    model.optimization->objective.n_rows = model.optimization->integrand.n_rows = 1;
  }
  return *model.optimization;
}

void ModelBuilder::objective(const E& e) { add_to(optimization().objective, e, 0); }
void ModelBuilder::integrand(const E& e) { add_to(optimization().integrand, e, 0); }

ExprId ModelBuilder::convert(const E& e, std::vector<VariableId>& slots) {
  ir::Dag& dag = model.expressions.dag;
  if (e.node->op == Op::number) return dag.number(e.node->value);
  if (e.node->op == Op::slot) {
    auto at = std::find(slots.begin(), slots.end(), e.node->variable);
    if (at == slots.end()) at = slots.insert(at, e.node->variable);
    return dag.slot(static_cast<std::uint32_t>(at - slots.begin()));
  }
  std::vector<ExprId> operands;
  for (const E& operand : e.node->operands) operands.push_back(convert(operand, slots));
  return dag.make(e.node->op, operands);
}

Group ModelBuilder::group_of(const std::vector<E>& roots, const std::vector<std::uint32_t>& rows) {
  std::vector<VariableId> slots;
  Group group;
  group.n = 1;
  for (const E& root : roots) group.roots.push_back(convert(root, slots));
  for (VariableId v : slots) group.slots.push_back(ir::Column::affine(v, 0));
  for (std::uint32_t row : rows) group.rows.push_back({ir::RowId(std::size_t{row})});
  group.origins = {0};
  return ir::canonical(model.expressions.dag, group);
}

void ModelBuilder::add_to(ir::Section& section, const E& e, std::uint32_t row) {
  section.groups.push_back(group_of({e}, {row}));
  section.n_rows = std::max(section.n_rows, row + 1);
}

void ModelBuilder::constraint(ir::ConstraintSection& section, const E& left, ir::Relation relation, const E& right) {
  std::uint32_t row = section.section.n_rows++;
  section.section.groups.push_back(group_of({left, right}, {row, row}));
  section.relations.push_back(relation);
}

ir::Term ModelBuilder::term(const E& e) {
  ir::Term t;
  t.root = convert(e, t.slots);
  return ir::canonical(model.expressions.dag, t);
}

// ---------------------------------------------------------------- evaluation

namespace {

std::vector<double> section_values(const ir::Expressions& expressions, const ir::Section& section,
                                   const std::vector<double>& inputs) {
  ir::Interpreter<double> interpreter(expressions);
  std::vector<double> rows(section.n_rows, 0);
  for (const Group& group : section.groups)
    for (std::size_t i = 0; i < group.n; ++i) {
      std::vector<double> slots, data, values(group.roots.size());
      for (const ir::Column& column : group.slots) slots.push_back(inputs.at(column[i].index()));
      for (const auto& numbers : group.data) data.push_back(numbers[i]);
      EXPECT_TRUE(interpreter.evaluate(group.roots, {.slots = slots, .data = data}, values));
      for (std::size_t r = 0; r < values.size(); ++r) rows[group.rows[r][i].index()] += values[r];
    }
  return rows;
}

}  // namespace

std::vector<double> evaluate(const ir::Problem& problem, const ir::Function& function, const std::vector<double>& point,
                             const std::vector<double>& shared) {
  std::vector<double> inputs = point;
  inputs.insert(inputs.end(), shared.begin(), shared.end());
  return section_values(problem.flat.expressions, function.section, inputs);
}

std::vector<double> residuals(const ir::FlatModel& model, const ir::Section& section, const std::vector<double>& values) {
  return section_values(model.expressions, section, values);
}

namespace {

bool solve_dense(std::vector<std::vector<double>>& a, std::vector<double>& b) {
  std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::fabs(a[i][k]) > std::fabs(a[pivot][k])) pivot = i;
    if (a[pivot][k] == 0) return false;
    std::swap(a[k], a[pivot]), std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return true;
}

}  // namespace

PointOfProblem solve_point(const ir::Problem& problem, std::vector<double> x, std::vector<double> u, double time) {
  PointOfProblem at;
  std::size_t nz = problem.z.size(), first = 1 + x.size();
  at.point = {time};
  at.point.insert(at.point.end(), x.begin(), x.end());
  at.point.insert(at.point.end(), nz, 0.1);
  at.point.insert(at.point.end(), u.begin(), u.end());
  at.shared = problem.shared_values;
  for (int iteration = 0; iteration < 50 && nz > 0; ++iteration) {
    std::vector<double> h = evaluate(problem, problem.residuals, at.point, at.shared);
    h.resize(nz);
    double size = 0;
    for (double r : h) size = std::max(size, std::fabs(r));
    if ((at.converged = size < 1e-13)) break;
    std::vector<std::vector<double>> jacobian(nz, std::vector<double>(nz));
    for (std::size_t k = 0; k < nz; ++k) {
      std::vector<double> moved = at.point;
      moved[first + k] += 1e-7;
      std::vector<double> there = evaluate(problem, problem.residuals, moved, at.shared);
      for (std::size_t r = 0; r < nz; ++r) jacobian[r][k] = (there[r] - h[r]) / 1e-7;
    }
    if (!solve_dense(jacobian, h)) return at;
    for (std::size_t k = 0; k < nz; ++k) at.point[first + k] -= h[k];
    at.converged = size < 1e-9;
  }
  if (nz == 0) at.converged = true;
  at.rates = evaluate(problem, problem.rates, at.point, at.shared);
  return at;
}

std::vector<double> all_values(const ir::Problem& problem, const PointOfProblem& at, std::vector<double> values) {
  std::vector<double> inputs = at.point;
  inputs.insert(inputs.end(), at.shared.begin(), at.shared.end());
  std::vector<double> outputs = evaluate(problem, problem.outputs, at.point, at.shared);
  values[0] = at.point[0];
  for (std::size_t k = 0; k < problem.shared.size(); ++k) values[problem.shared[k].index()] = at.shared[k];
  for (const ir::OutputSource& source : problem.sources) {
    double value = source.kind == ir::OutputSource::Kind::input ? inputs.at(source.index)
                   : source.kind == ir::OutputSource::Kind::row ? outputs.at(source.index)
                                                                : at.rates.at(source.index);
    values[source.variable.index()] = source.sign * value + source.offset;
  }
  return values;
}

ir::Problem lowered(const ir::FlatModel& model, const PassOptions& options) {
  Diagnostics diagnostics;
  Result<ir::Problem> problem = lower(model, options, diagnostics);
  for (const Diagnostic& d : diagnostics.all())
    if (d.severity == Severity::error) ADD_FAILURE() << d.code->id << ": " << d.message;
  if (!problem) return {};
  return std::move(*problem);
}

std::vector<std::string> codes_of(const ir::FlatModel& model, const PassOptions& options) {
  Diagnostics diagnostics;
  Result<ir::Problem> problem = lower(model, options, diagnostics);
  std::vector<std::string> codes;
  for (const Diagnostic& d : diagnostics.all()) codes.emplace_back(d.code->id);
  EXPECT_EQ(problem.failed(), diagnostics.errors() > 0);
  return codes;
}

}  // namespace bolza::passes::test
