// SPDX-License-Identifier: Apache-2.0
// A segment on CVODES: second derivatives, the sensitivities along directions forward and the adjoint of the adjoint's
// integrand along them backward.    [SUNDIALS, 6.2.8], [GOMEZ, 2.5], for inputs that act everywhere:
//   −μ̇ = f_xᵀ μ + d(f_xᵀ λ + q_xᵀ w) along (ṫ, s, u̇, ṗ),   the gradient's integrand is differentiated alike.
#include <cvodes/cvodes_ls.h>

#include <cmath>
#include <utility>

#include "base/allocated.h"
#include "runtime/integrate/segment/backward_sweep_internal.h"
#include "runtime/integrate/segment/cvodes_internal.h"
#include "runtime/integrate/sundials/step_options.h"

namespace bolza::integrate {

using Part = nonlinear::ModelAt::Part;

/// The CVODES objects of one direction count; a segment keeps them.
struct CvodesSegment::Second {
  CvodesSegment& w;
  std::size_t m;
  std::unique_ptr<NewtonSystem> newton, newton_back;
  CvodesMemory memory;  // after `newton`, which it makes
  std::vector<Vector> sens;
  std::vector<N_Vector> S;
  AdjointPieces pieces;
  Vector back, quad;
  int which = 0;
  double reached = 1;
  bool recorded = false, backward_made = false;   // recorded: there is an older record in `memory`
  Eigen::MatrixXd integral_dot;                   // [n_q × m] of the integrals' weights, or empty
  Eigen::MatrixXd direction, weight_dot, change;  // at a point: [columns × m], [(n_x + n_q) × m], [columns × m]

  Second(CvodesSegment& segment, std::size_t directions)
      : w(segment),
        m(directions),
        memory(segment.make(newton)),
        pieces(segment.options.method_options, segment.n_x * (1 + directions) + segment.n_q, 8, 1 + directions,
               segment.pieces_.steps()),
        back(make_vector(segment.n_x * (1 + directions), segment.context_.get())),
        quad(make_vector(segment.inputs() * (1 + directions), segment.context_.get())) {
    keep_matrix_fresh(memory.get());
    for (std::size_t k = 0; k < m; ++k) S.push_back(sens.emplace_back(make_vector(w.n_x, w.context_.get())).get());
    allocated(CVodeSensInit(memory.get(), static_cast<int>(m), CV_STAGGERED, rhs_sensitivities, S.data()) >= 0 &&
              CVodeAdjInit(memory.get(), pieces.steps_between(), w.interpolation()) >= 0);
  }

  // Numbers: the states, the integrals and the sensitivities.
  AdjointPieces::Run recording() {
    return {.begin =
                [this](double s, std::span<const double> numbers) {
                  void* mem = memory.get();
                  const double* from = numbers.data();
                  std::copy_n(from, w.n_x, view(w.y_.get()).begin());
                  std::copy_n(from += w.n_x, w.n_q, view(w.q_.get()).begin());
                  from += w.n_q;
                  for (std::size_t k = 0; k < m; ++k, from += w.n_x) std::copy_n(from, w.n_x, view(S[k]).begin());
                  bool again = std::exchange(recorded, true);
                  return CVodeReInit(mem, s, w.y_.get()) == 0 && (!w.n_q || CVodeQuadReInit(mem, w.q_.get()) == 0) &&
                         CVodeSensReInit(mem, CV_STAGGERED, S.data()) == 0 && CVodeSetStopTime(mem, 1) == 0 &&
                         (!again || CVodeAdjReInit(mem) == 0);
                },
            .step =
                [this](double& s) {
                  int checkpoints = 0;
                  return CVodeF(memory.get(), 1, w.y_.get(), &s, CV_ONE_STEP, &checkpoints) >= 0;
                },
            .numbers =
                [this](std::vector<double>& numbers) {
                  double at = 0;
                  if (w.n_q) CVodeGetQuad(memory.get(), &at, w.q_.get());
                  CVodeGetSens(memory.get(), &at, S.data());
                  numbers.assign(view(w.y_.get()).begin(), view(w.y_.get()).end());
                  numbers.insert(numbers.end(), N_VGetArrayPointer(w.q_.get()), N_VGetArrayPointer(w.q_.get()) + w.n_q);
                  for (N_Vector v : S) numbers.insert(numbers.end(), view(v).begin(), view(v).end());
                }};
  }

  bool forward(std::span<const double> begin, const Segment::Directions& d) {
    std::vector<double> numbers(begin.begin(), begin.end());
    numbers.resize(w.n_x + w.n_q);
    numbers.insert(numbers.end(), d.x.data(), d.x.data() + d.x.size());
    w.set_steps(memory.get(), Towards::end);
    return w.set_sensitivity_tolerances(memory.get(), false) &&
           pieces.forward(recording(), std::move(numbers), w.options.max_steps);
  }

