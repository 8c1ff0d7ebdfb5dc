// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/span.h"

namespace bolza::ir {

/// What is minimised over the scenarios.
enum class Risk : std::uint8_t {
  expected,  ///< Σ w_s J_s
  worst,     ///< max_s J_s
  cvar,      ///< mean of the worst share `tail` of the outcomes, the conditional value at risk [RU00]
};

/// Values of parameters and starts that are not known when the controls are chosen: every row is one that may turn out.
struct ScenarioTable {
  struct Column {
    std::string name;  ///< of a parameter, "k[2]"; or "x.start"
    Span span;
  };
  std::vector<Column> columns;
  std::vector<std::vector<double>> values;  ///< [scenarios][columns]
  std::vector<double> weights;              ///< [scenarios] positive, of sum 1
  Span span;                                ///< of the header
  Risk risk = Risk::expected;
  double tail = 0.1;              ///< of cvar, in (0, 1]
  std::set<std::size_t> excused;  ///< scenarios in which constraints and bounds need not hold
  std::optional<double> branch;   ///< from this time on every scenario has controls of its own; absent: never

  std::size_t size() const { return values.size(); }
};

}  // namespace bolza::ir
