// A segment on IDAS: the adjoint of the continuous equations, backwards over checkpoints,    [SUNDIALS, 6.2.7]
//   λ' = −(f_xᵀ λ − h_xᵀ μ + q_xᵀ w),   0 = f_zᵀ λ − h_zᵀ μ + q_zᵀ w,
// with μ at the end from the second line: the final conditions of equations of index 0 and 1. Those of index 2 are in
// segment_idas_hidden.cpp.
#include <idas/idas_ls.h>

#include <algorithm>
#include <cmath>

#include "runtime/integrate/segment_idas_internal.h"

namespace bolza::integrate {

/// Gradient of L = λ'f + w'q − μ'h by (t, x, z, u, p).
bool IdasSegment::weighted_gradient(const Point& p, N_Vector back) {
  combined_.assign(view(back).begin(), view(back).begin() + static_cast<std::ptrdiff_t>(n_x));
  combined_.insert(combined_.end(), weight.begin(), weight.end());
  std::fill(gradient_.begin(), gradient_.end(), 0.0);
  if (!model.at().vjp(Part::rates, p, combined_, gradient_)) return false;
  minus_mu_.assign(view(back).begin() + static_cast<std::ptrdiff_t>(n_x), view(back).end());
  for (double& v : minus_mu_) v = -v;
  return !n_z_ || model.at().vjp(Part::residuals, p, minus_mu_, gradient_);
}

int IdasSegment::residual_back(double s, N_Vector y, N_Vector, N_Vector back, N_Vector back_p, N_Vector out, void* user) {
  IdasSegment& w = *static_cast<IdasSegment*>(user);
  if (!w.weighted_gradient(w.point(s, y), back)) return 1;
  auto o = view(out);
  for (std::size_t i = 0; i < w.n_x; ++i) o[i] = view(back_p)[i] + w.times.length * w.gradient_[1 + i];
  for (std::size_t i = w.n_x; i < w.n_; ++i) o[i] = w.gradient_[1 + i];
  return 0;
}

int IdasSegment::jacobian_back(double s, double c, N_Vector y, N_Vector, N_Vector, N_Vector, N_Vector, SUNMatrix J,
                               void* user, N_Vector, N_Vector, N_Vector) {
  IdasSegment& w = *static_cast<IdasSegment*>(user);
  double* data = w.newton_back_->clear(J);
  auto slot = w.newton_back_->slot().begin();
  if (!w.entries(w.point(s, y), [&](bool rate, std::size_t, std::size_t col, double v) {
        data[*slot++] += (col < w.n_x ? w.times.length : 1) * (rate ? v : -v);
      }))
    return 1;
  for (std::size_t i = 0; i < w.n_x; ++i) data[*slot++] += c;
  return 0;
}

int IdasSegment::quadrature_back(double s, N_Vector y, N_Vector, N_Vector back, N_Vector, N_Vector out, void* user) {
  IdasSegment& w = *static_cast<IdasSegment*>(user);
  Point p = w.point(s, y);
  if (!w.weighted_gradient(p, back) || !w.model.at().value(Part::rates, p, w.rates_)) return 1;
  auto o = view(out);
  double h = w.times.length, value = 0;
  const double *by_u = w.gradient_.data() + 1 + w.n_, *by_p = by_u + w.n_u;
  for (std::size_t i = 0; i < w.controls(); ++i)
    o[i] = -h * by_u[i % w.n_u] * (!w.options.linear_control ? 1 : i < w.n_u ? 1 - s : s);
  for (std::size_t j = 0; j < w.n_p; ++j) o[w.controls() + j] = -h * by_p[j];
  for (std::size_t i = 0; i < w.rates_.size(); ++i) value += w.combined_[i] * w.rates_[i];
  o[w.begin_input()] = -h * w.gradient_[0];
  o[w.length_input()] = -value - h * s * w.gradient_[0];
  return 0;
}

bool IdasSegment::make_backward() {
  void* memory = memory_.get();
  if (IDACreateB(memory, &which_) < 0 || IDAInitB(memory, which_, residual_back, 1, back_.get(), back_p_.get()) < 0)
    return false;
  Vector kind = make_vector(n_, context_.get());
  for (std::size_t i = 0; i < n_; ++i) view(kind.get())[i] = i < n_x;
  IDASetUserDataB(memory, which_, this);
  IDASetMaxNumStepsB(memory, which_, options.max_steps);
  IDASStolerancesB(memory, which_, options.rtol, options.rtol);
  IDASetIdB(memory, which_, kind.get());
  IDASetSuppressAlgB(memory, which_, hidden());
  newton_back_ = newton(true);
  IDASetLinearSolverB(memory, which_, newton_back_->solver(), newton_back_->matrix());
  IDASetJacFnB(memory, which_, jacobian_back);
  IDAQuadInitB(memory, which_, quadrature_back, quad_.get());
  IDASetQuadErrConB(memory, which_, options.method_options.quadrature_error_control > 0);
  return backward_made_ = true;
}

// μ and λ' at the end fit λ and the states there.
bool IdasSegment::start_backward(std::span<const double> lambda) {
  std::copy(end_.begin(), end_.end(), view(y_.get()).begin());
  Point end = point(1, y_.get());
  N_VConst(0, back_.get()), N_VConst(0, back_p_.get());
  std::copy(lambda.begin(), lambda.end(), view(back_.get()).begin());
  if (!weighted_gradient(end, back_.get())) return false;
  if (n_z_ && !hidden()) {
    auto n = static_cast<Eigen::Index>(n_z_);
    Eigen::MatrixXd h_z = Eigen::MatrixXd::Zero(n, n);
    if (!entries(end, [&](bool rate, std::size_t row, std::size_t col, double v) {
          if (!rate && col >= n_x) h_z(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(col - n_x)) += v;
        }))
      return false;
    Eigen::VectorXd by_z = Eigen::Map<const Eigen::VectorXd>(gradient_.data() + 1 + n_x, n);
    Eigen::VectorXd mu = h_z.transpose().partialPivLu().solve(by_z);
    if (!mu.allFinite()) return false;
    std::copy_n(mu.data(), n_z_, view(back_.get()).begin() + static_cast<std::ptrdiff_t>(n_x));
    if (!weighted_gradient(end, back_.get())) return false;
  }
  if (hidden() && !guess_multipliers(end)) return false;
  for (std::size_t i = 0; i < n_x; ++i) view(back_p_.get())[i] = -times.length * gradient_[1 + i];
  return true;
}

// Relative to the function's own size, as those of CVODES.
void IdasSegment::set_backward_tolerances() {
  double size = 0;
  for (std::size_t i = 0; i < n_x; ++i) size = std::max(size, std::fabs(view(back_.get())[i]) * size_of(i));
  for (double w : weight) size = std::max(size, std::fabs(w));
  if (size == 0) size = 1;
  Vector tolerance = make_vector(n_, context_.get()), quad = make_vector(inputs(), context_.get());
  for (std::size_t i = 0; i < n_x; ++i) view(tolerance.get())[i] = options.rtol * size / size_of(i);
  double largest = 0;  // μ has the size that it begins with, or that of λ
  for (std::size_t i = n_x; i < n_; ++i) largest = std::max(largest, std::fabs(view(back_.get())[i]));
  for (std::size_t i = n_x; i < n_; ++i) view(tolerance.get())[i] = options.rtol * std::max(size, largest);
  for (std::size_t i = 0; i < inputs(); ++i) {
    double input = i < controls() ? nonlinear::size_of(model.model().u[i % n_u]) : times.length;
    if (i >= controls() && i < begin_input()) input = std::max(1.0, std::fabs(model.at().shared[i - controls()]));
    view(quad.get())[i] = options.rtol * size / std::max(std::fabs(input), 1e-300);
  }
  IDASVtolerancesB(memory_.get(), which_, options.rtol, tolerance.get());
  IDAQuadSVtolerancesB(memory_.get(), which_, options.rtol, quad.get());
}

bool IdasSegment::adjoint(std::span<double> lambda, std::span<double> out, std::span<const double> samples,
                          std::vector<double>* at_samples) {
  auto keep = [&](N_Vector v) {
    at_samples->insert(at_samples->end(), view(v).begin(), view(v).begin() + static_cast<std::ptrdiff_t>(n_x));
  };
  if (!n_x || times.length == 0) {
    for (std::size_t k = 0; k < samples.size(); ++k) at_samples->insert(at_samples->end(), lambda.begin(), lambda.end());
    return true;
  }
  if (hidden() && !project(lambda, out)) return false;
  if (!start_backward(lambda)) return false;
  void* memory = memory_.get();
  bool again = backward_made_;
  N_VConst(0, quad_.get());
  if (!again && !make_backward()) return false;
  if (again &&
      (IDAReInitB(memory, which_, 1, back_.get(), back_p_.get()) < 0 || IDAQuadReInitB(memory, which_, quad_.get()) < 0))
    return false;
  set_backward_tolerances();
  double reached = 0;
  for (double s : samples) {
    if (s < 1 && (IDASolveB(memory, s, IDA_NORMAL) < 0 || IDAGetB(memory, which_, &reached, back_.get(), back_p_.get()) < 0))
      return false;
    keep(back_.get());
  }
  if (IDASolveB(memory, 0, IDA_NORMAL) < 0 || IDAGetB(memory, which_, &reached, back_.get(), back_p_.get()) < 0 ||
      IDAGetQuadB(memory, which_, &reached, quad_.get()) < 0)
    return false;
  std::copy_n(view(back_.get()).begin(), n_x, lambda.begin());
  for (std::size_t k = 0; k < out.size(); ++k) out[k] += view(quad_.get())[k];
  return true;
}

}  // namespace bolza::integrate
