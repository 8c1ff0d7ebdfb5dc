// A segment on IDAS: forward sensitivities along directions, algebraics as they stand.    [SUNDIALS, 6.2.6]
#include <idas/idas_ls.h>

#include <cmath>

#include "runtime/integrate/segment_idas_internal.h"

namespace bolza::integrate {

using Eigen::Index;
using Eigen::MatrixXd;

namespace {

Index at(std::size_t i) { return static_cast<Index>(i); }

Eigen::Map<Eigen::VectorXd> mapped(N_Vector v) { return {N_VGetArrayPointer(v), static_cast<Index>(N_VGetLength(v))}; }

std::vector<N_Vector> handles(const std::vector<Vector>& vectors) {
  std::vector<N_Vector> out;
  for (const Vector& v : vectors) out.push_back(v.get());
  return out;
}

}  // namespace

// How (t, u, p) move along the directions at s. [(1 + n_u + n_p) × m]
MatrixXd IdasSegment::moved_inputs(double s) const {
  MatrixXd moved(at(1 + n_u + n_p), direct_.cols());
  moved.row(0) = direct_.row(at(begin_input())) + s * direct_.row(at(length_input()));
  for (std::size_t i = 0; i < n_u; ++i) {
    moved.row(at(1 + i)) = (options.linear_control ? 1 - s : 1) * direct_.row(at(i));
    if (options.linear_control) moved.row(at(1 + i)) += s * direct_.row(at(n_u + i));
  }
  moved.bottomRows(at(n_p)) = direct_.middleRows(at(controls()), at(n_p));
  return moved;
}

// (f, q, h) at a point by (x, z), and along the directions of time, inputs and parameters.
bool IdasSegment::differentiate(double s, N_Vector y) {
  Point p = point(s, y);
  if (!model.at().value(Part::rates, p, rates_)) return false;
  Index m = direct_.cols(), rates = at(n_x + n_q);
  MatrixXd moved = moved_inputs(s);
  by_y_.setZero(rates + at(n_z_), at(n_)), by_direct_.setZero(rates + at(n_z_), m);
  for (Part part : {Part::rates, Part::residuals}) {
    bool of_rates = part == Part::rates;
    if (!of_rates && !n_z_) break;
    if (!model.at().jacobian(part, p, {}, derivative_)) return false;
    for (std::size_t e = 0; e < derivative_.value.size(); ++e) {
      Index row = derivative_.row[e], col = derivative_.col[e], from = at(1 + n_);
      if (row >= (of_rates ? rates : at(n_z_)) || col >= from + at(n_u + n_p)) continue;
      if (!of_rates) row += rates;
      double v = derivative_.value[e];
      if (col == 0) by_direct_.row(row) += v * moved.row(0);
      else if (col < from) by_y_(row, col - 1) += v;
      else by_direct_.row(row) += v * moved.row(1 + col - from);
    }
  }
  return true;
}

int IdasSegment::residual_sensitivities(int n, double s, N_Vector y, N_Vector, N_Vector, N_Vector* S, N_Vector* Sp,
                                        N_Vector* out, void* user, N_Vector, N_Vector, N_Vector) {
  IdasSegment& w = *static_cast<IdasSegment*>(user);
  if (!w.differentiate(s, y)) return 1;
  Index nx = at(w.n_x), nz = at(w.n_z_);
  Eigen::Map<const Eigen::VectorXd> f(w.rates_.data(), nx);
  for (int k = 0; k < n; ++k) {
    auto o = mapped(out[k]);
    auto along = mapped(S[k]);
    o.head(nx) = mapped(Sp[k]).head(nx) - w.times.length * (w.by_y_.topRows(nx) * along + w.by_direct_.col(k).head(nx)) -
                 w.direct_(at(w.length_input()), k) * f;
    o.tail(nz) = w.by_y_.bottomRows(nz) * along + w.by_direct_.col(k).tail(nz);
  }
  return 0;
}

int IdasSegment::quadrature_sensitivities(int n, double s, N_Vector y, N_Vector, N_Vector* S, N_Vector*, N_Vector,
                                          N_Vector* out, void* user, N_Vector, N_Vector, N_Vector) {
  IdasSegment& w = *static_cast<IdasSegment*>(user);
  if (!w.differentiate(s, y)) return 1;
  Index nx = at(w.n_x), nq = at(w.n_q);
  Eigen::Map<const Eigen::VectorXd> q(w.rates_.data() + w.n_x, nq);
  for (int k = 0; k < n; ++k)
    mapped(out[k]) = w.times.length * (w.by_y_.middleRows(nx, nq) * mapped(S[k]) + w.by_direct_.col(k).segment(nx, nq)) +
                     w.direct_(at(w.length_input()), k) * q;
  return 0;
}

// atol / |p̄| of each direction, or nothing: then the states alone choose the steps.
bool IdasSegment::set_sensitivity_tolerances(void* memory, const Segment::Directions& d, bool with_integrals) {
  const MethodOptions& o = options.method_options;
  std::vector<Vector> tolerance, quad;
  for (double moves : d.sizes) {
    double share = o.sensitivity_tolerance * options.rtol / (moves > 0 ? moves : 1);
    tolerance.push_back(make_vector(n_, context_.get())),
        quad.push_back(make_vector(std::max<std::size_t>(n_q, 1), context_.get()));
    for (std::size_t i = 0; i < n_; ++i) view(tolerance.back().get())[i] = share * size_of(i);
    N_VConst(share, quad.back().get());
  }
  std::vector<N_Vector> T = handles(tolerance), TQ = handles(quad);
  bool control = o.sensitivity_error_control > 0;
  return IDASensSVtolerances(memory, options.rtol, T.data()) >= 0 && IDASetSensErrCon(memory, control) >= 0 &&
         (!n_q || !with_integrals ||
          (IDAQuadSensSVtolerances(memory, options.rtol, TQ.data()) >= 0 && IDASetQuadSensErrCon(memory, control) >= 0));
}

// Algebraics move along h_z s_z = −(h_x s_x + …) at the begin, and the derivatives of states with their equations.
bool IdasSegment::place_sensitivities(const Segment::Directions& d, std::vector<Vector>& sens, std::vector<Vector>& sens_p) {
  if (!differentiate(0, y_.get())) return false;
  Index nx = at(n_x), nz = at(n_z_);
  MatrixXd along(at(n_), d.x.cols());
  along.topRows(nx) = d.x;
  if (nz) {
    MatrixXd left = by_y_.bottomRows(nz).leftCols(nx) * d.x + by_direct_.bottomRows(nz);
    along.bottomRows(nz) = by_y_.bottomRows(nz).rightCols(nz).partialPivLu().solve(-left);
  }
  if (!along.allFinite()) return false;
  MatrixXd rate = times.length * (by_y_.topRows(nx) * along + by_direct_.topRows(nx)) +
                  Eigen::Map<const Eigen::VectorXd>(rates_.data(), nx) * d.direct.row(at(length_input()));
  for (std::size_t k = 0; k < sens.size(); ++k) {
    mapped(sens[k].get()) = along.col(at(k));
    N_VConst(0, sens_p[k].get());
    mapped(sens_p[k].get()).head(nx) = rate.col(at(k));
  }
  return true;
}

bool IdasSegment::start_sensitivities(const Segment::Directions& d) {
  std::size_t m = d.sizes.size();
  direct_ = d.direct;
  bool fresh = !sens_memory_ || sens_.size() != m;
  if (fresh) {
    sens_.clear(), sens_p_.clear(), quad_sens_.clear();
    if (!(sens_memory_ = make(newton_sens_))) return false;
    for (std::size_t k = 0; k < m; ++k) {
      sens_.push_back(make_vector(n_, context_.get())), sens_p_.push_back(make_vector(n_, context_.get()));
      quad_sens_.push_back(make_vector(std::max<std::size_t>(n_q, 1), context_.get()));
    }
  }
  if (!place_sensitivities(d, sens_, sens_p_)) return false;
  for (const Vector& v : quad_sens_) N_VConst(0, v.get());
  void* memory = sens_memory_.get();
  std::vector<N_Vector> S = handles(sens_), Sp = handles(sens_p_), SQ = handles(quad_sens_);
  int form = options.method_options.sensitivity_method == "simultaneous" ? IDA_SIMULTANEOUS : IDA_STAGGERED;
  int made = fresh ? IDASensInit(memory, static_cast<int>(m), form, residual_sensitivities, S.data(), Sp.data())
                   : IDASensReInit(memory, form, S.data(), Sp.data());
  if (made < 0) return false;
  if (n_q &&
      (fresh ? IDAQuadSensInit(memory, quadrature_sensitivities, SQ.data()) : IDAQuadSensReInit(memory, SQ.data())) < 0)
    return false;
  return set_sensitivity_tolerances(memory, d, true);
}

bool IdasSegment::tangent(std::span<double> x, std::span<double> integrals, Segment::Directions& d) {
  if (!d.x.cols() || !n_x || times.length == 0) return forward(x, integrals);
  if (!place(x) || !start_sensitivities(d)) return false;
  void* memory = sens_memory_.get();
  if (!start(memory)) return false;
  double reached = 0;
  if (IDASolve(memory, 1, &reached, y_.get(), yp_.get(), IDA_NORMAL) < 0) return false;
  std::vector<N_Vector> S = handles(sens_), SQ = handles(quad_sens_);
  if (IDAGetSens(memory, &reached, S.data()) < 0 || (n_q && IDAGetQuadSens(memory, &reached, SQ.data()) < 0)) return false;
  for (Index k = 0; k < d.x.cols(); ++k) {
    std::size_t i = static_cast<std::size_t>(k);
    d.x.col(k) = mapped(S[i]).head(at(n_x));
    if (n_q) d.q.col(k) += mapped(SQ[i]);
  }
  return results(memory, x, integrals) && d.x.allFinite() && d.q.allFinite();
}

}  // namespace bolza::integrate
