// A segment on IDAS: the adjoint of the continuous equations, backwards over checkpoints,    [SUNDIALS, 6.2.7]
//   λ' = −(f_xᵀ λ − h_xᵀ μ + q_xᵀ w),   0 = f_zᵀ λ − h_zᵀ μ + q_zᵀ w,
// with μ at the end from the second line: the final conditions of equations of index 0 and 1. Those of index 2 are in
// segment_idas_hidden.cpp.
#include <idas/idas_ls.h>

#include <algorithm>
#include <cmath>

#include "runtime/integrate/backward_sweep_internal.h"
#include "runtime/integrate/segment_idas_internal.h"

namespace bolza::integrate {

/// Gradient of L = λ'f + w'q − μ'h by (t, x, z, u, p).
bool IdasSegment::weighted_gradient(const Point& p, N_Vector back, std::span<const double> weights) {
  combined_.assign(view(back).begin(), view(back).begin() + static_cast<std::ptrdiff_t>(n_x));
  combined_.insert(combined_.end(), weights.begin(), weights.end());
  std::fill(gradient_.begin(), gradient_.end(), 0.0);
  if (!model.at().vjp(Part::rates, p, combined_, gradient_)) return false;
  minus_mu_.assign(view(back).begin() + static_cast<std::ptrdiff_t>(n_x),
                   view(back).begin() + static_cast<std::ptrdiff_t>(n_));
  for (double& v : minus_mu_) v = -v;
  return !n_z_ || model.at().vjp(Part::residuals, p, minus_mu_, gradient_);
}

// How the gradient by inputs moves with s. [inputs], without the times when these do not move
bool IdasSegment::input_rates(double s, N_Vector y, N_Vector back, std::span<const double> weights, std::span<double> o) {
  Point p = point(s, y);
  if (!weighted_gradient(p, back, weights)) return false;
  double h = times.length, value = 0;
  const double *by_u = gradient_.data() + 1 + n_, *by_p = by_u + n_u;
  for (std::size_t i = 0; i < controls(); ++i)
    o[i] = -h * by_u[i % n_u] * (!options.linear_control ? 1 : i < n_u ? 1 - s : s);
  for (std::size_t j = 0; j < n_p; ++j) o[controls() + j] = -h * by_p[j];
  if (!options.times_move) return true;
  if (!model.at().value(Part::rates, p, rates_)) return false;
  for (std::size_t i = 0; i < rates_.size(); ++i) value += combined_[i] * rates_[i];
  o[begin_input()] = -h * gradient_[0];
  o[length_input()] = -value - h * s * gradient_[0];
  return true;
}

// μ and λ' at the end fit λ and the states there.
bool IdasSegment::place_multipliers(N_Vector back, N_Vector back_p, std::span<const double> weights) {
  std::copy(end_.begin(), end_.end(), view(y_.get()).begin());
  Point end = point(1, y_.get());
  if (!weighted_gradient(end, back, weights)) return false;
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
    std::copy_n(mu.data(), n_z_, view(back).begin() + static_cast<std::ptrdiff_t>(n_x));
    if (!weighted_gradient(end, back, weights)) return false;
  }
  if (hidden() && !guess_multipliers(end, back, weights)) return false;
  for (std::size_t i = 0; i < n_x; ++i) view(back_p)[i] = -times.length * gradient_[1 + i];
  return true;
}

// Relative to the function's own size, as those of CVODES.
void IdasSegment::backward_tolerances(N_Vector back, std::span<const double> weights, N_Vector state,
                                      std::span<double> input) const {
  double size = 0, largest = 0;
  for (std::size_t i = 0; i < n_x; ++i) size = std::max(size, std::fabs(view(back)[i]) * size_of(i));
  for (double w : weights) size = std::max(size, std::fabs(w));
  if (size == 0) size = 1;
  for (std::size_t i = 0; i < n_x; ++i) view(state)[i] = options.rtol * size / size_of(i);
  // μ has the size that it begins with, or that of λ
  for (std::size_t i = n_x; i < n_; ++i) largest = std::max(largest, std::fabs(view(back)[i]));
  for (std::size_t i = n_x; i < n_; ++i) view(state)[i] = options.rtol * std::max(size, largest);
  for (std::size_t i = 0; i < inputs(); ++i) {
    double moves = i < controls() ? nonlinear::size_of(model.model().u[i % n_u]) : times.length;
    if (i >= controls() && i < begin_input()) moves = std::max(1.0, std::fabs(model.at().shared[i - controls()]));
    input[i] = options.rtol * size / std::max(std::fabs(moves), 1e-300);
  }
}

