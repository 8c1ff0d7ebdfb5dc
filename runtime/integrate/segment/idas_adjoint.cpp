// SPDX-License-Identifier: Apache-2.0
// A segment on IDAS: the adjoint of the continuous equations, backwards over checkpoints.    [SUNDIALS, 6.2.7]
// Unknowns: (λ, μ) and the integrals by inputs, or combinations of these.
#include <idas/idas_ls.h>

#include <algorithm>
#include <cmath>

#include "runtime/integrate/segment/backward_sweep_internal.h"
#include "runtime/integrate/segment/idas_internal.h"

namespace bolza::integrate {

/// One functional's backward problem. IDAS cannot remove one: what no functional needs at present stays 0, for nothing.
struct IdasSegment::BackwardProblem {
  IdasSegment& w;
  int which = 0;
  Segment::Backward* of = nullptr;  // null: none at present
  std::span<const double> samples;
  std::size_t next_sample = 0, size;
  double reached = 1;
  bool made = false;
  Vector back, back_p, at_sample;
  std::unique_ptr<NewtonSystem> newton;
  ManyIntegrals integrals;  // by the inputs, where these are many

  explicit BackwardProblem(IdasSegment& segment)
      : w(segment),
        size(segment.n_ + (segment.many_inputs() ? ManyIntegrals::combinations : segment.moving_inputs())) {
    for (Vector* v : {&back, &back_p, &at_sample}) *v = make_vector(size, w.context_.get());
    integrals.rate.resize(w.moving_inputs());
  }

  void* adjoint() const { return w.values_->memory.get(); }
  void* memory() const { return IDAGetAdjIDABmem(adjoint(), which); }
  const ManyIntegrals* many() const { return w.many_inputs() ? &integrals : nullptr; }

  // Of the integrals that are unknowns, after `weighted_gradient` there; those by all inputs are left in `integrals`.
  bool rates(double s, const Point& p, std::span<double> out) {
    if (!many()) return w.input_rates(s, p, out);
    return w.input_rates(s, p, integrals.rate) && (integrals.combine(out), true);
  }

  static int residual(double s, N_Vector y, N_Vector, N_Vector back, N_Vector back_p, N_Vector out, void* user) {
    BackwardProblem& b = *static_cast<BackwardProblem*>(user);
    IdasSegment& w = b.w;
    auto o = view(out), slope = view(back_p);
    if (!b.of) {
      for (std::size_t i = 0; i < b.size; ++i) o[i] = w.is_differential(i) ? slope[i] : view(back)[i];
      return 0;
    }
    if (used_up(IDAGetNumSteps, b.memory(), w.options.max_steps)) return -1;
    Point p = w.point(s, N_VGetArrayPointer(y));
    if (!w.weighted_gradient(p, N_VGetArrayPointer(back), b.of->weight) || !b.rates(s, p, o.subspan(w.n_))) return 1;
    for (std::size_t i = 0; i < w.n_x; ++i) o[i] = slope[i] + w.times.length * w.gradient_[1 + i];
    for (std::size_t i = w.n_x; i < w.n_; ++i) o[i] = w.gradient_[1 + i];
    for (std::size_t i = w.n_; i < b.size; ++i) o[i] = slope[i] - o[i];
    return 0;
  }

  static int jacobian(double s, double c, N_Vector y, N_Vector, N_Vector, N_Vector, N_Vector, SUNMatrix J, void* user,
                      N_Vector, N_Vector, N_Vector) {
    BackwardProblem& b = *static_cast<BackwardProblem*>(user);
    return b.w.backward_matrix(s, c, N_VGetArrayPointer(y), b.many(), *b.newton, J) ? 0 : 1;
  }

  bool make() {
    void* mem = adjoint();
    if (IDACreateB(mem, &which) < 0 || IDAInitB(mem, which, residual, 1, back.get(), back_p.get()) < 0) return false;
    Vector tested = make_vector(size, w.context_.get());
    bool control = w.options.method_options.quadrature_error_control > 0;
    bool algebraics = !w.is_index2() && !(w.options.method_options.suppress_algebraics > 0);
    for (std::size_t i = 0; i < size; ++i) view(tested.get())[i] = i < w.n_x || (i < w.n_ ? algebraics : control);
    IDASetUserDataB(mem, which, this);
    IDASetMaxNumStepsB(mem, which, w.options.max_steps);
    IDASStolerancesB(mem, which, w.options.rtol, w.options.rtol);
    IDASetIdB(mem, which, tested.get());
    IDASetSuppressAlgB(mem, which, 1);
    newton = w.backward_newton(many());
    IDASetLinearSolverB(mem, which, newton->solver(), newton->matrix());
    IDASetJacFnB(mem, which, jacobian);
    return made = true;
  }

