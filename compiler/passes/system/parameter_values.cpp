// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/system/parameter_values.h"

#include <algorithm>
#include <cmath>

namespace bolza::passes {

double ParameterValues::of(ExprId root, std::span<const VariableId> slots, std::span<const double> data) {
  failure_ = {};
  if (system_.dag().is_number(root)) return system_.dag().value(root);
  if (system_.dag().op(root) == ir::Op::datum) return data[system_.dag().index(root)];
  std::vector<double> values;
  for (VariableId v : slots) values.push_back(v.index() < system_.n() ? system_.numbers[v.index()].start : NAN);
  if (system_.dag().op(root) != ir::Op::output) return computed(root, values, data);
  ExprId call = system_.dag().operands(root)[0];
  bool again = !last_.outputs.empty() && last_.call == call && last_.slots == values &&
               std::equal(data.begin(), data.end(), last_.data.begin(), last_.data.end());
  if (!again) run(call, values, data);
  return last_.outputs[system_.dag().index(root)];
}

double ParameterValues::computed(ExprId root, std::span<const double> slots, std::span<const double> data) {
  auto [at, is_new] = tapes_.try_emplace(root);
  if (is_new) at->second = ir::make_tape(system_.dag(), std::span(&root, 1));
  double value = NAN;
  ir::RunReport report = interpreter_.evaluate(at->second, {.slots = slots, .data = data}, std::span(&value, 1));
  if (!report) {
    failure_ = std::move(report);
    value = NAN;
  }
  return value;
}

void ParameterValues::run(ExprId call, const std::vector<double>& slots, std::span<const double> data) {
  ir::ProgramId program = system_.dag().program(call);
  std::vector<double> arguments;
  for (ExprId operand : system_.dag().operands(call)) arguments.push_back(computed(operand, slots, data));
  std::vector<double> outputs(ir::output_count(system_.flat.expressions.programs[program.index()]), NAN);
  if (ir::RunReport report = interpreter_.run(program, arguments, outputs); !report) {
    failure_ = std::move(report);
    std::fill(outputs.begin(), outputs.end(), NAN);
  }
  last_ = {call, slots, {data.begin(), data.end()}, std::move(outputs)};
}

bool is_fixed(const System& system, std::span<const VariableId> slots) {
  for (VariableId v : slots)
    if (v.index() >= system.n() || system.varies(v) || system.is_free(v)) return false;
  return true;
}

Interval range_of(const System& system, VariableId v) {
  const ir::Numbers& numbers = system.numbers[v.index()];
  if (!system.varies(v) && !system.is_free(v)) return {numbers.start, numbers.start};
  if (system.role(v) == ScalarRole::time || system.role(v) == ScalarRole::timed || system.role(v) == ScalarRole::dependent)
    return everything();
  return {numbers.min, numbers.max};
}

Interval range_of(const System& system, ExprId root, std::span<const VariableId> slots, std::span<const double> data) {
  std::vector<Interval> ranges;
  for (VariableId v : slots) ranges.push_back(range_of(system, v));
  return range_of(system.dag(), root, ranges, data);
}

}  // namespace bolza::passes
