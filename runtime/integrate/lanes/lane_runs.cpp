// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/lanes/lane_runs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/expects.h"
#include "runtime/abi/aligned.h"
#include "runtime/abi/evaluate.h"
#include "runtime/integrate/simulate/simulate.h"
#include "runtime/integrate/steps/explicit_runge_kutta.h"
#include "runtime/integrate/variable_sizes.h"

namespace bolza::integrate {
namespace {

constexpr std::size_t lanes = 64, stages = 7;
constexpr double stiff_bound = 3.25;  // of h |λ| on the negative axis, within the region of stability [HW, IV.2]
constexpr int most_at_bound = 15, most_within = 6;

/// One double of each lane, for so many rows.
using Rows = abi::AlignedDoubles;

/// A block of runs under way. All arrays are [rows × ld].
class LaneBlock {
 public:
  LaneBlock(const bolza_problem& problem, const LaneRequest& request, const std::vector<double>& inputs, LaneRuns& out)
      : model_(*problem.models[0]),
        request_(request),
        inputs_(inputs),
        out_(out),
        n_(model_.n_x),
        ld_(abi::padded(lanes)),
        shared_(model_.shared_values, model_.shared_values + model_.n_shared),
        at_(problem, model_, shared_),
        point_(rows(1 + n_ + model_.n_u)),
        y_(rows(n_)),
        y_end_(rows(n_)),
        largest_(rows(n_)),
        size_(rows(n_)),
        sixth_(rows(n_)) {
    shared_[0] = request.start;
    shared_[1] = request.final;
    at_.shared = shared_;
    for (Rows& k : k_) k = rows(model_.rates->kernels[BOLZA_VALUE]->n_out);
    for (std::vector<double>* v : {&t_, &h_, &left_, &error_, &before_, &stiff_, &within_}) v->assign(ld_, 0);
    run_.assign(lanes, none);
    steps_.assign(lanes, 0);
    rejected_.assign(lanes, 0);
  }

  void run() {
    fill();
    while (active_ > 0) {
      if (request_.budget.ended()) return;
      step();
      end_steps();
      fill();
    }
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  Rows rows(std::size_t count) const { return Rows(count * ld_); }
  double* row(Rows& rows, std::size_t i) const { return rows.data() + i * ld_; }
  double* x_row(std::size_t i) { return row(point_, 1 + i); }

  /// f of the point rows into k.
  void evaluate(Rows& k) {
    abi::Evaluation e{.n = lanes, .ld = ld_, .point = point_.data(), .shared = shared_.data(), .out = k.data()};
    abi::evaluate(*model_.rates, BOLZA_VALUE, e);  // what is not finite shows in the error of its lane
  }

  /// Puts the next runs into lanes that have none.
  void fill() {
    std::vector<std::size_t>& begun = begun_;
    begun.clear();
    for (std::size_t l = 0; l < lanes && next_ < request_.runs; ++l) {
      if (run_[l] != none) continue;
      begin(l, next_++);
      begun.push_back(l);
    }
    if (!begun.empty()) first_steps();
  }

  void begin(std::size_t l, std::size_t run) {
    run_[l] = run;
    ++active_;
    t_[l] = request_.start;
    before_[l] = 1e-4;
    steps_[l] = 0;
    rejected_[l] = 0;
    stiff_[l] = within_[l] = 0;
    row(point_, 0)[l] = request_.start;
    std::vector<double> x(n_), u(model_.n_u);
    for (std::size_t i = 0; i < n_; ++i) x[i] = y_.data()[i * ld_ + l] = request_.x[i * request_.runs + run];
    for (std::size_t i = 0; i < model_.n_u; ++i) u[i] = inputs_[i * request_.runs + run];
    for (std::size_t i = 0; i < model_.n_u; ++i) row(point_, 1 + n_ + i)[l] = u[i];
    VariableSizes sizes(at_, {});
    bool is_open = false;  // to find out takes a Jacobian
    for (std::size_t i = 0; i < n_; ++i) is_open |= !model_.x[i].has_nominal && std::fabs(x[i]) < 1;
    if (is_open) sizes.begin({request_.start, x.data(), nullptr, u.data()}, request_.final - request_.start, request_.rtol);
    for (std::size_t i = 0; i < n_; ++i) {
      row(largest_, i)[l] = std::fabs(x[i]);
      row(size_, i)[l] = sizes.of_state(i);
    }
  }

  double weight(std::size_t i, std::size_t l, double a, double b) const {
    double size = size_.data()[i * ld_ + l];
    return 1 / (request_.rtol * size + request_.rtol * std::max(std::fabs(a), std::fabs(b)));
  }

  /// The slope where runs begin, and their first step, from the sizes of the solution and its first two derivatives
  /// [HNW, II.4].
  void first_steps() {
    for (std::size_t i = 0; i < n_; ++i) std::copy_n(row(y_, i), lanes, x_row(i));
    std::copy_n(t_.data(), lanes, row(point_, 0));
    Rows& slope = k_[stages - 1];  // of runs that go on it is what it was: the end of the last step
    evaluate(slope);
    std::vector<double>& length = left_;
    for (std::size_t l : begun_) length[l] = trial_length(slope, l);
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t l : begun_) x_row(i)[l] = row(y_, i)[l] + length[l] * row(slope, i)[l];
    evaluate(k_[1]);
    for (std::size_t l : begun_) {
      h_[l] = first_length(slope, k_[1], length[l], l);
      for (std::size_t i = 0; i < n_; ++i) row(k_[0], i)[l] = row(slope, i)[l];
    }
  }

