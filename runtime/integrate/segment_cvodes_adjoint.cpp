// A segment on CVODES: the adjoint of the continuous equations, backwards over checkpoints.
#include <cvodes/cvodes_ls.h>

#include <algorithm>
#include <cmath>

#include "runtime/integrate/segment_cvodes_internal.h"

namespace bolza::integrate {

using Part = nonlinear::ModelAt::Part;

// Gradient of w = (λ, weights)' (f, q) by (t, x, u, p) at s, x; λ is what `back` begins with.
bool CvodesSegment::weighted_gradient(double s, N_Vector at, N_Vector back) {
  if (!point_.move_to(s, view(at))) return false;
  combined_.resize(n_x + n_q);
  std::copy_n(N_VGetArrayPointer(back), n_x, combined_.begin());
  std::copy(weight.begin(), weight.end(), combined_.begin() + static_cast<std::ptrdiff_t>(n_x));
  std::fill(gradient_.begin(), gradient_.end(), 0.0);
  return model.add_gradient(Part::rates, combined_, {}, gradient_);
}

int CvodesSegment::rhs_back(double s, N_Vector at, N_Vector back, N_Vector out, void* user) {
  CvodesSegment& w = *static_cast<CvodesSegment*>(user);
  if (!w.weighted_gradient(s, at, back)) return 1;
  auto o = view(out);
  for (std::size_t i = 0; i < w.n_x; ++i) o[i] = -w.times.length * w.gradient_[1 + i];
  return 0;
}

int CvodesSegment::quadrature_back(double s, N_Vector at, N_Vector back, N_Vector out, void* user) {
  CvodesSegment& w = *static_cast<CvodesSegment*>(user);
  if (!w.weighted_gradient(s, at, back)) return 1;
  auto o = view(out);
  double h = w.times.length;
  const double *by_u = w.gradient_.data() + 1 + w.n_x, *by_p = by_u + w.n_u;
  for (std::size_t i = 0; i < w.controls(); ++i) o[i] = -h * by_u[i % w.n_u] * w.share(i, s);
  for (std::size_t j = 0; j < w.n_p; ++j) o[w.controls() + j] = -h * by_p[j];
  if (!w.options.times_move) return 0;
  if (!w.point_.rates()) return 1;
  double value = 0;
  for (std::size_t i = 0; i < w.combined_.size(); ++i) value += w.combined_[i] * w.point_.rows()[i];
  o[w.begin_input()] = -h * w.gradient_[0];
  o[w.length_input()] = -value - h * s * w.gradient_[0];
  return 0;
}

int CvodesSegment::backward_jacobian(double s, N_Vector at, N_Vector, N_Vector, SUNMatrix J, void* user, N_Vector, N_Vector,
                                     N_Vector) {
  CvodesSegment& w = *static_cast<CvodesSegment*>(user);
  if (!w.point_.move_to(s, view(at)) || !w.point_.entries()) return 1;
  double* data = w.newton_back_->clear(J);
  std::size_t slot = 0;
  const auto& places = w.model.rate_places();
  for (std::size_t e = 0; e < places.size(); ++e)
    if (w.by_state(places[e])) data[w.newton_back_->slot()[slot++]] -= w.times.length * w.point_.entry(e);
  return 0;
}

bool CvodesSegment::make_backward() {
  void* memory = memory_.get();
  quad_back_ = make_vector(inputs() - (options.times_move ? 0 : 2), context_.get());
  if (CVodeCreateB(memory, CV_BDF, &which_) < 0 || CVodeInitB(memory, which_, rhs_back, 1, lambda_.get()) < 0) return false;
  CVodeSetUserDataB(memory, which_, this);
  CVodeSetMaxNumStepsB(memory, which_, options.max_steps);
  CVodeSStolerancesB(memory, which_, options.rtol, options.rtol);
  std::vector<std::pair<std::int32_t, std::int32_t>> places;
  for (const ReducedModel::Place& p : model.rate_places())
    if (by_state(p)) places.emplace_back(p.col - 1, p.row);
  newton_back_ = std::make_unique<NewtonSystem>(n_x, std::move(places), lambda_.get(), context_.get(), MethodOptions{});
  CVodeSetLinearSolverB(memory, which_, newton_back_->solver(), newton_back_->matrix());
  CVodeSetJacFnB(memory, which_, backward_jacobian);
  if (N_VGetLength(quad_back_.get()) > 0) {
    CVodeQuadInitB(memory, which_, quadrature_back, quad_back_.get());
    CVodeSetQuadErrConB(memory, which_, options.method_options.quadrature_error_control > 0);
  }
  return backward_made_ = true;
}

// Typical size of a global shared value; a model may leave its descriptions out.
double CvodesSegment::size_of_global(std::size_t j) const {
  double size = std::fabs(model.at().shared[j]);
  if (model.model().shared) size = std::max(size, nonlinear::size_of(model.model().shared[j]));
  return size > 0 && std::isfinite(size) ? size : 1;
}

// Tolerances relative to the function's own size: its change when a state or an integral moves by its nominal value.
void CvodesSegment::backward_tolerances(std::span<const double> lambda, std::span<double> state,
                                        std::span<double> input) const {
  const bolza_model& m = model.model();
  double size = 0;
  for (std::size_t i = 0; i < n_x; ++i) size = std::max(size, std::fabs(lambda[i]) * nonlinear::size_of(m.x[i]));
  for (double w : weight) size = std::max(size, std::fabs(w));
  if (size == 0) size = 1;
  for (std::size_t i = 0; i < n_x; ++i) state[i] = options.rtol * size / nonlinear::size_of(m.x[i]);
  for (std::size_t i = 0; i < controls(); ++i) input[i] = options.rtol * size / nonlinear::size_of(m.u[i % n_u]);
  for (std::size_t j = 0; j < n_p; ++j) input[controls() + j] = options.rtol * size / size_of_global(j);
  input[begin_input()] = input[length_input()] = options.rtol * size / std::max(std::fabs(times.length), 1e-300);
}

void CvodesSegment::set_backward_tolerances() {
  std::size_t n = static_cast<std::size_t>(N_VGetLength(quad_back_.get()));
  Vector tolerance = make_vector(n_x, context_.get()), quad = make_vector(std::max<std::size_t>(n, 1), context_.get());
  std::vector<double> input(inputs());
  backward_tolerances(view(lambda_.get()), view(tolerance.get()), input);
  std::copy_n(input.begin(), n, view(quad.get()).begin());
  CVodeSVtolerancesB(memory_.get(), which_, options.rtol, tolerance.get());
  if (n) CVodeQuadSVtolerancesB(memory_.get(), which_, options.rtol, quad.get());
}

bool CvodesSegment::adjoint(std::span<double> l, std::span<double> out, std::span<const double> samples,
                            std::vector<double>* at_samples) {
  auto keep = [&](std::span<const double> values) { at_samples->insert(at_samples->end(), values.begin(), values.end()); };
  if (!n_x || times.length == 0) {
    for (std::size_t k = 0; k < samples.size(); ++k) keep(l);
    return true;
  }
  point_.forget();
  ReducedModel::Anchored anchored(model, anchor_);
  void* memory = memory_.get();
  if (!lambda_) lambda_ = make_vector(n_x, context_.get());
  std::copy(l.begin(), l.end(), view(lambda_.get()).begin());
  bool fresh = !backward_made_;
  if (fresh && !make_backward()) return false;
  bool integrals = N_VGetLength(quad_back_.get()) > 0;
  N_VConst(0, quad_back_.get());
  if (!fresh && (CVodeReInitB(memory, which_, 1, lambda_.get()) < 0 ||
                 (integrals && CVodeQuadReInitB(memory, which_, quad_back_.get()) < 0)))
    return false;
  set_backward_tolerances();
  double reached = 0;
  for (double s : samples) {
    if (s < 1 && (CVodeB(memory, s, CV_NORMAL) < 0 || CVodeGetB(memory, which_, &reached, lambda_.get()) < 0)) return false;
    keep(view(lambda_.get()));
  }
  if (CVodeB(memory, 0, CV_NORMAL) < 0 || CVodeGetB(memory, which_, &reached, lambda_.get()) < 0) return false;
  if (integrals && CVodeGetQuadB(memory, which_, &reached, quad_back_.get()) < 0) return false;
  std::copy_n(view(lambda_.get()).begin(), n_x, l.begin());
  auto from = view(quad_back_.get());
  for (std::size_t k = 0; k < from.size(); ++k) out[k] += from[k];
  return true;
}

}  // namespace bolza::integrate
