// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/inversion/candidate_terms.h"

#include <algorithm>

#include "runtime/linalg/dense_decompositions.h"

namespace bolza::estimate {

Eigen::VectorXd CandidateTerms::parameters(const Eigen::VectorXd& a, std::size_t set) const {
  Eigen::VectorXd p = offset[set];
  for (std::size_t j = 0; j < terms.size(); ++j)
    p[static_cast<Eigen::Index>(terms[j].parameter)] += a[static_cast<Eigen::Index>(j)] * terms[j].factor[set];
  return p;
}

Eigen::VectorXd CandidateTerms::start() const {
  Eigen::VectorXd a(terms.size());
  for (std::size_t j = 0; j < terms.size(); ++j) a[static_cast<Eigen::Index>(j)] = terms[j].start;
  return bounded(std::move(a));
}

Eigen::VectorXd CandidateTerms::bounded(Eigen::VectorXd a, const std::vector<bool>& active) const {
  for (std::size_t j = 0; j < terms.size(); ++j) {
    double& value = a[static_cast<Eigen::Index>(j)];
    value = active.empty() || active[j] ? std::clamp(value, terms[j].lower, terms[j].upper) : 0;
  }
  return a;
}

Eigen::VectorXd coefficients_for(const CandidateTerms& terms, const std::vector<bool>& active,
                                 const std::vector<Eigen::VectorXd>& p) {
  Eigen::Index n_p = p.empty() ? 0 : p[0].size(), rows = n_p * static_cast<Eigen::Index>(p.size());
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(rows, static_cast<Eigen::Index>(terms.terms.size()));
  Eigen::VectorXd wanted(rows);
  for (std::size_t i = 0; i < p.size(); ++i) {
    Eigen::Index first = n_p * static_cast<Eigen::Index>(i);
    wanted.segment(first, n_p) = p[i] - terms.offset[i];
    for (std::size_t j = 0; j < terms.terms.size(); ++j)
      if (active[j])
        T(first + static_cast<Eigen::Index>(terms.terms[j].parameter), static_cast<Eigen::Index>(j)) =
            terms.terms[j].factor[i];
  }
  return terms.bounded(linalg::least_squares(T, wanted), active);
}

}  // namespace bolza::estimate
