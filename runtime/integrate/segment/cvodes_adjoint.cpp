// SPDX-License-Identifier: Apache-2.0
// A segment on CVODES: the adjoint of the continuous equations, backwards over checkpoints. Several functionals are several
// backward problems of one forward run, each with steps of its own.    [SUNDIALS, 6.2.7]
#include <cvodes/cvodes_ls.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/allocated.h"
#include "runtime/integrate/segment/backward_sweep_internal.h"
#include "runtime/integrate/segment/cvodes_internal.h"
#include "runtime/integrate/sundials/step_options.h"

namespace bolza::integrate {

using Part = nonlinear::ModelAt::Part;

// Gradient of w = (λ, weights)' (f, q) by (t, x, u, p) at s, x; λ is what `back` begins with.
bool CvodesSegment::weighted_gradient(double s, std::span<const double> x, const double* back,
                                      std::span<const double> weights) {
  if (!point_.move_to(s, x)) return false;
  combined_.resize(n_x + n_q);
  std::copy_n(back, n_x, combined_.begin());
  std::copy(weights.begin(), weights.end(), combined_.begin() + static_cast<std::ptrdiff_t>(n_x));
  std::fill(gradient_.begin(), gradient_.end(), 0.0);
  return model.add_gradient(Part::rates, combined_, {}, gradient_);
}

// The same, and where the Jacobian is as cheap from its entries: they stay the same while Newton's method moves λ.
bool CvodesSegment::weigh(double s, std::span<const double> x, const double* back, std::span<const double> weights,
                          bool inputs_too) {
  const bolza_model& m = model.model();
  if (m.n_z || m.rates->jac_nnz > 2 * m.rates->grad_nnz) return weighted_gradient(s, x, back, weights);
  if (!point_.move_to(s, x) || !point_.entries()) return false;
  const auto& places = model.rate_places();
  if (state_entries_.empty() && other_entries_.empty())
    for (std::size_t e = 0; e < places.size(); ++e) {
      bool state = places[e].col >= 1 && static_cast<std::size_t>(places[e].col) <= n_x;
      (state ? state_entries_ : other_entries_).push_back(e);
    }
  combined_.resize(n_x + n_q);
  std::copy_n(back, n_x, combined_.begin());
  std::copy(weights.begin(), weights.end(), combined_.begin() + static_cast<std::ptrdiff_t>(n_x));
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

// How the gradient by inputs moves with s. [inputs], without the times when these do not move
bool CvodesSegment::input_rates(double s, std::span<const double> x, const double* back, std::span<const double> weights,
                                std::span<double> o) {
  if (!weigh(s, x, back, weights, true)) return false;
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

// Typical size of a global shared value; a model may leave its descriptions out.
double CvodesSegment::size_of_global(std::size_t j) const {
  double size = std::fabs(model.at().shared[j]);
  if (model.model().shared) size = std::max(size, nonlinear::size_of(model.model().shared[j]));
  return size > 0 && std::isfinite(size) ? size : 1;
}

// Tolerances relative to the function's own size: its change when a state moves by its nominal value. What integrals add to
// it on the way is not known at the end, where λ may be 0.
void CvodesSegment::backward_tolerances(std::span<const double> lambda, std::span<const double> weights, double share,
                                        std::span<double> state, std::span<double> input) const {
  const bolza_model& m = model.model();
  double size = 0;
  for (std::size_t i = 0; i < n_x; ++i) size = std::max(size, std::fabs(lambda[i]) * nonlinear::size_of(m.x[i]));
  for (double w : weights) size = std::max(size, share * std::fabs(w));
  if (size == 0) size = 1;
  for (std::size_t i = 0; i < n_x; ++i) state[i] = options.rtol * size / nonlinear::size_of(m.x[i]);
  for (std::size_t i = 0; i < controls(); ++i) input[i] = options.rtol * size / nonlinear::size_of(m.u[i % n_u]);
  for (std::size_t j = 0; j < n_p; ++j) input[controls() + j] = options.rtol * size / size_of_global(j);
  input[begin_input()] = input[length_input()] = options.rtol * size / std::max(std::fabs(times.length), 1e-300);
}

/// One functional's backward problem. CVODES cannot remove one: what no functional needs at present stays 0, for nothing.
struct CvodesSegment::BackwardProblem {
  CvodesSegment& w;
  int which = 0;
  Segment::Backward* of = nullptr;  // null: none at present
  std::span<const double> samples;
  std::size_t next_sample = 0;
  double reached = 1;
  Vector lambda, quad, at_sample;
  std::unique_ptr<NewtonSystem> newton;
  std::vector<double> weights;
  ManyIntegrals integrals;  // by the inputs, where these are many

  explicit BackwardProblem(CvodesSegment& segment)
      : w(segment),
        lambda(make_vector(segment.n_x, segment.context_.get())),
        at_sample(make_vector(segment.n_x, segment.context_.get())) {
    integrals.rate.resize(segment.moving_inputs());
  }

  void* memory() const { return CVodeGetAdjCVodeBmem(w.memory_.get(), which); }
  bool has_integrals() const { return N_VGetLength(quad.get()) > 0; }

  static int rhs(double s, N_Vector at, N_Vector back, N_Vector out, void* user) {
    BackwardProblem& b = *static_cast<BackwardProblem*>(user);
    if (!b.of) {
      N_VConst(0, out);
      return 0;
    }
    if (used_up(CVodeGetNumSteps, b.memory(), b.w.options.max_steps)) return -1;
    if (!b.w.weigh(s, view(at), N_VGetArrayPointer(back), b.weights, false)) return 1;
    auto o = view(out);
    for (std::size_t i = 0; i < b.w.n_x; ++i) o[i] = -b.w.times.length * b.w.gradient_[1 + i];
    return 0;
  }

  static int quadrature_rhs(double s, N_Vector at, N_Vector back, N_Vector out, void* user) {
    BackwardProblem& b = *static_cast<BackwardProblem*>(user);
    if (!b.of) {
      N_VConst(0, out);
      return 0;
    }
    if (!b.w.many_inputs()) return b.w.input_rates(s, view(at), N_VGetArrayPointer(back), b.weights, view(out)) ? 0 : 1;
    if (!b.w.input_rates(s, view(at), N_VGetArrayPointer(back), b.weights, b.integrals.rate)) return 1;
    b.integrals.combine(view(out));
    return 0;
  }

  static int jacobian(double s, N_Vector at, N_Vector, N_Vector, SUNMatrix J, void* user, N_Vector, N_Vector, N_Vector) {
    BackwardProblem& b = *static_cast<BackwardProblem*>(user);
    CvodesSegment& w = b.w;
    double* data = b.newton->clear(J);
    if (!b.of) return 0;
    if (!w.point_.move_to(s, view(at)) || !w.point_.entries()) return 1;
    std::size_t slot = 0;
    const auto& places = w.model.rate_places();
    for (std::size_t e = 0; e < places.size(); ++e)
      if (w.by_state(places[e])) data[b.newton->slot()[slot++]] -= w.times.length * w.point_.entry(e);
    return 0;
  }

  void make() {
    void* mem = w.memory_.get();
    bool control = w.options.method_options.quadrature_error_control > 0;
    std::size_t count = !w.many_inputs() ? w.moving_inputs() : control ? ManyIntegrals::combinations : 0;
    quad = make_vector(count, w.context_.get());
    allocated(CVodeCreateB(mem, CV_BDF, &which) >= 0 && CVodeInitB(mem, which, rhs, 1, lambda.get()) >= 0);
    CVodeSetUserDataB(mem, which, this);
    CVodeSetMaxNumStepsB(mem, which, w.options.max_steps);
    CVodeSetMinStepB(mem, which, least_step);
    CVodeSStolerancesB(mem, which, w.options.rtol, w.options.rtol);
    std::vector<std::pair<std::int32_t, std::int32_t>> places;
    for (const ReducedModel::Place& p : w.model.rate_places())
      if (w.by_state(p)) places.emplace_back(p.col - 1, p.row);
    newton = std::make_unique<NewtonSystem>(w.n_x, std::move(places), lambda.get(), w.context_.get(),
                                            direct_only(w.options.method_options));
    CVodeSetLinearSolverB(mem, which, newton->solver(), newton->matrix());
    CVodeSetJacFnB(mem, which, jacobian);
    if (has_integrals()) {
      CVodeQuadInitB(mem, which, quadrature_rhs, quad.get());
      CVodeSetQuadErrConB(mem, which, control);
    }
  }

  bool start(Segment::Backward* functional, std::span<const double> at) {
    void* mem = w.memory_.get();
    of = functional;
    samples = at;
    next_sample = 0;
    reached = 1;
    N_VConst(0, lambda.get());
    if (of) {
      std::copy(of->lambda.begin(), of->lambda.end(), view(lambda.get()).begin());
      weights = of->weight;
    }
    bool fresh = newton == nullptr;
    if (fresh) make();
    if (has_integrals()) N_VConst(0, quad.get());
    if (!fresh &&
        (CVodeReInitB(mem, which, 1, lambda.get()) < 0 || (has_integrals() && CVodeQuadReInitB(mem, which, quad.get()) < 0)))
      return false;
    set_tolerances();
    w.set_steps(memory(), Towards::begin);
    if (!of) return true;
    if (!take_samples()) return false;
    if (!w.many_inputs()) return true;
    if (!w.input_rates(1, w.end_, N_VGetArrayPointer(lambda.get()), weights, integrals.rate)) return false;
    integrals.start(1);
    return true;
  }

  void set_tolerances() {
    std::size_t n = static_cast<std::size_t>(N_VGetLength(quad.get()));
    Vector tolerance = make_vector(w.n_x, w.context_.get()),
           quads = make_vector(std::max<std::size_t>(n, 1), w.context_.get());
    std::vector<double> input(w.inputs());
    w.backward_tolerances(view(lambda.get()), weights, share_of_weights(w.options.rtol), view(tolerance.get()), input);
    if (w.many_inputs()) {
      integrals.set_tolerances(input, w.options.rtol);
      N_VConst(w.options.rtol, quads.get());
    } else std::copy_n(input.begin(), n, view(quads.get()).begin());
    CVodeSVtolerancesB(w.memory_.get(), which, w.options.rtol, tolerance.get());
    if (n) CVodeQuadSVtolerancesB(w.memory_.get(), which, w.options.rtol, quads.get());
  }

  // λ at the samples that have been reached, or passed by the last step.
  bool take_samples() {
    for (; next_sample < samples.size() && samples[next_sample] >= reached; ++next_sample) {
      N_Vector l = lambda.get();
      if (samples[next_sample] > reached && samples[next_sample] < 1 &&
          CVodeGetDky(memory(), samples[next_sample], 0, l = at_sample.get()) < 0)
        return false;
      of->at_samples.insert(of->at_samples.end(), view(l).begin(), view(l).end());
    }
    return true;
  }

  // λ where the problem stands now; after a step of its own the integrals of many inputs are taken along.
  bool fetch() {
    double before = reached;
    if (CVodeGetB(w.memory_.get(), which, &reached, lambda.get()) < 0 || (of && !take_samples())) return false;
    if (!w.many_inputs() || !of || !(reached < before)) return true;
    int order = 1;
    CVodeGetLastOrder(memory(), &order);
    if (CVodeGetAdjY(w.memory_.get(), reached, w.y_.get()) < 0 ||
        !w.input_rates(reached, view(w.y_.get()), N_VGetArrayPointer(lambda.get()), weights, integrals.rate))
      return false;
    integrals.step(reached, order);
    return true;
  }

  // The integrals so far go to the gradient: those after it start from zero.
  bool settle_integrals() {
    if (!has_integrals()) return true;
    if (CVodeGetQuadB(w.memory_.get(), which, &reached, quad.get()) < 0) return false;
    for (std::size_t k = 0; k < view(quad.get()).size(); ++k) of->gradient[k] += view(quad.get())[k];
    N_VConst(0, quad.get());
    return true;
  }

  // λ where the problem stands jumps by that of sample k; [SUNDIALS] starts again there. A sample is a moment in time:
  // its share s of the segment moves when begin or length do.
  bool jump(std::size_t k, double s) {
    if (!of) return true;
    auto by = std::span<const double>(of->jumps).subspan(k * w.n_x, w.n_x);
    if (std::all_of(by.begin(), by.end(), [](double v) { return v == 0; })) return true;
    for (std::size_t i = 0; i < w.n_x; ++i) view(lambda.get())[i] += by[i];
    bool at_end = !(s < 1);
    if (at_end) std::copy(w.end_.begin(), w.end_.end(), view(w.y_.get()).begin());
    else if (CVodeGetAdjY(w.memory_.get(), s, w.y_.get()) < 0) return false;
    if (w.options.times_move) {
      if (!w.point_.move_to(s, view(w.y_.get())) || !w.point_.rates()) return false;
      double rate = std::inner_product(by.begin(), by.end(), w.point_.rows().begin(), 0.0);
      of->gradient[w.begin_input()] -= rate;
      of->gradient[w.length_input()] -= s * rate;
    }
    if (!(s > 0)) return true;
    void* mem = w.memory_.get();
    if ((!at_end && !settle_integrals()) || CVodeReInitB(mem, which, s, lambda.get()) < 0 ||
        (has_integrals() && CVodeQuadReInitB(mem, which, quad.get()) < 0))
      return false;
    set_tolerances();
    return true;
  }

  bool finish() {
    if (!of) return true;
    std::copy_n(view(lambda.get()).begin(), w.n_x, of->lambda.begin());
    if (w.many_inputs()) {
      integrals.add_to(std::span(of->gradient).first(integrals.rate.size()));
      return true;
    }
    if (has_integrals() && CVodeGetQuadB(w.memory_.get(), which, &reached, quad.get()) < 0) return false;
    for (std::size_t k = 0; k < view(quad.get()).size(); ++k) of->gradient[k] += view(quad.get())[k];
    return true;
  }
};

bool CvodesSegment::start_backward(std::span<Backward> functionals, std::span<const double> samples) {
  while (backward_.size() < functionals.size()) backward_.push_back(std::make_shared<BackwardProblem>(*this));
  for (std::size_t k = 0; k < backward_.size(); ++k)
    if (!backward_[k]->start(k < functionals.size() ? &functionals[k] : nullptr, samples)) return false;
  return true;
}

// All problems to s; where there are many inputs step by step.
bool CvodesSegment::back_to(double s) {
  auto solve = [&](double to, Pace pace) {
    return CVodeB(memory_.get(), to, pace == Pace::one_step ? CV_ONE_STEP : CV_NORMAL) >= 0;
  };
  return take_back(backward_, s, many_inputs(), options.max_steps, solve);
}

// From 1 to 0, with a stop at every sample, where λ jumps.
bool CvodesSegment::back_over_jumps(std::span<const double> samples) {
  std::size_t next = 0;
  double reached = 1;
  auto go_to = [&](double s) {
    if (!(reached - s > 1e-14)) return true;
    reached = s;
    return back_to(s);
  };
  return pieces_.backward(forward_run(), [&](double begin) {
    for (; next < samples.size() && samples[next] >= begin; ++next) {
      if (!go_to(samples[next])) return false;
      for (const auto& b : backward_)
        if (!b->jump(next, reached)) return false;
    }
    return go_to(begin);
  });
}

bool CvodesSegment::adjoint(std::span<Backward> functionals, std::span<const double> samples) {
  bool jumps = !functionals.empty() && !functionals.front().jumps.empty();
  if (!n_x || times.length == 0) {
    for (Backward& b : functionals)
      for (std::size_t k = 0; k < b.jumps.size(); ++k) b.lambda[k % n_x] += b.jumps[k];
    return jumps || (sample_resting(functionals, samples.size()), true);
  }
  point_.forget();
  ReducedModel::Anchored anchored(model, anchor_);
  if (has_record_) return adjoint_recorded(functionals, samples);
  if (!pieces_.rewind(forward_run())) return no_room(pieces_);
  if (!start_backward(functionals, jumps ? std::span<const double>() : samples)) return false;
  if (jumps && !back_over_jumps(samples)) return no_room(pieces_);
  auto back = [&](double s) { return back_to(s); };
  if (!jumps && !sweep_back(pieces_, forward_run(), samples, many_inputs(), back)) return no_room(pieces_);
  return std::all_of(backward_.begin(), backward_.end(), [](const auto& b) { return b->finish(); });
}

}  // namespace bolza::integrate
