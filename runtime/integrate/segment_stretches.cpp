// A segment of a model with events: stretches between them, whose ends move with the event and whose begins are what the
// event makes of the states. With τ from g(τ, x⁻, p) = 0 and x⁺ = R(τ, x⁻, p), a functional J of what follows and D = dJ/dτ,
//   λ⁻ = R_xᵀ λ⁺ − μ g_x,   gradient += R_pᵀ λ⁺ − μ g_p,   μ = D / (dg/dτ),
// where D and dg/dτ count the length of the stretch that ends, so that the lines hold for continuous equations and for the
// steps of a method alike.
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/integrate/segment_work_internal.h"
#include "runtime/integrate/simulate.h"

namespace bolza::integrate {
namespace {

using Part = nonlinear::ModelAt::Part;

/// One stretch, and the event at its end.
struct Stretch {
  enum class End : std::uint8_t { fixed, indicator, begin_of_segment, end_of_segment } ends = End::fixed;
  double begin = 0, end = 0;               // seconds
  std::size_t row = 0;                     // the indicator that ends it
  std::vector<double> shared;              // [n_shared] while it lasts
  std::vector<LoggedEvent::Firing> event;  // what sets states at its end
  std::vector<double> x;                   // [n_x] at its end, before the event
  std::vector<std::vector<double>> x_at;   // [event] [n_x] when an iteration begins to set states
  std::unique_ptr<Segment::Work> inner;
};

class StretchSegment final : public Segment::Work {
 public:
  StretchSegment(ReducedModel& model, const SegmentOptions& options) : Work(model, options), slope_(n_u) {}

  bool forward(std::span<double> x, std::span<double> integrals) override {
    if (!(repeats && planned_) && !plan(x)) return false;
    find_slope();
    for (Stretch& stretch : stretches_) {
      stretch.inner->repeats = repeats && planned_;
      if (!run(stretch, x, integrals)) return false;
    }
    planned_ = true;
    set_shared(after_);
    return true;
  }

  bool adjoint(std::span<double> lambda, std::span<double> out, std::span<const double> samples,
               std::vector<double>* at_samples) override;
  bool tangent(std::span<double> x, std::span<double> integrals, Segment::Directions& d) override;

  std::span<const double> discrete_at(bool end) const override {
    if (stretches_.empty()) return {};
    return std::span(end ? after_ : stretches_.front().shared).subspan(n_p);
  }

 private:
  static Eigen::Index at(std::size_t k) { return static_cast<Eigen::Index>(k); }
  double share(double t) const { return times.length != 0 ? (t - times.begin) / times.length : 0; }

  void set_shared(const std::vector<double>& values) {  // parameters keep their present values
    std::copy(values.begin() + static_cast<std::ptrdiff_t>(n_p), values.end(),
              model.at().shared.begin() + static_cast<std::ptrdiff_t>(n_p));
  }

  void find_slope() {
    for (std::size_t i = 0; i < n_u; ++i)
      slope_[i] = options.linear_control && times.length != 0 ? (right[i] - left[i]) / times.length : 0;
  }

  std::vector<double> inputs(double t) const {
    std::vector<double> u = left;
    for (std::size_t i = 0; i < n_u && options.linear_control; ++i) u[i] = (1 - share(t)) * left[i] + share(t) * right[i];
    return u;
  }

  // ---- where the events are

  bool plan(std::span<const double> x) {
    const bolza_hybrid& h = *model.model().hybrid;
    SimulateOptions o;
    o.shared = model.at().shared, o.start = times.begin, o.final = times.begin + times.length;
    o.rtol = options.rtol, o.log_events = true, o.watch_states = false;
    o.x.assign(x.begin(), x.end()), o.output_times = {*o.final};
    if (model.model().index > 1) o.method = "radau5";
    if (!options.begins_phase) {
      o.continues = true;
      for (std::size_t i = 0; i < h.n_m; ++i) o.discrete.push_back(o.shared[static_cast<std::size_t>(h.discrete[i].now)]);
    }
    Inputs given;
    InputPiece piece{*o.start, *o.final, {*o.start}, {}};
    if (options.linear_control) piece.nodes.push_back(*o.final);
    for (std::size_t i = 0; i < n_u; ++i) {
      piece.values.push_back({left[i]});
      if (options.linear_control) piece.values.back().push_back(right[i]);
    }
    given.pieces.push_back(std::move(piece));
    o.inputs = std::move(given);
    Simulation simulation = simulate(model.problem(), phase(), o);
    if (!simulation.report.finished()) return model.at().note(simulation.report.message, simulation.report.time), false;
    if (simulation.events.empty()) return false;
    find_slope();
    return divide(simulation.events);
  }

