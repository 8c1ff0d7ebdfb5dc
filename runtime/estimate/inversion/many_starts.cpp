// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/inversion/many_starts.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace bolza::estimate {
namespace {

/// In (0, 1), 53 bits of the generator, whose sequence the standard fixes.
double uniform(std::mt19937_64& generator) { return (static_cast<double>(generator() >> 11) + 0.5) * 0x1p-53; }

double normal(std::mt19937_64& generator) {
  double radius = std::sqrt(-2 * std::log(uniform(generator)));
  return radius * std::cos(2 * M_PI * uniform(generator));
}

/// 0 … n − 1 in random order [KNUTH2, algorithm P].
std::vector<std::size_t> shuffled(std::size_t n, std::mt19937_64& generator) {
  std::vector<std::size_t> order(n);
  for (std::size_t k = 0; k < n; ++k) order[k] = k;
  for (std::size_t k = n; k > 1; --k) std::swap(order[k - 1], order[generator() % k]);
  return order;
}

}  // namespace

std::vector<Eigen::VectorXd> starting_points(const CandidateTerms& terms, const Eigen::VectorXd& start,
                                             const ManyStartsOptions& options) {
  std::vector<Eigen::VectorXd> points(std::max<std::size_t>(options.starts, 1), start);
  std::mt19937_64 generator(options.seed);
  std::size_t drawn = points.size() - 1;
  for (std::size_t j = 0; j < terms.terms.size(); ++j) {
    const CandidateTerm& term = terms.terms[j];
    bool boxed = std::isfinite(term.lower) && std::isfinite(term.upper);
    std::vector<std::size_t> cell = shuffled(drawn, generator);
    for (std::size_t k = 0; k < drawn; ++k) {
      double within = (static_cast<double>(cell[k]) + uniform(generator)) / static_cast<double>(drawn);
      double& value = points[k + 1][static_cast<Eigen::Index>(j)];
      value = boxed ? term.lower + within * (term.upper - term.lower) : value + options.spread * normal(generator);
    }
  }
  for (Eigen::VectorXd& point : points) point = terms.bounded(std::move(point));
  return points;
}

std::vector<InversionResult> invert_from_many(Predictions& predictions, const CandidateTerms& terms,
                                              const std::vector<bool>& active, const std::vector<Eigen::VectorXd>& starts,
                                              const std::vector<Eigen::VectorXd>& p0, const InversionOptions& options) {
  std::vector<InversionResult> results;
  for (const Eigen::VectorXd& start : starts) {
    if (options.budget.ended()) break;
    // the given parameters of the sets belong to the first start
    results.push_back(
        invert(predictions, terms, active, start, results.empty() ? p0 : std::vector<Eigen::VectorXd>{}, options));
  }
  auto value = [](const InversionResult& r) {
    return r.status == InversionStatus::not_evaluated ? std::numeric_limits<double>::infinity() : r.sum_of_squares;
  };
  std::stable_sort(results.begin(), results.end(), [&](const auto& a, const auto& b) { return value(a) < value(b); });
  return results;
}

}  // namespace bolza::estimate
