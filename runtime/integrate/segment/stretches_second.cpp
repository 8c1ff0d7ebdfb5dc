// SPDX-License-Identifier: Apache-2.0
// A segment of a model with events: second derivatives, the adjoint through events differentiated along directions (a dot).
// With c the gradient of a stretch whose λ at the end is λ⁺ − μ g_x, u' the slope of inputs in time:
//   λ̇⁺ − μ (g_x)˙ − μ̇ g_x  is what the stretch begins with backwards,
//   μ̇ from d/dε [J_t + c_L − μ g_t + u'ᵀ(J_u + c_u − μ g_u)] = 0: J is stationary in the event's time.
#include <algorithm>
#include <cmath>

#include "runtime/abi/evaluate.h"
#include "runtime/integrate/segment/stretches_internal.h"

namespace bolza::integrate {

using Part = nonlinear::ModelAt::Part;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

bool StretchSegment::bends() const {
  const bolza_hybrid& h = *model.model().hybrid;
  auto has = [&](bolza_function* f) { return !f || abi::ensure(model.problem(), *f, BOLZA_HESSIAN); };
  return model.has_second() && has(h.indicators) && has(h.reinit);
}

/// The backward sweep: what the adjoint has at a moment, and how that moves.
struct StretchSegment::Second {
  StretchSegment& w;
  const Segment::Directions& d;
  const MatrixXd& direct;      // [inputs × m]
  const MatrixXd& weight_dot;  // of the integrals
  Index m;
  MatrixXd slope_dot;  // [n_u × m]
  VectorXd lambda, u;  // u: dJ/du at the moment
  double t = 0;        // dJ/dt
  MatrixXd lambda_dot, u_dot;
  RowVectorXd t_dot;
  MatrixXd& out;  // [inputs × m]

  Second(StretchSegment& segment, const Segment::Directions& along, std::span<const double> l, const MatrixXd& l_dot,
         const MatrixXd& w_dot, MatrixXd& gradient_dot)
      : w(segment),
        d(along),
        direct(along.direct),
        weight_dot(w_dot),
        m(along.x.cols()),
        slope_dot(MatrixXd::Zero(at(w.n_u), m)),
        lambda(Eigen::Map<const VectorXd>(l.data(), at(l.size()))),
        u(VectorXd::Zero(at(w.n_u))),
        lambda_dot(l_dot),
        u_dot(MatrixXd::Zero(at(w.n_u), m)),
        t_dot(RowVectorXd::Zero(m)),
        out(gradient_dot) {
    if (!w.options.linear_control || w.times.length == 0) return;
    Index nu = at(w.n_u);
    slope_dot =
        (direct.middleRows(nu, nu) - direct.topRows(nu) - slope() * direct.row(at(w.length_input()))) / w.times.length;
  }

  Eigen::Map<const VectorXd> slope() const { return {w.slope_.data(), at(w.slope_.size())}; }
  RowVectorXd along_slope(const VectorXd& by, const MatrixXd& by_dot) const {
    return slope().transpose() * by_dot + by.transpose() * slope_dot;
  }

  // As StretchSegment::add_inputs: what J gains by u at a moment, by the segment's inputs.
  void add_inputs(double time, const RowVectorXd& dt, const VectorXd& by, const MatrixXd& by_dot) {
    Index nu = at(w.n_u), begin = at(w.begin_input()), length = at(w.length_input());
    if (!w.options.linear_control) {
      out.topRows(nu) += by_dot;
      return;
    }
    double s = w.share(time);
    RowVectorXd s_dot = RowVectorXd::Zero(m);
    if (w.times.length != 0) s_dot = (dt - direct.row(begin) - s * direct.row(length)) / w.times.length;
    out.topRows(nu) += (1 - s) * by_dot - by * s_dot;
    out.middleRows(nu, nu) += s * by_dot + by * s_dot;
    RowVectorXd moves = along_slope(by, by_dot);
    out.row(begin) -= moves;
    out.row(length) -= s * moves + slope().dot(by) * s_dot;
  }

