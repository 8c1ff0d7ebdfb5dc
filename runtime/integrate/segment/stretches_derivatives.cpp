// SPDX-License-Identifier: Apache-2.0
// A segment of a model with events: adjoint and tangent through them.
#include <algorithm>
#include <cmath>

#include "runtime/integrate/segment/stretches_internal.h"

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
      weights[h.n_reinits + r] = l;
      l = 0;
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

StretchSegment::Backward StretchSegment::backward(std::span<const double> lambda, std::span<const double> weights) const {
  Backward b{{lambda.begin(), lambda.end()}, {weights.begin(), weights.end()}, std::vector<double>(inputs_of()), {}, {}};
  b.weight.resize(n_q);
  return b;
}

double StretchSegment::along_slope(const double* by) const {
  double sum = 0;
  for (std::size_t i = 0; i < n_u; ++i) sum += by[i] * slope_[i];
  return sum;
}

// All functionals over a stretch, with the indicator that ends it among them where its time moves.
bool StretchSegment::back_over(Stretch& stretch, std::span<Backward> functionals, std::span<const double> samples,
                               std::size_t first, std::vector<Moment>& moments, std::vector<Backward>& inner) {
  bool moves = stretch.ends == Stretch::End::indicator;
  inner.clear();
  for (const Backward& b : functionals) {
    Backward& own = inner.emplace_back(backward(b.lambda, b.weight));
    if (b.jumps.empty()) continue;
    auto from = b.jumps.begin() + static_cast<std::ptrdiff_t>(first * n_x);
    own.jumps.assign(from, from + static_cast<std::ptrdiff_t>(samples.size() * n_x));
  }
  std::vector<double> g;
  if (moves) {
    if (!indicator_gradient(stretch.row, stretch.end, stretch.x)) return false;
    g = g_;
    inner.push_back(backward(std::span(g).subspan(1, n_x), {}));
    if (!inner.front().jumps.empty()) inner.back().jumps.assign(samples.size() * n_x, 0);
  }
  if (!stretch.inner->adjoint(inner, samples)) return false;
  bool linear = options.linear_control;
  std::size_t end_u = linear ? n_u : 0;
  auto in_time = [&](double by_t, const double* by_u, const Backward& b) {
    double sum = by_t + b.gradient[length_input()];
    return linear ? sum + along_slope(by_u) + along_slope(b.gradient.data() + end_u) : sum;
  };
  double rate = moves ? in_time(g[0], g.data() + 1 + n_x, inner.back()) : 1;
  for (std::size_t j = 0; j < functionals.size(); ++j) {
    Moment& moment = moments[j];
    std::vector<double>& out = functionals[j].gradient;
    double at_end = in_time(moment.t, moment.u.data(), inner[j]);
    if (moves) {
      double mu = at_end / rate;
      if (!std::isfinite(mu)) return false;
      auto take = [&](std::vector<double>& from, const std::vector<double>& by) {
        for (std::size_t i = 0; i < from.size(); ++i) from[i] -= mu * by[i];
      };
      take(inner[j].lambda, inner.back().lambda);
      take(inner[j].gradient, inner.back().gradient);
      take(inner[j].at_samples, inner.back().at_samples);
      for (std::size_t i = 0; i < n_u; ++i) moment.u[i] -= mu * g[1 + n_x + i];
      for (std::size_t p = 0; p < n_p; ++p) out[controls() + p] -= mu * g[1 + n_x + n_u + p];
    } else if (stretch.ends != Stretch::End::fixed) {
      out[begin_input()] += at_end;
      if (stretch.ends == Stretch::End::end_of_segment) out[length_input()] += at_end;
    }
  }
  return true;
}