/// One functional's backward problem. IDAS cannot remove one: what no functional needs at present stays 0, for nothing.
struct IdasSegment::BackwardProblem {
  IdasSegment& w;
  int which = 0;
  Segment::Backward* of = nullptr;  // null: none at present
  std::span<const double> samples;
  std::size_t next_sample = 0;
  double reached = 1;
  Vector back, back_p, quad, at_sample;  // (λ, μ), its slope, the integrals by inputs
  std::unique_ptr<NewtonSystem> newton;
  ManyIntegrals integrals;  // by the inputs, where these are many

  explicit BackwardProblem(IdasSegment& segment)
      : w(segment),
        back(make_vector(segment.n_, segment.context_.get())),
        back_p(make_vector(segment.n_, segment.context_.get())),
        at_sample(make_vector(segment.n_, segment.context_.get())) {
    integrals.rate.resize(segment.moving_inputs());
  }

  void* memory() const { return IDAGetAdjIDABmem(w.memory_.get(), which); }
  bool has_integrals() const { return N_VGetLength(quad.get()) > 0; }

  static int residual(double s, N_Vector y, N_Vector, N_Vector back, N_Vector back_p, N_Vector out, void* user) {
    BackwardProblem& b = *static_cast<BackwardProblem*>(user);
    IdasSegment& w = b.w;
    auto o = view(out);
    if (!b.of) {
      for (std::size_t i = 0; i < w.n_; ++i) o[i] = i < w.n_x ? view(back_p)[i] : view(back)[i];
      return 0;
    }
    if (!w.weighted_gradient(w.point(s, y), back, b.of->weight)) return 1;
    for (std::size_t i = 0; i < w.n_x; ++i) o[i] = view(back_p)[i] + w.times.length * w.gradient_[1 + i];
    for (std::size_t i = w.n_x; i < w.n_; ++i) o[i] = w.gradient_[1 + i];
    return 0;
  }

  static int jacobian(double s, double c, N_Vector y, N_Vector, N_Vector, N_Vector, N_Vector, SUNMatrix J, void* user,
                      N_Vector, N_Vector, N_Vector) {
    BackwardProblem& b = *static_cast<BackwardProblem*>(user);
    IdasSegment& w = b.w;
    double* data = b.newton->clear(J);
    auto slot = b.newton->slot().begin();
    if (!w.entries(w.point(s, y), [&](bool rate, std::size_t, std::size_t col, double v) {
          data[*slot++] += (col < w.n_x ? w.times.length : 1) * (rate ? v : -v);
        }))
      return 1;
    for (std::size_t i = 0; i < w.n_x; ++i) data[*slot++] += c;
    return 0;
  }

  static int quadrature(double s, N_Vector y, N_Vector, N_Vector back, N_Vector, N_Vector out, void* user) {
    BackwardProblem& b = *static_cast<BackwardProblem*>(user);
    if (!b.of) return N_VConst(0, out), 0;
    if (!b.w.many_inputs()) return b.w.input_rates(s, y, back, b.of->weight, view(out)) ? 0 : 1;
    if (!b.w.input_rates(s, y, back, b.of->weight, b.integrals.rate)) return 1;
    return b.integrals.combine(view(out)), 0;
  }

  bool make() {
    void* mem = w.memory_.get();
    bool control = w.options.method_options.quadrature_error_control > 0;
    std::size_t count = !w.many_inputs() ? w.moving_inputs() : control ? ManyIntegrals::combinations : 0;
    quad = make_vector(count, w.context_.get());
    if (IDACreateB(mem, &which) < 0 || IDAInitB(mem, which, residual, 1, back.get(), back_p.get()) < 0) return false;
    Vector kind = make_vector(w.n_, w.context_.get());
    for (std::size_t i = 0; i < w.n_; ++i) view(kind.get())[i] = i < w.n_x;
    IDASetUserDataB(mem, which, this);
    IDASetMaxNumStepsB(mem, which, w.options.max_steps);
    IDASStolerancesB(mem, which, w.options.rtol, w.options.rtol);
    IDASetIdB(mem, which, kind.get());
    IDASetSuppressAlgB(mem, which, w.hidden());
    newton = w.newton(true);
    IDASetLinearSolverB(mem, which, newton->solver(), newton->matrix());
    IDASetJacFnB(mem, which, jacobian);
    if (has_integrals()) {
      IDAQuadInitB(mem, which, quadrature, quad.get());
      IDASetQuadErrConB(mem, which, control);
    }
    return true;
  }

