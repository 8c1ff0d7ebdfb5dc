// A segment on a Runge–Kutta method: its error control chooses the steps, then the stages are solved to rounding, and
// derivatives are those of the numbers computed with the steps' lengths (as fractions of the segment) held.
#include <algorithm>
#include <cmath>

#include "runtime/integrate/one_step.h"
#include "runtime/integrate/runge_kutta_steps.h"
#include "runtime/integrate/segment_work_internal.h"

namespace bolza::integrate {
namespace {

class RungeKuttaSegment final : public Segment::Work {
 public:
  RungeKuttaSegment(ReducedModel& model, const SegmentOptions& options)
      : Work(model, options),
        steps_(model.at(), options.method->runge_kutta(), [this](double t, std::span<double> u) { inputs_at(t, u); }) {}

  bool forward(std::span<double> x, std::span<double> integrals) override {
    if (times.length == 0) return taken_.clear(), fraction_.clear(), true;
    if (taken_.empty() || !(repeats || near_chosen(x))) {
      if (!choose_steps(x, integrals)) return false;
      chosen_ = place(x);
    }
    for (std::size_t k = 0; k < taken_.size(); ++k) {
      taken_[k].t = times.begin + fraction_[k] * times.length;
      taken_[k].h = (fraction_[k + 1] - fraction_[k]) * times.length;
      if (!steps_.advance(taken_[k], x, integrals)) return false;
    }
    return true;
  }

  bool adjoint(std::span<double> lambda, std::span<double> out, std::span<const double> samples,
               std::vector<double>* at_samples) override {
    std::size_t sample = 0;
    auto keep = [&](double fraction, std::span<const double> value) {  // λ at the step's end that is nearest from above
      for (; at_samples && sample < samples.size() && samples[sample] >= fraction - 1e-12; ++sample)
        at_samples->insert(at_samples->end(), value.begin(), value.end());
    };
    keep(1, lambda);
    for (std::size_t k = taken_.size(); k-- > 0;) {
      double by_length = 0;
      if (!steps_.adjoint(taken_[k], lambda, weight, stages_, by_length)) return false;
      for (const auto& stage : stages_) add_stage(stage, out);
      out[length_input()] += by_length * (fraction_[k + 1] - fraction_[k]);
      keep(fraction_[k], lambda);
    }
    keep(-1, lambda);
    return true;
  }

  bool tangent(std::span<double> x, std::span<double> integrals, Segment::Directions& along) override {
    RungeKuttaSteps::Directions d{along.x, along.q, {}, {}};
    if (!forward(x, integrals)) return false;
    for (std::size_t k = 0; k < taken_.size(); ++k) {
      d.length = (fraction_[k + 1] - fraction_[k]) * along.direct.row(static_cast<Eigen::Index>(length_input()));
      d.direct.clear();
      for (double c : steps_.form().c) d.direct.push_back(stage_directions(taken_[k].t + c * taken_[k].h, along.direct));
      if (!steps_.tangent(taken_[k], d)) return false;
    }
    along.x = d.x, along.q = d.q;
    return d.x.allFinite() && d.q.allFinite();
  }

 private:
  double fraction_of(double t) const { return (t - times.begin) / times.length; }

  void inputs_at(double t, std::span<double> u) const {
    double s = fraction_of(t);
    for (std::size_t i = 0; i < n_u; ++i) u[i] = options.linear_control ? (1 - s) * left[i] + s * right[i] : left[i];
  }

  /// Where the steps are chosen, each number over its size.
  std::vector<double> place(std::span<const double> x) const {
    const bolza_model& m = model.model();
    std::vector<double> out;
    for (std::size_t i = 0; i < n_x; ++i) out.push_back(x[i] / nonlinear::size_of(m.x[i]));
    for (std::size_t i = 0; i < n_u; ++i)
      out.push_back(left[i] / nonlinear::size_of(m.u[i])), out.push_back(right[i] / nonlinear::size_of(m.u[i]));
    for (std::size_t j = 0; j < n_p; ++j) {
      double value = model.at().shared[j];
      out.push_back(value / (m.shared ? nonlinear::size_of(m.shared[j]) : 1.0));
    }
    return out;
  }

  /// Steps are chosen anew only when something has moved by more than a thousandth: near a solution the segment is a smooth
  /// function of its inputs, and what the steps were chosen for still holds.
  bool near_chosen(std::span<const double> x) const {
    std::vector<double> now = place(x);
    if (now.size() != chosen_.size()) return false;
    for (std::size_t k = 0; k < now.size(); ++k)
      if (std::fabs(now[k] - chosen_[k]) > 1e-3 * std::max(1.0, std::fabs(chosen_[k]))) return false;
    return true;
  }