  bool backward(const std::vector<double>& sizes) {
    void* mem = memory.get();
    bool again = backward_made;
    reached = 1;
    N_VConst(0, quad.get());
    if (!again && !make_backward()) return false;
    if (again && (CVodeReInitB(mem, which, 1, back.get()) < 0 || CVodeQuadReInitB(mem, which, quad.get()) < 0)) return false;
    set_tolerances(sizes);
    w.set_steps(CVodeGetAdjCVodeBmem(mem, which), Towards::begin);
    auto back_to = [&](double s) {
      return CVodeB(mem, s, CV_NORMAL) >= 0 && CVodeGetB(mem, which, &reached, back.get()) >= 0;
    };
    return sweep_back(pieces, recording(), {}, false, back_to) && CVodeGetQuadB(mem, which, &reached, quad.get()) >= 0;
  }

  // λ' (f, q) and its change along every direction. `change` is by the model's columns.
  bool linearise(double s, N_Vector at, N_Vector* S, N_Vector lambda) {
    if (!w.weighted_gradient(s, view(at), N_VGetArrayPointer(lambda), w.weight) || !w.point_.rates()) return false;
    w.move_directions(s);
    auto n_x = static_cast<Eigen::Index>(w.n_x);
    direction = w.moved_;
    weight_dot.setZero(static_cast<Eigen::Index>(w.n_x + w.n_q), static_cast<Eigen::Index>(m));
    const double* mu = N_VGetArrayPointer(lambda) + w.n_x;
    for (std::size_t k = 0; k < m; ++k) {
      auto c = static_cast<Eigen::Index>(k);
      direction.col(c).segment(1, n_x) = Eigen::Map<const Eigen::VectorXd>(N_VGetArrayPointer(S[k]), n_x);
      weight_dot.col(c).head(n_x) = Eigen::Map<const Eigen::VectorXd>(mu + k * w.n_x, n_x);
    }
    if (integral_dot.size()) weight_dot.bottomRows(static_cast<Eigen::Index>(w.n_q)) = integral_dot;
    change.setZero(direction.rows(), direction.cols());
    return w.model.second_adjoint(Part::rates, w.combined_, {}, weight_dot, direction, change);
  }

  static int rhs(double s, N_Vector at, N_Vector* S, N_Vector lambda, N_Vector out, void* user) {
    Second& self = *static_cast<Second*>(user);
    CvodesSegment& w = self.w;
    if (used_up(CVodeGetNumSteps, CVodeGetAdjCVodeBmem(self.memory.get(), self.which), w.options.max_steps)) return -1;
    if (!self.linearise(s, at, S, lambda)) return 1;
    double *o = N_VGetArrayPointer(out), h = w.times.length;
    for (std::size_t i = 0; i < w.n_x; ++i) o[i] = -h * w.gradient_[1 + i];
    for (std::size_t k = 0; k < self.m; ++k) {
      double dh = w.by_length_[static_cast<Eigen::Index>(k)];
      const double* change = self.change.col(static_cast<Eigen::Index>(k)).data();
      for (std::size_t i = 0; i < w.n_x; ++i) o[(1 + k) * w.n_x + i] = -h * change[1 + i] - dh * w.gradient_[1 + i];
    }
    return 0;
  }

  static int quadrature(double s, N_Vector at, N_Vector* S, N_Vector lambda, N_Vector out, void* user) {
    Second& self = *static_cast<Second*>(user);
    CvodesSegment& w = self.w;
    if (!self.linearise(s, at, S, lambda)) return 1;
    const std::vector<double>& rates = w.point_.rows();
    Eigen::Map<const Eigen::VectorXd> f(rates.data(), static_cast<Eigen::Index>(rates.size())),
        weights(w.combined_.data(), f.size()), g(w.gradient_.data(), static_cast<Eigen::Index>(w.gradient_.size()));
    self.integrands(s, g, weights.dot(f), 0, N_VGetArrayPointer(out), w.times.length, nullptr);
    for (std::size_t k = 0; k < self.m; ++k) {
      auto c = static_cast<Eigen::Index>(k);
      double value = self.weight_dot.col(c).dot(f) + g.dot(self.direction.col(c));
      self.integrands(s, self.change.col(c), value, w.by_length_[c], N_VGetArrayPointer(out) + (1 + k) * w.inputs(),
                      w.times.length, w.gradient_.data());
    }
    return 0;
  }

  // Minus h by + dh base, as rates of the gradient by the segment's inputs.
  void integrands(double s, const Eigen::Ref<const Eigen::VectorXd>& by, double value, double dh, double* o, double h,
                  const double* base) const {
    auto rate = [&](std::size_t column) {
      return -h * by[static_cast<Eigen::Index>(column)] - (base ? dh * base[column] : 0);
    };
    for (std::size_t i = 0; i < w.controls(); ++i) o[i] = w.share(i, s) * rate(1 + w.n_x + i % w.n_u);
    for (std::size_t j = 0; j < w.n_p; ++j) o[w.controls() + j] = rate(1 + w.n_x + w.n_u + j);
    o[w.begin_input()] = rate(0);
    o[w.length_input()] = -value + s * rate(0);
  }