bool StretchSegment::adjoint(std::span<Backward> functionals, std::span<const double> samples) {
  std::vector<Moment> moments(functionals.size(), {0, std::vector<double>(n_u)});
  std::size_t sample = 0, end_u = options.linear_control ? n_u : 0;
  bool jumps = !functionals.empty() && !functionals.front().jumps.empty();
  for (std::size_t k = stretches_.size(); k-- > 0;) {
    Stretch& stretch = stretches_[k];
    for (std::size_t j = 0; j < functionals.size() && k + 1 < stretches_.size(); ++j)
      if (!before_event(stretch, functionals[j].lambda, moments[j], functionals[j].gradient)) return false;
    set_shared(stretch.shared);
    double length = stretch.end - stretch.begin;
    std::vector<double> own;  // the samples that lie here; that of a jump at an event after it, as in `give_samples`
    std::size_t first = sample;
    for (; sample < samples.size(); ++sample) {
      double t = times.begin + samples[sample] * times.length;
      if (k && (jumps ? t < stretch.begin : !(t > stretch.begin))) break;
      own.push_back(length > 0 ? std::clamp((t - stretch.begin) / length, jumps ? 0 : 1e-12, 1.0) : 1);
    }
    std::vector<Backward> inner;
    if (!back_over(stretch, functionals, own, first, moments, inner)) return false;
    for (std::size_t j = 0; j < functionals.size(); ++j) {
      Backward& b = functionals[j];
      Moment& moment = moments[j];
      const std::vector<double>& by = inner[j].gradient;
      b.at_samples.insert(b.at_samples.end(), inner[j].at_samples.begin(), inner[j].at_samples.end());
      for (std::size_t i = 0; i < n_u && options.linear_control; ++i) moment.u[i] += by[end_u + i];
      add_inputs(stretch.end, moment.u, b.gradient);
      for (std::size_t p = 0; p < n_p; ++p) b.gradient[controls() + p] += by[controls() + p];
      b.lambda = inner[j].lambda;
      moment.t = by[begin_input()] - by[length_input()];
      moment.u.assign(by.begin(), by.begin() + static_cast<std::ptrdiff_t>(n_u));
    }
  }
  for (std::size_t j = 0; j < functionals.size(); ++j) {
    if (options.linear_control) moments[j].t += along_slope(moments[j].u.data());
    functionals[j].gradient[begin_input()] += moments[j].t;
    add_inputs(times.begin, moments[j].u, functionals[j].gradient);
  }
  set_shared(after_);
  return true;
}

// [n_u × columns] of u at a time that moves. With σ = (t − begin)/length and R − L = u' length, in second order
//   u_ij = L_ij + σ (R − L)_ij + σ_i (R − L)_j + σ_j (R − L)_i + u' (t_ij − begin_ij − σ length_ij − σ_i length_j − σ_j
//   length_i).
Eigen::MatrixXd StretchSegment::moved_inputs(const Segment::Directions& d, double t, const Eigen::RowVectorXd& dt) const {
  auto row = [&](std::size_t input) { return d.direct.row(at(input)); };
  Eigen::MatrixXd du(at(n_u), dt.size());
  double s = share(t);
  Eigen::RowVectorXd late = dt - row(begin_input()).head(dt.size()) - s * row(length_input()).head(dt.size());
  Eigen::Index m = d.direct.cols() - at(d.pairs.size());
  for (std::size_t i = 0; i < n_u; ++i) {
    du.row(at(i)) = (options.linear_control ? 1 - s : 1) * row(i).head(dt.size()) + slope_[i] * late;
    if (!options.linear_control) continue;
    du.row(at(i)) += s * row(n_u + i).head(dt.size());
    if (dt.size() == m || times.length == 0) continue;
    Eigen::RowVectorXd turns = row(n_u + i) - row(i) - slope_[i] * row(length_input());  // how the slope moves × length
    for (std::size_t k = 0; k < d.pairs.size(); ++k) {
      auto [a, b] = d.pairs[k];
      du(at(i), m + at(k)) += (late[a] * turns[b] + late[b] * turns[a]) / times.length;
    }
  }
  return du;
}

// Directions of a stretch whose ends move, its length as one more, with pairs when `begin` has them.
Segment::Directions StretchSegment::moved_stretch(const Segment::Directions& d, const Stretch& stretch,
                                                  const Eigen::RowVectorXd& begin, const Eigen::RowVectorXd& end) const {
  Eigen::Index columns = begin.size(), m = d.x.cols() - at(d.pairs.size()), pairs = columns - m;
  Eigen::MatrixXd direct = d.direct.leftCols(columns);  // global values move as they do
  direct.topRows(at(n_u)) = moved_inputs(d, stretch.begin, begin);
  if (options.linear_control) direct.middleRows(at(n_u), at(n_u)) = moved_inputs(d, stretch.end, end);
  direct.row(at(begin_input())) = begin;
  direct.row(at(length_input())) = end - begin;
  Segment::Directions own{Eigen::MatrixXd::Zero(at(n_x), columns + 1),
                          Eigen::MatrixXd::Zero(at(n_q), columns + 1),
                          Eigen::MatrixXd::Zero(direct.rows(), columns + 1),
                          d.sizes,
                          {}};
  own.x.leftCols(m) = d.x.leftCols(m);
  own.x.rightCols(pairs) = d.x.middleCols(m, pairs);
  own.direct.leftCols(m) = direct.leftCols(m);
  own.direct.rightCols(pairs) = direct.rightCols(pairs);
  for (std::size_t i = 0; i < n_u && options.linear_control; ++i) own.direct(at(n_u + i), m) = slope_[i];
  own.direct(at(length_input()), m) = 1;
  own.sizes.resize(static_cast<std::size_t>(m));
  own.sizes.push_back(std::max(stretch.end - stretch.begin, 1e-300));
  if (!pairs) return own;
  own.pairs = d.pairs;
  for (auto [i, j] : own.pairs)
    own.sizes.push_back(own.sizes[static_cast<std::size_t>(i)] * own.sizes[static_cast<std::size_t>(j)]);
  return own;
}

