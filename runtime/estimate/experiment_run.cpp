// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/experiment_run.h"

#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "runtime/integrate/method_table.h"
#include "runtime/integrate/variable_sizes.h"
#include "runtime/linalg/dense_decompositions.h"
#include "runtime/nonlinear/initialise.h"

namespace bolza::estimate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Part = nonlinear::ModelAt::Part;

constexpr double memory_of_steps = 1000;  ///< MB for the steps of an experiment and going back over them, of all threads

std::vector<double> value_of(const integrate::InputPiece& piece, double t, std::size_t n_u) {
  std::vector<double> u(n_u);
  integrate::evaluate(piece, t, u);
  return u;
}

}  // namespace

Index EstimatedValues::column(std::size_t parameter) const {
  return std::lower_bound(own.begin(), own.end(), parameter) - own.begin();
}

void apply(const Settings& settings, const EstimatedValues& parameters, SharedValues& values) {
  for (const Setting& s : settings) {
    if (s.formula >= 0) continue;
    bool free = s.parameter >= 0;
    std::size_t p = free ? static_cast<std::size_t>(s.parameter) : 0;
    values.value[s.entry] = free ? parameters.physical[p] : s.value;
    if (at(s.entry) >= values.by.rows()) continue;
    values.by.row(at(s.entry)).setZero();
    if (free) values.by(at(s.entry), parameters.column(p)) = parameters.slope[p];
  }
}

SizedProblem::SizedProblem(const bolza_problem& given, std::span<const double> sizes)
    : models(given.models, given.models + given.n_models),
      model(*given.models[given.phases[0].model]),
      problem(given) {
  states.assign(model.x, model.x + model.n_x);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (states[i].has_nominal) continue;
    states[i].has_nominal = 1;
    states[i].nominal = sizes[i];
  }
  model.x = states.data();
  models[given.phases[0].model] = &model;
  problem.models = models.data();
}

ExperimentRun::ExperimentRun(const bolza_problem& problem, const EstimatorOptions& options)
    : options_(options),
      sized_(problem, options.sizes),
      model_(sized_.problem, sized_.model),
      observe_(model_),
      base_(nonlinear::shared_of(problem, 0)) {}
ExperimentRun::~ExperimentRun() = default;

std::optional<std::vector<double>> ExperimentRun::sizes_at_start(const Estimation& estimation, const Experiment& experiment,
                                                                 const EstimatedValues& parameters, double horizon) {
  Point point = start_of(experiment);
  SharedValues values;
  const Settings& settings = experiment.equilibrates ? *experiment.equilibrates : experiment.settings;
  if (!shared_at_start({estimation, experiment, parameters}, settings, point, values) || !begin(values, point))
    return std::nullopt;
  integrate::VariableSizes sizes(model_.at(), {});
  sizes.begin({point.t, point.x.data(), model_.z().data(), point.u.data()}, horizon, options_.rtol * options_.atol_factor);
  std::vector<double> out;
  for (std::size_t i = 0; i < point.x.size(); ++i) out.push_back(sizes.of_state(i));
  return out;
}

double ExperimentRun::error_of(const Eigen::RowVectorXd& by_x, std::span<const double> x) const {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    sum += std::abs(by_x[at(i)]) * (std::abs(x[i]) + options_.atol_factor * nonlinear::size_of(model_.model().x[i]));
  return options_.rtol * sum;
}

std::unique_ptr<integrate::Segment> ExperimentRun::make_segment(bool linear, bool begins) {
  integrate::SegmentOptions o;
  o.rtol = options_.rtol;
  o.atol_factor = options_.atol_factor;
  o.linear_control = linear;
  o.times_move = false;
  o.begins_phase = begins;
  o.idas = options_.integrator == "idas";
  o.method_options = options_.method_options;
  if (!(o.method_options.checkpoint_memory > 0))
    o.method_options.checkpoint_memory = memory_of_steps / static_cast<double>(std::max<std::size_t>(options_.threads, 1));
  o.budget = options_.budget;
  if (!o.idas && options_.integrator != "cvodes") o.method = integrate::find_method(options_.integrator);
  return std::make_unique<integrate::Segment>(model_, o);
}

