// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimization/lower_optimization.h"
#include "compiler/passes/optimization/check_delays.h"
#include "compiler/passes/optimization/check_horizon.h"
#include "compiler/passes/optimization/check_phase_starts.h"
#include "compiler/passes/optimization/check_starts.h"
#include "compiler/passes/optimization/check_switching.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler/passes/optimization/constraint_rows.h"
#include "compiler/passes/optimization/integrate_path_constraints.h"
#include "compiler/passes/optimization/join_pieces.h"
#include "compiler/passes/optimization/least_squares.h"
#include "compiler/passes/optimization/point_value_collector.h"
#include "compiler/passes/optimization/sample_integral.h"
#include "compiler/passes/optimization/time_corners.h"
#include "compiler/passes/parameters/parameter_order.h"
#include "compiler/passes/structure/check_balance.h"
#include "compiler/passes/system/add_rows.h"
#include "compiler/passes/system/codes.h"

namespace bolza::passes {

namespace {

class Lowering {
 public:
  Lowering(System& system, Diagnostics& diagnostics)
      : system_(system),
        diagnostics_(diagnostics),
        composer_(system.dag()),
        points_(system, composer_, diagnostics) {}

  Result<Done> run() {
    const ir::OptimizationProblem& problem = *system_.flat.optimization;
    std::size_t before = diagnostics_.errors();
    if (system_.options.wants_objective && problem.objective.groups.empty() && problem.integrand.groups.empty())
      diagnostics_.warning(no_objective, problem.span);
    if (!problem.is_static) check_horizon(system_, diagnostics_);
    lower_objective(problem);
    std::vector<LoweredRow> rows = constraint_rows(system_, problem.path, diagnostics_);
    for (LoweredRow& row : bound_rows()) rows.push_back(std::move(row));
    rows = joined(std::move(rows));
    std::vector<LoweredRow> points = constraint_rows(system_, problem.point, diagnostics_);
    for (LoweredRow& row : rows) {
      bool path = varies(row);
      if (path && !has_phase(row)) continue;
      (path ? system_.lowered.path : points).push_back(std::move(row));
    }
    for (LoweredRow& row : joined(std::move(points))) add_point_row(std::move(row));
    join_pieces(system_, points_);
    if (!problem.is_static) fix_control_starts();
    use_timed_parameters();
    add_integrals();
    if (!problem.is_static) add_time_corners(system_, points_);
    if (!problem.is_static) check_switching(system_, diagnostics_);
    if (!problem.is_static && !system_.keeps_events()) check_delays(system_, diagnostics_);
    if (!problem.is_static) {
      check_phase_starts(system_, diagnostics_);
      check_starts(system_, diagnostics_);
    }
    if (system_.options.path_tolerance > 0 && !problem.is_static) integrate_path_constraints(system_, points_);
    if (diagnostics_.errors() > before) return diagnostics_.already_reported();
    return Done{};
  }

 private:
  bool varies(const LoweredRow& row) const {
    if (system_.flat.optimization->is_static) return false;
    for (const Applied& part : row.parts)
      for (VariableId v : part.slots)
        if (system_.varies(v)) return true;
    return false;
  }

  bool has_phase(const LoweredRow& row) {
    for (const Applied& part : row.parts)
      if (system_.phase_of(part.slots) != no_phase) return true;
    diagnostics_.error(names_no_phase, system_.span_of_origin(row.origins[0]), {"constraint"});
    return false;
  }

  // ------------------------------------------------------------ point expressions

  Result<Applied> at_points(const Applied& a, const char* what, Span span) {
    bool is_static = system_.flat.optimization->is_static;
    std::map<VariableId, Applied> timed;
    for (VariableId v : a.slots) {
      if (system_.role(v) == ScalarRole::timed) {
        Result<Applied> expression = points_.expression_of(v);
        if (!expression) return diagnostics_.already_reported();
        timed.emplace(v, std::move(*expression));
      } else if (system_.varies(v)) {
        if (!is_static) return diagnostics_.error(untimed, span, {system_.name(v), what});
        timed.emplace(v, points_.at(v, points_.place_at_start()));
      }
    }
    return composer_.compose(a, [&](VariableId v) {
      auto at = timed.find(v);
      return at == timed.end() ? nullptr : &at->second;
    });
  }

  void add_point_row(LoweredRow row) {
    for (std::size_t k = 0; k < row.parts.size(); ++k) {
      Result<Applied> part = at_points(row.parts[k], "a point constraint", system_.span_of_origin(row.origins[k]));
      if (!part) return;
      row.parts[k] = std::move(*part);
    }
    system_.lowered.point.push_back(std::move(row));
  }

  /// `input Real u(start = 0, fixed = true)` is the constraint u(startTime) = 0.
  void fix_control_starts() {
    for (VariableId u : system_.solved.u) {
      const ir::Numbers& numbers = system_.numbers[u.index()];
      if (!numbers.fixed) continue;
      std::uint32_t phase = system_.phase[u.index()] == no_phase ? 0 : system_.phase[u.index()];
      LoweredRow row{{points_.at(u, points_.place_between(0, phase))}, {}, numbers.start, numbers.start, {}};
      row.origins.push_back(add_origin(system_, system_.span_of(u)));
      row.name = system_.name(u) + "(startTime) = " + number_text(numbers.start);
      system_.lowered.point.push_back(std::move(row));
    }
  }

  // ------------------------------------------------------------ objective