  bool start(Segment::Backward* functional, std::span<const double> at) {
    of = functional;
    samples = at;
    next_sample = 0;
    reached = 1;
    N_VConst(0, back.get());
    N_VConst(0, back_p.get());
    if (of) {
      if (w.is_index2() && !w.project(*of)) return false;
      std::copy(of->lambda.begin(), of->lambda.end(), view(back.get()).begin());
      if (!w.place_multipliers(back.get(), of->weight)) return false;
    }
    Vector tolerance = make_vector(size, w.context_.get());
    double rtol = set_tolerances(view(tolerance.get()));
    if (of && !place_slopes()) return false;
    if (!made ? !make() : IDAReInitB(adjoint(), which, 1, back.get(), back_p.get()) < 0) return false;
    w.set_steps(memory(), Towards::begin);
    return IDASVtolerancesB(adjoint(), which, rtol, tolerance.get()) >= 0 && (!of || take_samples());
  }

  // From the gradient that `place_multipliers` has left.
  bool place_slopes() {
    auto slope = view(back_p.get());
    for (std::size_t i = 0; i < w.n_x; ++i) slope[i] = -w.times.length * w.gradient_[1 + i];
    if (!rates(1, w.point(1, w.end_.data()), slope.subspan(w.n_))) return false;
    if (many()) integrals.start(1);
    return true;
  }

  // The norm's square is the sum of those of (λ, μ) and of the integrals. Returns the relative tolerance.
  double set_tolerances(std::span<double> tolerance) {
    std::vector<double> input(w.inputs());
    w.backward_tolerances(back.get(), of ? std::span<const double>(of->weight) : std::span<const double>(),
                          w.is_index2() ? 1 : share_of_weights(w.options.rtol), tolerance, input);
    integrals.set_tolerances(input, w.options.rtol);
    if (many()) std::fill(input.begin(), input.end(), w.options.rtol);
    return w.share_tolerances(tolerance, input, 1);
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

  // The unknowns where the problem stands now; after a step of its own the integrals of many inputs are taken along.
  bool fetch() {
    double before = reached;
    if (IDAGetB(adjoint(), which, &reached, back.get(), back_p.get()) < 0 || (of && !take_samples())) return false;
    if (!many() || !of || !(reached < before)) return true;
    int order = 1;
    IDAGetLastOrder(memory(), &order);
    if (IDAGetAdjY(adjoint(), reached, w.y_.get(), w.yp_.get()) < 0) return false;
    Point p = w.point(reached, N_VGetArrayPointer(w.y_.get()));
    if (!w.weighted_gradient(p, N_VGetArrayPointer(back.get()), of->weight) || !w.input_rates(reached, p, integrals.rate))
      return false;
    integrals.step(reached, order);
    return true;
  }

  bool finish() {
    if (!of) return true;
    auto end = view(back.get());
    std::copy_n(end.begin(), w.n_x, of->lambda.begin());
    if (many()) integrals.add_to(std::span(of->gradient).first(integrals.rate.size()));
    for (std::size_t k = w.n_; k < size && !many(); ++k) of->gradient[k - w.n_] += end[k];
    return std::all_of(of->lambda.begin(), of->lambda.end(), [](double v) { return std::isfinite(v); });
  }
};

// All problems to s; where there are many inputs step by step.
bool IdasSegment::back_to(double s) {
  auto solve = [&](double to, Pace pace) {
    return IDASolveB(values_->memory.get(), to, pace == Pace::one_step ? IDA_ONE_STEP : IDA_NORMAL) >= 0;
  };
  return take_back(backward_, s, many_inputs(), options.max_steps, solve);
}

bool IdasSegment::adjoint(std::span<Backward> functionals, std::span<const double> samples) {
  if (!n_x || times.length == 0) {
    sample_resting(functionals, samples.size());
    return true;
  }
  known_.valid = false;
  AdjointPieces& pieces = values_->pieces;
  if (!pieces.rewind(values_->recording())) return no_room(values_->pieces);
  while (backward_.size() < functionals.size()) backward_.push_back(std::make_shared<BackwardProblem>(*this));
  for (std::size_t k = 0; k < backward_.size(); ++k)
    if (!backward_[k]->start(k < functionals.size() ? &functionals[k] : nullptr, samples)) return false;
  auto back = [&](double s) { return back_to(s); };
  if (!sweep_back(pieces, values_->recording(), samples, many_inputs(), back)) return no_room(values_->pieces);
  return std::all_of(backward_.begin(), backward_.end(), [](const auto& b) { return b->finish(); });
}

}  // namespace bolza::integrate