  std::size_t phase() const {
    std::size_t k = 0;
    while (model.problem().models[model.problem().phases[k].model] != &model.model()) ++k;
    return k;
  }

  bool changes(const LoggedEvent& e) const {
    const bolza_hybrid& h = *model.model().hybrid;
    bool changed = !e.firings.empty();
    for (std::size_t i = 0; i < h.n_m; ++i)
      changed = changed || e.before[static_cast<std::size_t>(h.discrete[i].now)] !=
                               e.after[static_cast<std::size_t>(h.discrete[i].now)];
    return changed;
  }

  bool divide(const std::vector<LoggedEvent>& events) {
    std::vector<Stretch> old = std::move(stretches_);
    stretches_.clear();
    double begin = times.begin, room = 1e-12 * std::fabs(times.length);
    std::vector<double> shared = events.front().before;
    auto add = [&](double end, Stretch::End ends) -> Stretch& {
      Stretch& stretch = stretches_.emplace_back();
      stretch.begin = begin, stretch.end = end, stretch.shared = shared, stretch.ends = ends;
      std::size_t k = stretches_.size() - 1;
      if (k < old.size()) stretch.inner = std::move(old[k].inner);
      if (!stretch.inner) {
        SegmentOptions own = options;
        own.times_move = true;
        stretch.inner = make_smooth_segment(model, own);
      }
      begin = end;
      return stretch;
    };
    for (const LoggedEvent& e : events) {
      // A state that was set on its threshold leaves it at once: that belongs to the event which set it.
      bool leaves = !stretches_.empty() && e.firings.empty() && e.t - begin <= 1e-8 * std::fabs(times.length);
      if (leaves || !changes(e)) {
        shared = e.after;
        continue;
      }
      bool first = e.t <= times.begin + room;
      Stretch& stretch = add(first ? times.begin : e.t, first ? Stretch::End::begin_of_segment : Stretch::End::fixed);
      stretch.event = e.firings;
      if (!first && !find_indicator(e, stretch)) return false;
      shared = e.after;
    }
    after_ = shared;
    add(times.begin + times.length, Stretch::End::end_of_segment);
    return true;
  }

  // The indicator that made an event: the one nearest to zero in time, as near as roots are found; a tick has none.
  bool find_indicator(const LoggedEvent& e, Stretch& stretch) {
    const bolza_hybrid& h = *model.model().hybrid;
    set_shared(e.before);
    double nearest = 1e-6 * std::fabs(times.length);
    for (std::size_t i = 0; i < h.n_m; ++i) {
      const bolza_discrete& d = h.discrete[i];
      if (d.indicator < 0) continue;
      for (std::int32_t row = d.indicator; row <= d.indicator + (d.role == BOLZA_DISCRETE_PART); ++row) {
        double value = 0, rate = 0;
        if (!indicator(static_cast<std::size_t>(row), e.t, e.x, value, rate)) return false;
        double distance = std::fabs(value / rate);
        if (!(distance < nearest)) continue;
        nearest = distance, stretch.ends = Stretch::End::indicator, stretch.row = static_cast<std::size_t>(row);
      }
    }
    return true;
  }

  /// g and dg/dt along the trajectory.
  bool indicator(std::size_t row, double t, std::span<const double> x, double& value, double& rate) {
    std::vector<double> u = inputs(t), rows(model.model().hybrid->n_indicators), f(n_x + n_q);
    if (!indicator_gradient(row, t, x) || !model.rows(Part::indicators, rows) || !model.rates(f)) return false;
    value = rows[row], rate = g_[0];
    for (std::size_t i = 0; i < n_x; ++i) rate += g_[1 + i] * f[i];
    for (std::size_t i = 0; i < n_u; ++i) rate += g_[1 + n_x + i] * slope_[i];
    return true;
  }

  bool indicator_gradient(std::size_t row, double t, std::span<const double> x) {
    std::vector<double> weight(row + 1);
    weight[row] = 1;
    g_.assign(model.columns(), 0);
    return model.move_to(t, x, inputs(t)) && model.add_gradient(Part::indicators, weight, {}, g_);
  }

