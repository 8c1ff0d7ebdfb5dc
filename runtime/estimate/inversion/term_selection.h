// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/estimate/inversion/model_inversion.h"

namespace bolza::estimate {

/// How terms that the data do not need are found.
struct SelectionOptions {
  double threshold = 3.5;     ///< standard errors below which a coefficient may be 0
  double correlation = 0.95;  ///< beyond which a pair of terms is reported
  InversionOptions inversion;
};

/// One term that left.
struct Removal {
  std::size_t term = 0;
  double value = 0, standard_error = 0;  ///< when it left
  double sum_of_squares = 0;             ///< after the refit
  int iterations = 0;                    ///< of the refit
};

/// Two terms that the data hardly tell apart.
struct CorrelatedPair {
  std::size_t first = 0, second = 0;
  double correlation = 0;
};

struct TermSelection {
  InversionResult all, chosen;  ///< with every term; with those that stayed
  std::vector<Removal> removed;
  std::vector<std::size_t>
      kept_by_refit;  ///< small compared with their standard error, but the refit without them was worse
  std::vector<CorrelatedPair> correlated;  ///< in `all`, strongest first
};

/// Backward elimination [MI, section 3.2]: the selectable term that is smallest compared with its standard error leaves when
/// it is below the threshold, and all others are fitted again from where they are; until none is. A term comes back, and
/// stays, when the sum of squares of the refit has grown by more than threshold² variances: then its standard error was not
/// to be trusted. One at a time, because of two correlated terms either alone can stay.
/// @param all  converged fit of all terms, as `invert` gives it
/// Cost  a few iterations a term.
TermSelection select_terms(Predictions& predictions, const CandidateTerms& terms, InversionResult all,
                           const SelectionOptions& options);

/// Pairs of active terms whose coefficients' correlation exceeds the limit, strongest first.
std::vector<CorrelatedPair> correlated_pairs(const InversionResult& result, double limit);

}  // namespace bolza::estimate
