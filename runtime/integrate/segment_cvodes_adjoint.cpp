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

// The same, and where the Jacobian is as cheap from its entries: they stay the same while Newton's method moves λ.
bool CvodesSegment::weigh(double s, N_Vector at, N_Vector back, bool inputs_too) {
  const bolza_model& m = model.model();
  if (m.n_z || m.rates->jac_nnz > 2 * m.rates->grad_nnz) return weighted_gradient(s, at, back);
  if (!point_.move_to(s, view(at)) || !point_.entries()) return false;
  const auto& places = model.rate_places();
  if (state_entries_.empty() && other_entries_.empty())
    for (std::size_t e = 0; e < places.size(); ++e) {
      bool state = places[e].col >= 1 && static_cast<std::size_t>(places[e].col) <= n_x;
      (state ? state_entries_ : other_entries_).push_back(e);
    }
  combined_.resize(n_x + n_q);
  std::copy_n(N_VGetArrayPointer(back), n_x, combined_.begin());
  std::copy(weight.begin(), weight.end(), combined_.begin() + static_cast<std::ptrdiff_t>(n_x));
  std::fill(gradient_.begin(), inputs_too ? gradient_.end() : gradient_.begin() + static_cast<std::ptrdiff_t>(1 + n_x), 0.0);
  auto add = [&](const std::vector<std::size_t>& entries) {
    for (std::size_t e : entries)
      gradient_[static_cast<std::size_t>(places[e].col)] +=
          combined_[static_cast<std::size_t>(places[e].row)] * point_.entry(e);
  };
  add(state_entries_);
  if (inputs_too) add(other_entries_);
  return true;
}

int CvodesSegment::rhs_back(double s, N_Vector at, N_Vector back, N_Vector out, void* user) {
  CvodesSegment& w = *static_cast<CvodesSegment*>(user);
  if (!w.weigh(s, at, back, false)) return 1;
  auto o = view(out);
  for (std::size_t i = 0; i < w.n_x; ++i) o[i] = -w.times.length * w.gradient_[1 + i];
  return 0;
}

// How the gradient by inputs moves with s. [inputs], without the times when these do not move
bool CvodesSegment::input_rates(double s, N_Vector at, N_Vector back, std::span<double> o) {
  if (!weigh(s, at, back, true)) return false;
  double h = times.length;
  const double *by_u = gradient_.data() + 1 + n_x, *by_p = by_u + n_u;
  for (std::size_t i = 0; i < controls(); ++i) o[i] = -h * by_u[i % n_u] * share(i, s);
  for (std::size_t j = 0; j < n_p; ++j) o[controls() + j] = -h * by_p[j];
  if (!options.times_move) return true;
  if (!point_.rates()) return false;
  double value = 0;
  for (std::size_t i = 0; i < combined_.size(); ++i) value += combined_[i] * point_.rows()[i];
  o[begin_input()] = -h * gradient_[0];
  o[length_input()] = -value - h * s * gradient_[0];
  return true;
}

int CvodesSegment::quadrature_back(double s, N_Vector at, N_Vector back, N_Vector out, void* user) {
  CvodesSegment& w = *static_cast<CvodesSegment*>(user);
  if (!w.many_inputs()) return w.input_rates(s, at, back, view(out)) ? 0 : 1;
  if (!w.input_rates(s, at, back, w.rate_)) return 1;
  for (std::size_t r = 0; r < probes; ++r) {
    double sum = 0;
    for (std::size_t k = 0; k < w.rate_.size(); ++k) sum += w.probe_[r][k] * w.rate_[k];
    view(out)[r] = sum;
  }
  return 0;
}

// Combinations of the integrals over their sizes with random signs: where each is wrong, these are.
void CvodesSegment::make_probes() {
  std::vector<double> state(n_x), input(inputs());
  backward_tolerances(view(lambda_.get()), state, input);
  std::uint64_t random = 1;
  for (std::vector<double>& probe : probe_) {
    probe.resize(rate_.size());
    for (std::size_t k = 0; k < rate_.size(); ++k) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      probe[k] = (random >> 63 ? 1 : -1) * options.rtol / (input[k] * std::sqrt(static_cast<double>(rate_.size())));
    }
  }
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
  rate_.resize(inputs() - (options.times_move ? 0 : 2));
  bool control = options.method_options.quadrature_error_control > 0;
  quad_back_ = make_vector(!many_inputs() ? rate_.size() : control ? probes : 0, context_.get());
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
    CVodeSetQuadErrConB(memory, which_, control);
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
  if (many_inputs()) N_VConst(options.rtol, quad.get());  // probes are over the sizes already
  else std::copy_n(input.begin(), n, view(quad.get()).begin());
  CVodeSVtolerancesB(memory_.get(), which_, options.rtol, tolerance.get());
  if (n) CVodeQuadSVtolerancesB(memory_.get(), which_, options.rtol, quad.get());
}

// Step by step backwards to a time or beyond it; the integrals of the inputs are taken along.
bool CvodesSegment::steps_back(double until, double& reached) {
  void *memory = memory_.get(), *backward = CVodeGetAdjCVodeBmem(memory, which_);
  for (long steps = 0; reached > until; ++steps) {
    if (steps > options.max_steps) return false;
    int order = 1;
    double before = reached;
    if (CVodeB(memory, 0, CV_ONE_STEP) < 0 || CVodeGetB(memory, which_, &reached, lambda_.get()) < 0) return false;
    CVodeGetLastOrder(backward, &order);
    if (CVodeGetAdjY(memory, reached, y_.get()) < 0 || !input_rates(reached, y_.get(), lambda_.get(), rate_)) return false;
    if (reached < before) quadrature_.step(reached, rate_, order);
  }
  return true;
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
  double reached = 1;
  if (many_inputs()) {
    make_probes();
    std::copy(end_.begin(), end_.end(), view(y_.get()).begin());
    if (!input_rates(1, y_.get(), lambda_.get(), rate_)) return false;
    quadrature_.start(1, rate_);
  }
  set_backward_tolerances();
  if (many_inputs()) {
    for (double s : samples) {
      if (!steps_back(s, reached)) return false;
      if (s < 1 && CVodeGetDky(CVodeGetAdjCVodeBmem(memory, which_), s, 0, lambda_.get()) < 0) return false;
      keep(view(lambda_.get()));
    }
    if (!steps_back(0, reached)) return false;
    if (CVodeGetB(memory, which_, &reached, lambda_.get()) < 0) return false;
    std::copy_n(view(lambda_.get()).begin(), n_x, l.begin());
    quadrature_.add_to(out.first(rate_.size()));
    return true;
  }
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
