// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <span>
#include <vector>

#include "base/words.h"

namespace bolza::estimate {

/// What of the information matrix F = M'M a design is to make good [FED, 2]. All are stated so that smaller is better.
enum class Criterion : std::uint8_t {
  a,          ///< trace F⁻¹: the sum of the variances
  d,          ///< −log det F: the volume of the confidence ellipsoid
  e,          ///< 1/smallest eigenvalue of F: its longest axis
  modified_e  ///< condition number of F: its shape
};
inline constexpr Words<Criterion, 4> criteria{
    {{{"A", Criterion::a}, {"D", Criterion::d}, {"E", Criterion::e}, {"modified-E", Criterion::modified_e}}}};

/// The criterion at F [parameters²]; infinite where F is singular.
double criterion_of(const Eigen::MatrixXd& information, Criterion criterion);

/// What could be measured at once, for instance all observables at one time: sensitivities over standard deviations
/// [measurements × parameters] on the parameters' scales; for relative errors on logarithmic ones.
struct DesignProblem {
  std::vector<Eigen::MatrixXd> candidates;
  Eigen::MatrixXd known;  ///< information that is there already [parameters²]; empty: none
  Criterion criterion = Criterion::d;
};

struct Design {
  std::vector<std::size_t> chosen;  ///< candidates, ascending
  double value = 0;                 ///< of the criterion; infinite: these candidates cannot determine the parameters
  int exchanges = 0;
};

/// The best `count` of the candidates, each at most once: from a greedy choice on, one is exchanged for another as long as
/// that is better [FED, 3.3]; and from up to two dozen random ones (fixed seed), fewer in large problems. A local optimum
/// over exchanges of one. Ties go to the first candidate and the first start. Requires  count <= candidates.   Cost  O(count
/// × candidates × parameters³) a pass.
Design best_subset(const DesignProblem& problem, std::size_t count);

struct Weights {
  std::vector<double> share;  ///< [candidates] of the measurements, sum 1
  double value = 0;           ///< of the criterion, for one measurement in all
  double efficiency = 0;      ///< at least this share of the best possible (D: per parameter), 1 at the optimum [KW]
  int iterations = 0;
};

/// The best shares of many measurements among the candidates, a convex problem, by multiplicative steps; criteria a and d.
/// Ends when the efficiency is above 1 − tolerance. `known` is not used. Cost  O(candidates × parameters²) an iteration.
Weights best_weights(const DesignProblem& problem, double tolerance = 1e-6, int most_iterations = 20000);

}  // namespace bolza::estimate
