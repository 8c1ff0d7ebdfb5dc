// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/ir/interpret.h"
#include "compiler/passes/system/interval.h"
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Numbers for expressions of parameters: fixed ones at their values, free ones at their guesses.
class ParameterValues {
 public:
  explicit ParameterValues(const System& system) : system_(system), interpreter_(system.flat.expressions) {}
  /// NaN when a Program fails, when the expression is not defined, or when it reads point values.
  double of(ExprId root, std::span<const VariableId> slots, std::span<const double> data);
  /// What ended the Program, where the last value is NaN because of that.
  const ir::RunReport& failure() const { return failure_; }
  double of(const Applied& a) { return of(a.root(), a.slots, a.data); }
  double of(const ir::Term& term) { return of(term.root, term.slots, term.data); }

 private:
  double computed(ExprId root, std::span<const double> slots, std::span<const double> data);
  void run(ExprId call, const std::vector<double>& slots, std::span<const double> data);

  const System& system_;
  ir::Interpreter<double> interpreter_;
  ir::RunReport failure_;
  std::unordered_map<ExprId, ir::Tape> tapes_;
  /// The last call of a Program: each element of an array that it gives asks for the same one.
  struct LastCall {
    ExprId call;
    std::vector<double> slots, data, outputs;
  };
  LastCall last_;
};

/// Are all slots fixed parameters (or fixed ends of the horizon)?
bool is_fixed(const System& system, std::span<const VariableId> slots);
/// The interval that bounds (or values) leave to a variable.
Interval range_of(const System& system, VariableId v);
Interval range_of(const System& system, ExprId root, std::span<const VariableId> slots, std::span<const double> data);

}  // namespace bolza::passes
