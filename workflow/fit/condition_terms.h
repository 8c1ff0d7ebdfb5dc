// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/result.h"

namespace bolza::workflow {

/// A product of powers of operating conditions: 1, c2, c1^2, c1*c2, c1/c2.
struct ConditionTerm {
  std::string name;                                ///< as written, without blanks
  std::vector<std::pair<std::string, int>> power;  ///< condition and exponent; empty: 1
};

/// The terms of one parameter, or of all that have none of their own.
struct TermList {
  std::string parameter;  ///< "": all others
  std::vector<ConditionTerm> terms;
  Span span;
};

/// Reads "1, c2, c2^2, c2*c3" or "p1 = 1, c2". A factor is 1, a name, or a name with a whole exponent.
/// Errors  E944 at the term.
Result<TermList> read_terms(const std::string& text, Sources& sources, Diagnostics& diagnostics);

/// Its value where the conditions have these values.   Requires  every condition of the term among them.
double value_of(const ConditionTerm& term, const std::map<std::string, double>& conditions);

}  // namespace bolza::workflow
