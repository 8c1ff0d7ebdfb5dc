// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <unordered_map>
#include <vector>

#include "compiler/derive/jacobian.h"
#include "compiler/ir/interpret.h"
#include "compiler/passes/index/derivative_chains.h"

namespace bolza::passes {

/// Derivatives of equations by their leading variables, as numbers at a point: PassOptions::point, else start values of
/// variables that have one; what is not known gets a generic value inside its bounds, the same in every run.
class ConstraintJacobian {
 public:
  struct Entry {
    std::uint32_t chain;
    double value;
    bool is_constant;  ///< depends on numbers and fixed parameters only
  };
  ConstraintJacobian(System& system, const EquationRows& equations, const DerivativeChains& chains)
      : system_(system),
        equations_(equations),
        chains_(chains),
        interpreter_(system.flat.expressions) {}

  /// Where the derivatives are evaluated: at the point; where only what vanishes everywhere is zero; or at one of a row of
  /// points, from `scattered` on, spread over the bounds and about the starts.
  enum At : std::uint32_t { point, generic, scattered };
  std::vector<Entry> row(std::uint32_t row, const Offsets& offsets, std::uint32_t at);

 private:
  const std::vector<derive::JacobianEntry>& partials(ExprId root);
  double value(ExprId e, const Applied& a, std::uint32_t at);
  double value_of(VariableId v, std::uint32_t at) const;
  bool is_constant(ExprId e, const Applied& a);

  System& system_;
  const EquationRows& equations_;
  const DerivativeChains& chains_;
  ir::Interpreter<double> interpreter_;
  std::unordered_map<ExprId, std::vector<derive::JacobianEntry>> partials_;
  std::unordered_map<ExprId, ir::Tape> tapes_;
  std::unordered_map<ExprId, std::vector<std::uint32_t>> slots_;
};

}  // namespace bolza::passes
