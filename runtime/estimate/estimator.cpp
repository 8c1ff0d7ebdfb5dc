// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/estimator.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <set>

#include "base/crew.h"
#include "base/numbers.h"
#include "runtime/estimate/experiment_internal.h"
#include "runtime/estimate/experiment_run.h"
#include "runtime/estimate/noise.h"
#include "runtime/estimate/observation.h"
#include "runtime/estimate/prior.h"

namespace bolza::estimate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

void note(const Settings& settings, std::set<std::size_t>& parameters) {
  for (const Setting& s : settings)
    if (s.parameter >= 0) parameters.insert(static_cast<std::size_t>(s.parameter));
}

void note(const std::vector<Experiment::Restart>& restarts, std::set<std::size_t>& parameters) {
  for (const Experiment::Restart& r : restarts)
    if (r.value.parameter >= 0) parameters.insert(static_cast<std::size_t>(r.value.parameter));
}

ExperimentPlan plan_of(const Estimation& estimation, const Experiment& experiment, std::size_t first) {
  ExperimentPlan plan;
  plan.first = first;
  std::set<std::size_t> parameters;
  note(estimation.common, parameters);
  note(experiment.settings, parameters);
  if (experiment.equilibrates) note(*experiment.equilibrates, parameters);
  note(experiment.restarts, parameters);
  for (const Experiment::Change& c : experiment.changes) {
    note(c.settings, parameters);
    note(c.restarts, parameters);
  }
  for (const Measurement& m : experiment.measurements) {
    note(estimation.variants[m.variant], parameters);
    if (plan.times.empty() || plan.times.back() != m.time) plan.times.push_back(m.time);
    plan.time.push_back(plan.times.size() - 1);
  }
  plan.parameters.assign(parameters.begin(), parameters.end());
  return plan;
}

/// Derivatives of something observed at one time.
struct Slope {
  VectorXd by_parameters;  // without sensitivities of the states: directly, the states held
  VectorXd by_states;      // [n_x] for an adjoint; else as it was
  double resolution = 0;   // what errors of the states make of it
};

void add_slope(const Slope& slope, double weight, std::size_t time, ExperimentShare& share) {
  share.gradient += weight * slope.by_parameters;
  if (share.jumps.size() > 0) share.jumps.col(at(time)) += weight * slope.by_states;
}

}  // namespace

class Estimator::Work {
 public:
  Work(const bolza_problem& problem, const Estimation& estimation, EstimatorOptions options)
      : problem(problem),
        estimation(estimation),
        options(std::move(options)),
        open_variance(estimation.open_variance) {
    std::size_t first = 0;
    for (const Experiment& e : estimation.experiments) {
      plans_.push_back(plan_of(estimation, e, first));
      first += e.measurements.size();
      for (const Measurement& m : e.measurements) all_weight_ += m.weight;
    }
  }

  bool evaluate(std::span<const double> theta, Order order, Likelihood& out);
  bool by_differences(std::span<const double> theta, Likelihood& out);
  bool simulate(std::span<const double> theta, std::size_t experiment, std::span<const double> times, bool derivatives,
                Curves& out, abi::Finding& trouble);

  const bolza_problem& problem;
  const Estimation& estimation;
  EstimatorOptions options;
  std::atomic<std::size_t> simulations = 0;
  double open_variance, errors = 0;
  double rounded = 0;  // kinks of Laplace noise

 private:
  /// One thread's integrators.
  struct Runner {
    Runner(const bolza_problem& problem, const EstimatorOptions& options) : run(problem, options), observe(run.model()) {}
    ExperimentRun run;
    Observation observe;
  };

