// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/data_guess.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "runtime/abi/aligned.h"
#include "runtime/abi/evaluate.h"
#include "runtime/transcribe/collocation/guess.h"
#include "runtime/transcribe/collocation/parameter_starts.h"
#include "runtime/transcribe/plan/point_values.h"

namespace bolza::transcribe {
namespace {

constexpr std::size_t least_number_of_data = 3;

const bolza_variable& variable_of(const bolza_problem& problem, const bolza_value_at& value) {
  const bolza_model& m = *problem.models[problem.phases[problem.places[value.place].phase].model];
  return value.quantity == BOLZA_STATE ? m.x[value.index] : m.z[value.index];
}

bool is_trajectory(const bolza_value_at& value) {
  return value.quantity == BOLZA_STATE || value.quantity == BOLZA_ALGEBRAIC;
}

/// The gradient of the minimised objective by the values, at the given values. [n_values]; empty when it is not finite.
std::vector<double> gradient_at(const bolza_problem& problem, const std::vector<double>& values,
                                const std::vector<double>& parameters) {
  const bolza_function& f = *problem.point;
  std::size_t ld = abi::padded(1);
  abi::AlignedDoubles point((f.n_point + 1) * ld), out(f.kernels[BOLZA_JACOBIAN]->n_out * ld);
  for (std::size_t k = 0; k < values.size(); ++k) std::fill_n(point.data() + k * ld, ld, values[k]);
  std::vector<double> shared(parameters);
  for (std::size_t k = problem.n_parameters; k < f.n_shared; ++k)
    shared.push_back(problem.point_data[k - problem.n_parameters]);
  abi::evaluate(f, BOLZA_JACOBIAN, {.n = 1, .ld = ld, .point = point.data(), .shared = shared.data(), .out = out.data()});
  std::vector<double> gradient(values.size(), 0);
  for (std::size_t e = 0; e < f.jac_nnz; ++e) {
    auto column = static_cast<std::size_t>(f.jac_col[e]);
    if (f.jac_row[e] == 0 && column < values.size())
      gradient[column] = (problem.maximize ? -1 : 1) * out.data()[(f.n_rows + e) * ld];
  }
  return gradient;
}

/// For every value the least of the objective in it alone, or NaN.
std::vector<double> measured_values(bolza_problem& problem, const std::vector<double>& parameters) {
  std::vector<double> values, steps, least(problem.n_values, NAN);
  for (std::size_t k = 0; k < problem.n_values; ++k) {
    double value = 0;
    if (is_trajectory(problem.values[k])) {
      const bolza_variable& v = variable_of(problem, problem.values[k]);
      value = v.has_guess ? v.guess : v.has_start ? v.start : v.guess;
    }
    values.push_back(value);
    steps.push_back(is_trajectory(problem.values[k]) ? std::max(1.0, std::abs(value)) : 0);
  }
  std::vector<double> moved = values, best = values;
  for (std::size_t k = 0; k < values.size(); ++k) moved[k] += steps[k];
  std::vector<double> here = gradient_at(problem, values, parameters), there = gradient_at(problem, moved, parameters);
  for (std::size_t k = 0; k < values.size(); ++k) {
    double curvature = steps[k] > 0 ? (there[k] - here[k]) / steps[k] : 0;
    if (curvature > 0) best[k] -= here[k] / curvature;
  }
  std::vector<double> end = gradient_at(problem, best, parameters);
  for (std::size_t k = 0; k < values.size(); ++k) {
    constexpr double quadratic = 1e-6;  // what may be left of the gradient
    bool held = std::abs(end[k]) <= quadratic * std::max(std::abs(here[k]), std::abs(there[k]));
    if (steps[k] > 0 && there[k] != here[k] && held) least[k] = best[k];
  }
  return least;
}

/// Rates and constants of a calibration that nothing is known of start at one: at zero they often have no effect, or divide.
void start_parameters_at_one(const bolza_problem& problem, std::vector<double>& parameters) {
  for (std::size_t p = 0; p < problem.n_parameters; ++p) {
    const bolza_variable& v = problem.parameters[p];
    bool is_time = false;
    for (std::size_t k = 0; k < problem.n_phases; ++k)
      is_time = is_time || problem.phases[k].parameter[0] == static_cast<std::int32_t>(p) ||
                problem.phases[k].parameter[1] == static_cast<std::int32_t>(p);
    if (is_time || v.fixed || v.has_guess || v.has_start || parameters[p] != 0) continue;
    parameters[p] = std::clamp(1.0, v.min, v.max);
  }
}

using Points = std::map<double, double>;  ///< time → value

double at(const Points& points, double t) {
  auto after = points.lower_bound(t);
  if (after == points.end()) return std::prev(after)->second;
  if (after->first == t || after == points.begin()) return after->second;
  auto before = std::prev(after);
  double part = (t - before->first) / (after->first - before->first);
  return before->second + part * (after->second - before->second);
}

/// One row per variable: on its data where it has enough, else constant.
std::vector<std::vector<double>> rows_of(const bolza_variable* variables, std::size_t n,
                                         const std::map<std::size_t, Points>& data, const std::vector<double>& time) {
  std::vector<std::vector<double>> rows;
  for (std::size_t k = 0; k < n; ++k) {
    const bolza_variable& v = variables[k];
    auto found = data.find(k);
    rows.emplace_back();
    for (double t : time)
      rows.back().push_back(found != data.end() ? at(found->second, t)
                            : v.has_guess       ? v.guess
                            : v.has_start       ? v.start
                                                : v.guess);
  }
  return rows;
}

}  // namespace

abi::Solution data_guess(bolza_problem& problem) {
  abi::Solution guess;
  if (problem.is_static || problem.n_values == 0 || !abi::ensure(problem, *problem.point, BOLZA_JACOBIAN)) return guess;
  guess.parameters = guessed_parameters(problem, nullptr);
  std::vector<double> least = measured_values(problem, guess.parameters);
  bool any = false;
  for (std::size_t p = 0; p < problem.n_phases; ++p) {
    const bolza_model& m = *problem.models[problem.phases[p].model];
    Horizon h = horizon_of(problem, static_cast<std::int32_t>(p), guess.parameters);
    std::map<std::size_t, Points> x, z;
    for (std::size_t k = 0; k < problem.n_values; ++k) {
      const bolza_value_at& value = problem.values[k];
      if (!is_trajectory(value) || !std::isfinite(least[k])) continue;
      const bolza_place& place = problem.places[value.place];
      if (static_cast<std::size_t>(place.phase) != p) continue;
      const bolza_variable& v = variable_of(problem, value);
      Points& points = (value.quantity == BOLZA_STATE ? x : z)[static_cast<std::size_t>(value.index)];
      points[place.on_start * h.t0 + place.on_final * h.tf + place.offset] = std::clamp(least[k], v.min, v.max);
    }
    std::set<double> times{h.t0, h.tf};
    for (std::map<std::size_t, Points>* data : {&x, &z}) {
      std::erase_if(*data, [](const auto& row) { return row.second.size() < least_number_of_data; });
      for (const auto& [index, points] : *data)
        for (const auto& [time, value] : points) times.insert(time);
      any = any || !data->empty();
    }
    for (auto& [a, points] : x)
      if (m.x[a].has_start && m.x[a].fixed) points[h.t0] = m.x[a].start;
    abi::PhaseSolution phase;
    phase.start_time = h.t0;
    phase.final_time = h.tf;
    abi::Trajectories& y = phase.trajectories;
    y.time.assign(times.begin(), times.end());
    y.x = rows_of(m.x, m.n_x, x, y.time);
    if (!z.empty()) y.z = rows_of(m.z, m.n_z, z, y.time);
    guess.phases.push_back(std::move(phase));
  }
  if (!any) guess.phases.clear();
  else {
    start_parameters_at_one(problem, guess.parameters);
    start_parameters(problem, guess);
  }
  return guess;
}

}  // namespace bolza::transcribe