integrate::Segment& ExperimentRun::segment(bool linear, bool begins) {
  std::unique_ptr<integrate::Segment>& made = segments_[linear][begins];
  if (!made) made = make_segment(linear, begins);
  return *made;
}

bool ExperimentRun::failed(double t, const std::string& what) {
  trouble_ = nonlinear::finding_of(model_.at().trouble());
  bool says_when = !trouble_.text.empty();
  if (!says_when) {
    trouble_.text = what;
    trouble_.time = std::nan("");
  } else if (!(trouble_.time > t)) trouble_.time = t;
  return false;
}

// Parameters of another regime; discrete values stay.
void ExperimentRun::use(const SharedValues& values) {
  auto last = values.value.begin() + static_cast<std::ptrdiff_t>(model_.model().n_global);
  std::copy(values.value.begin(), last, model_.at().shared.begin());
}

ExperimentRun::Point ExperimentRun::start_of(const Experiment& experiment) const {
  const bolza_model& m = model_.model();
  Point point;
  point.t = experiment.start;
  for (std::size_t i = 0; i < m.n_u; ++i) point.u.push_back(nonlinear::guess_of(m.u[i]));
  if (experiment.inputs && !experiment.inputs->pieces.empty())
    point.u = value_of(experiment.inputs->pieces.front(), experiment.start, m.n_u);
  return point;
}

bool ExperimentRun::begin(const SharedValues& values, Point& point) {
  nonlinear::ModelAt& model = model_.at();
  model.shared = values.value;
  model_.forget();
  nonlinear::InitialPoint initial = nonlinear::initialise(model, point.t, point.u);
  if (!initial.converged()) {
    trouble_ = initial.finding;
    if (trouble_.text.empty()) trouble_.text = "the initial equations could not be solved";
    trouble_.time = point.t;
    return false;
  }
  point.x = initial.x;
  model_.start_from(initial.z);
  point.by = MatrixXd::Zero(at(point.x.size()), values.by.cols());
  return (!point.derivatives && !keeps_) || initial_tangent(values, point);
}

// How the initial states move: F_x dx = -F_p dp over the states that are not fixed, the nearest where F leaves a choice.
bool ExperimentRun::initial_tangent(const SharedValues& values, Point& point) {
  const bolza_model& m = model_.model();
  std::vector<Index> free;
  for (std::size_t i = 0; i < m.n_x; ++i)
    if (!m.x[i].fixed) free.push_back(at(i));
  if (free.empty() || m.n_initial == 0) return true;
  if (!model_.move_to(point.t, point.x, point.u)) return failed(point.t, "the initial values cannot be evaluated");
  MatrixXd by_x(at(m.n_initial), at(free.size())), by_p(at(m.n_initial), at(m.n_global));
  std::vector<double> weight(m.n_initial), row(model_.columns());
  for (std::size_t r = 0; r < m.n_initial; ++r) {
    std::fill(weight.begin(), weight.end(), 0.0);
    std::fill(row.begin(), row.end(), 0.0);
    weight[r] = 1;
    if (!model_.add_gradient(Part::initial, weight, {}, row)) return failed(point.t, "an initial equation");
    for (std::size_t k = 0; k < free.size(); ++k) by_x(at(r), at(k)) = row[1 + static_cast<std::size_t>(free[k])];
    for (std::size_t j = 0; j < m.n_global; ++j) by_p(at(r), at(j)) = row[1 + m.n_x + m.n_u + j];
  }
  MatrixXd moved = linalg::least_squares(by_x, -by_p * values.by);
  for (std::size_t k = 0; k < free.size(); ++k) point.by.row(free[k]) = moved.row(at(k));
  return moved.allFinite() || failed(point.t, "the initial equations do not determine the states");
}

