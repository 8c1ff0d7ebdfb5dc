// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/events/state_selection_monitor.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace bolza::integrate {

bool StateSelectionMonitor::failed(const State& s, std::span<const double> u, bool after_failure) {
  const bolza_model& m = model_.model();
  if (!watches()) return false;
  if (!model_.jacobian(nonlinear::ModelAt::Part::residuals, {s.t, s.x.data(), s.z.data(), u.data()}, {}, derivative_))
    return false;
  Eigen::Index n = static_cast<Eigen::Index>(m.n_z), n_x = static_cast<Eigen::Index>(m.n_x);
  Eigen::MatrixXd h = Eigen::MatrixXd::Zero(n, n);
  Eigen::VectorXd size =
      Eigen::VectorXd::Zero(n);  // of a row, with respect to states as well: what is small compared with those fails
  for (std::size_t e = 0; e < derivative_.value.size(); ++e) {
    Eigen::Index row = derivative_.row[e], col = derivative_.col[e] - 1;
    if (row >= n || col < 0 || col >= n_x + n) continue;
    const bolza_variable& v = col < n_x ? m.x[col] : m.z[col - n_x];
    double entry = derivative_.value[e] * nonlinear::size_of(v);
    size[row] = std::max(size[row], std::fabs(entry));
    if (col >= n_x) h(row, col - n_x) += entry;
  }
  for (Eigen::Index r = 0; r < n; ++r)
    if (size[r] > 0) h.row(r) /= size[r];
  Eigen::PartialPivLU<Eigen::MatrixXd> factor(h);
  double sign = factor.permutationP().determinant() > 0 ? 1 : -1, smallest = INFINITY, largest = 0;
  for (Eigen::Index k = 0; k < n; ++k) {
    double pivot = factor.matrixLU()(k, k);
    if (pivot < 0) sign = -sign;
    smallest = std::min(smallest, std::fabs(pivot));
    largest = std::max(largest, std::fabs(pivot));
  }
  double regular = std::isfinite(largest) && largest > 0 ? smallest / largest : 0;
  if (after_failure && regular < 1e-8) return true;  // singular from the start: there is no better time to compare with
  bool turned = sign_ != 0 && sign != sign_;
  sign_ = sign;
  best_ = std::max(best_, regular);
  double turning = std::max(after_failure ? 0.2 : 1e-2, std::min(0.2, 4 * margin_));
  return regular < std::max(after_failure ? 1e-3 : 0.0, margin_) * best_ || (turned && regular < turning * best_);
}

}  // namespace bolza::integrate