  static int jacobian(double s, N_Vector at, N_Vector*, N_Vector, N_Vector, SUNMatrix J, void* user, N_Vector, N_Vector,
                      N_Vector) {
    Second& self = *static_cast<Second*>(user);
    CvodesSegment& w = self.w;
    if (!w.point_.move_to(s, view(at)) || !w.point_.entries()) return 1;
    double* data = self.newton_back->clear(J);
    std::size_t slot = 0;
    const auto& places = w.model.rate_places();
    for (std::size_t block = 0; block <= self.m; ++block)
      for (std::size_t e = 0; e < places.size(); ++e)
        if (w.by_state(places[e])) data[self.newton_back->slot()[slot++]] -= w.times.length * w.point_.entry(e);
    return 0;
  }

  bool make_backward() {
    void* mem = memory.get();
    if (CVodeCreateB(mem, CV_BDF, &which) < 0 || CVodeInitBS(mem, which, rhs, 1, back.get()) < 0) return false;
    CVodeSetUserDataB(mem, which, this);
    CVodeSetMaxNumStepsB(mem, which, w.options.max_steps);
    CVodeSetMinStepB(mem, which, least_step);
    CVodeSStolerancesB(mem, which, w.options.rtol, w.options.rtol);
    std::vector<std::pair<std::int32_t, std::int32_t>> places;
    for (std::size_t block = 0; block <= m; ++block)
      for (const ReducedModel::Place& p : w.model.rate_places())
        if (w.by_state(p)) {
          auto first = static_cast<std::int32_t>(block * w.n_x);
          places.emplace_back(first + p.col - 1, first + p.row);
        }
    newton_back = std::make_unique<NewtonSystem>(w.n_x * (1 + m), std::move(places), back.get(), w.context_.get(),
                                                 direct_only(w.options.method_options));
    CVodeSetLinearSolverB(mem, which, newton_back->solver(), newton_back->matrix());
    CVodeSetJacFnBS(mem, which, jacobian);
    CVodeQuadInitBS(mem, which, quadrature, quad.get());
    CVodeSetQuadErrConB(mem, which, w.options.method_options.quadrature_error_control > 0);
    return backward_made = true;
  }

  // As those of the adjoint, over how much a direction moves.
  void set_tolerances(const std::vector<double>& sizes) {
    std::vector<double> state(w.n_x), input(w.inputs());
    w.backward_tolerances(view(back.get()).first(w.n_x), w.weight, 1, state, input);
    Vector tolerance = make_vector(w.n_x * (1 + m), w.context_.get()),
           quads = make_vector(w.inputs() * (1 + m), w.context_.get());
    for (std::size_t block = 0; block <= m; ++block) {
      double size = block && sizes[block - 1] > 0 ? sizes[block - 1] : 1;
      for (std::size_t i = 0; i < w.n_x; ++i) view(tolerance.get())[block * w.n_x + i] = state[i] / size;
      for (std::size_t i = 0; i < w.inputs(); ++i) view(quads.get())[block * w.inputs() + i] = input[i] / size;
    }
    CVodeSVtolerancesB(memory.get(), which, w.options.rtol, tolerance.get());
    CVodeQuadSVtolerancesB(memory.get(), which, w.options.rtol, quads.get());
  }
};

bool CvodesSegment::second(std::span<const double> begin, const Segment::Directions& d, std::span<const double> l,
                           const Eigen::MatrixXd& weight_dot, Eigen::MatrixXd& lambda_dot, Eigen::MatrixXd& gradient_dot) {
  std::size_t m = d.sizes.size();
  gradient_dot.setZero(static_cast<Eigen::Index>(inputs()), static_cast<Eigen::Index>(m));
  if (!n_x || times.length == 0) return true;
  if (!find_anchor(begin)) return false;
  ReducedModel::Anchored anchored(model, anchor_);
  set_directions(d, begin);
  if (!second_ || second_->m != m) second_ = std::make_shared<Second>(*this, m);
  Second& s = *second_;
  s.integral_dot = weight_dot;
  auto back = view(s.back.get());
  std::copy(l.begin(), l.end(), back.begin());
  std::copy_n(lambda_dot.data(), n_x * m, back.begin() + static_cast<std::ptrdiff_t>(n_x));
  if (!s.forward(begin, d) || !s.backward(d.sizes)) return no_room(s.pieces);
  std::copy_n(back.begin() + static_cast<std::ptrdiff_t>(n_x), n_x * m, lambda_dot.data());
  std::copy_n(view(s.quad.get()).begin() + static_cast<std::ptrdiff_t>(inputs()), inputs() * m, gradient_dot.data());
  return lambda_dot.allFinite() && gradient_dot.allFinite();
}

}  // namespace bolza::integrate
