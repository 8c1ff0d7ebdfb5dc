// SPDX-License-Identifier: Apache-2.0
#pragma once
// Flat models by hand, and problems evaluated, for the tests of the passes.
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "compiler/ir/flat_model.h"
#include "compiler/ir/interpret.h"
#include "compiler/ir/problem.h"
#include "compiler/passes/pass_table.h"

namespace bolza::passes::test {

/// An expression over variables, made into slots when an equation is added.
struct E {
  struct Node;
  std::shared_ptr<const Node> node;
  E(double value);      // NOLINT(google-explicit-constructor): literals in formulas
  E(ir::VariableId v);  // NOLINT(google-explicit-constructor)
  E(ir::Op op, std::vector<E> operands);
};
struct E::Node {
  ir::Op op;
  double value = 0;
  ir::VariableId variable;
  std::vector<E> operands;
};

inline E operator+(const E& a, const E& b) { return {ir::Op::add, {a, b}}; }
inline E operator-(const E& a, const E& b) { return {ir::Op::sub, {a, b}}; }
inline E operator*(const E& a, const E& b) { return {ir::Op::mul, {a, b}}; }
inline E operator/(const E& a, const E& b) { return {ir::Op::div, {a, b}}; }
inline E operator-(const E& a) { return {ir::Op::neg, {a}}; }
inline E pow(const E& a, double b) { return {ir::Op::pow, {a, b}}; }
inline E sin(const E& a) { return {ir::Op::sin, {a}}; }
inline E exp(const E& a) { return {ir::Op::exp, {a}}; }
inline E less(const E& a, const E& b) { return {ir::Op::less, {a, b}}; }
inline E greater(const E& a, const E& b) { return {ir::Op::greater, {a, b}}; }
inline E no(const E& a) { return {ir::Op::logical_not, {a}}; }
inline E both(const E& a, const E& b) { return {ir::Op::logical_and, {a, b}}; }
inline E choose(const E& c, const E& a, const E& b) { return {ir::Op::select, {c, a, b}}; }

class ModelBuilder {
 public:
  ModelBuilder();
  ir::FlatModel model;

  ir::VariableId add(const std::string& name, ir::VariableKind kind, std::uint32_t size = 1);
  ir::VariableId real(const std::string& name, std::uint32_t size = 1) { return add(name, ir::VariableKind::unknown, size); }
  ir::VariableId input(const std::string& name, std::uint32_t size = 1) { return add(name, ir::VariableKind::input, size); }
  ir::VariableId der(ir::VariableId of);
  ir::VariableId parameter(const std::string& name, double value);
  ir::VariableId parameter(const std::string& name, const E& value);
  ir::VariableId free_parameter(const std::string& name, double guess);
  ir::VariableId timed(ir::VariableId of, const E& time);
  ir::VariableId discrete(const std::string& name, ir::ValueType type = ir::ValueType::boolean, std::uint32_t size = 1);
  ir::VariableId pre(ir::VariableId of);
  ir::VariableId tick(const E& start, const E& interval);
  void discrete_equation(const E& left, const E& right) { sides(model.discrete_equations.section, left, right); }
  void initial_discrete(const E& left, const E& right) { sides(model.initial_discrete_equations.section, left, right); }
  void reinit(ir::VariableId state, const E& fires, const E& value);
  void set(ir::VariableId v, ir::Attribute attribute, const E& value);
  void fix(ir::VariableId v, double start);
  ir::Variable& at(ir::VariableId v) { return ir::variable_of(model, v); }

  void equation(const E& left, const E& right) { add_to(model.equations, left - right, model.equations.n_rows++); }
  void initial(const E& left, const E& right) {
    add_to(model.initial_equations, left - right, model.initial_equations.n_rows++);
  }
  /// Adds an expression to an existing or new row.
  void add_to(ir::Section& section, const E& e, std::uint32_t row);
  ir::OptimizationProblem& optimization();
  void objective(const E& e);
  void integrand(const E& e);
  void path(const E& left, ir::Relation relation, const E& right) { constraint(optimization().path, left, relation, right); }
  void point(const E& left, ir::Relation relation, const E& right) {
    constraint(optimization().point, left, relation, right);
  }

  static constexpr std::size_t start_time = 1, final_time = 2;
  ir::Term term(const E& e);

 private:
  void constraint(ir::ConstraintSection& section, const E& left, ir::Relation relation, const E& right);
  void sides(ir::Section& section, const E& left, const E& right);
  ir::Group group_of(const std::vector<E>& roots, const std::vector<std::uint32_t>& rows);
  ir::ExprId convert(const E& e, std::vector<ir::VariableId>& slots);
};

inline ir::VariableId element(ir::VariableId first, std::size_t i) { return ir::VariableId(first.index() + i); }

/// Rows of a function; `point` and `shared` are its inputs.
std::vector<double> evaluate(const ir::Problem& problem, const ir::Function& function, const std::vector<double>& point,
                             const std::vector<double>& shared);

/// A point of a problem: t, x, z, u; z solves the residuals by Newton's method with difference quotients.
struct PointOfProblem {
  std::vector<double> point, shared, rates;
  bool converged = false;
};
PointOfProblem solve_point(const ir::Problem& problem, std::vector<double> x, std::vector<double> u, double time);

/// Values of all scalar variables of the flat model there, through `sources`; parameters from `parameters`.
std::vector<double> all_values(const ir::Problem& problem, const PointOfProblem& at, std::vector<double> parameters);

/// Row sums of a section at given values of all variables.
std::vector<double> residuals(const ir::FlatModel& model, const ir::Section& section, const std::vector<double>& values);

/// Passes with options; fails the test when there is an error.
ir::Problem lowered(const ir::FlatModel& model, const PassOptions& options = {});
/// The message codes that the passes give.
std::vector<std::string> codes_of(const ir::FlatModel& model, const PassOptions& options = {});

}  // namespace bolza::passes::test