  // ---- values

  bool over(Stretch& stretch, std::span<double> x, std::span<double> q) {
    stretch.inner->set({stretch.begin, stretch.end - stretch.begin}, inputs(stretch.begin), inputs(stretch.end));
    return stretch.inner->forward(x, q);
  }

  bool run(Stretch& stretch, std::span<double> x, std::span<double> integrals) {
    std::size_t k = static_cast<std::size_t>(&stretch - stretches_.data());
    stretch.begin = k ? stretches_[k - 1].end : times.begin;
    if (stretch.ends == Stretch::End::begin_of_segment) stretch.end = times.begin;
    if (stretch.ends == Stretch::End::end_of_segment) stretch.end = times.begin + times.length;
    set_shared(stretch.shared);
    std::vector<double> begin(x.begin(), x.end()), q(n_q);
    double least = options.method
                       ? 4 * std::numeric_limits<double>::epsilon() * (std::fabs(stretch.end) + stretch.end - stretch.begin)
                       : 1e-3 * options.rtol * std::fabs(times.length);
    for (int iteration = 0;; ++iteration) {
      if (!(stretch.end >= stretch.begin)) return false;
      std::copy(begin.begin(), begin.end(), x.begin());
      std::fill(q.begin(), q.end(), 0.0);
      if (!over(stretch, x, q)) return false;
      if (stretch.ends != Stretch::End::indicator) break;
      double value = 0, rate = 0;
      if (!indicator(stretch.row, stretch.end, x, value, rate)) return false;
      double step = -value / rate;
      // Integrations of different lengths agree to the tolerance only.
      if (std::fabs(step) <= least || (iteration > 2 && std::fabs(step) <= options.rtol * std::fabs(times.length))) break;
      if (!std::isfinite(step) || iteration == 10)
        return model.at().note("the time of an event could not be found", stretch.end), false;
      stretch.inner->repeats = options.method != nullptr;  // the same steps, stretched
      stretch.end += step;
    }
    for (std::size_t i = 0; i < n_q; ++i) integrals[i] += q[i];
    stretch.x.assign(x.begin(), x.end());
    return happen(stretch, x);
  }

  bool happen(Stretch& stretch, std::span<double> x) {
    const bolza_hybrid& h = *model.model().hybrid;
    stretch.x_at.clear();
    for (const LoggedEvent::Firing& firing : stretch.event) {
      stretch.x_at.emplace_back(x.begin(), x.end());
      set_shared(firing.shared);
      std::vector<double> rows(2 * h.n_reinits);
      if (!model.move_to(stretch.end, x, inputs(stretch.end)) || !model.rows(Part::reinit, rows)) return false;
      for (std::size_t r : firing.rows) x[static_cast<std::size_t>(h.reinit_state[r])] = rows[h.n_reinits + r];
    }
    return true;
  }

  // ---- adjoint

  /// What J depends on at the time of an event, beside λ.
  struct Moment {
    double t = 0;           // dJ/dt
    std::vector<double> u;  // [n_u] dJ/du(t)
  };