  void set_theta(std::span<const double> theta);
  double number_of(const Observable& o) const { return o.is_open ? o.number * std::sqrt(open_variance) : o.number; }
  void find_sizes();
  Runner& runner(std::size_t thread);
  EstimatedValues values_of(const ExperimentPlan& plan) const;
  bool run(Runner& runner, std::size_t e, std::span<const double> times, bool derivatives, States& out);
  bool observe(Runner& runner, const States& states, std::size_t k, const MatrixXd& shared_by, const ModelValue& of,
               double& value, Slope* by);
  bool enter(Runner& runner, const States& states, std::size_t k, const Settings& variant, const ExperimentPlan& plan,
             MatrixXd& shared_by, double start);
  bool compare(Runner& runner, std::size_t e, const States& states, Order order, ExperimentShare& share, Likelihood& out);
  ExperimentShare share_of(Runner& runner, std::size_t e, Order order, Likelihood& out);

  std::vector<ExperimentPlan> plans_;     // [experiments]
  std::vector<double> physical_, slope_;  // [parameters] at the last θ
  std::vector<std::unique_ptr<Runner>> runners_;
  double resolution_ = 0;  // of open noise, of the last evaluation with derivatives
  double all_weight_ = 0;  // of measurements
};

void Estimator::Work::set_theta(std::span<const double> theta) {
  std::size_t n = estimation.parameters.size();
  physical_.resize(n);
  slope_.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    physical_[k] = from_scale(theta[k], estimation.parameters[k].scale);
    slope_[k] = slope_of(physical_[k], estimation.parameters[k].scale);
  }
}

/// The smallest of all experiments: absolute tolerances are shares of them.
void Estimator::Work::find_sizes() {
  if (!options.sizes.empty()) return;
  ExperimentRun probe(problem, options);
  for (std::size_t e = 0; e < plans_.size(); ++e) {
    const Experiment& experiment = estimation.experiments[e];
    double last = experiment.start;
    for (double t : plans_[e].times)
      if (std::isfinite(t)) last = t;
    auto own = probe.sizes_at_start(estimation, experiment, values_of(plans_[e]), last - experiment.start);
    for (std::size_t i = 0; own && i < own->size() && !options.sizes.empty(); ++i)
      options.sizes[i] = std::min(options.sizes[i], (*own)[i]);
    if (own && options.sizes.empty()) options.sizes = *std::move(own);
  }
}

Estimator::Work::Runner& Estimator::Work::runner(std::size_t thread) {
  if (runners_.empty()) find_sizes();
  while (runners_.size() <= thread) runners_.push_back(std::make_unique<Runner>(problem, options));
  return *runners_[thread];
}

EstimatedValues Estimator::Work::values_of(const ExperimentPlan& plan) const {
  EstimatedValues out{physical_, slope_, plan.parameters, {}};
  for (std::size_t p : plan.parameters) {
    bool lin = estimation.parameters[p].scale == Scale::lin;
    out.sizes.push_back(lin && physical_[p] != 0 ? std::abs(physical_[p]) : 1);
  }
  return out;
}

bool Estimator::Work::run(Runner& runner, std::size_t e, std::span<const double> times, bool derivatives, States& out) {
  ++simulations;
  return runner.run.run(estimation, estimation.experiments[e], values_of(plans_[e]), times, derivatives, out);
}

/// Moves to the k-th state, with the settings of a variant in place; `shared_by` gets their derivatives.
bool Estimator::Work::enter(Runner& runner, const States& states, std::size_t k, const Settings& variant,
                            const ExperimentPlan& plan, MatrixXd& shared_by, double start) {
  const bolza_model& m = runner.run.model().model();
  std::vector<double>& shared = runner.run.model().at().shared;
  shared = states.shared[k];
  for (const Setting& s : variant) {
    bool free = s.parameter >= 0;
    std::size_t p = free ? static_cast<std::size_t>(s.parameter) : 0;
    shared[s.entry] = free ? physical_[p] : s.value;
    if (at(s.entry) >= shared_by.rows()) continue;
    shared_by.row(at(s.entry)).setZero();
    if (!free) continue;
    auto column = std::lower_bound(plan.parameters.begin(), plan.parameters.end(), p) - plan.parameters.begin();
    shared_by(at(s.entry), column) = slope_[p];
  }
  double t = std::isfinite(states.time[k]) ? states.time[k] : start;
  return runner.observe.move_to(t, std::span(states.x).subspan(k * m.n_x, m.n_x), states.u[k]);
}

