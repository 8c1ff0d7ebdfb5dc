// SPDX-License-Identifier: Apache-2.0
#include "runtime/verify/totals.h"

#include "runtime/linalg/dense_decompositions.h"

namespace bolza::verify {
namespace {

/// Slopes of f, q, h, g by every column, of all points.
struct PlainSlopes {
  std::vector<Eigen::MatrixXd> rates, residuals;  ///< [columns] rows × points
};

PlainSlopes plain_slopes(const StoredPhase& phase, const Eigen::MatrixXd& points, bool parameters) {
  Eigen::VectorXd size(points.rows());
  size << std::max(std::abs(phase.stored.start_time), std::abs(phase.stored.final_time)), phase.x_size, phase.z_size,
      phase.u_size;
  PlainSlopes out;
  for (Eigen::Index c = 0; c < points.rows(); ++c) {
    out.rates.push_back(phase.rates.slope(points, c, size(c)));
    out.residuals.push_back(phase.residuals.slope(points, c, size(c)));
  }
  for (std::size_t p = 0; parameters && p < phase.model.n_global; ++p) {
    out.rates.push_back(phase.rates.slope_by_shared(points, p));
    out.residuals.push_back(phase.residuals.slope_by_shared(points, p));
  }
  return out;
}

TotalSlopes totals_at(const StoredPhase& phase, const PlainSlopes& plain, Eigen::Index k) {
  Eigen::Index nx = phase.nx(), nz = phase.nz(), nq = phase.nq(), ng = phase.ng();
  auto columns = static_cast<Eigen::Index>(plain.rates.size()) - nz;
  TotalSlopes out{
      Eigen::MatrixXd(nx + nq + ng, columns), Eigen::MatrixXd(nz, columns), {}, Eigen::MatrixXd(nx + nq + ng, nz), true};
  Eigen::MatrixXd h_z(nz, nz);
  Eigen::Index own = 0;
  for (std::size_t c = 0; c < plain.rates.size(); ++c) {
    auto at = static_cast<Eigen::Index>(c);
    bool is_z = at > nx && at <= nx + nz;
    Eigen::MatrixXd& rows = is_z ? out.by_z : out.rows;
    Eigen::MatrixXd& h = is_z ? h_z : out.algebraic;
    Eigen::Index to = is_z ? at - nx - 1 : own++;
    rows.col(to).head(nx + nq) = plain.rates[c].col(k);
    if (plain.residuals[c].rows() == 0) continue;
    rows.col(to).tail(ng) = plain.residuals[c].col(k).tail(ng);
    h.col(to) = plain.residuals[c].col(k).head(nz);
  }
  if (nz > 0) {
    auto inverse = h_z.allFinite() ? linalg::solve_if_regular(h_z, Eigen::MatrixXd::Identity(nz, nz)) : std::nullopt;
    out.regular = inverse.has_value();
    out.inverse = inverse ? *inverse : Eigen::MatrixXd::Zero(nz, nz);
    out.algebraic = -out.inverse * out.algebraic;
    out.rows += out.by_z * out.algebraic;
  }
  out.regular = out.regular && out.rows.allFinite();
  return out;
}

}  // namespace

std::vector<TotalSlopes> total_slopes(const StoredPhase& phase, const Eigen::MatrixXd& points, bool parameters) {
  PlainSlopes plain = plain_slopes(phase, points, parameters);
  std::vector<TotalSlopes> out;
  for (Eigen::Index k = 0; k < points.cols(); ++k) out.push_back(totals_at(phase, plain, k));
  return out;
}

}  // namespace bolza::verify