// How one row of a part moves with the model's columns y, at the point where the model is: by its gradient and, for pairs,
// its curvature.
bool StretchSegment::moved_row(Part part, const std::vector<double>& weight, const Eigen::MatrixXd& y,
                               const std::vector<ReducedModel::Pair>& pairs, Eigen::RowVectorXd& out) {
  std::vector<double> by(model.columns());
  if (!model.add_gradient(part, weight, {}, by)) return false;
  out = Eigen::Map<const Eigen::RowVectorXd>(by.data(), at(by.size())) * y;
  Eigen::Index m = y.cols() - at(pairs.size());
  if (pairs.empty()) return true;
  Eigen::MatrixXd directions = y.leftCols(m), bent = Eigen::MatrixXd::Zero(y.rows(), m);
  if (!model.second_adjoint(part, weight, {}, {}, directions, bent)) return false;
  for (std::size_t k = 0; k < pairs.size(); ++k) out[m + at(k)] += y.col(pairs[k].first).dot(bent.col(pairs[k].second));
  return true;
}

// The model's columns at a moment that moves.
Eigen::MatrixXd StretchSegment::moved_point(const Segment::Directions& d, double t, const Eigen::RowVectorXd& dt,
                                            const Eigen::MatrixXd& x) const {
  Eigen::MatrixXd y(at(model.columns()), dt.size());
  y << dt, x, moved_inputs(d, t, dt), d.direct.middleRows(at(controls()), at(n_p)).leftCols(dt.size());
  return y;
}

// Over a stretch whose begin moves; `end` as far as it is known. An event's time follows from its indicator, and states and
// integrals with it.
bool StretchSegment::tangent_over(Stretch& stretch, const Segment::Directions& d, const Eigen::RowVectorXd& begin,
                                  Eigen::RowVectorXd& end, std::span<double> x, std::span<double> q, Eigen::MatrixXd& x_dot,
                                  Eigen::MatrixXd& q_dot) {
  Eigen::Index columns = begin.size(), m = d.x.cols() - at(d.pairs.size()), pairs = columns - m;
  Segment::Directions own = moved_stretch(d, stretch, begin, end);
  set_shared(stretch.shared);
  stretch.inner->set({stretch.begin, stretch.end - stretch.begin}, inputs(stretch.begin), inputs(stretch.end));
  stretch.inner->repeats = options.method != nullptr;
  give_samples(stretch);
  if (!stretch.inner->tangent(x, q, own)) return false;
  stretch.x.assign(x.begin(), x.end());
  auto without_length = [&](const Eigen::MatrixXd& all) {
    Eigen::MatrixXd out(all.rows(), columns);
    out << all.leftCols(m), all.rightCols(pairs);
    return out;
  };
  x_dot = without_length(own.x);
  q_dot = without_length(own.q);
  if (stretch.ends != Stretch::End::indicator)
    return take_tangents(stretch, d, begin, end, Eigen::RowVectorXd::Zero(columns));
  Eigen::VectorXd by_length(at(model.columns()));  // a longer stretch, all else held
  by_length << 1, own.x.col(m), Eigen::Map<const Eigen::VectorXd>(slope_.data(), at(n_u)), Eigen::VectorXd::Zero(at(n_p));
  Eigen::RowVectorXd moved;
  std::vector<double> weight(stretch.row + 1);
  weight[stretch.row] = 1;
  if (!indicator_gradient(stretch.row, stretch.end, stretch.x) ||
      !moved_row(Part::indicators, weight, moved_point(d, stretch.end, end, x_dot), own.pairs, moved))
    return false;
  double rate = Eigen::Map<const Eigen::VectorXd>(g_.data(), at(g_.size())).dot(by_length);
  Eigen::RowVectorXd more = -moved / rate;
  end += more;
  x_dot += own.x.col(m) * more;
  q_dot += own.q.col(m) * more;
  return more.allFinite() && take_tangents(stretch, d, begin, end, more);
}

