// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/estimate/inversion/model_inversion.h"

namespace bolza::estimate {

/// Where the starts of several inversions lie.
struct ManyStartsOptions {
  std::size_t starts = 1;  ///< the given one among them
  std::uint64_t seed = 1;
  double spread = 1;  ///< of coefficients without two bounds: standard deviation around the start
};

/// Points to begin from: the given start, then a Latin hypercube within bounds (normal around the start where there are
/// none). The same numbers on every machine.
std::vector<Eigen::VectorXd> starting_points(const CandidateTerms& terms, const Eigen::VectorXd& start,
                                             const ManyStartsOptions& options);

/// An inversion from each start, best first; what could not be evaluated stands at the end.
std::vector<InversionResult> invert_from_many(Predictions& predictions, const CandidateTerms& terms,
                                              const std::vector<bool>& active, const std::vector<Eigen::VectorXd>& starts,
                                              const std::vector<Eigen::VectorXd>& p0, const InversionOptions& options);

}  // namespace bolza::estimate
