// SPDX-License-Identifier: Apache-2.0
// A segment on IDAS: second derivatives of equations of index 0 and 1, the sensitivities along directions forward and the
// adjoint of the adjoint along them backward, algebraics and their multipliers as they stand.    [SUNDIALS, 6.2.8], for
// inputs that act everywhere. With L = λ'f + w'q − μ'h at y = (t, x, z, u, p) that moves along ẏ,
//   λ̇' = −(L_x)˙,   0 = (L_z)˙,   (L_c)˙ = (∇²L ẏ)_c + f_cᵀ λ̇ + q_cᵀ ẇ − h_cᵀ μ̇,
// and the gradient's integrand is differentiated alike.
#include <idas/idas_ls.h>

#include <algorithm>
#include <cmath>

#include "runtime/integrate/index.h"
#include "runtime/integrate/segment/backward_sweep_internal.h"
#include "runtime/integrate/segment/idas_internal.h"
#include "runtime/integrate/sundials/block_solver.h"
#include "runtime/linalg/dense_decompositions.h"

namespace bolza::integrate {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The IDAS objects of one direction count; a segment keeps them. Unknowns forward: the blocks of `Forward`. Backward: a
/// block of (λ, μ) and the integrals by inputs, and one of how these move for every direction.
struct IdasSegment::Second {
  IdasSegment& w;
  std::size_t m, size;  // of a block
  Forward forward;
  Vector back, back_p;
  std::unique_ptr<NewtonSystem> newton;
  Solver solver;
  int which = 0;
  double reached = 1;
  bool made = false;
  Iterate iterate;
  std::vector<double> corrected, slopes;
  MatrixXd integral_dot;                      // [n_q × m] of the integrals' weights, or empty
  MatrixXd rates_dot, residuals_dot, change;  // at a point: [… × m], of the multipliers, [columns × m]

  Second(IdasSegment& segment, std::size_t directions)
      : w(segment),
        m(directions),
        size(segment.n_ + segment.moving_inputs()),
        forward(segment, directions, Corrections::simultaneous) {
    back = make_vector(size * (1 + m), w.context_.get());
    back_p = make_vector(size * (1 + m), w.context_.get());
    newton = w.backward_newton(nullptr);
    solver.reset(make_block_solver(
        newton->solver(), size, 1 + m, [this](const double* x, double* b) { return behind(x, b); }, w.context_.get()));
  }

  double* block(std::size_t k) const { return N_VGetArrayPointer(back.get()) + k * size; }

  // L's gradient and its change along every direction, by (t, x, z, u, p).
  bool linearise(double s, const double* y, const double* multipliers) {
    Point p = w.point(s, y);
    if (!w.weighted_gradient(p, multipliers, w.weight)) return false;
    forward.move(s, y);
    Index n = at(w.n_), nx = at(w.n_x), nz = at(w.n_z_);
    rates_dot.setZero(at(w.n_x + w.n_q), at(m));
    residuals_dot.resize(nz, at(m));
    for (std::size_t k = 0; k < m; ++k) {
      Eigen::Map<const VectorXd> dot(multipliers + (1 + k) * size, n);
      rates_dot.col(at(k)).head(nx) = dot.head(nx);
      residuals_dot.col(at(k)) = -dot.tail(nz);
    }
    if (integral_dot.size()) rates_dot.bottomRows(at(w.n_q)) = integral_dot;
    change.setZero(forward.direction.rows(), at(m));
    return bend(Part::rates, p, w.combined_, rates_dot) && (!nz || bend(Part::residuals, p, w.minus_mu_, residuals_dot));
  }

  bool bend(Part part, const Point& p, const std::vector<double>& multipliers, const MatrixXd& dot) {
    nonlinear::ModelAt& model = w.model.at();
    const Forward::Rows& direction = forward.direction;
    if (!model.hessian(part, p, multipliers, w.derivative_)) return false;
    for (std::size_t e = 0; e < w.derivative_.value.size(); ++e) {
      Index r = w.derivative_.row[e], c = w.derivative_.col[e];
      change.row(r) += w.derivative_.value[e] * direction.row(c);
      if (r != c) change.row(c) += w.derivative_.value[e] * direction.row(r);
    }
    if (!model.jacobian(part, p, {}, w.derivative_)) return false;
    for (std::size_t e = 0; e < w.derivative_.value.size(); ++e)
      if (w.derivative_.row[e] < dot.rows() && w.derivative_.col[e] < change.rows())
        change.row(w.derivative_.col[e]) += w.derivative_.value[e] * dot.row(w.derivative_.row[e]);
    return true;
  }