bool Estimator::Work::observe(Runner& runner, const States& states, std::size_t k, const MatrixXd& shared_by,
                              const ModelValue& of, double& value, Slope* by) {
  if (!by) return runner.observe.value(of, value);
  const bolza_model& m = runner.run.model().model();
  std::vector<double> columns(runner.run.model().columns());
  if (!runner.observe.derivative(of, value, columns)) return false;
  Eigen::Map<const Eigen::RowVectorXd> by_x(columns.data() + 1, at(m.n_x)),
      by_p(columns.data() + 1 + m.n_x + m.n_u, at(m.n_global));
  by->resolution = runner.run.error_of(by_x, std::span(states.x).subspan(k * m.n_x, m.n_x));
  by->by_parameters = shared_by.transpose() * by_p.transpose();
  if (states.by.empty()) by->by_states = by_x.transpose();
  else by->by_parameters.noalias() += states.by[k].transpose() * by_x.transpose();
  return true;
}

bool Estimator::Work::compare(Runner& runner, std::size_t e, const States& states, Order order, ExperimentShare& share,
                              Likelihood& out) {
  const Experiment& experiment = estimation.experiments[e];
  const ExperimentPlan& plan = plans_[e];
  std::size_t n = plan.parameters.size();
  bool derivatives = order != Order::value;
  share.gradient = VectorXd::Zero(derivatives ? at(n) : 0);
  share.fisher = MatrixXd::Zero(order == Order::fisher ? at(n) : 0, order == Order::fisher ? at(n) : 0);
  bool is_adjoint = derivatives && states.by.empty();
  if (is_adjoint) share.jumps = MatrixXd::Zero(at(runner.run.model().model().n_x), at(plan.times.size()));
  Slope by, sigma_by{VectorXd::Zero(at(n)), {}};
  MatrixXd here;  // derivatives of shared values with the variant of the measurement at hand
  std::size_t regime = 0;
  bool is_changed = true;
  for (std::size_t i = 0; i < experiment.measurements.size(); ++i) {
    const Measurement& m = experiment.measurements[i];
    const Observable& o = estimation.observables[m.observable];
    double y = 0, sigma = std::isnan(m.sigma) ? number_of(o) : m.sigma;
    bool has_sigma = o.sigma && std::isnan(m.sigma);
    bool moves = i == 0 || plan.time[i] != plan.time[i - 1] || m.variant != experiment.measurements[i - 1].variant;
    if (moves && (is_changed || states.regime[plan.time[i]] != regime)) {
      regime = states.regime[plan.time[i]];
      here = states.shared_by[regime];
    }
    if (moves) is_changed = !estimation.variants[m.variant].empty();
    if ((moves && !enter(runner, states, plan.time[i], estimation.variants[m.variant], plan, here, experiment.start)) ||
        !observe(runner, states, plan.time[i], here, o.value, y, derivatives ? &by : nullptr) ||
        (has_sigma && !observe(runner, states, plan.time[i], here, *o.sigma, sigma, derivatives ? &sigma_by : nullptr))) {
      share.trouble = nonlinear::finding_of(runner.run.model().at().trouble());
      share.trouble.name = o.name;
      return false;
    }
    std::size_t row = plan.first + i;
    double s = to_scale(y, o.scale);
    if (!std::isfinite(s) || !(sigma > 0) || !std::isfinite(sigma)) {
      share.trouble.name = o.name;
      share.trouble.time = m.time;
      share.trouble.text = !(sigma > 0)        ? "its standard deviation is " + shown(sigma) + ", not positive"
                           : !std::isfinite(y) ? "it is " + shown(y)
                                               : "it is " + shown(y) + ", not positive, and compared as a logarithm";
      return false;
    }
    out.simulated[row] = y;
    out.sigma[row] = sigma;
    NoiseTerm term = noise_term(o, s, sigma, m.value, rounded);
    out.residuals[row] = term.residual;
    share.value += m.weight * term.value;
    share.log_likelihood -= m.weight * term.value;
    share.sum_of_squares += m.weight * term.residual * term.residual;
    double stretched = o.scale == Scale::lin ? 1 : 1 / slope_of(y, o.scale);
    if (o.is_open) {
      share.open.weight += m.weight;
      share.open.squares += m.weight * term.residual * term.residual * open_variance;
    }
    if (!derivatives) continue;
    double error = stretched * by.resolution;
    share.errors += m.weight * error * error / (sigma * sigma);
    if (o.is_open) share.open.resolution += m.weight * error * error / (o.number * o.number);
    add_slope(by, m.weight * term.by_simulated * stretched, plan.time[i], share);
    if (has_sigma) add_slope(sigma_by, m.weight * term.by_sigma, plan.time[i], share);
    if (order != Order::fisher) continue;
    const VectorXd on_scale = stretched * by.by_parameters, &by_sigma = sigma_by.by_parameters;
    share.fisher.noalias() += m.weight * term.information * on_scale * on_scale.transpose();
    if (has_sigma) share.fisher.noalias() += m.weight * term.sigma_information * by_sigma * by_sigma.transpose();
    for (std::size_t k = 0; k < n; ++k) out.jacobian(at(row), at(plan.parameters[k])) = on_scale[at(k)] / sigma;
  }
  return true;
}