// Samples of a tangent: from a held share of the stretch, whose ends move, to a held share of the segment.
// @param more  [m] by which the stretch grew beyond what its directions said
bool StretchSegment::take_tangents(const Stretch& stretch, const Segment::Directions& d, const Eigen::RowVectorXd& begin,
                                   const Eigen::RowVectorXd& end, const Eigen::RowVectorXd& more) {
  if (!samples) return true;
  Eigen::Index m = begin.size();
  std::vector<double> f(n_x + n_q);
  for (std::size_t k = 0; k < own_.at.size(); ++k) {
    double s = own_.at[k], t = stretch.begin + s * (stretch.end - stretch.begin);
    double outer = samples->per_step ? share(t) : samples->at[sampled_ + k];
    Eigen::RowVectorXd late = d.direct.row(at(begin_input())).head(m) + outer * d.direct.row(at(length_input())).head(m) -
                              begin - s * (end - begin);
    if (!model.move_to(t, std::span(own_.x).subspan(k * n_x, n_x), inputs(t)) || !model.rates(f)) return false;
    samples->by.push_back(own_.by[k].leftCols(m) + own_.by[k].col(m) * more +
                          Eigen::Map<const Eigen::VectorXd>(f.data(), at(n_x)) * late);
  }
  take_samples(stretch);
  return true;
}

bool StretchSegment::tangent(std::span<double> x, std::span<double> integrals, Segment::Directions& d,
                             std::vector<Moves>* moves) {
  std::vector<double> probe(x.begin(), x.end()), unused(n_q);
  if (!planned_ && !forward(probe, unused)) return false;
  const bolza_hybrid& h = *model.model().hybrid;
  Eigen::Index all = d.x.cols(), m = all - at(d.pairs.size());
  auto row = [&](std::size_t input) { return d.direct.row(at(input)); };
  Eigen::RowVectorXd begin = row(begin_input());
  begin_samples();
  for (Stretch& stretch : stretches_) {
    Eigen::RowVectorXd end = Eigen::RowVectorXd::Zero(all);
    if (stretch.ends == Stretch::End::begin_of_segment) end = row(begin_input());
    if (stretch.ends == Stretch::End::end_of_segment) end = row(begin_input()) + row(length_input());
    Eigen::MatrixXd x_dot, q_dot;
    std::vector<double> start(x.begin(), x.end()), q(n_q);
    if (stretch.ends == Stretch::End::indicator && all > m) {  // second order wants to know how the event's time moves
      Eigen::RowVectorXd first = end.head(m);
      if (!tangent_over(stretch, d, begin.head(m), first, start, q, x_dot, q_dot)) return false;
      end.head(m) = first;
      std::fill(q.begin(), q.end(), 0.0);
    }
    if (moves) moves->push_back({begin, {}, d.x, {}, {}});
    if (!tangent_over(stretch, d, begin, end, x, q, x_dot, q_dot)) return false;
    for (std::size_t i = 0; i < n_q; ++i) integrals[i] += q[i];
    d.x = x_dot;
    d.q += q_dot;
    if (moves) {
      moves->back().end = end;
      moves->back().end_x = d.x;
    }
    if (!happen(stretch, x)) return false;
    for (std::size_t j = 0; j < stretch.event.size(); ++j) {
      const LoggedEvent::Firing& firing = stretch.event[j];
      set_shared(firing.shared);
      if (moves) moves->back().event.push_back(d.x);
      if (!model.move_to(stretch.end, stretch.x_at[j], inputs(stretch.end))) return false;
      Eigen::MatrixXd y = moved_point(d, stretch.end, end, d.x);
      for (std::size_t r : firing.rows) {
        std::vector<double> weights(2 * h.n_reinits);
        weights[h.n_reinits + r] = 1;
        Eigen::RowVectorXd after;
        if (!moved_row(Part::reinit, weights, y, d.pairs, after)) return false;
        d.x.row(h.reinit_state[r]) = after;
      }
    }
    begin = end;
  }
  set_shared(after_);
  return true;
}

}  // namespace bolza::integrate
