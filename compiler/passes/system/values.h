#pragma once
#include "compiler/ir/interpret.h"
#include "compiler/passes/system/interval.h"
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Numbers for expressions of parameters: fixed ones at their values, free ones at their guesses.
class Values {
 public:
  explicit Values(const System& system) : system_(system), interpreter_(system.flat.expressions) {}
  /// NaN when a Program fails, when the expression is not defined, or when it reads point values.
  double of(ExprId root, std::span<const VariableId> slots, std::span<const double> data);
  double of(const Applied& a) { return of(a.root(), a.slots, a.data); }
  double of(const ir::Term& term) { return of(term.root, term.slots, term.data); }

 private:
  double computed(ExprId root, std::span<const double> slots, std::span<const double> data);
  void run(ExprId call, const std::vector<double>& slots, std::span<const double> data);

  const System& system_;
  ir::Interpreter<double> interpreter_;
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

/// Adds an origin for something that has no equation of its own.
std::uint32_t add_origin(System& system, Span span);
/// Adds the row 0 = root to a section.
void add_row(System& system, ir::Section& section, const Applied& what, std::uint32_t origin);
/// Adds left − right, a row with a relation.
void add_constraint(System& system, ir::ConstraintSection& section, const Applied& left, const Applied& right,
                    ir::Relation relation, std::uint32_t origin);
/// left − right as one expression.
Applied difference(ir::Dag& dag, const Applied& left, const Applied& right);
/// Both as the two roots of one shape.
Applied pair_of(ir::Dag& dag, const Applied& left, const Applied& right);

}  // namespace bolza::passes
