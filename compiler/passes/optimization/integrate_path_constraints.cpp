// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimization/integrate_path_constraints.h"

#include <cmath>
#include <limits>

#include "compiler/passes/system/add_rows.h"

namespace bolza::passes {

namespace {

using ir::Op;

constexpr double infinite = std::numeric_limits<double>::infinity();

/// What is left of a constraint that holds nowhere but on the mean.
struct Limit {
  double lower, upper, size;
};

double size_of_sides(const LoweredRow& row) {
  double size = 0;
  for (double side : {row.lower, row.upper})
    if (std::isfinite(side)) size = std::max(size, std::fabs(side));
  return size > 0 ? size : 1;
}

class Integration {
 public:
  Integration(System& system, PointValueCollector& points) : system_(system), points_(points), composer_(system.dag()) {}

  void run() {
    system_.lowered.violations.resize(system_.n_phases());
    take_rows();
    for (const auto* list : {&system_.solved.x, &system_.solved.z})
      for (VariableId v : *list) take_bounds(v);
    for (std::uint32_t phase = 0; phase < system_.n_phases(); ++phase) add_end_constraint(phase);
  }

 private:
  void take_rows() {
    std::vector<LoweredRow> left;
    for (LoweredRow& row : system_.lowered.path) {
      if (row.lower == row.upper) {
        left.push_back(std::move(row));
        continue;
      }
      Applied sum = row.parts[0];
      for (std::size_t k = 1; k < row.parts.size(); ++k)
        sum = difference(system_.dag(), sum, difference(system_.dag(), constant(system_.dag(), 0), row.parts[k]));
      add(sum, {row.lower, row.upper, size_of_sides(row)}, row.origins[0]);
    }
    system_.lowered.path = std::move(left);
  }

  void take_bounds(VariableId v) {
    ir::Numbers& numbers = system_.numbers[v.index()];
    if (std::isinf(numbers.min) && std::isinf(numbers.max)) return;
    double size = numbers.has_nominal ? std::fabs(numbers.nominal) : 1;
    add(variable_alone(system_.dag(), v), {numbers.min, numbers.max, size > 0 ? size : 1},
        add_origin(system_, system_.span_of(v)));
    numbers.min = -infinite;
    numbers.max = infinite;
  }

  /// (max(0, lower − y, y − upper)·weight)² of y, slot 0.
  ExprId square(const Limit& limit) const {
    ir::Dag& dag = system_.dag();
    ExprId y = dag.slot(0), below = dag.sub(dag.datum(0), y), above = dag.sub(y, dag.datum(1)), most = below;
    if (std::isfinite(limit.upper)) most = std::isfinite(limit.lower) ? dag.make(Op::max, below, above) : above;
    ExprId scaled = dag.mul(dag.make(Op::max, most, dag.number(0)), dag.datum(2));
    return dag.mul(scaled, scaled);
  }

  void add(const Applied& what, const Limit& limit, std::uint32_t origin) {
    VariableId place = what.slots.front();
    double weight = 1 / (limit.size * *system_.options.path_tolerance);
    Applied violation{{square(limit)}, {place}, {limit.lower, limit.upper, weight}};
    LoweredRow& sum = system_.lowered.violations[system_.phase_of(what.slots)];
    sum.parts.push_back(composer_.compose(violation, [&](VariableId) { return &what; }));
    sum.origins.push_back(origin);
  }

  /// The integral is at most the horizon's length.
  void add_end_constraint(std::uint32_t phase) {
    const LoweredRow& sum = system_.lowered.violations[phase];
    if (sum.parts.empty()) return;
    std::uint32_t number = system_.lowered.integrands[phase].parts.empty() ? 0 : 1;
    std::uint32_t q = points_.value_of({phase, ir::PointQuantity::integral, number});
    ir::Dag& dag = system_.dag();
    PhaseEnds ends = system_.ends_of(phase);
    LoweredRow row{{variable_alone(dag, VariableId(system_.n() + q)),
                    difference(dag, variable_alone(dag, ends.start), variable_alone(dag, ends.final))},
                   {sum.origins[0], sum.origins[0]},
                   -infinite,
                   0,
                   "mean of the squared violations of path constraints"};
    system_.lowered.point.push_back(std::move(row));
  }

  System& system_;
  PointValueCollector& points_;
  Composer composer_;
};

}  // namespace

void integrate_path_constraints(System& system, PointValueCollector& points) { Integration(system, points).run(); }

}  // namespace bolza::passes
