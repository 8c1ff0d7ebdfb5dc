// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "runtime/estimate/inversion/candidate_terms.h"
#include "runtime/estimate/inversion/predictions.h"

namespace bolza::estimate::testing {

/// The first example of [MI, section 4]: two linear equations, p1 … p6 their coefficients, p7, p8 the initial values,
/// observed at t = 0, 1, …, 10 in six data sets. Solved in closed form, by matrix exponentials, derivatives too: this knows
/// nothing of integrators.
class LinearTwoStates : public Predictions {
 public:
  static constexpr std::size_t n_sets = 6, n_times = 11;
  static const double conditions[n_sets][3];  ///< columns of (14)
  static const double published[8][3];        ///< A_Orig of (16)

  std::size_t sets() const override { return n_sets; }
  std::size_t parameters() const override { return 8; }
  std::size_t measurements(std::size_t) const override { return 2 * n_times; }
  bool evaluate(std::size_t set, const Eigen::VectorXd& p, Eigen::VectorXd& residual, Eigen::MatrixXd* jacobian) override;

  /// Measurements of the published A with normal noise of a seed.
  void generate(double noise, std::uint64_t seed);

  /// All 24 elements of A, by rows.
  static CandidateTerms terms();
  static Eigen::VectorXd truth();

  std::vector<Eigen::VectorXd> data;  ///< [sets] x(0), y(0), x(1), …
};

}  // namespace bolza::estimate::testing
