// SPDX-License-Identifier: Apache-2.0
#include "runtime/nonlinear/algebraic_errors.h"

#include <Eigen/SparseLU>
#include <cmath>
#include <cstdint>
#include <limits>

namespace bolza::nonlinear {
namespace {

constexpr Eigen::Index samples = 3;

// The sign of entry i in a sample: fixed, and as good as random.
double sign_of(std::size_t i, Eigen::Index sample) {
  std::uint64_t bits = (i + 1) * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(sample) * 0xbf58476d1ce4e5b9u;
  bits ^= bits >> 31;
  bits *= 0x94d049bb133111ebu;
  return bits >> 63 ? 1 : -1;
}

}  // namespace

bool find_algebraic_errors(ModelAt& model, const ModelAt::Point& point, std::span<const double> x_tolerance,
                           AlgebraicErrors& errors) {
  const bolza_model& m = model.model();
  Derivative h;
  if (!model.jacobian_nearby(ModelAt::Part::residuals, point, h)) return false;
  auto n = static_cast<Eigen::Index>(m.n_z);
  auto value_of = [&](std::size_t col) {
    return col == 0 ? point.t : col <= m.n_x ? point.x[col - 1] : col <= m.n_x + m.n_z ? point.z[col - 1 - m.n_x] : 0;
  };
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::MatrixXd right = Eigen::MatrixXd::Zero(n, 2 * samples);  // of states, of rounding
  Eigen::VectorXd terms = Eigen::VectorXd::Zero(n);
  for (std::size_t e = 0; e < h.value.size(); ++e) {
    auto row = static_cast<Eigen::Index>(h.row[e]);
    auto col = static_cast<std::size_t>(h.col[e]);
    if (row >= n) continue;
    terms[row] += std::fabs(h.value[e] * value_of(col));
    if (col > m.n_x && col <= m.n_x + m.n_z) entries.emplace_back(row, static_cast<int>(col - 1 - m.n_x), h.value[e]);
    for (Eigen::Index s = 0; s < samples && col >= 1 && col <= m.n_x; ++s)
      right(row, s) += h.value[e] * sign_of(col, s) * x_tolerance[col - 1];
  }
  for (Eigen::Index r = 0; r < n; ++r)
    for (Eigen::Index s = 0; s < samples; ++s)
      right(r, samples + s) = std::numeric_limits<double>::epsilon() * sign_of(static_cast<std::size_t>(r), s) * terms[r];
  Eigen::SparseMatrix<double> by_z(n, n);
  by_z.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseLU<Eigen::SparseMatrix<double>> factors(by_z);
  if (factors.info() != Eigen::Success) return false;
  Eigen::MatrixXd size = factors.solve(right).cwiseAbs();
  if (!size.allFinite()) return false;
  errors.of_states.resize(m.n_z);
  errors.of_rounding.resize(m.n_z);
  for (Eigen::Index k = 0; k < n; ++k) {
    errors.of_states[static_cast<std::size_t>(k)] = size.row(k).head(samples).maxCoeff();
    errors.of_rounding[static_cast<std::size_t>(k)] = size.row(k).tail(samples).maxCoeff();
  }
  return true;
}

}  // namespace bolza::nonlinear
