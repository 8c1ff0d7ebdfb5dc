// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <vector>

#include "runtime/nlp/nlp.h"

namespace bolza::nlp {

/// Why the linear rows of a program and its bounds cannot hold together, by the theorem of alternatives [FARKAS]: a sum of
/// the rows that is at least `least` within the bounds, and at most `most` where all rows hold, least > most.
struct LinearCertificate {
  std::vector<double> weight;  ///< [m] of each row divided by its scale; 0 of rows that are not linear
  double least = 0, most = 0;
  /// By how much of their scales all bounds and limits have to be widened, equations excepted, before the sum proves
  /// nothing.
  double margin = 0;
};

/// Looks for a certificate where the violation of the linear rows is least in the sense of squares; what is returned is one
/// whatever was rounded on the way: what the sum has of a variable without a bound has to cancel but for rounding, which
/// counts with 1e6 times its scale.
/// @param w  [n] a point near which rows are evaluated, such as where an engine ended
/// Empty   where there is none, or a value is not finite, or no linear row. Cost    one quadratic program: some tens of
/// factorisations.
std::optional<LinearCertificate> linear_certificate(const Nlp& nlp, std::vector<double> w);

}  // namespace bolza::nlp