  /// Runs the method with its error control; its stages are the guesses of ours.
  bool choose_steps(std::span<const double> x, std::span<const double> integrals) {
    const bolza_model& m = model.model();
    double end = times.begin + times.length;
    Inputs inputs;
    InputPiece piece{times.begin, end, {times.begin}, {}};
    if (options.linear_control) piece.nodes.push_back(end);
    for (std::size_t i = 0; i < n_u; ++i) {
      piece.values.push_back({left[i]});
      if (options.linear_control) piece.values.back().push_back(right[i]);
    }
    inputs.pieces.push_back(std::move(piece));
    State state{times.begin, {x.begin(), x.end()}, {}, std::vector<double>(integrals.size(), 0.0)};
    if (!start_algebraics(state)) return false;
    Feed feed(model.at(), inputs);
    feed.begin(times.begin, end);
    SimulateReport report;
    Setup setup{model.at(), feed, nullptr, options.rtol, {}, {}, {}, {}, report};
    for (std::size_t i = 0; i < m.n_x; ++i) setup.atol_x.push_back(options.rtol * nonlinear::size_of(m.x[i]));
    for (std::size_t i = 0; i < m.n_z; ++i) setup.atol_z.push_back(options.rtol * nonlinear::size_of(m.z[i]));
    setup.atol_q.assign(m.n_q, options.rtol);
    setup.options.fixed_step = options.fixed_step > 0      ? options.fixed_step
                               : options.method->automatic ? 0
                                                           : times.length / 100;
    std::unique_ptr<Integrator> integrator = options.method->make(setup);
    taken_.clear(), fraction_.assign(1, 0.0);
    if (integrator->start(state, end) != SimulateStatus::finished) return false;
    double reached = times.begin;
    bool root = false;
    while (fraction_.back() < 1) {
      if (static_cast<long>(taken_.size()) >= options.max_steps) return false;
      if (integrator->step(reached, root) != SimulateStatus::finished) return false;
      keep_step(*integrator->record());
      fraction_.push_back(reached >= end ? 1 : fraction_of(reached));
    }
    return true;
  }

  /// z at the begin; with an index above 1 the states do not determine them and they are only a guess.
  bool start_algebraics(State& state) {
    const bolza_model& m = model.model();
    if (m.n_z && m.index < 2) {
      std::vector<double> u(n_u);
      inputs_at(state.t, u);
      if (!model.move_to(state.t, state.x, u)) return false;
      state.z = model.z();
      return true;
    }
    for (std::size_t i = 0; i < m.n_z; ++i) state.z.push_back(nonlinear::guess_of(m.z[i]));
    return true;
  }

  void keep_step(const StepRecord& record) {
    std::size_t s = steps_.form().stages;
    RungeKuttaStep step{record.begin.t, record.h, {}, std::vector<double>(s * n_x), record.stage_z};
    for (std::size_t i = 0; i < s; ++i)
      std::copy_n(record.slope.begin() + static_cast<std::ptrdiff_t>(i * (n_x + n_q)), n_x,
                  step.K.begin() + static_cast<std::ptrdiff_t>(i * n_x));
    taken_.push_back(std::move(step));
  }

  /// Inputs and times of a stage move with the controls, the globals and the ends of the segment.
  void add_stage(const RungeKuttaSteps::StageGradient& stage, std::span<double> out) const {
    double s = fraction_of(stage.t);
    for (std::size_t i = 0; i < n_u; ++i) {
      out[i] += stage.by[1 + i] * (options.linear_control ? 1 - s : 1);
      if (options.linear_control) out[n_u + i] += stage.by[1 + i] * s;
    }
    for (std::size_t j = 0; j < n_p; ++j) out[controls() + j] += stage.by[1 + n_u + j];
    out[begin_input()] += stage.by[0];
    out[length_input()] += s * stage.by[0];
  }

  /// How time, inputs and globals at t move along directions of the segment's inputs.
  Eigen::MatrixXd stage_directions(double t, const Eigen::MatrixXd& direct) const {
    auto at = [](std::size_t k) { return static_cast<Eigen::Index>(k); };
    Eigen::MatrixXd d(at(1 + n_u + n_p), direct.cols());
    double s = fraction_of(t);
    d.row(0) = direct.row(at(begin_input())) + s * direct.row(at(length_input()));
    for (std::size_t i = 0; i < n_u; ++i) {
      d.row(at(1 + i)) = (options.linear_control ? 1 - s : 1) * direct.row(at(i));
      if (options.linear_control) d.row(at(1 + i)) += s * direct.row(at(n_u + i));
    }
    d.bottomRows(at(n_p)) = direct.middleRows(at(controls()), at(n_p));
    return d;
  }

  RungeKuttaSteps steps_;
  std::vector<RungeKuttaStep> taken_;
  std::vector<double> fraction_;  // [steps + 1] of the ends of the steps
  std::vector<double> chosen_;    // the place for which they were chosen
  std::vector<RungeKuttaSteps::StageGradient> stages_;
};

}  // namespace

std::unique_ptr<Segment::Work> make_runge_kutta_segment(ReducedModel& model, const SegmentOptions& options) {
  return std::make_unique<RungeKuttaSegment>(model, options);
}

}  // namespace bolza::integrate