  bool start(Segment::Backward* functional, std::span<const double> at) {
    void* mem = w.memory_.get();
    of = functional, samples = at, next_sample = 0, reached = 1;
    N_VConst(0, back.get()), N_VConst(0, back_p.get());
    if (of) {
      if (w.hidden() && !w.project(*of)) return false;
      std::copy(of->lambda.begin(), of->lambda.end(), view(back.get()).begin());
      if (!w.place_multipliers(back.get(), back_p.get(), of->weight)) return false;
    }
    bool fresh = quad == nullptr;
    if (fresh && !make()) return false;
    if (has_integrals()) N_VConst(0, quad.get());
    if (!fresh && (IDAReInitB(mem, which, 1, back.get(), back_p.get()) < 0 ||
                   (has_integrals() && IDAQuadReInitB(mem, which, quad.get()) < 0)))
      return false;
    set_tolerances();
    if (!of) return true;
    if (!take_samples()) return false;
    if (!w.many_inputs()) return true;
    std::copy(w.end_.begin(), w.end_.end(), view(w.y_.get()).begin());
    if (!w.input_rates(1, w.y_.get(), back.get(), of->weight, integrals.rate)) return false;
    return integrals.start(1), true;
  }

  void set_tolerances() {
    auto n = static_cast<std::size_t>(N_VGetLength(quad.get()));
    Vector tolerance = make_vector(w.n_, w.context_.get()),
           quads = make_vector(std::max<std::size_t>(n, 1), w.context_.get());
    std::vector<double> input(w.inputs());
    w.backward_tolerances(back.get(), of ? std::span<const double>(of->weight) : std::span<const double>(), tolerance.get(),
                          input);
    if (w.many_inputs()) integrals.set_tolerances(input, w.options.rtol), N_VConst(w.options.rtol, quads.get());
    else std::copy_n(input.begin(), n, view(quads.get()).begin());
    IDASVtolerancesB(w.memory_.get(), which, w.options.rtol, tolerance.get());
    if (n) IDAQuadSVtolerancesB(w.memory_.get(), which, w.options.rtol, quads.get());
  }

  // λ at the samples that have been reached, or passed by the last step.
  bool take_samples() {
    for (; next_sample < samples.size() && samples[next_sample] >= reached; ++next_sample) {
      N_Vector l = back.get();
      if (samples[next_sample] > reached && samples[next_sample] < 1 &&
          IDAGetDky(memory(), samples[next_sample], 0, l = at_sample.get()) < 0)
        return false;
      of->at_samples.insert(of->at_samples.end(), view(l).begin(), view(l).begin() + static_cast<std::ptrdiff_t>(w.n_x));
    }
    return true;
  }

  // λ where the problem stands now; after a step of its own the integrals of many inputs are taken along.
  bool fetch() {
    double before = reached;
    if (IDAGetB(w.memory_.get(), which, &reached, back.get(), back_p.get()) < 0 || (of && !take_samples())) return false;
    if (!w.many_inputs() || !of || !(reached < before)) return true;
    int order = 1;
    IDAGetLastOrder(memory(), &order);
    if (IDAGetAdjY(w.memory_.get(), reached, w.y_.get(), w.yp_.get()) < 0 ||
        !w.input_rates(reached, w.y_.get(), back.get(), of->weight, integrals.rate))
      return false;
    return integrals.step(reached, order), true;
  }

  bool finish() {
    if (!of) return true;
    std::copy_n(view(back.get()).begin(), w.n_x, of->lambda.begin());
    if (w.many_inputs()) integrals.add_to(std::span(of->gradient).first(integrals.rate.size()));
    else if (has_integrals() && IDAGetQuadB(w.memory_.get(), which, &reached, quad.get()) < 0) return false;
    for (std::size_t k = 0; k < view(quad.get()).size() && !w.many_inputs(); ++k) of->gradient[k] += view(quad.get())[k];
    return std::all_of(of->lambda.begin(), of->lambda.end(), [](double v) { return std::isfinite(v); });
  }
};

// All problems to s; where there are many inputs step by step.
bool IdasSegment::back_to(double s) {
  auto solve = [&](double to, Pace pace) {
    return IDASolveB(memory_.get(), to, pace == Pace::one_step ? IDA_ONE_STEP : IDA_NORMAL) >= 0;
  };
  return take_back(backward_, s, many_inputs(), options.max_steps, solve);
}

bool IdasSegment::adjoint(std::span<Backward> functionals, std::span<const double> samples) {
  if (!n_x || times.length == 0) return sample_resting(functionals, samples.size()), true;
  if (!pieces_.rewind(forward_run())) return no_room();
  while (backward_.size() < functionals.size()) backward_.push_back(std::make_shared<BackwardProblem>(*this));
  for (std::size_t k = 0; k < backward_.size(); ++k)
    if (!backward_[k]->start(k < functionals.size() ? &functionals[k] : nullptr, samples)) return false;
  auto back = [&](double s) { return back_to(s); };
  if (!sweep_back(pieces_, forward_run(), samples, many_inputs(), back)) return no_room();
  return std::all_of(backward_.begin(), backward_.end(), [](const auto& b) { return b->finish(); });
}

}  // namespace bolza::integrate
