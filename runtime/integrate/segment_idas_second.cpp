// A segment on IDAS: second derivatives of equations of index 0 and 1, the sensitivities along directions forward and the
// adjoint of the adjoint along them backward, algebraics and their multipliers as they stand.    [SUNDIALS, 6.2.8], for
// inputs that act everywhere. With L = λ'f + w'q − μ'h at y = (t, x, z, u, p) that moves along ẏ,
//   λ̇' = −(L_x)˙,   0 = (L_z)˙,   (L_c)˙ = (∇²L ẏ)_c + f_cᵀ λ̇ + q_cᵀ ẇ − h_cᵀ μ̇,
// and the gradient's integrand is differentiated alike.
#include <idas/idas_ls.h>

#include <cmath>

#include "runtime/integrate/segment_idas_internal.h"

namespace bolza::integrate {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

Index at(std::size_t i) { return static_cast<Index>(i); }

std::vector<N_Vector> handles(const std::vector<Vector>& vectors) {
  std::vector<N_Vector> out;
  for (const Vector& v : vectors) out.push_back(v.get());
  return out;
}

}  // namespace

/// The IDAS objects of one direction count; a segment keeps them.
struct IdasSegment::Second {
  IdasSegment& w;
  std::size_t m;
  std::unique_ptr<NewtonSystem> newton, newton_back;
  Memory memory;  // behind `newton`, which it makes
  std::vector<Vector> sens, sens_p;
  Vector back, back_p, quad;  // (λ, μ) and, for every direction, how it moves
  int which = 0;
  bool backward_made = false;
  MatrixXd integral_dot;                                 // [n_q × m] of the integrals' weights, or empty
  MatrixXd direction, rates_dot, residuals_dot, change;  // at a point: [columns × m], of the multipliers, [columns × m]

  Second(IdasSegment& segment, std::size_t directions) : w(segment), m(directions), memory(segment.make(newton)) {
    for (std::size_t k = 0; k < m; ++k) {
      sens.push_back(make_vector(w.n_, w.context_.get())), sens_p.push_back(make_vector(w.n_, w.context_.get()));
    }
    back = make_vector(w.n_ * (1 + m), w.context_.get()), back_p = make_vector(w.n_ * (1 + m), w.context_.get());
    quad = make_vector(w.inputs() * (1 + m), w.context_.get());
  }

  // L's gradient and its change along every direction, by (t, x, z, u, p).
  bool linearise(double s, N_Vector y, N_Vector* S, N_Vector multipliers) {
    Point p = w.point(s, y);
    if (!w.weighted_gradient(p, multipliers, w.weight)) return false;
    Index n = at(w.n_), nx = at(w.n_x), nz = at(w.n_z_), rows = 1 + n + at(w.n_u + w.n_p);
    MatrixXd moved = w.moved_inputs(s);
    direction.resize(rows, at(m));
    direction.row(0) = moved.row(0);
    direction.bottomRows(rows - 1 - n) = moved.bottomRows(rows - 1 - n);
    rates_dot.setZero(at(w.n_x + w.n_q), at(m)), residuals_dot.resize(nz, at(m));
    for (std::size_t k = 0; k < m; ++k) {
      direction.col(at(k)).segment(1, n) = Eigen::Map<const VectorXd>(N_VGetArrayPointer(S[k]), n);
      Eigen::Map<const VectorXd> dot(N_VGetArrayPointer(multipliers) + (1 + k) * w.n_, n);
      rates_dot.col(at(k)).head(nx) = dot.head(nx), residuals_dot.col(at(k)) = -dot.tail(nz);
    }
    if (integral_dot.size()) rates_dot.bottomRows(at(w.n_q)) = integral_dot;
    change.setZero(rows, at(m));
    return bend(Part::rates, p, w.combined_, rates_dot) && (!nz || bend(Part::residuals, p, w.minus_mu_, residuals_dot));
  }

