// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/typing/typer_internal.h"

namespace bolza::flatten {

/// `allowedValues(u, {…})`, `minDwellTime(u, d)` and `maxSwitches(u, n)` among the constraints. A control with allowed
/// values gets a Boolean control for each of them, one of which is true, and a constraint that it is their sum; of two
/// values one Boolean says which. Dwell times and numbers of switches are rules of these Booleans.
class SwitchingRules {
 public:
  SwitchingRules(Model& model, ir::OptimizationProblem& problem) : model_(model), problem_(problem) {}

  /// One of the calls.
  /// @param in_a_part  it stands below a condition that varies with time
  /// Errors  E391 arguments that mean nothing, E393 said before.
  Outcome<Done> state(const ast::Expr& call, Typer& typer, bool in_a_part);
  /// When all are stated: controls, constraints and rules.    Errors  E392 rules of a control whose values are not known,
  /// E391 values that are all outside its bounds.
  void emit();

 private:
  struct Control {
    const Node* place = nullptr;  ///< a scalar
    Space space;                  ///< one instance
    std::string name;
    std::vector<double> values;  ///< ascending
    std::optional<double> dwell;
    std::optional<std::uint32_t> switches;
    Span span;                         ///< of the statement that came last
    std::map<std::string, Span> said;  ///< by the name of the call
    bool is_wrong = false;             ///< and that was reported
  };

  Outcome<std::vector<std::uint32_t>> ids_of_controls(const ast::Expr& call, Typer& typer, const Node& place);
  Outcome<std::vector<double>> numbers_of(const ast::Expr& call, Typer& typer, const Node& value);
  std::string bounds_missed(std::uint32_t id, const Control& control) const;
  static void set(Control& control, ast::SwitchingCall which, const std::vector<double>& numbers);
  Reported wrong(const ast::Expr& call, const char* what);
  const Node* indicator(const Control& control, double value, ir::SwitchingRule& rule);
  void emit_values(const Control& control, ir::SwitchingRule& rule);
  void equate(const Control& control, const Node& left, const Node& right, Span span);

  Model& model_;
  ir::OptimizationProblem& problem_;
  std::map<std::uint32_t, Control> controls_;  ///< by id
};

}  // namespace bolza::flatten
