// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "runtime/nlp/nlp.h"

namespace bolza::nlp {

/// An NLP without its fixed variables (equal bounds), those that are others (`equal`) and without the rows that then have no
/// entry left or have no bounds.
struct Reduced {
  Nlp nlp;  ///< functions: owned by `functions` below
  std::unique_ptr<Functions> functions;
  std::vector<std::int32_t> variable;  ///< [n reduced] → full
  std::vector<std::int32_t> row;       ///< [m reduced] → full
  std::vector<std::int32_t> dropped;   ///< full rows without entries or bounds
  std::vector<double> fixed;           ///< [n full] a full point; entries of fixed variables are their values
  std::vector<Nlp::Equal> equal;       ///< in full numbers, and the number of the other in the reduced problem
  std::vector<std::int32_t> equal_to;  ///< [equal] or none where the other is fixed
};

/// `full` and its functions must outlive the result. Cost linear in the numbers of variables, rows and entries.
Reduced reduce(const Nlp& full);

/// The part of a full iterate that the reduced problem sees; empty multipliers stay empty.
Iterate restrict_to(const Reduced& reduced, const Iterate& full);

/// Back to the full problem. The multiplier of a fixed variable is what makes the Lagrangian's derivative by it zero, in
/// z_lower or z_upper by its sign: d f*/d (fixed value) = z_lower - z_upper. Evaluates gradient and Jacobian once; when that
/// fails the multipliers of fixed variables are NaN.
Iterate recover(const Reduced& reduced, const Nlp& full, const Iterate& iterate);

/// Largest violation of the dropped rows at the fixed values.
double dropped_violation(const Reduced& reduced, const Nlp& full);

}  // namespace bolza::nlp