  double norm_of(Rows& values, std::size_t l) {
    double total = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      double y = row(y_, i)[l], v = row(values, i)[l] * weight(i, l, y, y);
      total += v * v;
    }
    return std::sqrt(total / static_cast<double>(std::max<std::size_t>(n_, 1)));
  }

  double trial_length(Rows& slope, std::size_t l) {
    double size = norm_of(y_, l), rate = norm_of(slope, l), longest = request_.final - request_.start;
    return size < 1e-5 || rate < 1e-5 || !std::isfinite(rate) ? 1e-6 * longest : std::min(0.01 * size / rate, longest);
  }

  double first_length(Rows& slope, Rows& after, double h, std::size_t l) {
    double bend = 0, longest = request_.final - request_.start;
    for (std::size_t i = 0; i < n_; ++i) {
      double y = row(y_, i)[l], v = (row(after, i)[l] - row(slope, i)[l]) * weight(i, l, y, y);
      bend += v * v;
    }
    bend = std::sqrt(bend / static_cast<double>(std::max<std::size_t>(n_, 1))) / h;
    if (!std::isfinite(bend)) return 1e-3 * h;
    double steepest = std::max(norm_of(slope, l), bend);
    double next = steepest <= 1e-15 ? 1e-3 * h : std::pow(0.01 / steepest, 0.2);
    return std::min({100 * h, next, longest});
  }

  /// All stages of a step of every lane; lanes without a run step over nothing.
  void step() {
    for (std::size_t l = 0; l < lanes; ++l) {
      double rest = request_.final - t_[l];
      left_[l] = rest;
      if (run_[l] == none) h_[l] = 0;
      else if (rest <= h_[l] * (1 + 1e-10)) h_[l] = rest;
      else if (rest < 2 * h_[l]) h_[l] = 0.5 * rest;  // no tiny step at the end
    }
    const ExplicitTableau& table = dormand_prince;
    for (std::size_t s = 1; s < stages; ++s) {
      for (std::size_t i = 0; i < n_; ++i) add_stages(i, &table.a[s * stages], s, x_row(i));
      if (s + 2 == stages) copy_states(sixth_);
      if (s + 1 == stages) copy_states(y_end_);
      evaluate(k_[s]);
    }
    errors();
  }