void ExperimentRun::record(const Point& point, double time, States& out) {
  out.time.push_back(time);
  out.u.push_back(point.u);
  out.shared.push_back(model_.at().shared);
  out.regime.push_back(out.shared_by.size() - 1);
  out.x.insert(out.x.end(), point.x.begin(), point.x.end());
  if (point.derivatives) out.by.push_back(point.by);
  if (keeps_) recording_.times.push_back({recording_.stretches.size(), false, 0});
}

bool ExperimentRun::stretch(double end, std::span<const double> u_left, std::span<const double> u_right,
                            const SharedValues& values, integrate::Segment::Samples* samples, Point& point) {
  const bolza_model& m = model_.model();
  auto broken = [&] {
    return failed(point.t, "the integration from t = " + shown(point.t) + " to " + shown(end) + " failed");
  };
  integrate::Segment& s =
      keeps_ ? recorded_segment(!u_right.empty(), point.is_fresh) : segment(!u_right.empty(), point.is_fresh);
  if (!samples) samples = &none_;
  if (s.takes_samples() && keeps_) s.record_at(samples);
  else if (s.takes_samples()) s.sample_at(samples);
  integrate::SegmentTimes times{point.t, end - point.t};
  std::vector<double> q(m.n_q), begin = model_.at().shared;
  if (keeps_) recording_.stretches.push_back({&s, begin, recording_.by.size() - 1});
  if (!point.derivatives) {
    if (!s.forward(times, u_left, u_right, point.x, q)) return broken();
  } else {
    // A tangent repeats the steps, or the events, of a run.
    if (!s.plan(times, u_left, u_right, point.x)) return broken();
    model_.at().shared = begin;
    integrate::Segment::Directions d{
        point.by, MatrixXd::Zero(at(m.n_q), point.by.cols()), MatrixXd::Zero(at(s.inputs()), point.by.cols()), sizes_, {}};
    d.direct.middleRows(at(s.controls()), at(m.n_global)) = values.by;
    if (!s.tangent(times, u_left, u_right, point.x, q, d)) return broken();
    point.by = std::move(d.x);
  }
  point.t = end;
  point.is_fresh = false;
  return true;
}

// Over one piece of the inputs, with the states at the times in it.
bool ExperimentRun::piece(double end, std::span<const double> u_left, std::span<const double> u_right,
                          const SharedValues& values, std::span<const double> times, Point& point, States& out) {
  double begin = point.t, length = end - begin;
  auto inputs = [&](double t) {
    std::vector<double> u(u_left.begin(), u_left.end());
    double share = length > 0 ? (t - begin) / length : 0;
    for (std::size_t i = 0; i < u_right.size(); ++i) u[i] = (1 - share) * u_left[i] + share * u_right[i];
    return u;
  };
  if (segment(!u_right.empty(), point.is_fresh).takes_samples()) {
    integrate::Segment::Samples samples;
    for (double t : times) samples.at.push_back(length > 0 ? std::clamp((t - begin) / length, 0.0, 1.0) : 1);
    for (double s : samples.at)
      if (keeps_) recording_.times.push_back({recording_.stretches.size(), true, s});
    if (!stretch(end, u_left, u_right, values, &samples, point)) return false;
    for (std::size_t k = 0; k < times.size(); ++k) {
      out.time.push_back(times[k]);
      out.u.push_back(inputs(times[k]));
      out.regime.push_back(out.shared_by.size() - 1);
    }
    out.x.insert(out.x.end(), samples.x.begin(), samples.x.end());
    out.by.insert(out.by.end(), samples.by.begin(), samples.by.end());
    out.shared.insert(out.shared.end(), samples.shared.begin(), samples.shared.end());
  } else {
    for (double t : times) {
      std::vector<double> left = inputs(point.t), right = u_right.empty() ? std::vector<double>() : inputs(t);
      bool stays = keeps_ && t == point.t && !model_.model().hybrid;
      if (!stays && !stretch(t, left, right, values, nullptr, point)) return false;
      point.u = inputs(t);
      record(point, t, out);
    }
    std::vector<double> left = inputs(point.t);
    if (point.t < end && !stretch(end, left, u_right, values, nullptr, point)) return false;
  }
  point.u = inputs(end);
  return true;
}

