// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/inversion/term_selection.h"

#include <algorithm>
#include <cmath>

namespace bolza::estimate {
namespace {

/// |a| in standard errors; 0 where the data do not determine it.
double significance(const InversionResult& fit, std::size_t j) {
  auto at = static_cast<Eigen::Index>(j);
  double error = fit.standard_error[at], size = std::abs(fit.a[at]);
  return error > 0 ? size / error : size > 0 ? std::numeric_limits<double>::infinity() : 0;
}

/// The least significant selectable term that is not `locked`; none below the threshold: the number of terms.
std::size_t weakest(const CandidateTerms& terms, const InversionResult& fit, const std::vector<bool>& locked,
                    double threshold) {
  std::size_t found = terms.terms.size();
  double least = threshold;
  for (std::size_t j = 0; j < terms.terms.size(); ++j) {
    if (!fit.active[j] || !terms.terms[j].selectable || locked[j]) continue;
    double t = significance(fit, j);
    if (t < least) {
      least = t;
      found = j;
    }
  }
  return found;
}

/// Is the fit without a term worse than its standard error predicted?
bool is_needed(const InversionResult& with, const InversionResult& without, double threshold) {
  if (without.status != InversionStatus::converged && without.status != InversionStatus::stuck) return true;
  double growth = without.sum_of_squares - with.sum_of_squares;
  return !(growth <= threshold * threshold * with.deviation * with.deviation);
}

}  // namespace

TermSelection select_terms(Predictions& predictions, const CandidateTerms& terms, InversionResult all,
                           const SelectionOptions& options) {
  TermSelection s;
  s.chosen = all;
  s.all = std::move(all);
  s.correlated = correlated_pairs(s.all, options.correlation);
  std::vector<bool> locked(terms.terms.size());
  for (;;) {
    std::size_t j = weakest(terms, s.chosen, locked, options.threshold);
    if (j == terms.terms.size()) return s;
    std::vector<bool> active = s.chosen.active;
    active[j] = false;
    InversionResult refit = invert(predictions, terms, active, s.chosen.a, {}, options.inversion);
    if (refit.status == InversionStatus::interrupted) return s;
    auto at = static_cast<Eigen::Index>(j);
    if (std::isfinite(s.chosen.standard_error[at]) && is_needed(s.chosen, refit, options.threshold)) {
      locked[j] = true;
      s.kept_by_refit.push_back(j);
      continue;
    }
    s.removed.push_back({j, s.chosen.a[at], s.chosen.standard_error[at], refit.sum_of_squares, refit.iterations});
    s.chosen = std::move(refit);
  }
}

std::vector<CorrelatedPair> correlated_pairs(const InversionResult& result, double limit) {
  std::vector<CorrelatedPair> pairs;
  const Eigen::MatrixXd& C = result.covariance;
  for (Eigen::Index j = 0; j < C.rows(); ++j)
    for (Eigen::Index k = 0; k < j; ++k) {
      double size = std::sqrt(C(j, j) * C(k, k)), correlation = size > 0 ? C(j, k) / size : 0;
      if (std::abs(correlation) > limit)
        pairs.push_back({static_cast<std::size_t>(k), static_cast<std::size_t>(j), correlation});
    }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const auto& a, const auto& b) { return std::abs(a.correlation) > std::abs(b.correlation); });
  return pairs;
}

}  // namespace bolza::estimate
