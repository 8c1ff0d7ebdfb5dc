// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"

namespace bolza::result {

enum class Role : std::uint8_t {
  parameter,
  state,
  algebraic,
  control,
  rate,
  auxiliary,
  costate,
  multiplier,
  discrete,
  sensitivity
};

/// "state", "control", … for reports.
const char* name_of(Role role);
/// Whether it is one of a simulation's own variables, neither given nor a derivative.
constexpr bool is_simulated(Role role) {
  return role == Role::state || role == Role::algebraic || role == Role::auxiliary || role == Role::discrete;
}

/// One named quantity of a result. Aliases share a column, with a sign.
struct ResultVariable {
  std::string name, unit, description;
  Role role = Role::auxiliary;
  bool constant = false;  ///< `value` holds it; else sign × column
  double value = 0;
  std::size_t column = 0;
  double sign = 1;
  double min = -HUGE_VAL, max = HUGE_VAL;  ///< of the model, for drawings; files do not keep them
};

/// One amount of a multiplier of a solution: what of abi::SpreadMultiplier is not zero, by phases.
struct MultiplierAmount {
  enum class Kind : std::uint8_t { state, algebraic, control, equation, path, initial, point, parameter };
  static constexpr std::size_t kinds = static_cast<std::size_t>(Kind::parameter) + 1;
  std::size_t phase = 0;
  Kind kind = Kind::state;
  std::size_t index = 0;    ///< of the variable or the row
  double from = 0, to = 0;  ///< fractions of the phase's horizon; 0 where it has no time
  double amount = 0;
};

/// A result as files and pictures see it: physical units, one time axis that never decreases; a time stands twice where
/// something jumps (left value, right value).
/// Invariants: every column has time.size() entries; names are distinct.
struct ResultTable {
  std::string name;  ///< class
  std::vector<double> time;
  std::vector<std::vector<double>> columns;  ///< [column][time]
  std::vector<ResultVariable> variables;     ///< in the order of the model; without time
  std::vector<double> mesh;                  ///< fractions 0 … 1, of several phases one after the other; empty: unknown
  std::vector<std::pair<std::string, std::string>> metadata;
  abi::WarmStart warm_start;  ///< of all phases, in the table of the first and the joined one
  std::vector<MultiplierAmount>
      multipliers;  ///< of this phase, in the joined one of all; points and parameters in the first
};

/// Everything there is to say about one phase: states, algebraics, controls, the model's further variables (aliases keep the
/// column of what they repeat), der(x), costate(x), multiplier(row) of path constraints, parameters and both times as
/// constants. The kernels of `outputs` (and of `rates` when the solution has no rates) are asked for; what cannot be
/// evaluated is left out. Requires  the solution belongs to the problem.     Cost  linear in variables × times.
ResultTable make_table(const bolza_problem& problem, const abi::Solution& solution, std::size_t phase = 0);

/// The shared values of a phase with the solution's parameters in place. [n_shared] of its model.
std::vector<double> shared_values(const bolza_problem& problem, const abi::Solution& solution, std::size_t phase);

/// By exact name, else by name without regard to blanks; null when there is none.
const ResultVariable* find(const ResultTable& table, std::string_view name);

/// Value at time index k.
double value(const ResultTable& table, const ResultVariable& variable, std::size_t k);

/// All values [time].
std::vector<double> values(const ResultTable& table, const ResultVariable& variable);

/// Linear between times; at a jump the right value; constant beyond the ends. Requires a time.
double interpolate(const ResultTable& table, const ResultVariable& variable, double t);

}  // namespace bolza::result