bool ExperimentRun::along_inputs(const Experiment& experiment, const SharedValues& values, std::span<const double> times,
                                 double last, Point& point, States& out) {
  if (!experiment.inputs || experiment.inputs->pieces.empty()) {
    std::vector<double> u = point.u;
    return piece(last, u, {}, values, times, point, out);
  }
  std::size_t n_u = model_.model().n_u, from = 0;
  const auto& pieces = experiment.inputs->pieces;
  for (std::size_t k = 0; k < pieces.size() && (from < times.size() || point.t < last); ++k) {
    bool is_last = k + 1 == pieces.size();
    if (!is_last && pieces[k].end <= point.t) continue;
    double end = is_last ? last : std::min(pieces[k].end, last);
    std::size_t to = from;
    while (to < times.size() && (times[to] < end || (times[to] <= end && (is_last || end == last)))) ++to;
    std::vector<double> left = value_of(pieces[k], point.t, n_u), right;
    if (pieces[k].nodes.size() > 1) right = value_of(pieces[k], end, n_u);
    if (!piece(end, left, right, values, times.subspan(from, to - from), point, out)) return false;
    from = to;
  }
  return true;
}

// To the steady state: ten times as long each time, until nothing has moved any more.
bool ExperimentRun::rest(const SharedValues& values, Point& point) {
  const bolza_model& m = model_.model();
  double tol = 100 * options_.rtol, length = 1;
  std::vector<double> u = point.u;
  int still = keeps_ ? 2 : 1;  // an adjoint does not show whether it has come to rest: one decade more
  for (int decade = 0; decade < 16; ++decade, length *= 10) {
    Point before = point;
    if (!stretch(point.t + length, u, {}, values, nullptr, point)) return false;
    double moved = 0, turned = 0;
    for (std::size_t i = 0; i < m.n_x; ++i) {
      double size = std::abs(point.x[i]) + options_.atol_factor * nonlinear::size_of(m.x[i]);
      moved = std::max(moved, std::abs(point.x[i] - before.x[i]) / size);
      for (Index k = 0; k < point.by.cols() && point.derivatives; ++k)
        turned = std::max(turned, std::abs(point.by(at(i), k) - before.by(at(i), k)) * sizes_[static_cast<std::size_t>(k)] /
                                      (size + std::abs(point.by(at(i), k)) * sizes_[static_cast<std::size_t>(k)]));
    }
    if (moved <= tol && turned <= 10 * tol && --still == 0) return true;
  }
  trouble_ = {};
  trouble_.text = "no steady state was reached";
  trouble_.time = point.t;
  return false;
}

bool ExperimentRun::run(const Estimation& estimation, const Experiment& experiment, const EstimatedValues& parameters,
                        std::span<const double> times, bool derivatives, States& out) {
  out = {};
  sizes_ = parameters.sizes;
  Course course{estimation, experiment, parameters};
  Point point = start_of(experiment);
  point.derivatives = derivatives;
  std::size_t finite = times.size();
  while (finite > 0 && std::isinf(times[finite - 1])) --finite;
  SharedValues values, measured;
  bool settles = experiment.equilibrates.has_value();
  if (!shared_at_start(course, settles ? *experiment.equilibrates : experiment.settings, point, values)) return false;
  if (settles) {
    measured.value = base_;
    measured.value[0] = experiment.start;
    measured.by = MatrixXd::Zero(values.by.rows(), values.by.cols());
    apply(estimation.common, parameters, measured);
  }
  if (finite > 0) (settles ? measured : values).value[1] = times[finite - 1];
  if (keeps_) begin_recording(values);
  if (!begin(values, point)) return false;
  if (keeps_) recording_.initial_by = point.by;
  if (settles) {
    if (!rest(values, point)) return false;
    point.t = experiment.start;
    if (!change(course, experiment.settings, experiment.restarts, std::move(measured), values, point)) return false;
  }
  if (!along_changes(course, times, values, point, out)) return false;
  if (finite == times.size()) return true;
  if (!rest(values, point)) return false;
  record(point, times.back(), out);
  return true;
}

}  // namespace bolza::estimate