ExperimentShare Estimator::Work::share_of(Runner& runner, std::size_t e, Order order, Likelihood& out) {
  ExperimentShare share;
  States states;
  bool is_adjoint = order == Order::gradient && options.sensitivity == Sensitivity::adjoint;
  runner.run.keep(is_adjoint);
  bool ran = run(runner, e, plans_[e].times, order != Order::value && !is_adjoint, states);
  share.good = ran && compare(runner, e, states, order, share, out);
  if (share.good && is_adjoint) ran = share.good = runner.run.back(share.jumps, share.gradient);
  if (!ran) share.trouble = runner.run.trouble();
  if (!share.good) {
    const abi::Finding& f = share.trouble;
    std::string where = "experiment " + estimation.experiments[e].name;
    if (!f.name.empty()) where += ", `" + f.name + "`";
    if (std::isfinite(f.time)) where += " at t = " + shown(f.time);
    share.trouble.text = where + ": " + f.text;
  }
  return share;
}

bool Estimator::Work::evaluate(std::span<const double> theta, Order order, Likelihood& out) {
  std::size_t n = estimation.parameters.size(), rows = estimation.n_measurements(), n_e = estimation.experiments.size();
  set_theta(theta);
  bool fisher = order == Order::fisher;
  out.value = out.log_likelihood = out.sum_of_squares = 0;
  out.good = false;
  out.trouble = {};
  out.open = {};
  out.open.variance = open_variance;
  out.gradient = VectorXd::Zero(order == Order::value ? 0 : at(n));
  out.fisher = MatrixXd::Zero(fisher ? at(n) : 0, fisher ? at(n) : 0);
  out.jacobian = MatrixXd::Zero(fisher ? at(rows) : 0, fisher ? at(n) : 0);
  out.simulated.assign(rows, 0);
  out.sigma.assign(rows, 0);
  out.residuals.assign(rows, 0);
  std::vector<ExperimentShare> shares(n_e);
  std::size_t threads = std::clamp<std::size_t>(options.threads, 1, std::max<std::size_t>(n_e, 1));
  for (std::size_t k = 0; k < threads; ++k) runner(k);
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> failed = false;
  auto work = [&](std::size_t thread) {
    for (std::size_t e = next++; e < n_e && !failed; e = next++) {
      if (options.budget.ended()) failed = true;
      else if (shares[e] = share_of(*runners_[thread], e, order, out); !shares[e].good) failed = true;
    }
  };
  in_crew(threads, work);
  double all_errors = 0;
  for (std::size_t e = 0; e < n_e; ++e) {
    const ExperimentShare& share = shares[e];
    if (!share.good) {
      if (!share.trouble.text.empty()) out.trouble = share.trouble;
      if (failed) continue;
    }
    out.value += share.value;
    out.log_likelihood += share.log_likelihood;
    out.sum_of_squares += share.sum_of_squares;
    out.open.weight += share.open.weight;
    out.open.squares += share.open.squares;
    out.open.resolution += share.open.resolution;
    all_errors += share.errors;
    const std::vector<std::size_t>& own = plans_[e].parameters;
    for (std::size_t i = 0; i < own.size() && order != Order::value; ++i) {
      out.gradient[at(own[i])] += share.gradient[at(i)];
      for (std::size_t j = 0; j < own.size() && fisher; ++j)
        out.fisher(at(own[i]), at(own[j])) += share.fisher(at(i), at(j));
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    PriorTerm prior = prior_term(estimation.parameters[k], theta[k]);
    out.value += prior.value;
    if (!std::isfinite(prior.value) && out.trouble.text.empty())
      out.trouble.text = "the prior of `" + estimation.parameters[k].name + "` is " +
                         (std::isnan(prior.value) ? "nothing within its bounds" : "zero or infinite at its value");
    if (order != Order::value) out.gradient[at(k)] += prior.slope;
    if (fisher) out.fisher(at(k), at(k)) += prior.curvature;
  }
  if (order != Order::value && !failed) {
    errors = all_weight_ > 0 ? all_errors / all_weight_ : 0;
    resolution_ = out.open.weight > 0 ? out.open.resolution / out.open.weight : 0;
  }
  double left = 1 - static_cast<double>(n) / all_weight_;
  out.open.freedom = left > 0 ? left * out.open.weight : out.open.weight;
  out.open.resolution = resolution_;
  return out.good = !failed && std::isfinite(out.value) && out.gradient.allFinite();
}

/// Central quotients of the value.
bool Estimator::Work::by_differences(std::span<const double> theta, Likelihood& out) {
  std::vector<double> moved(theta.begin(), theta.end());
  VectorXd gradient(at(theta.size()));
  Likelihood there;
  for (std::size_t k = 0; k < theta.size(); ++k) {
    bool lin = estimation.parameters[k].scale == Scale::lin;
    double size = lin && theta[k] != 0 ? std::abs(theta[k]) : 1, step = std::pow(options.rtol, 1.0 / 3) * size, f[2];
    bool good = false;
    for (int attempt = 0; attempt < 4 && !good; ++attempt, step *= 0.03) {  // a solution may escape nearby
      good = true;
      for (int side = 0; side < 2 && good; ++side) {
        moved[k] = theta[k] + (side ? step : -step);
        good = evaluate(moved, Order::value, there);
        f[side] = there.value;
      }
      if (good) gradient[at(k)] = (f[1] - f[0]) / (2 * step);
    }
    if (!good) {
      out.trouble = there.trouble;
      return false;
    }
    moved[k] = theta[k];
  }
  if (!evaluate(theta, Order::value, out)) return false;
  out.gradient = gradient;
  return true;
}

bool Estimator::Work::simulate(std::span<const double> theta, std::size_t e, std::span<const double> times, bool derivatives,
                               Curves& out, abi::Finding& trouble) {
  set_theta(theta);
  const ExperimentPlan& plan = plans_[e];
  const Experiment& experiment = estimation.experiments[e];
  std::size_t n_o = estimation.observables.size(), n = estimation.parameters.size();
  Runner& r = runner(0);
  r.run.keep(false);
  States states;
  if (!run(r, e, times, derivatives, states)) {
    trouble = r.run.trouble();
    return false;
  }
  out = {};
  out.time.assign(times.begin(), times.end());
  out.value = out.sigma = MatrixXd::Zero(at(times.size()), at(n_o));
  if (derivatives) out.derivative.assign(n_o, MatrixXd::Zero(at(times.size()), at(n)));
  for (std::size_t o = 0; o < n_o; ++o) {
    const Observable& observable = estimation.observables[o];
    Settings variant;  // that of its first measurement here
    for (const Measurement& m : experiment.measurements)
      if (m.observable == o) {
        variant = estimation.variants[m.variant];
        break;
      }
    for (std::size_t k = 0; k < times.size(); ++k) {
      MatrixXd here = states.shared_by[states.regime[k]];
      Slope by;
      double y = 0, sigma = number_of(observable);
      if (!enter(r, states, k, variant, plan, here, experiment.start) ||
          !observe(r, states, k, here, observable.value, y, derivatives ? &by : nullptr) ||
          (observable.sigma && !observe(r, states, k, here, *observable.sigma, sigma, nullptr))) {
        trouble = nonlinear::finding_of(r.run.model().at().trouble());
        return false;
      }
      out.value(at(k), at(o)) = y;
      out.sigma(at(k), at(o)) = sigma;
      for (std::size_t j = 0; j < plan.parameters.size() && derivatives; ++j)
        out.derivative[o](at(k), at(plan.parameters[j])) = by.by_parameters[at(j)];
    }
  }
  return true;
}

Estimator::Estimator(const bolza_problem& problem, const Estimation& estimation, EstimatorOptions options)
    : work_(std::make_unique<Work>(problem, estimation, std::move(options))) {}
Estimator::~Estimator() = default;

const Estimation& Estimator::estimation() const { return work_->estimation; }
double Estimator::errors() const { return work_->errors; }
void Estimator::set_open_variance(double variance) { work_->open_variance = variance; }
void Estimator::round_kinks(double width) { work_->rounded = width; }
std::size_t Estimator::n_simulations() const { return work_->simulations; }

bool Estimator::evaluate(std::span<const double> theta, Order order, Likelihood& out) {
  if (order == Order::gradient && work_->options.sensitivity == Sensitivity::differences)
    return work_->by_differences(theta, out);
  return work_->evaluate(theta, order, out);
}

bool Estimator::simulate(std::span<const double> theta, std::size_t experiment, std::span<const double> times,
                         bool derivatives, Curves& out, abi::Finding& trouble) {
  return work_->simulate(theta, experiment, times, derivatives, out, trouble);
}

Box box_of(const Estimation& estimation) {
  Box box;
  for (const Parameter& p : estimation.parameters) {
    box.lower.push_back(std::isinf(p.lower) ? p.lower : to_scale(p.lower, p.scale));
    box.upper.push_back(std::isinf(p.upper) ? p.upper : to_scale(p.upper, p.scale));
    if (p.scale != Scale::lin && !(p.lower > 0)) box.lower.back() = -std::numeric_limits<double>::infinity();
    box.start.push_back(std::clamp(to_scale(p.value, p.scale), box.lower.back(), box.upper.back()));
  }
  for (std::size_t k = 0; k < box.start.size(); ++k) {
    bool linear = estimation.parameters[k].scale == Scale::lin;
    double size = linear && box.start[k] != 0 ? std::abs(box.start[k]) : 1, range = box.upper[k] - box.lower[k];
    if (linear && box.start[k] == 0 && range > 0 && std::isfinite(range)) size = 0.1 * range;
    box.size.push_back(size);
  }
  return box;
}

double Box::scale(std::size_t parameter, double a, double b) const {
  return std::max({std::abs(a), std::abs(b), size.empty() ? 1 : size[parameter]});
}

}  // namespace bolza::estimate