  void copy_states(Rows& to) {
    for (std::size_t i = 0; i < n_; ++i) std::copy_n(x_row(i), lanes, row(to, i));
  }

  /// y + h Σ a k of one state.
  void add_stages(std::size_t i, const double* a, std::size_t count, double* to) {
    const double *y = row(y_, i), *h = h_.data();
    double sum[lanes] = {};
    for (std::size_t j = 0; j < count; ++j) {
      if (a[j] == 0) continue;
      const double* k = row(k_[j], i);
      for (std::size_t l = 0; l < lanes; ++l) sum[l] += a[j] * k[l];
    }
    for (std::size_t l = 0; l < lanes; ++l) to[l] = y[l] + h[l] * sum[l];
  }

  void errors() {
    double total[lanes] = {};
    for (std::size_t i = 0; i < n_; ++i) {
      double e[lanes] = {};
      for (std::size_t s = 0; s < stages; ++s) {
        const double* k = row(k_[s], i);
        for (std::size_t l = 0; l < lanes; ++l) e[l] += dormand_prince.error[s] * k[l];
      }
      const double *y = row(y_, i), *z = row(y_end_, i), *size = row(size_, i);
      for (std::size_t l = 0; l < lanes; ++l) {
        double scale = request_.rtol * (size[l] + std::max(std::fabs(y[l]), std::fabs(z[l])));
        double v = h_[l] * e[l] / scale;
        total[l] += v * v;
      }
    }
    for (std::size_t l = 0; l < lanes; ++l)
      error_[l] = std::sqrt(total[l] / static_cast<double>(std::max<std::size_t>(n_, 1)));
  }

  void end_steps() {
    for (std::size_t l = 0; l < lanes; ++l) {
      if (run_[l] == none) continue;
      bool is_good = error_[l] <= 1;
      if (is_good) accept(l);
      else reject(l);
    }
  }

  // PI controller [HNW, II.4; HW, IV.2].
  void accept(std::size_t l) {
    constexpr double damping = 0.04;
    bool is_last = h_[l] >= left_[l];
    t_[l] = is_last ? request_.final : t_[l] + h_[l];
    for (std::size_t i = 0; i < n_; ++i) {
      double y = row(y_end_, i)[l], size = std::fabs(y);
      row(y_, i)[l] = y;
      if (size > row(largest_, i)[l]) grow(i, l, size);
    }
    ++steps_[l];
    bool is_stiff = looks_stiff(l);
    for (std::size_t i = 0; i < n_; ++i) row(k_[0], i)[l] = row(k_[stages - 1], i)[l];
    double error = std::max(error_[l], 1e-10);
    double factor = std::pow(error, 0.2 - 0.75 * damping) / std::pow(before_[l], damping) / 0.9;
    double next = h_[l] / std::clamp(factor, 0.1, 5.0);
    before_[l] = std::max(error, 1e-4);
    h_[l] = rejected_[l] > 0 ? std::min(h_[l], next) : next;
    rejected_[l] = 0;
    if (is_last) finish(l, LaneEnd::finished);
    else if (is_stiff || steps_[l] >= request_.max_steps) finish(l, LaneEnd::left);
  }

  void reject(std::size_t l) {
    constexpr int most_rejections = 200;
    double least = 16 * std::numeric_limits<double>::epsilon() * std::fabs(t_[l]);
    h_[l] = std::isfinite(error_[l]) ? h_[l] / std::min(5.0, std::pow(error_[l], 0.2) / 0.9) : 0.5 * h_[l];
    if (++rejected_[l] >= most_rejections || !(h_[l] > std::max(least, 1e-300))) finish(l, LaneEnd::left);
  }

  /// As VariableSizes::grow.
  void grow(std::size_t i, std::size_t l, double value) {
    row(largest_, i)[l] = value;
    double& size = row(size_, i)[l];
    if (!model_.x[i].has_nominal && size < 1 && value > 2 * size) size = std::min(1.0, value);
  }

