// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <limits>
#include <string>
#include <vector>

namespace bolza::estimate {

/// One element of A in p = A c: its coefficient times a condition is added to one entry of p.
struct CandidateTerm {
  std::string name;
  std::size_t parameter = 0;   ///< row of A
  std::vector<double> factor;  ///< [sets] element of c: the term's value in each data set
  bool selectable = true;      ///< may be left out; else it always stays
  double start = 0;
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
};

/// All terms: p_i = offset_i + Σ a_j factor_j(i).
/// Invariants  every term's factor has as many entries as `offset`; every offset has as many as the model has parameters.
struct CandidateTerms {
  std::vector<CandidateTerm> terms;
  std::vector<Eigen::VectorXd> offset;  ///< [sets] of [parameters]: what no term changes

  /// p of a set for coefficients a, [terms].
  Eigen::VectorXd parameters(const Eigen::VectorXd& a, std::size_t set) const;
  Eigen::VectorXd start() const;  ///< [terms]
  /// a within its bounds; 0 for terms that are not `active` (empty: all are).
  Eigen::VectorXd bounded(Eigen::VectorXd a, const std::vector<bool>& active = {}) const;
};

/// The coefficients that come closest to given p, in the least squares of all sets and of smallest size where they are not
/// determined. Terms that are not `active` stay 0.
/// @param p  [sets] of [parameters]
Eigen::VectorXd coefficients_for(const CandidateTerms& terms, const std::vector<bool>& active,
                                 const std::vector<Eigen::VectorXd>& p);

}  // namespace bolza::estimate