  void lower_objective(const ir::OptimizationProblem& problem) {
    Lowered& lowered = system_.lowered;
    for_each_instance(problem.objective, [&](const GroupInstance& i) {
      Result<Applied> part = at_points(i.applied, "the objective", system_.span_of_origin(i.origin));
      if (!part) return;
      lowered.objective.parts.push_back(std::move(*part));
      lowered.objective.origins.push_back(i.origin);
    });
    lowered.integrands.resize(system_.n_phases());
    for_each_instance(problem.integrand, [&](const GroupInstance& i) {
      LoweredRow& integrand = lowered.integrands[i.rows[0].index()];
      integrand.parts.push_back(i.applied);
      integrand.origins.push_back(i.origin);
    });
    if (system_.options.samples > 0 && !sample_integral(system_, points_, composer_, diagnostics_)) return;
    if (!problem.maximize) recognise_least_squares(system_);
  }

  /// The integrals enter the objective as the last point values.
  void add_integrals() {
    Lowered& lowered = system_.lowered;
    for (std::uint32_t phase = 0; phase < lowered.integrands.size(); ++phase) {
      if (lowered.integrands[phase].parts.empty()) continue;
      std::uint32_t q = points_.value_of({phase, ir::PointQuantity::integral, 0});
      lowered.objective.parts.push_back(variable_alone(system_.dag(), VariableId(system_.n() + q)));
      lowered.objective.origins.push_back(lowered.integrands[phase].origins[0]);
    }
  }

  // ------------------------------------------------------------ bounds of eliminated variables

  std::vector<LoweredRow> bound_rows() {
    std::vector<LoweredRow> rows;
    for (std::size_t i = 0; i < system_.n(); ++i) {
      VariableId v(i);
      bool sum = i < system_.solved.rate_sum.size() && system_.solved.rate_sum[i];
      if ((!system_.definition(v) && !sum) || system_.merged[i]) continue;
      const ir::Numbers& numbers = system_.numbers[i];
      if (std::isinf(numbers.min) && std::isinf(numbers.max)) continue;
      if (ir::variable_of(system_.flat, v).type == ir::ValueType::boolean) continue;
      LoweredRow row{{}, {}, numbers.min, numbers.max, bound_name(v, numbers)};
      add_parts(v, row);
      if (is_fixed_row(row)) check_fixed(v, row);
      else rows.push_back(std::move(row));
    }
    return rows;
  }

  void add_parts(VariableId v, LoweredRow& row) {
    std::uint32_t origin = add_origin(system_, system_.span_of(v));
    if (const Applied* definition = system_.definition(v)) {
      row.parts.push_back(*definition);
      row.origins.push_back(origin);
      return;
    }
    std::uint32_t x = system_.solved.position[system_.owner[v.index()].index()];
    for_each_instance(system_.solved.rates, [&](const GroupInstance& i) {
      if (i.rows[0].value != x) return;
      row.parts.push_back(i.applied);
      row.origins.push_back(origin);
    });
  }

  std::string bound_name(VariableId v, const ir::Numbers& numbers) const {
    std::string text = system_.name(v);
    if (!std::isinf(numbers.min)) text = number_text(numbers.min) + " <= " + text;
    if (!std::isinf(numbers.max)) text += " <= " + number_text(numbers.max);
    return text;
  }

  bool is_fixed_row(const LoweredRow& row) const {
    return std::all_of(row.parts.begin(), row.parts.end(), [&](const Applied& a) { return is_fixed(system_, a.slots); });
  }

  void check_fixed(VariableId v, const LoweredRow& row) {
    ParameterValues values(system_);
    double value = 0;
    for (const Applied& part : row.parts) value += values.of(part);
    if (value >= row.lower - constraint_margin(value) && value <= row.upper + constraint_margin(value)) return;
    diagnostics_.error(never_satisfied, system_.span_of(v), {row.name + ", but its value is " + number_text(value)});
  }

  // ------------------------------------------------------------ timed variables among varying ones

  void use_timed_parameters() {
    Lowered& lowered = system_.lowered;
    auto in = [&](const std::vector<Applied>& parts) {
      for (const Applied& part : parts)
        for (VariableId v : part.slots)
          if (v.index() < system_.n() && system_.role(v) == ScalarRole::timed) lowered.timed.push_back(v);
    };
    for (const LoweredRow& row : lowered.path) in(row.parts);
    for (const LoweredRow& integrand : lowered.integrands) in(integrand.parts);
    std::sort(lowered.timed.begin(), lowered.timed.end());
    lowered.timed.erase(std::unique(lowered.timed.begin(), lowered.timed.end()), lowered.timed.end());
    for (VariableId v : lowered.timed) tie(v);
  }

  void tie(VariableId v) {
    const ir::Numbers& from = system_.numbers[system_.owner[v.index()].index()];
    ir::Numbers& own = system_.numbers[v.index()];
    own = {.start = from.guess,
           .min = -std::numeric_limits<double>::infinity(),
           .max = std::numeric_limits<double>::infinity(),
           .nominal = from.nominal,
           .guess = from.guess,
           .has_guess = from.has_guess,
           .has_nominal = from.has_nominal};
    Result<Applied> expression = points_.expression_of(v);
    if (!expression) return;
    LoweredRow row;
    row.parts.push_back(difference(system_.dag(), *expression, variable_alone(system_.dag(), v)));
    row.origins.push_back(add_origin(system_, system_.span_of(v)));
    row.name = system_.name(v);
    system_.lowered.point.push_back(std::move(row));
  }

  System& system_;
  Diagnostics& diagnostics_;
  Composer composer_;
  PointValueCollector points_;
};

}  // namespace

Result<Done> lower_optimization(System& system, Diagnostics& diagnostics) {
  system.stage = SystemStage::lowered;
  if (!system.flat.optimization) return Done{};
  return Lowering(system, diagnostics).run();
}

}  // namespace bolza::passes