  /// The sixth stage and the end are at one time: what their slopes differ by tells the largest eigenvalue.
  bool looks_stiff(std::size_t l) {
    double slopes = 0, places = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      double slope = row(k_[stages - 1], i)[l] - row(k_[stages - 2], i)[l], place = row(y_end_, i)[l] - row(sixth_, i)[l];
      slopes += slope * slope;
      places += place * place;
    }
    bool is_at_bound = places > 0 && h_[l] * std::sqrt(slopes / places) > stiff_bound;
    within_[l] = is_at_bound ? 0 : within_[l] + 1;
    if (is_at_bound) ++stiff_[l];
    else if (within_[l] >= most_within) stiff_[l] = 0;
    return stiff_[l] >= most_at_bound;
  }

  void finish(std::size_t l, LaneEnd end) {
    std::size_t run = std::exchange(run_[l], none);
    --active_;
    out_.end[run] = end;
    out_.steps[run] = steps_[l];
    for (std::size_t i = 0; i < n_; ++i) {
      out_.x[i * request_.runs + run] = row(y_, i)[l];
      out_.rate[i * request_.runs + run] = row(k_[0], i)[l];
      out_.largest[i * request_.runs + run] = row(largest_, i)[l];
    }
  }

  const bolza_model& model_;
  const LaneRequest& request_;
  const std::vector<double>& inputs_;  // [n_u × runs]
  LaneRuns& out_;
  std::size_t n_, ld_;
  std::vector<double> shared_;
  nonlinear::ModelAt at_;
  Rows point_, y_, y_end_, largest_, size_, sixth_;
  Rows k_[stages];
  std::vector<double> t_, h_, left_, error_, before_, stiff_, within_;  // [ld]
  std::vector<std::size_t> run_, steps_, begun_;                        // [lanes]
  std::vector<int> rejected_;
  std::size_t next_ = 0, active_ = 0;
};

/// What has left the lanes, one after the other.
void finish_alone(const bolza_problem& problem, const LaneRequest& request, const std::vector<double>& inputs,
                  LaneRuns& out) {
  const bolza_model& model = *problem.models[0];
  for (std::size_t run = 0; run < request.runs; ++run) {
    if (out.end[run] != LaneEnd::left || request.budget.ended()) continue;
    auto of_run = [&](const std::vector<double>& all, std::size_t count) {
      std::vector<double> own(count);
      for (std::size_t k = 0; k < count; ++k) own[k] = all[k * request.runs + run];
      return own;
    };
    SimulateOptions options{.method = request.method, .start = request.start, .final = request.final, .rtol = request.rtol};
    options.measures_sizes = options.looks_ahead = true;
    options.output_times = {request.start, request.final};
    options.inputs = constant_inputs(request.start, request.final, of_run(inputs, model.n_u));
    options.x = of_run(request.x, model.n_x);
    options.budget = request.budget;
    Simulation alone = simulate(problem, 0, options);
    if (!alone.report.finished()) continue;
    out.end[run] = LaneEnd::finished;
    out.steps[run] = alone.report.steps;
    for (std::size_t i = 0; i < model.n_x; ++i) {
      out.x[i * request.runs + run] = alone.trajectories.x[i].back();
      out.rate[i * request.runs + run] = alone.trajectories.rate[i].back();
    }
  }
}