  bool bend(Part part, const Point& p, const std::vector<double>& multipliers, const MatrixXd& dot) {
    nonlinear::ModelAt& model = w.model.at();
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

  double by_length(std::size_t k) const { return w.direct_(at(w.length_input()), at(k)); }

  static int residual(double s, N_Vector y, N_Vector, N_Vector* S, N_Vector*, N_Vector back, N_Vector back_p, N_Vector out,
                      void* user) {
    Second& self = *static_cast<Second*>(user);
    IdasSegment& w = self.w;
    if (!self.linearise(s, y, S, back)) return 1;
    double *o = N_VGetArrayPointer(out), h = w.times.length;
    const double* slope = N_VGetArrayPointer(back_p);
    for (std::size_t i = 0; i < w.n_; ++i) o[i] = i < w.n_x ? slope[i] + h * w.gradient_[1 + i] : w.gradient_[1 + i];
    for (std::size_t k = 0; k < self.m; ++k) {
      double dh = self.by_length(k);
      const double* moves = self.change.col(at(k)).data() + 1;
      o += w.n_, slope += w.n_;
      for (std::size_t i = 0; i < w.n_; ++i) o[i] = i < w.n_x ? slope[i] + h * moves[i] + dh * w.gradient_[1 + i] : moves[i];
    }
    return 0;
  }

  static int quadrature(double s, N_Vector y, N_Vector, N_Vector* S, N_Vector*, N_Vector back, N_Vector, N_Vector out,
                        void* user) {
    Second& self = *static_cast<Second*>(user);
    IdasSegment& w = self.w;
    if (!self.linearise(s, y, S, back) || !w.model.at().value(Part::rates, w.point(s, y), w.rates_)) return 1;
    Eigen::Map<const VectorXd> f(w.rates_.data(), at(w.rates_.size())), weights(w.combined_.data(), f.size()),
        g(w.gradient_.data(), self.direction.rows());
    double* o = N_VGetArrayPointer(out);
    self.integrands(s, g, weights.dot(f), nullptr, 0, o);
    for (std::size_t k = 0; k < self.m; ++k) {
      double value = self.rates_dot.col(at(k)).dot(f) + g.dot(self.direction.col(at(k)));  // h does not move
      self.integrands(s, self.change.col(at(k)), value, g.data(), self.by_length(k), o + (1 + k) * w.inputs());
    }
    return 0;
  }

  // Minus h by + dh base, as rates of the gradient by the segment's inputs.
  void integrands(double s, const Eigen::Ref<const VectorXd>& by, double value, const double* base, double dh,
                  double* o) const {
    auto rate = [&](std::size_t column) { return -w.times.length * by[at(column)] - (base ? dh * base[column] : 0); };
    for (std::size_t i = 0; i < w.controls(); ++i)
      o[i] = (!w.options.linear_control ? 1 : i < w.n_u ? 1 - s : s) * rate(1 + w.n_ + i % w.n_u);
    for (std::size_t j = 0; j < w.n_p; ++j) o[w.controls() + j] = rate(1 + w.n_ + w.n_u + j);
    o[w.begin_input()] = rate(0);
    o[w.length_input()] = -value + s * rate(0);
  }

  // Blocks on the diagonal; how λ bends those behind the first is left to the iteration.
  static int jacobian(double s, double c, N_Vector y, N_Vector, N_Vector*, N_Vector*, N_Vector, N_Vector, N_Vector,
                      SUNMatrix J, void* user, N_Vector, N_Vector, N_Vector) {
    Second& self = *static_cast<Second*>(user);
    IdasSegment& w = self.w;
    double* data = self.newton_back->clear(J);
    auto slot = self.newton_back->slot().begin();
    std::vector<double> entries;
    if (!w.entries(w.point(s, y), [&](bool rate, std::size_t, std::size_t col, double v) {
          entries.push_back((col < w.n_x ? w.times.length : 1) * (rate ? v : -v));
        }))
      return 1;
    for (std::size_t block = 0; block <= self.m; ++block) {
      for (double v : entries) data[*slot++] += v;
      for (std::size_t i = 0; i < w.n_x; ++i) data[*slot++] += c;
    }
    return 0;
  }

  bool make_backward() {
    void* mem = memory.get();
    if (IDACreateB(mem, &which) < 0 || IDAInitBS(mem, which, residual, 1, back.get(), back_p.get()) < 0) return false;
    Vector kind = make_vector(w.n_ * (1 + m), w.context_.get());
    for (std::size_t i = 0; i < w.n_ * (1 + m); ++i) view(kind.get())[i] = i % w.n_ < w.n_x;
    IDASetUserDataB(mem, which, this);
    IDASetMaxNumStepsB(mem, which, w.options.max_steps);
    IDASStolerancesB(mem, which, w.options.rtol, w.options.rtol);
    IDASetIdB(mem, which, kind.get());
    newton_back = w.newton(true, 1 + m);
    IDASetLinearSolverB(mem, which, newton_back->solver(), newton_back->matrix());
    IDASetJacFnBS(mem, which, jacobian);
    IDAQuadInitBS(mem, which, quadrature, quad.get());
    IDASetQuadErrConB(mem, which, 1);
    return backward_made = true;
  }

  // As those of the adjoint, over how much a direction moves.
  void set_tolerances(const std::vector<double>& sizes) {
    Vector state = make_vector(w.n_, w.context_.get()), tolerance = make_vector(w.n_ * (1 + m), w.context_.get()),
           quads = make_vector(w.inputs() * (1 + m), w.context_.get());
    std::vector<double> input(w.inputs());
    w.backward_tolerances(back.get(), w.weight, state.get(), input);
    for (std::size_t block = 0; block <= m; ++block) {
      double size = block && sizes[block - 1] > 0 ? sizes[block - 1] : 1;
      for (std::size_t i = 0; i < w.n_; ++i) view(tolerance.get())[block * w.n_ + i] = view(state.get())[i] / size;
      for (std::size_t i = 0; i < w.inputs(); ++i) view(quads.get())[block * w.inputs() + i] = input[i] / size;
    }
    IDASVtolerancesB(memory.get(), which, w.options.rtol, tolerance.get());
    IDAQuadSVtolerancesB(memory.get(), which, w.options.rtol, quads.get());
  }

  // States, integrals and sensitivities forward; x at the begin is placed.
  bool forward(const Segment::Directions& d) {
    const MethodOptions& o = w.options.method_options;
    std::vector<N_Vector> S = handles(sens), Sp = handles(sens_p);
    bool fresh = !backward_made;
    int form = o.sensitivity_method == "simultaneous" ? IDA_SIMULTANEOUS : IDA_STAGGERED;
    if (!w.place_sensitivities(d, sens, sens_p)) return false;
    int made = fresh ? IDASensInit(memory.get(), static_cast<int>(m), form, residual_sensitivities, S.data(), Sp.data())
                     : IDASensReInit(memory.get(), form, S.data(), Sp.data());
    if (made < 0 || !w.set_sensitivity_tolerances(memory.get(), d, false)) return false;
    if (fresh && IDAAdjInit(memory.get(), whole(o.checkpoint_steps, 500),
                            o.checkpoint_interpolation == "hermite" ? IDA_HERMITE : IDA_POLYNOMIAL) < 0)
      return false;
    double reached = 0;
    int checkpoints = 0;
    return w.start(memory.get()) && (fresh || IDAAdjReInit(memory.get()) >= 0) &&
           IDASolveF(memory.get(), 1, &reached, w.y_.get(), w.yp_.get(), IDA_NORMAL, &checkpoints) >= 0 &&
           IDAGetSens(memory.get(), &reached, S.data()) >= 0;
  }

  // μ, μ̇ and the slopes at the end fit λ, λ̇, the states and how these move there.
  bool place_end() {
    std::vector<N_Vector> S = handles(sens);
    if (!w.place_multipliers(back.get(), back_p.get(), w.weight)) return false;
    std::copy(w.end_.begin(), w.end_.end(), view(w.y_.get()).begin());
    Index nx = at(w.n_x), nz = at(w.n_z_);
    if (!linearise(1, w.y_.get(), S.data(), back.get())) return false;
    if (nz) {
      MatrixXd h_z = MatrixXd::Zero(nz, nz);
      if (!w.entries(w.point(1, w.y_.get()), [&](bool rate, std::size_t row, std::size_t col, double v) {
            if (!rate && col >= w.n_x) h_z(at(row), at(col - w.n_x)) += v;
          }))
        return false;
      MatrixXd mu_dot = h_z.transpose().partialPivLu().solve(change.middleRows(1 + nx, nz));  // it was 0 in `change`
      if (!mu_dot.allFinite()) return false;
      for (std::size_t k = 0; k < m; ++k)
        std::copy_n(mu_dot.col(at(k)).data(), w.n_z_, N_VGetArrayPointer(back.get()) + (1 + k) * w.n_ + w.n_x);
      if (!linearise(1, w.y_.get(), S.data(), back.get())) return false;
    }
    for (std::size_t k = 0; k < m; ++k)
      for (std::size_t i = 0; i < w.n_x; ++i)
        view(back_p.get())[(1 + k) * w.n_ + i] =
            -w.times.length * change(at(1 + i), at(k)) - by_length(k) * w.gradient_[1 + i];
    return true;
  }

  bool backward(const Segment::Directions& d) {
    void* mem = memory.get();
    N_VConst(0, quad.get());
    bool again = backward_made;
    if (!again && !make_backward()) return false;
    if (again && (IDAReInitB(mem, which, 1, back.get(), back_p.get()) < 0 || IDAQuadReInitB(mem, which, quad.get()) < 0))
      return false;
    set_tolerances(d.sizes);
    double reached = 1;
    return IDASolveB(mem, 0, IDA_NORMAL) >= 0 && IDAGetB(mem, which, &reached, back.get(), back_p.get()) >= 0 &&
           IDAGetQuadB(mem, which, &reached, quad.get()) >= 0;
  }
};

bool IdasSegment::second(std::span<const double> begin, const Segment::Directions& d, std::span<const double> l,
                         const MatrixXd& weight_dot, MatrixXd& lambda_dot, MatrixXd& gradient_dot) {
  std::size_t m = d.sizes.size();
  gradient_dot.setZero(at(inputs()), at(m));
  if (!n_x || times.length == 0) return true;
  if (!second_ || second_->m != m || !second_->backward_made) second_ = std::make_shared<Second>(*this, m);
  Second& s = *second_;
  s.integral_dot = weight_dot;
  direct_ = d.direct;
  if (!s.memory || !place(begin) || !s.forward(d)) return false;
  std::vector<double> end(view(y_.get()).begin(), view(y_.get()).end());
  end_.swap(end);  // that of the run whose sensitivities these are
  N_VConst(0, s.back.get()), N_VConst(0, s.back_p.get());
  std::copy(l.begin(), l.end(), view(s.back.get()).begin());
  for (std::size_t k = 0; k < m; ++k)
    std::copy_n(lambda_dot.col(at(k)).data(), n_x, N_VGetArrayPointer(s.back.get()) + (1 + k) * n_);
  bool good = s.place_end() && s.backward(d);
  end_.swap(end);
  if (!good) return false;
  for (std::size_t k = 0; k < m; ++k)
    std::copy_n(N_VGetArrayPointer(s.back.get()) + (1 + k) * n_, n_x, lambda_dot.col(at(k)).data());
  std::copy_n(N_VGetArrayPointer(s.quad.get()) + inputs(), inputs() * m, gradient_dot.data());
  return lambda_dot.allFinite() && gradient_dot.allFinite();
}

}  // namespace bolza::integrate
