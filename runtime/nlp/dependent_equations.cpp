// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/dependent_equations.h"

#include <Eigen/OrderingMethods>
#include <Eigen/Sparse>
#include <Eigen/SparseQR>
#include <algorithm>
#include <cmath>
#include <limits>

namespace bolza::nlp {

std::vector<std::int32_t> dependent_equations(const Nlp& nlp, std::span<const double> w, double tolerance) {
  std::vector<std::int32_t> equations, column(nlp.m(), global);
  for (std::size_t r = 0; r < nlp.m(); ++r)
    if (nlp.row_lower[r] == nlp.row_upper[r]) {
      column[r] = static_cast<std::int32_t>(equations.size());
      equations.push_back(static_cast<std::int32_t>(r));
    }
  nlp.functions->move_to(w);
  const double* values = nlp.functions->jacobian();
  if (!values || equations.empty()) return {};
  std::vector<double> largest(equations.size());
  auto is_of_use = [&](std::size_t k) {
    auto c = static_cast<std::size_t>(nlp.jacobian.col[k]);
    return column[static_cast<std::size_t>(nlp.jacobian.row[k])] != global && nlp.lower[c] < nlp.upper[c];
  };
  auto equation_of = [&](std::size_t k) {
    return static_cast<std::size_t>(column[static_cast<std::size_t>(nlp.jacobian.row[k])]);
  };
  for (std::size_t k = 0; k < nlp.jacobian.size(); ++k)
    if (is_of_use(k)) largest[equation_of(k)] = std::max(largest[equation_of(k)], std::abs(values[k]));
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t k = 0; k < nlp.jacobian.size(); ++k)
    if (is_of_use(k) && largest[equation_of(k)] > 0)
      entries.emplace_back(nlp.jacobian.col[k], static_cast<int>(equation_of(k)), values[k] / largest[equation_of(k)]);
  Eigen::SparseMatrix<double> transposed(static_cast<Eigen::Index>(nlp.n()), static_cast<Eigen::Index>(equations.size()));
  transposed.setFromTriplets(entries.begin(), entries.end());
  for (Eigen::Index c = 0; c < transposed.cols(); ++c)
    if (double norm = transposed.col(c).norm(); norm > 0) transposed.col(c) /= norm;
  Eigen::SparseQR<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> factors;
  factors.setPivotThreshold(tolerance);
  factors.compute(transposed);
  std::vector<std::int32_t> dependent;
  for (Eigen::Index k = factors.rank(); k < transposed.cols(); ++k)
    dependent.push_back(equations[static_cast<std::size_t>(factors.colsPermutation().indices()[k])]);
  std::sort(dependent.begin(), dependent.end());
  return dependent;
}

Nlp without_equations(Nlp nlp, std::span<const std::int32_t> rows) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  for (std::int32_t r : rows) {
    nlp.row_lower[static_cast<std::size_t>(r)] = -infinite;
    nlp.row_upper[static_cast<std::size_t>(r)] = infinite;
  }
  return nlp;
}

}  // namespace bolza::nlp