  // λ after the event becomes λ before it.
  bool before_event(const Stretch& stretch, std::span<double> lambda, Moment& moment, std::span<double> out) {
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
  void add_inputs(double t, const std::vector<double>& by, std::span<double> out) const {
    double s = share(t), moves = 0;
    for (std::size_t i = 0; i < n_u; ++i) {
      out[i] += (options.linear_control ? 1 - s : 1) * by[i];
      if (options.linear_control) out[n_u + i] += s * by[i];
      moves += by[i] * slope_[i];
    }
    out[begin_input()] -= moves;
    out[length_input()] -= s * moves;
  }

  struct Back {
    std::vector<double> lambda, gradient, samples;
  };
  bool back_over(Stretch& stretch, std::span<const double> lambda, bool integrals, std::span<const double> samples,
                 Back& b) {
    b.lambda.assign(lambda.begin(), lambda.end());
    b.gradient.assign(inputs_of(), 0), b.samples.clear();
    stretch.inner->weight.assign(n_q, 0);
    if (integrals) stretch.inner->weight = weight;
    return stretch.inner->adjoint(b.lambda, b.gradient, samples, &b.samples);
  }
  std::size_t inputs_of() const { return Work::inputs(); }

  double along_slope(const double* by) const {
    double sum = 0;
    for (std::size_t i = 0; i < n_u; ++i) sum += by[i] * slope_[i];
    return sum;
  }

  std::vector<Stretch> stretches_;
  std::vector<double> after_;  // shared values at the end
  std::vector<double> slope_;  // [n_u] of the inputs in time
  std::vector<double> g_;      // gradient of an indicator
  bool planned_ = false;
};

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

// Along m directions and one more, the length of the stretch, which gives how the event's time moves.
bool StretchSegment::tangent(std::span<double> x, std::span<double> integrals, Segment::Directions& d) {
  std::vector<double> probe(x.begin(), x.end()), unused(n_q);
  if (!planned_ && !forward(probe, unused)) return false;
  const bolza_hybrid& h = *model.model().hybrid;
  Eigen::Index m = d.x.cols(), nx = at(n_x), nu = at(n_u), np = at(n_p);
  auto row = [&](std::size_t input) { return d.direct.row(at(input)); };
  auto moved_inputs = [&](double t, const Eigen::RowVectorXd& dt) {  // [n_u × m] of u at a time that moves
    Eigen::MatrixXd du(nu, m);
    double s = share(t);
    for (std::size_t i = 0; i < n_u; ++i) {
      du.row(at(i)) =
          (options.linear_control ? 1 - s : 1) * row(i) + slope_[i] * (dt - row(begin_input()) - s * row(length_input()));
      if (options.linear_control) du.row(at(i)) += s * row(n_u + i);
    }
    return du;
  };
  Eigen::RowVectorXd begin = row(begin_input());
  Eigen::MatrixXd globals = d.direct.middleRows(at(controls()), np);
  for (Stretch& stretch : stretches_) {
    set_shared(stretch.shared);
    bool implicit = stretch.ends == Stretch::End::indicator;
    Eigen::RowVectorXd end = Eigen::RowVectorXd::Zero(m);
    if (stretch.ends == Stretch::End::begin_of_segment) end = row(begin_input());
    if (stretch.ends == Stretch::End::end_of_segment) end = row(begin_input()) + row(length_input());
    Segment::Directions own{Eigen::MatrixXd::Zero(nx, m + 1), Eigen::MatrixXd::Zero(at(n_q), m + 1),
                            Eigen::MatrixXd::Zero(at(inputs_of()), m + 1), d.sizes};
    own.sizes.push_back(std::max(stretch.end - stretch.begin, 1e-300));
    own.x.leftCols(m) = d.x;
    own.direct.topLeftCorner(nu, m) = moved_inputs(stretch.begin, begin);
    if (options.linear_control) {
      own.direct.block(nu, 0, nu, m) = moved_inputs(stretch.end, end);
      for (std::size_t i = 0; i < n_u; ++i) own.direct(nu + at(i), m) = slope_[i];
    }
    own.direct.block(at(controls()), 0, np, m) = globals;
    own.direct.row(at(begin_input())).head(m) = begin;
    own.direct.row(at(length_input())).head(m) = end - begin;
    own.direct(at(length_input()), m) = 1;
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
          g.segment(1, nx) * d.x + g.segment(1 + nx, nu) * moved_inputs(stretch.end, end) + g.tail(np) * globals;
      end = -moved / rate;
      d.x += own.x.col(m) * end, d.q += own.q.col(m) * end;
    }
    for (std::size_t j = 0; j < stretch.event.size(); ++j) {
      const LoggedEvent::Firing& firing = stretch.event[j];
      set_shared(firing.shared);
      if (!model.move_to(stretch.end, stretch.x_at[j], this->inputs(stretch.end))) return false;
      Eigen::MatrixXd du = moved_inputs(stretch.end, end), after = d.x;
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

}  // namespace

std::unique_ptr<Segment::Work> make_smooth_segment(ReducedModel& model, const SegmentOptions& options) {
  if (options.method)
    return options.method->runge_kutta ? make_runge_kutta_segment(model, options) : make_tape_segment(model, options);
  return options.idas ? make_idas_segment(model, options) : make_cvodes_segment(model, options);
}

std::unique_ptr<Segment::Work> make_stretch_segment(ReducedModel& model, const SegmentOptions& options) {
  return std::make_unique<StretchSegment>(model, options);
}

}  // namespace bolza::integrate
