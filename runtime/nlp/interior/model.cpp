// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/interior/model.h"

#include <algorithm>
#include <cmath>

#include "base/clock.h"

namespace bolza::nlp::interior {
namespace {

/// Adds the time of an evaluation to a sum.
class Watch {
 public:
  explicit Watch(double& sum) : sum_(sum), begin_(Clock::now()) {}
  ~Watch() { sum_ += seconds_since(begin_); }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 private:
  double& sum_;
  Clock::time_point begin_;
};

double relaxed(double bound, double by) { return bound + by * std::max(1.0, std::fabs(bound)); }

}  // namespace

const Pattern& second_pattern(const Nlp& nlp, Hessian kind) {
  static const Pattern none;
  if (kind == Hessian::lbfgs) return none;
  return kind == Hessian::gauss_newton ? nlp.gauss_newton : nlp.hessian;
}

ProblemModel::ProblemModel(const Nlp& nlp, Hessian kind, double relaxation)
    : nlp_(nlp),
      kind_(kind),
      target_(nlp.m(), 0.0),
      slack_(nlp.m(), -1),
      of_row_(nlp.m(), 1.0),
      lambda_(nlp.m()) {
  n = nlp.n();
  m = nlp.m();
  lower = nlp.lower;
  upper = nlp.upper;
  is_idle.assign(m, 0);
  for (std::size_t r = 0; r < m; ++r) {
    if (nlp.row_lower[r] == nlp.row_upper[r]) {
      target_[r] = nlp.row_lower[r];
      continue;
    }
    is_idle[r] = std::isinf(nlp.row_lower[r]) && std::isinf(nlp.row_upper[r]);
    if (is_idle[r]) continue;
    slack_[r] = static_cast<std::int32_t>(N());
    columns.add(r, -1, 0);
    lower.push_back(nlp.row_lower[r]);
    upper.push_back(nlp.row_upper[r]);
  }
  for (double& bound : lower) bound = relaxed(bound, -relaxation);
  for (double& bound : upper) bound = relaxed(bound, relaxation);
}

bool ProblemModel::choose_scales(std::span<const double> w, double largest, double objective_factor) {
  constexpr double least_scale = 1e-8;
  Watch watch(seconds_);
  nlp_.functions->move_to(w);
  const double* gradient = nlp_.functions->gradient();
  const double* jacobian = nlp_.functions->jacobian();
  if (!gradient || (m > 0 && !jacobian)) return false;
  double steepest = 0;
  for (std::size_t v = 0; v < n; ++v) steepest = std::max(steepest, std::fabs(gradient[v]));
  if (steepest > largest) of_objective_ = std::max(least_scale, largest / steepest);
  of_objective_ *= objective_factor;
  std::vector<double> steep(m, 0.0);
  for (std::size_t e = 0; e < nlp_.jacobian.size(); ++e) {
    double& row = steep[static_cast<std::size_t>(nlp_.jacobian.row[e])];
    row = std::max(row, std::fabs(jacobian[e]));
  }
  for (std::size_t r = 0; r < m; ++r) {
    if (!(steep[r] > largest)) continue;
    of_row_[r] = std::max(least_scale, largest / steep[r]);
    scales_rows_ = true;
    if (slack_[r] < 0) continue;
    auto t = static_cast<std::size_t>(slack_[r]);
    lower[t] *= of_row_[r];
    upper[t] *= of_row_[r];
  }
  if (scales_rows_) jacobian_.resize(nlp_.jacobian.size());
  return true;
}

bool ProblemModel::values(const double* v, double& f, double* c) {
  Watch watch(seconds_);
  nlp_.functions->move_to({v, n});
  if (!nlp_.functions->objective(f)) return false;
  f *= of_objective_;
  const double* g = nlp_.functions->constraints();
  if (m > 0 && !g) return false;
  double finite = f;
  for (std::size_t r = 0; r < m; ++r) {
    c[r] = is_idle[r] ? 0 : (g[r] - target_[r]) * of_row_[r] - (slack_[r] < 0 ? 0 : v[slack_[r]]);
    finite += c[r];
  }
  return std::isfinite(finite);
}

bool ProblemModel::rows_at(std::span<const double> w, double* t) {
  Watch watch(seconds_);
  nlp_.functions->move_to(w);
  const double* g = nlp_.functions->constraints();
  if (m > 0 && !g) return false;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    auto r = static_cast<std::size_t>(columns.row[k]);
    t[k] = g[r] * of_row_[r];
    if (!std::isfinite(t[k])) return false;
  }
  return true;
}

bool ProblemModel::slopes(double* gradient, const double*& jacobian) {
  Watch watch(seconds_);
  const double* own = nlp_.functions->gradient();
  const double* entries = nlp_.functions->jacobian();
  if (!own || (m > 0 && !entries)) return false;
  for (std::size_t v = 0; v < n; ++v) gradient[v] = of_objective_ * own[v];
  jacobian = entries;
  if (!scales_rows_) return true;
  for (std::size_t e = 0; e < jacobian_.size(); ++e)
    jacobian_[e] = entries[e] * of_row_[static_cast<std::size_t>(nlp_.jacobian.row[e])];
  jacobian = jacobian_.data();
  return true;
}

const double* ProblemModel::hessian(double sigma, const double* lambda) {
  Watch watch(seconds_);
  if (kind_ == Hessian::lbfgs) return &of_objective_;  // no places: nothing is read
  if (kind_ == Hessian::gauss_newton) return nlp_.functions->gauss_newton(sigma * of_objective_);
  for (std::size_t r = 0; r < m; ++r) lambda_[r] = lambda[r] * of_row_[r];
  return nlp_.functions->hessian(sigma * of_objective_, lambda_);
}

}  // namespace bolza::nlp::interior
