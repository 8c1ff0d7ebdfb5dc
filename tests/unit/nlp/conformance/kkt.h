// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>

#include "tests/unit/nlp/conformance/cases.h"
#include "tests/unit/nlp/formulas.h"

namespace bolza::nlp::testing {

/// How far an iterate is from a point of Karush, Kuhn and Tucker, each relative to the largest of the terms that cancel (at
/// least 1). Computed here from the formulas with the signs of docs/notation.md, not taken from the report.
struct KktError {
  double primal = 0;           ///< of rows and bounds
  double stationarity = 0;     ///< of grad f + J' lambda - z_lower + z_upper
  double complementarity = 0;  ///< multiplier · distance, in units of f
  double sign = 0;             ///< a multiplier of a side that is not there, or a negative one of a bound
};
KktError kkt_error(FormulaNlp& problem, const Iterate& iterate);

/// What is wrong with the report of a solve that should have ended at a minimum with one of these values; empty: nothing.
std::string complaint_about(FormulaNlp& problem, const EngineCase& the_case, const Report& report,
                            std::span<const double> optima);

/// Empty where the arrays of the report have the lengths of the problem and the point is finite.
std::string wrong_lengths(const Nlp& nlp, const Report& report);

}  // namespace bolza::nlp::testing