  // λ after the event becomes λ before it.
  bool before_event(const Stretch& stretch, const Moves& moves) {
    const bolza_hybrid& h = *w.model.model().hybrid;
    Index nx = at(w.n_x), nu = at(w.n_u), np = at(w.n_p);
    for (std::size_t j = stretch.event.size(); j-- > 0;) {
      const LoggedEvent::Firing& firing = stretch.event[j];
      w.set_shared(firing.shared);
      std::vector<double> weights(2 * h.n_reinits), gradient(w.model.columns());
      MatrixXd weights_dot = MatrixXd::Zero(at(weights.size()), m), by_dot = MatrixXd::Zero(at(gradient.size()), m);
      for (std::size_t r : firing.rows) {
        Index state = h.reinit_state[r], row = at(h.n_reinits + r);
        weights[h.n_reinits + r] = lambda[state];
        weights_dot.row(row) = lambda_dot.row(state);
        lambda[state] = 0;
        lambda_dot.row(state).setZero();
      }
      if (!w.model.move_to(stretch.end, stretch.x_at[j], w.inputs(stretch.end)) ||
          !w.model.add_gradient(Part::reinit, weights, {}, gradient) ||
          !w.model.second_adjoint(Part::reinit, weights, {}, weights_dot,
                                  w.moved_point(d, stretch.end, moves.end, moves.event[j]), by_dot))
        return false;
      Eigen::Map<const VectorXd> by(gradient.data(), at(gradient.size()));
      t += by[0];
      t_dot += by_dot.row(0);
      lambda += by.segment(1, nx);
      lambda_dot += by_dot.middleRows(1, nx);
      u += by.segment(1 + nx, nu);
      u_dot += by_dot.middleRows(1 + nx, nu);
      out.middleRows(at(w.controls()), np) += by_dot.bottomRows(np);
    }
    return true;
  }

  /// A stretch's adjoint and how it moves.
  struct Along {
    VectorXd lambda, gradient;
    MatrixXd lambda_dot, gradient_dot;
  };
  bool adjoint(Stretch& stretch, const VectorXd& l, bool integrals, Along& a) {
    stretch.inner->weight.assign(w.n_q, 0);
    if (integrals) stretch.inner->weight = w.weight;
    Backward b = w.backward({l.data(), w.n_x}, stretch.inner->weight);
    if (!stretch.inner->adjoint({&b, 1}, {})) return false;
    a.lambda = Eigen::Map<const VectorXd>(b.lambda.data(), at(b.lambda.size()));
    a.gradient = Eigen::Map<const VectorXd>(b.gradient.data(), at(b.gradient.size()));
    return true;
  }

