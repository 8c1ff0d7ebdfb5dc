// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

#include "runtime/result/table.h"

namespace bolza::result {

/// Variables that are drawn together: one role, one unit, sizes within a factor of thirty; or one variable in many
/// scenarios.
struct Panel {
  Role role = Role::state;
  std::string bundle;  ///< the variable, without its scenario; "" elsewhere
  std::vector<const ResultVariable*> series;
};

/// What a variable was compared with, drawn as points.
struct MeasuredPoints {
  std::size_t phase = 0;
  std::string name;
  std::vector<double> time, value;  ///< of the same length
};

/// Panels in the order of roles; `left_out` counts what exceeds the limit of a role. Constants are not drawn.
/// Views into the table.
std::vector<Panel> make_panels(const ResultTable& table, std::size_t& left_out);

/// `{"time":[…],"x":"time [s]","columns":[[…]],"panels":[…]}` with eight digits; values that are not finite are null.
/// @param x_label  below the axis
/// @param measured  of this phase
std::string panels_json(const ResultTable& table, const std::vector<Panel>& panels, const std::string& x_label = "time [s]",
                        std::span<const MeasuredPoints> measured = {});

/// A JSON string that is also safe inside a script element.
std::string json_string(std::string_view text);

}  // namespace bolza::result
