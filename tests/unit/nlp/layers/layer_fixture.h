// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "runtime/nlp/layer_table.h"
#include "tests/unit/nlp/formulas.h"

namespace bolza::nlp::testing {

/// A row of the table that was given a task.
struct PassedLayer {
  std::unique_ptr<Layer> layer;
  SolveTask task;
  Report answer;
  Passage passage;
};
PassedLayer pass(std::string_view name, SolveTask task);

/// An engine that gives prepared reports, the last one again and again, and keeps what it was asked.
struct PreparedEngine {
  struct Asked {
    EngineOptions options;
    Iterate start;
  };
  static std::vector<Asked> asked;
  static std::vector<Report> reports;
  static const Engine engine;
  PreparedEngine() { asked.clear(), reports.clear(); }
};

/// How far an iterate is from the conditions of Karush, Kuhn and Tucker: the largest violation, slope of the Lagrangian,
/// product of a multiplier and a distance, and multiplier of a wrong sign. Slopes are central differences of the values
/// alone: step h, of quadratic functions exact but for rounding.
double kkt_by_differences(const Nlp& nlp, const Iterate& it, double h = 1e-4);

/// Two ways to be given: x2 = 2 fixed, x4 = x1 by row 0, row 1 of x2 alone.
///   min (x1 − 3)² + x1 x4 + x4²/2 + x2 x3 + x3²   subject to  x4 − x1 = 0,  x2 <= 5,  x1 + x2 + x3 >= 3
/// At the optimum x1 = 10/7, x3 = −3/7, and the multiplier of the last row is −8/7.
Formulas reducible();
inline constexpr double reducible_x1 = 10.0 / 7, reducible_x3 = -3.0 / 7, reducible_multiplier = -8.0 / 7;

}  // namespace bolza::nlp::testing
