// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <functional>
#include <optional>

#include "base/budget.h"
#include "runtime/estimate/inversion/candidate_terms.h"
#include "runtime/estimate/inversion/predictions.h"

namespace bolza::estimate {

/// How the iteration goes.
struct InversionOptions {
  double lambda = 1e-3;      ///< of the first iteration
  double tolerance = 1e-10;  ///< relative change of the sum of squares at which it ends
  int max_iterations = 200;
  std::function<void(int iteration, double sum_of_squares)> progress;
  Budget budget;
};

enum class InversionStatus : std::uint8_t { converged, iteration_limit, not_evaluated, stuck, interrupted };

/// Coefficients and what the data say of them.
struct InversionResult {
  InversionStatus status = InversionStatus::not_evaluated;
  std::vector<bool> active;  ///< [terms]
  Eigen::VectorXd a;         ///< [terms] 0 where not active
  double sum_of_squares = 0;
  std::size_t n_residuals = 0;
  double deviation = 0;             ///< of the residuals: sqrt(sum of squares / (residuals − active terms))
  Eigen::VectorXd standard_error;   ///< [terms] [MI, (11)]; infinite where not determined, 0 where not active
  Eigen::MatrixXd covariance;       ///< [terms²] of the determined directions; rows of inactive terms 0
  Eigen::MatrixXd null_directions;  ///< [terms × …] combinations that the data do not determine
  int iterations = 0;
  std::size_t evaluations = 0;  ///< of all data sets, with or without Jacobian
  std::vector<double> history;  ///< sum of squares after every iteration, the start's first
  std::size_t n_active() const { return static_cast<std::size_t>(std::count(active.begin(), active.end(), true)); }
};

/// Σ ‖r_i(p_i)‖² for p = T a; infinite where the model cannot be evaluated.
double sum_of_squares(Predictions& predictions, const CandidateTerms& terms, const Eigen::VectorXd& a);

/// The model-inversion iteration [MI]: linearises every set at its p0, regresses the coefficients on all sets with the
/// regularisation (8), and repeats at p = A c. λ starts small and grows tenfold until the sum of squares has fallen and
/// rises again, and falls a hundredfold from one iteration to the next.
/// @param start  [terms] coefficients to begin with
/// @param p0     [sets] of [parameters] where the first iteration linearises instead; empty: at the start's A c
/// Ends at the relative change asked for, or where changes are errors of the predictions (`resolution`). Bounds of terms are
/// kept by projection. Cost of an iteration: one evaluation with Jacobian, one without for each λ tried.
InversionResult invert(Predictions& predictions, const CandidateTerms& terms, const std::vector<bool>& active,
                       const Eigen::VectorXd& start, const std::vector<Eigen::VectorXd>& p0,
                       const InversionOptions& options);

/// The statistics of coefficients that were found in whichever way; fills all but status, iterations and history. False: the
/// model cannot be evaluated there.
bool judge(Predictions& predictions, const CandidateTerms& terms, InversionResult& result);

}  // namespace bolza::estimate