/// Values of outputs and inputs where the runs end.
void add_outputs(const bolza_problem& problem, const LaneRequest& request, const std::vector<double>& inputs,
                 LaneRuns& runs) {
  const bolza_model& model = *problem.models[0];
  std::size_t n = request.runs, ld = abi::padded(n), rows = 1 + model.n_x + model.n_u;
  Rows point(rows * ld), values;
  std::fill_n(point.data(), n, request.final);
  for (std::size_t i = 0; i < model.n_x; ++i) std::copy_n(&runs.x[i * n], n, point.data() + (1 + i) * ld);
  for (std::size_t i = 0; i < model.n_u; ++i) std::copy_n(&inputs[i * n], n, point.data() + (1 + model.n_x + i) * ld);
  std::vector<double> shared(model.shared_values, model.shared_values + model.n_shared);
  shared[0] = request.start;
  shared[1] = request.final;
  if (model.outputs) {
    values = Rows(model.outputs->kernels[BOLZA_VALUE]->n_out * ld);
    abi::evaluate(*model.outputs, BOLZA_VALUE,
                  {.n = n, .ld = ld, .point = point.data(), .shared = shared.data(), .out = values.data()});
  }
  for (std::size_t k = 0; k < model.n_outputs; ++k) {
    const bolza_output& o = model.results[k];
    for (std::size_t r = 0; r < n; ++r) {
      auto i = static_cast<std::size_t>(o.index);
      double value = o.kind == 0   ? point.data()[i * ld + r]
                     : o.kind == 1 ? values.data()[i * ld + r]
                     : o.kind == 2 ? runs.rate[i * n + r]
                                   : shared[i];
      runs.outputs[k * n + r] = o.sign * value + o.offset;
    }
  }
}

/// [n_u × runs]
std::vector<double> all_inputs(const bolza_model& model, const LaneRequest& request) {
  std::vector<double> u(model.n_u * request.runs);
  for (std::size_t i = 0; i < model.n_u; ++i)
    std::fill_n(u.begin() + static_cast<std::ptrdiff_t>(i * request.runs), request.runs, nonlinear::guess_of(model.u[i]));
  for (std::size_t k = 0; k < request.varied.size(); ++k)
    std::copy_n(&request.u[k * request.runs], request.runs, &u[request.varied[k] * request.runs]);
  return u;
}

bool reads_time(const bolza_function& function) {
  const bolza_kernels& kernels = *function.kernels[BOLZA_VALUE];
  for (std::size_t g = 0; g < kernels.n_groups; ++g) {
    const bolza_group& group = kernels.groups[g];
    for (std::size_t k = 0; k < group.slots * group.instances; ++k)
      if (group.index[k] == 0) return true;  // or the first entry of shared, the start time
  }
  return false;
}

}  // namespace

std::string objection_to_lanes(const bolza_problem& problem) {
  if (problem.n_phases != 1 || problem.is_static) return "it has phases, or no time";
  const bolza_model& model = *problem.models[0];
  if (model.n_x == 0 || model.n_z > 0) return "it has algebraic equations";
  if (model.n_q > 0 || model.n_g > 0 || model.n_initial > 0) return "it has integrals, constraints or initial equations";
  if (model.hybrid) return "it has events";
  if (!abi::ensure(problem, *model.rates, BOLZA_VALUE)) return "its rates cannot be compiled";
  if (model.outputs && !abi::ensure(problem, *model.outputs, BOLZA_VALUE)) return "its outputs cannot be compiled";
  return reads_time(*model.rates) ? "its rates read the time" : "";
}

LaneRuns run_lanes(const bolza_problem& problem, const LaneRequest& request) {
  const bolza_model& model = *problem.models[0];
  expects(request.u.size() == request.varied.size() * request.runs && request.x.size() == model.n_x * request.runs,
          "there are inputs and starts of every run");
  LaneRuns out{.end = std::vector(request.runs, LaneEnd::not_begun),
               .steps = std::vector<std::size_t>(request.runs),
               .x = request.x,
               .outputs = std::vector<double>(model.n_outputs * request.runs),
               .rate = std::vector<double>(model.n_x * request.runs),
               .largest = std::vector<double>(model.n_x * request.runs)};
  if (request.runs == 0) return out;
  std::vector<double> inputs = all_inputs(model, request);
  LaneBlock(problem, request, inputs, out).run();
  finish_alone(problem, request, inputs, out);
  add_outputs(problem, request, inputs, out);
  return out;
}

}  // namespace bolza::integrate