  // Slopes of λ and of the integrals, values of the algebraic equations: for all blocks into `out`.
  bool rates(double s, const double* y, const double* multipliers, double* out) {
    if (!linearise(s, y, multipliers) || !w.input_rates(s, w.point(s, y), {out + w.n_, size - w.n_})) return false;
    const std::vector<double>& g = w.gradient_;
    double h = w.times.length;
    for (std::size_t i = 0; i < w.n_; ++i) out[i] = (i < w.n_x ? -h : 1) * g[1 + i];
    Eigen::Map<const VectorXd> f(w.rates_.data(), at(w.rates_.size())), by(g.data(), forward.direction.rows());
    for (std::size_t k = 0; k < m; ++k) {
      out += size;
      double dh = forward.by_length(k);
      const double* moves = change.col(at(k)).data();
      auto rate = [&](std::size_t column) { return -h * moves[column] - dh * g[column]; };
      for (std::size_t i = 0; i < w.n_; ++i) out[i] = i < w.n_x ? rate(1 + i) : moves[1 + i];
      std::fill(out + w.n_, out + size, 0.0);
      for (std::size_t column = 0; column < 1 + w.n_ + w.n_u + w.n_p; column += column ? 1 : 1 + w.n_)
        w.inputs_of(column, s, [&](std::size_t i, double share) { out[w.n_ + i] = share * rate(column); });
      if (w.options.times_move)
        out[w.n_ + w.length_input()] -= rates_dot.col(at(k)).dot(f) + by.dot(forward.direction.col(at(k)));
    }
    return true;
  }

  static int residual(double s, N_Vector y, N_Vector, N_Vector back, N_Vector back_p, N_Vector out, void* user) {
    Second& self = *static_cast<Second*>(user);
    IdasSegment& w = self.w;
    double* o = N_VGetArrayPointer(out);
    const double *slope = N_VGetArrayPointer(back_p), *states = N_VGetArrayPointer(y);
    if (used_up(IDAGetNumSteps, IDAGetAdjIDABmem(self.forward.memory.get(), self.which), w.options.max_steps)) return -1;
    Point p = w.point(s, states);
    if (!w.weighted_gradient(p, N_VGetArrayPointer(back), w.weight) || !w.input_rates(s, p, {o + w.n_, self.size - w.n_}))
      return 1;
    for (std::size_t i = 0; i < w.n_; ++i)
      o[i] = i < w.n_x ? slope[i] + w.times.length * w.gradient_[1 + i] : w.gradient_[1 + i];
    for (std::size_t i = w.n_; i < self.size; ++i) o[i] = slope[i] - o[i];
    std::fill(o + self.size, o + self.size * (1 + self.m), 0.0);  // see `behind`
    self.iterate.s = s;
    self.iterate.unknowns = N_VGetArrayPointer(back);
    self.iterate.slopes = slope;
    self.iterate.states = states;
    return 0;
  }

  // Minus the residuals of the other blocks where the correction leads the multipliers, in which they are linear.
  bool behind(const double* correction, double* right) {
    double scale = iterate.scale(IDAGetAdjIDABmem(forward.memory.get(), which));
    corrected.assign(iterate.unknowns, iterate.unknowns + size * (1 + m));
    for (std::size_t i = 0; i < size; ++i) corrected[i] += scale * correction[i];
    slopes.resize(corrected.size());
    if (!rates(iterate.s, iterate.states, corrected.data(), slopes.data())) return false;
    for (std::size_t i = size; i < slopes.size(); ++i)
      right[i - size] = w.is_differential(i % size) ? slopes[i] - iterate.slopes[i] : -slopes[i];
    return true;
  }

  static int jacobian(double s, double c, N_Vector y, N_Vector, N_Vector, N_Vector, N_Vector, SUNMatrix J, void* user,
                      N_Vector, N_Vector, N_Vector) {
    Second& self = *static_cast<Second*>(user);
    self.iterate.matrix_coefficient = c;
    return self.w.backward_matrix(s, c, N_VGetArrayPointer(y), nullptr, *self.newton, J) ? 0 : 1;
  }

