// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/parameter_starts.h"

#include <algorithm>
#include <cmath>

#include "runtime/nonlinear/model_at.h"
#include "runtime/transcribe/collocation/guess.h"

namespace bolza::transcribe {
namespace {

using nonlinear::ModelAt;
constexpr int rounds = 20, least_power = -12, most_power = 12;
constexpr std::size_t most_times = 5;  ///< of a phase at which the model is looked at
constexpr double half = 0.5;

bool is_time(const bolza_problem& problem, std::size_t p) {
  for (std::size_t k = 0; k < problem.n_phases; ++k)
    for (std::int32_t time : {problem.phases[k].parameter[0], problem.phases[k].parameter[1]})
      if (time == static_cast<std::int32_t>(p)) return true;
  return false;
}

/// The model of a phase at some times of the guess.
class Phase {
 public:
  Phase(const bolza_problem& problem, std::size_t number, const abi::Trajectories& y)
      : model_(*problem.models[problem.phases[number].model]),
        at_(problem, model_, nonlinear::shared_of(problem, number)),
        parameter_(problem.phases[number].parameter) {
    std::size_t step = std::max<std::size_t>(1, y.time.size() / most_times);
    for (std::size_t k = 0; k < y.time.size(); k += step) points_.push_back(point(y, k));
    for (std::size_t a = 0; a < model_.n_x; ++a) {
      slope_.push_back(0);
      for (std::size_t k = 0; k + 1 < y.time.size(); ++k)
        if (y.time[k + 1] > y.time[k])
          slope_.back() = std::max(slope_.back(), std::abs(y.x[a][k + 1] - y.x[a][k]) / (y.time[k + 1] - y.time[k]));
    }
  }

  /// |p ∂f/∂p| relative to what the data ask for: the largest over states, at most 1, on average over times.
  double effect(const std::vector<double>& parameters, std::size_t p) {
    double sum = 0;
    for (std::size_t k = 0; k < model_.n_global; ++k) at_.shared[k] = parameters[static_cast<std::size_t>(parameter_[k])];
    for (const std::vector<double>& y : points_) {
      ModelAt::Point at{y[0], y.data() + 1, y.data() + 1 + model_.n_x, y.data() + 1 + model_.n_x + model_.n_z};
      if (!at_.jacobian(ModelAt::Part::rates, at, {}, derivative_)) continue;
      double most = 0;
      for (std::size_t e = 0; e < derivative_.value.size(); ++e) {
        auto row = static_cast<std::size_t>(derivative_.row[e]), column = static_cast<std::size_t>(derivative_.col[e]);
        if (row >= model_.n_x || column < points() || column >= points() + model_.n_global || slope_[row] == 0) continue;
        if (static_cast<std::size_t>(parameter_[column - points()]) != p) continue;
        double share = std::abs(derivative_.value[e] * parameters[p]) / slope_[row];
        if (std::isfinite(share)) most = std::max(most, share);
      }
      sum += std::min(most, 1.0);
    }
    return sum / static_cast<double>(points_.size());
  }

 private:
  std::size_t points() const { return model_.rates->n_point; }
  /// Time, states, algebraics and controls: on the guess, or as the model has them.
  std::vector<double> point(const abi::Trajectories& y, std::size_t k) const {
    std::vector<double> values{y.time[k]};
    auto add = [&](const bolza_variable* variables, std::size_t n, const std::vector<std::vector<double>>& rows) {
      for (std::size_t i = 0; i < n; ++i) values.push_back(i < rows.size() ? rows[i][k] : nonlinear::guess_of(variables[i]));
    };
    add(model_.x, model_.n_x, y.x);
    add(model_.z, model_.n_z, y.z);
    add(model_.u, model_.n_u, y.u);
    return values;
  }

  const bolza_model& model_;
  ModelAt at_;
  const std::int32_t* parameter_;
  std::vector<std::vector<double>> points_;
  std::vector<double> slope_;  // [n_x] the steepest of the guess
  nonlinear::Derivative derivative_;
};

/// The power of ten for parameter p, the others being what they are; its present value where the model does not see it.
double best_power(std::vector<Phase>& phases, std::vector<double> parameters, std::size_t p) {
  std::vector<double> effect;
  double present = parameters[p], most = 0;
  for (int k = least_power; k <= most_power; ++k) {
    parameters[p] = std::pow(10.0, k);
    effect.push_back(0);
    for (Phase& phase : phases) effect.back() = std::max(effect.back(), phase.effect(parameters, p));
    most = std::max(most, effect.back());
  }
  auto first = std::find_if(effect.begin(), effect.end(), [&](double e) { return e >= half * most; });
  return most > 0 ? std::pow(10.0, least_power + (first - effect.begin())) : present;
}

}  // namespace

void start_parameters(const bolza_problem& problem, abi::Solution& guess) {
  std::vector<std::size_t> unknown;
  for (std::size_t p = 0; p < problem.n_parameters; ++p) {
    const bolza_variable& v = problem.parameters[p];
    bool open = v.min <= 0 && v.max > 0 && std::isinf(v.max);
    if (open && is_unguessed(v) && !v.has_nominal && !is_time(problem, p)) unknown.push_back(p);
  }
  std::vector<Phase> phases;
  for (std::size_t p = 0; p < problem.n_phases && p < guess.phases.size(); ++p) {
    const bolza_model& m = *problem.models[problem.phases[p].model];
    if (m.rates && m.n_x > 0) phases.emplace_back(problem, p, guess.phases[p].trajectories);
  }
  if (unknown.empty() || phases.empty()) return;
  std::vector<double> parameters = guess.parameters;
  std::vector<double> before;
  for (int round = 0; round < rounds && parameters != before; ++round) {
    before = parameters;
    for (std::size_t p : unknown) parameters[p] = best_power(phases, parameters, p);
  }
  for (std::size_t p : unknown) guess.parameters[p] = parameters[p];
}

}  // namespace bolza::transcribe
