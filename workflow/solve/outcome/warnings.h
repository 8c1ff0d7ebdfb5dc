// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bolza::workflow {

/// Reasons not to trust a solution as it is. A new one is an entry here, a row in warnings.cpp and a test.
enum class WarningKind : std::uint8_t {
  better_point_passed,
  branch_ended,
  branch_jump,
  coarse_mesh,
  complementarity_failed,
  complementarity_relaxed,
  constraint_broken,
  constraint_broken_in_simulation,
  constraint_broken_between_samples,
  delay_at_limit,
  far_parameter,
  free_switch,
  integer_search_ended,
  integers_relaxed,
  jump_without_modes,
  local_optimum,
  mode_at_limit,
  modes_failed,
  no_horizon,
  not_attained,
  not_reproduced,
  not_simulated,
  objective_gap,
  objective_uncertain,
  relaxation_not_optimal,
  smoothed,
  stationary_point,
  structure_failed,
  time_not_resolved
};

struct Warning {
  WarningKind kind;
  std::string text;    ///< what is not known or does not hold, with names in backquotes
  std::string remedy;  ///< what to do about it, "" where there is nothing
  std::string name;    ///< of the variable, constraint or relation, "" where it is of none
  double time = std::numeric_limits<double>::quiet_NaN();  ///< in the model's unit; NaN: at none

  friend bool operator==(const Warning& a, const Warning& b) { return a.kind == b.kind && a.text == b.text; }
};

using Warnings = std::vector<Warning>;

/// Text and remedy as one line.
std::string line_of(const Warning& warning);
std::vector<std::string> lines_of(const Warnings& warnings);

/// One row a kind: the name that programs test, and what it means.
struct WarningRow {
  WarningKind kind;
  std::string_view name, meaning;
};

std::span<const WarningRow> warning_table();
std::string_view name_of(WarningKind kind);

}  // namespace bolza::workflow