  // λ at the stretch's end, its event undone, becomes λ at its start.
  bool over(Stretch& stretch, const Moves& moves, std::span<const double> begin_x) {
    Index nx = at(w.n_x), nu = at(w.n_u), np = at(w.n_p), length = at(w.length_input()), begin = at(w.begin_input()),
          right = w.options.linear_control ? nu : 0, first_p = at(w.controls());
    w.set_shared(stretch.shared);
    bool linear = w.options.linear_control, implicit = stretch.ends == Stretch::End::indicator;
    auto in_time = [&](double by_t, const VectorXd& by_u, const Along& a) {  // dJ/dt of the stretch's end
      return by_t + a.gradient[length] + (linear ? slope().dot(by_u + a.gradient.segment(right, nu)) : 0);
    };
    Along a, b;
    VectorXd g;
    double rate = 1, mu = 0;
    if (implicit) {
      if (!adjoint(stretch, lambda, true, a) || !w.indicator_gradient(stretch.row, stretch.end, stretch.x)) return false;
      g = Eigen::Map<const VectorXd>(w.g_.data(), at(w.g_.size()));
      MatrixXd g_dot = MatrixXd::Zero(g.size(), m);
      std::vector<double> row(stretch.row + 1);
      row[stretch.row] = 1;
      if (!w.model.second_adjoint(Part::indicators, row, {}, {}, w.moved_point(d, stretch.end, moves.end, moves.end_x),
                                  g_dot) ||
          !adjoint(stretch, g.segment(1, nx), false, b))
        return false;
      rate = in_time(g[0], g.segment(1 + nx, nu), b);
      mu = in_time(t, u, a) / rate;
      if (!std::isfinite(mu)) return false;
      lambda -= mu * g.segment(1, nx);
      lambda_dot -= mu * g_dot.middleRows(1, nx);
      t -= mu * g[0];
      t_dot -= mu * g_dot.row(0);
      u -= mu * g.segment(1 + nx, nu);
      u_dot -= mu * g_dot.middleRows(1 + nx, nu);
      out.middleRows(first_p, np) -= mu * g_dot.bottomRows(np);
    }
    if (!adjoint(stretch, lambda, true, a)) return false;
    Segment::Directions own = w.moved_stretch(d, stretch, moves.begin, moves.end);  // with one by the length, left out
    own.x = moves.begin_x;
    own.q.setZero(at(w.n_q), m);
    own.direct = own.direct.leftCols(m).eval();
    own.sizes = d.sizes;
    a.lambda_dot = lambda_dot;
    if (!stretch.inner->second(begin_x, own, {lambda.data(), w.n_x}, weight_dot, a.lambda_dot, a.gradient_dot)) return false;
    auto in_time_dot = [&] {
      RowVectorXd sum = t_dot + a.gradient_dot.row(length);
      if (linear) sum += along_slope(u + a.gradient.segment(right, nu), u_dot + a.gradient_dot.middleRows(right, nu));
      return sum;
    };
    if (implicit) {
      RowVectorXd mu_dot = in_time_dot() / rate;
      a.lambda_dot -= b.lambda * mu_dot;
      a.gradient_dot -= b.gradient * mu_dot;
      u_dot -= g.segment(1 + nx, nu) * mu_dot;
      out.middleRows(first_p, np) -= g.tail(np) * mu_dot;
    } else if (stretch.ends != Stretch::End::fixed) {
      RowVectorXd moved = in_time_dot();
      out.row(begin) += moved;
      if (stretch.ends == Stretch::End::end_of_segment) out.row(length) += moved;
    }
    if (linear) {
      u += a.gradient.segment(right, nu);
      u_dot += a.gradient_dot.middleRows(right, nu);
    }
    add_inputs(stretch.end, moves.end, u, u_dot);
    out.middleRows(first_p, np) += a.gradient_dot.middleRows(first_p, np);
    lambda = a.lambda;
    lambda_dot = a.lambda_dot;
    t = a.gradient[begin] - a.gradient[length];
    t_dot = a.gradient_dot.row(begin) - a.gradient_dot.row(length);
    u = a.gradient.head(nu);
    u_dot = a.gradient_dot.topRows(nu);
    return true;
  }

  // The first stretch begins with the segment.
  void at_begin() {
    RowVectorXd begin = direct.row(at(w.begin_input()));
    out.row(at(w.begin_input())) += t_dot;
    if (w.options.linear_control) out.row(at(w.begin_input())) += along_slope(u, u_dot);
    add_inputs(w.times.begin, begin, u, u_dot);
  }
};

bool StretchSegment::second(std::span<const double> begin, const Segment::Directions& directions, std::span<const double> l,
                            const MatrixXd& weight_dot, MatrixXd& lambda_dot, MatrixXd& gradient_dot) {
  gradient_dot.setZero(at(inputs_of()), directions.x.cols());
  std::vector<double> x(begin.begin(), begin.end()), q(n_q);
  bool repeated = repeats;
  repeats = true;  // the events that were found
  bool good = forward(x, q);
  repeats = repeated;
  std::vector<std::vector<double>> begins;  // [stretches] states
  for (std::size_t k = 0; good && k < stretches_.size(); ++k) {
    x = k ? stretches_[k - 1].x : std::vector<double>(begin.begin(), begin.end());
    if (k) good = happen(stretches_[k - 1], x);
    begins.push_back(x);
  }
  Segment::Directions along = directions;
  along.q.setZero(at(n_q), directions.x.cols());
  std::vector<Moves> moves;
  x.assign(begin.begin(), begin.end());
  if (!good || !tangent(x, q, along, &moves)) return false;
  Second sweep(*this, directions, l, lambda_dot, weight_dot, gradient_dot);
  for (std::size_t k = stretches_.size(); k-- > 0;)
    if ((k + 1 < stretches_.size() && !sweep.before_event(stretches_[k], moves[k])) ||
        !sweep.over(stretches_[k], moves[k], begins[k]))
      return false;
  sweep.at_begin();
  lambda_dot = sweep.lambda_dot;
  set_shared(after_);
  return lambda_dot.allFinite() && gradient_dot.allFinite();
}

}  // namespace bolza::integrate
