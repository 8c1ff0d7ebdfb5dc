#include "runtime/integrate/state_choice.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace bolza::integrate {

bool StateChoice::failed(const State& s, std::span<const double> u, bool in_trouble) {
  const bolza_model& m = model_.model();
  if (!m.n_z || m.n_z > 200) return false;  // dense factors; larger models are told by the integrator's failure only
  if (!model_.jacobian(nonlinear::ModelAt::Part::residuals, {s.t, s.x.data(), s.z.data(), u.data()}, {}, derivative_)) return false;
  Eigen::Index n = static_cast<Eigen::Index>(m.n_z);
  Eigen::MatrixXd h = Eigen::MatrixXd::Zero(n, n);
  Eigen::VectorXd size_of_row = Eigen::VectorXd::Zero(n);  // what changes of states can do to it counts as well
  for (std::size_t e = 0; e < derivative_.value.size(); ++e) {
    Eigen::Index row = derivative_.row[e], col = derivative_.col[e] - static_cast<Eigen::Index>(1 + m.n_x);
    if (row < n && derivative_.col[e] >= 1 && col < 0)
      size_of_row[row] = std::max(size_of_row[row], std::fabs(derivative_.value[e]) * nonlinear::size_of(m.x[static_cast<std::size_t>(derivative_.col[e] - 1)]));
    if (row < n && col >= 0 && col < n)
      h(row, col) += derivative_.value[e] * nonlinear::size_of(m.z[static_cast<std::size_t>(col)]);
  }
  for (Eigen::Index r = 0; r < n; ++r)
    if (double size = std::max(size_of_row[r], h.row(r).cwiseAbs().maxCoeff()); size > 0) h.row(r) /= size;
  Eigen::PartialPivLU<Eigen::MatrixXd> factor(h);
  double sign = factor.permutationP().determinant() > 0 ? 1 : -1, smallest = INFINITY, largest = 0;
  for (Eigen::Index k = 0; k < n; ++k) {
    double pivot = factor.matrixLU()(k, k);
    if (pivot < 0) sign = -sign;
    smallest = std::min(smallest, std::fabs(pivot)), largest = std::max(largest, std::fabs(pivot));
  }
  double regular = std::isfinite(largest) && largest > 0 ? smallest / largest : 0;
  bool turned = sign_ != 0 && sign != sign_;
  sign_ = sign, best_ = std::max(best_, regular);
  return regular < (in_trouble ? 1e-2 : 1e-7) * best_ || (turned && regular < (in_trouble ? 0.2 : 1e-2) * best_);
}

}  // namespace bolza::integrate
