// A segment of a model with events: adjoint and tangent through them.
#include <algorithm>
#include <cmath>

#include "runtime/integrate/segment_stretches_internal.h"

namespace bolza::integrate {

using Part = nonlinear::ModelAt::Part;

// λ after the event becomes λ before it.
bool StretchSegment::before_event(const Stretch& stretch, std::span<double> lambda, Moment& moment, std::span<double> out) {
  const bolza_hybrid& h = *model.model().hybrid;
  for (std::size_t j = stretch.event.size(); j-- > 0;) {
    const LoggedEvent::Firing& firing = stretch.event[j];
    set_shared(firing.shared);
    std::vector<double> weights(2 * h.n_reinits), by(model.columns());
    for (std::size_t r : firing.rows) {
      double& l = lambda[static_cast<std::size_t>(h.reinit_state[r])];
      weights[h.n_reinits + r] = l, l = 0;
    }
    if (!model.move_to(stretch.end, stretch.x_at[j], inputs(stretch.end)) ||
        !model.add_gradient(Part::reinit, weights, {}, by))
      return false;
    moment.t += by[0];
    for (std::size_t i = 0; i < n_x; ++i) lambda[i] += by[1 + i];
    for (std::size_t i = 0; i < n_u; ++i) moment.u[i] += by[1 + n_x + i];
    for (std::size_t p = 0; p < n_p; ++p) out[controls() + p] += by[1 + n_x + n_u + p];
  }
  return true;
}

// u at a moment is that of the segment's ends; the moment itself is fixed where it is.
void StretchSegment::add_inputs(double t, const std::vector<double>& by, std::span<double> out) const {
  double s = share(t), moves = 0;
  for (std::size_t i = 0; i < n_u; ++i) {
    out[i] += (options.linear_control ? 1 - s : 1) * by[i];
    if (options.linear_control) out[n_u + i] += s * by[i];
    moves += by[i] * slope_[i];
  }
  out[begin_input()] -= moves;
  out[length_input()] -= s * moves;
}

bool StretchSegment::back_over(Stretch& stretch, std::span<const double> lambda, bool integrals,
                               std::span<const double> samples, Back& b) {
  b.lambda.assign(lambda.begin(), lambda.end());
  b.gradient.assign(inputs_of(), 0), b.samples.clear();
  stretch.inner->weight.assign(n_q, 0);
  if (integrals) stretch.inner->weight = weight;
  return stretch.inner->adjoint(b.lambda, b.gradient, samples, &b.samples);
}
double StretchSegment::along_slope(const double* by) const {
  double sum = 0;
  for (std::size_t i = 0; i < n_u; ++i) sum += by[i] * slope_[i];
  return sum;
}

bool StretchSegment::adjoint(std::span<double> lambda, std::span<double> out, std::span<const double> samples,
                             std::vector<double>* at_samples) {
  Moment moment{0, std::vector<double>(n_u)};
  std::size_t sample = 0;
  for (std::size_t k = stretches_.size(); k-- > 0;) {
    Stretch& stretch = stretches_[k];
    if (k + 1 < stretches_.size() && !before_event(stretch, lambda, moment, out)) return false;
    set_shared(stretch.shared);
    double length = stretch.end - stretch.begin;
    std::vector<double> own;  // the samples that lie here
    for (; at_samples && sample < samples.size(); ++sample) {
      double t = times.begin + samples[sample] * times.length;
      if (k && !(t > stretch.begin)) break;
      own.push_back(length > 0 ? std::clamp((t - stretch.begin) / length, 1e-12, 1.0) : 1);
    }
    Back a, b;
    if (!back_over(stretch, lambda, true, own, a)) return false;
    std::size_t end_u = options.linear_control ? n_u : 0;
    double at_end = moment.t + a.gradient[length_input()];
    if (options.linear_control) at_end += along_slope(moment.u.data()) + along_slope(a.gradient.data() + end_u);
    if (stretch.ends == Stretch::End::indicator) {
      if (!indicator_gradient(stretch.row, stretch.end, stretch.x)) return false;
      std::vector<double> g = g_;
      if (!back_over(stretch, std::span(g).subspan(1, n_x), false, own, b)) return false;
      double rate = g[0] + b.gradient[length_input()];
      if (options.linear_control) rate += along_slope(g.data() + 1 + n_x) + along_slope(b.gradient.data() + end_u);
      double mu = at_end / rate;
      if (!std::isfinite(mu)) return false;
      for (std::size_t i = 0; i < n_x; ++i) a.lambda[i] -= mu * b.lambda[i];
      for (std::size_t i = 0; i < a.gradient.size(); ++i) a.gradient[i] -= mu * b.gradient[i];
      for (std::size_t i = 0; i < a.samples.size(); ++i) a.samples[i] -= mu * b.samples[i];
      for (std::size_t i = 0; i < n_u; ++i) moment.u[i] -= mu * g[1 + n_x + i];
      for (std::size_t p = 0; p < n_p; ++p) out[controls() + p] -= mu * g[1 + n_x + n_u + p];
    } else if (stretch.ends != Stretch::End::fixed) {
      out[begin_input()] += at_end;
      if (stretch.ends == Stretch::End::end_of_segment) out[length_input()] += at_end;
    }
    if (at_samples) at_samples->insert(at_samples->end(), a.samples.begin(), a.samples.end());
    for (std::size_t i = 0; i < n_u && options.linear_control; ++i) moment.u[i] += a.gradient[end_u + i];
    add_inputs(stretch.end, moment.u, out);
    for (std::size_t p = 0; p < n_p; ++p) out[controls() + p] += a.gradient[controls() + p];
    std::copy(a.lambda.begin(), a.lambda.end(), lambda.begin());
    moment.t = a.gradient[begin_input()] - a.gradient[length_input()];
    moment.u.assign(a.gradient.begin(), a.gradient.begin() + static_cast<std::ptrdiff_t>(n_u));
  }
  if (options.linear_control) moment.t += along_slope(moment.u.data());
  out[begin_input()] += moment.t;
  add_inputs(times.begin, moment.u, out);
  set_shared(after_);
  return true;
}

// [n_u × m] of u at a time that moves.
Eigen::MatrixXd StretchSegment::moved_inputs(const Eigen::MatrixXd& direct, double t, const Eigen::RowVectorXd& dt) const {
  Eigen::MatrixXd du(at(n_u), direct.cols());
  double s = share(t);
  for (std::size_t i = 0; i < n_u; ++i) {
    du.row(at(i)) = (options.linear_control ? 1 - s : 1) * direct.row(at(i)) +
                    slope_[i] * (dt - direct.row(at(begin_input())) - s * direct.row(at(length_input())));
    if (options.linear_control) du.row(at(i)) += s * direct.row(at(n_u + i));
  }
  return du;
}

// [inputs × m] directions of a stretch whose ends move.
Eigen::MatrixXd StretchSegment::moved_stretch(const Eigen::MatrixXd& direct, const Stretch& stretch,
                                              const Eigen::RowVectorXd& begin, const Eigen::RowVectorXd& end) const {
  Eigen::MatrixXd own = direct;  // global values move as they do
  own.topRows(at(n_u)) = moved_inputs(direct, stretch.begin, begin);
  if (options.linear_control) own.middleRows(at(n_u), at(n_u)) = moved_inputs(direct, stretch.end, end);
  own.row(at(begin_input())) = begin;
  own.row(at(length_input())) = end - begin;
  return own;
}

// Along m directions and one more, the length of the stretch, which gives how the event's time moves.
bool StretchSegment::tangent(std::span<double> x, std::span<double> integrals, Segment::Directions& d,
                             std::vector<Moves>* moves) {
  std::vector<double> probe(x.begin(), x.end()), unused(n_q);
  if (!planned_ && !forward(probe, unused)) return false;
  const bolza_hybrid& h = *model.model().hybrid;
  Eigen::Index m = d.x.cols(), nx = at(n_x), nu = at(n_u), np = at(n_p);
  auto row = [&](std::size_t input) { return d.direct.row(at(input)); };
  Eigen::RowVectorXd begin = row(begin_input());
  Eigen::MatrixXd globals = d.direct.middleRows(at(controls()), np);
  for (Stretch& stretch : stretches_) {
    set_shared(stretch.shared);
    bool implicit = stretch.ends == Stretch::End::indicator;
    Eigen::RowVectorXd end = Eigen::RowVectorXd::Zero(m);
    if (stretch.ends == Stretch::End::begin_of_segment) end = row(begin_input());
    if (stretch.ends == Stretch::End::end_of_segment) end = row(begin_input()) + row(length_input());
    Segment::Directions own{Eigen::MatrixXd::Zero(nx, m + 1),
                            Eigen::MatrixXd::Zero(at(n_q), m + 1),
                            Eigen::MatrixXd::Zero(at(inputs_of()), m + 1),
                            d.sizes,
                            {}};
    own.sizes.push_back(std::max(stretch.end - stretch.begin, 1e-300));
    own.x.leftCols(m) = d.x;
    own.direct.leftCols(m) = moved_stretch(d.direct, stretch, begin, end);
    for (std::size_t i = 0; i < n_u && options.linear_control; ++i) own.direct(nu + at(i), m) = slope_[i];
    own.direct(at(length_input()), m) = 1;
    if (moves) moves->push_back({begin, {}, d.x, {}, {}});
    std::vector<double> q(n_q);
    stretch.inner->set({stretch.begin, stretch.end - stretch.begin}, this->inputs(stretch.begin), this->inputs(stretch.end));
    stretch.inner->repeats = options.method != nullptr;
    if (!stretch.inner->tangent(x, q, own)) return false;
    for (std::size_t i = 0; i < n_q; ++i) integrals[i] += q[i];
    d.x = own.x.leftCols(m), d.q += own.q.leftCols(m);
    if (implicit) {
      if (!indicator_gradient(stretch.row, stretch.end, stretch.x)) return false;
      Eigen::Map<const Eigen::RowVectorXd> g(g_.data(), at(g_.size()));
      double rate = g[0] + g.segment(1, nx).dot(own.x.col(m));
      for (std::size_t i = 0; i < n_u; ++i) rate += g[1 + nx + at(i)] * slope_[i];
      Eigen::RowVectorXd moved =
          g.segment(1, nx) * d.x + g.segment(1 + nx, nu) * moved_inputs(d.direct, stretch.end, end) + g.tail(np) * globals;
      end = -moved / rate;
      d.x += own.x.col(m) * end, d.q += own.q.col(m) * end;
    }
    if (moves) moves->back().end = end, moves->back().end_x = d.x;
    for (std::size_t j = 0; j < stretch.event.size(); ++j) {
      const LoggedEvent::Firing& firing = stretch.event[j];
      set_shared(firing.shared);
      if (moves) moves->back().event.push_back(d.x);
      if (!model.move_to(stretch.end, stretch.x_at[j], this->inputs(stretch.end))) return false;
      Eigen::MatrixXd du = moved_inputs(d.direct, stretch.end, end), after = d.x;
      for (std::size_t r : firing.rows) {
        std::vector<double> weights(2 * h.n_reinits), by(model.columns());
        weights[h.n_reinits + r] = 1;
        if (!model.add_gradient(Part::reinit, weights, {}, by)) return false;
        Eigen::Map<const Eigen::RowVectorXd> b(by.data(), at(by.size()));
        after.row(h.reinit_state[r]) =
            b[0] * end + b.segment(1, nx) * d.x + b.segment(1 + nx, nu) * du + b.tail(np) * globals;
      }
      d.x = after;
    }
    if (!happen(stretch, x)) return false;
    begin = end;
  }
  set_shared(after_);
  return true;
}

}  // namespace bolza::integrate
