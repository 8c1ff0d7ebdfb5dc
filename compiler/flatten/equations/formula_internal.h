// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "compiler/flatten/model/model_internal.h"

namespace bolza::flatten {

/// An expression over variables that are named by provisional ids, for equations that flattening adds by itself.
class Formula {
 public:
  explicit Formula(Model& model) : model_(model) {}

  ir::ExprId value(std::uint32_t id);
  ir::ExprId before(std::uint32_t id) { return value(id | provisional::previous); }
  ir::ExprId term(const ir::Term& term);
  ir::ExprId number(double value) { return model_.dag().number(value); }
  ir::ExprId make(ir::Op op, ir::ExprId a) { return model_.dag().make(op, a); }
  ir::ExprId make(ir::Op op, ir::ExprId a, ir::ExprId b) { return model_.dag().make(op, a, b); }
  ir::ExprId choose(ir::ExprId condition, ir::ExprId yes, ir::ExprId no) { return model_.dag().select(condition, yes, no); }
  const std::vector<ir::VariableId>& slots() const { return slots_; }

 private:
  Model& model_;
  std::vector<ir::VariableId> slots_;
};

/// A new auxiliary variable; its provisional id.
std::uint32_t new_variable(Model& model, const char* stem, ir::VariableKind kind, ir::ValueType type, Span span);
/// initial(); its provisional id.
std::uint32_t initial_flag(Model& model, Span span);
/// The discrete equation  variable = value.
void set_discrete(Model& model, std::uint32_t variable, const Formula& formula, ir::ExprId value, Span span);
/// The equation  0 = residual.
void add_equation(Model& model, const Formula& formula, ir::ExprId residual, Span span);
/// The expression with its relations, and what else makes events, taken literally.
std::vector<ir::ExprId> without_events(ir::Dag& dag, const std::vector<ir::ExprId>& roots);

}  // namespace bolza::flatten