  bool make() {
    void* mem = forward.memory.get();
    if (IDACreateB(mem, &which) < 0 || IDAInitB(mem, which, residual, 1, back.get(), back_p.get()) < 0) return false;
    IDASetUserDataB(mem, which, this);
    IDASetMaxNumStepsB(mem, which, w.options.max_steps);
    IDASStolerancesB(mem, which, w.options.rtol, w.options.rtol);
    IDASetLinearSolverB(mem, which, solver.get(), newton->matrix());
    IDASetJacFnB(mem, which, jacobian);
    return made = true;
  }

  // As those of the adjoint, over how much a direction moves.
  bool set_tolerances(const std::vector<double>& sizes) {
    Vector tolerance = make_vector(size * (1 + m), w.context_.get());
    std::vector<double> input(w.inputs());
    w.backward_tolerances(back.get(), w.weight, 1, view(tolerance.get()), input);
    double rtol = w.share_tolerances(view(tolerance.get()), input, 1 + m);
    for (std::size_t i = size; i < size * (1 + m); ++i)
      if (double moves = sizes[i / size - 1]; moves > 0) view(tolerance.get())[i] /= moves;
    return IDASVtolerancesB(forward.memory.get(), which, rtol, tolerance.get()) >= 0;
  }

  // μ, μ̇ and the slopes at the end fit λ, λ̇, the states and how these move there.
  bool place_end() {
    const double* y = forward.block(0);
    if (!w.place_multipliers(back.get(), w.weight) || !linearise(1, y, block(0))) return false;
    if (w.n_z_) {
      MatrixXd h_z;
      if (!w.by_algebraics(w.point(1, y), h_z)) return false;
      MatrixXd mu_dot = linalg::solve(h_z.transpose(), change.middleRows(1 + at(w.n_x), h_z.rows()));  // it was 0
      if (!mu_dot.allFinite()) return false;
      for (std::size_t k = 0; k < m; ++k) std::copy_n(mu_dot.col(at(k)).data(), w.n_z_, block(1 + k) + w.n_x);
    }
    double* slope = N_VGetArrayPointer(back_p.get());
    if (!rates(1, y, block(0), slope)) return false;
    for (std::size_t i = 0; i < size * (1 + m); ++i)
      if (!w.is_differential(i % size)) slope[i] = 0;
    return true;
  }

  bool backward(const Segment::Directions& d) {
    void* mem = forward.memory.get();
    reached = 1;
    if (!made ? !make() : IDAReInitB(mem, which, 1, back.get(), back_p.get()) < 0) return false;
    w.set_steps(IDAGetAdjIDABmem(mem, which), Towards::begin);
    return set_tolerances(d.sizes) && sweep_back(forward.pieces, forward.recording(), {}, false, [&](double s) {
             return IDASolveB(mem, s, IDA_NORMAL) >= 0 && IDAGetB(mem, which, &reached, back.get(), back_p.get()) >= 0;
           });
  }
};

bool IdasSegment::second(std::span<const double> begin, const Segment::Directions& d, std::span<const double> l,
                         const MatrixXd& weight_dot, MatrixXd& lambda_dot, MatrixXd& gradient_dot) {
  std::size_t m = d.sizes.size();
  gradient_dot.setZero(at(inputs()), at(m));
  if (!n_x || times.length == 0) return true;
  if (!second_ || second_->m != m) second_ = std::make_shared<Second>(*this, m);
  Second& s = *second_;
  s.integral_dot = weight_dot;
  if (!place(begin) || !s.forward.begin(&d)) return false;
  if (!s.forward.record()) return no_room(s.forward.pieces);
  std::vector<double> end(s.forward.block(0), s.forward.block(0) + n_);
  end_.swap(end);  // that of the run whose sensitivities these are
  N_VConst(0, s.back.get());
  N_VConst(0, s.back_p.get());
  std::copy(l.begin(), l.end(), s.block(0));
  for (std::size_t k = 0; k < m; ++k) std::copy_n(lambda_dot.col(at(k)).data(), n_x, s.block(1 + k));
  bool good = s.place_end();
  end_.swap(end);
  if (!good) return false;
  if (!s.backward(d)) return no_room(s.forward.pieces);
  for (std::size_t k = 0; k < m; ++k) {
    std::copy_n(s.block(1 + k), n_x, lambda_dot.col(at(k)).data());
    std::copy_n(s.block(1 + k) + n_, s.size - n_, gradient_dot.col(at(k)).data());
  }
  return lambda_dot.allFinite() && gradient_dot.allFinite();
}

}  // namespace bolza::integrate
