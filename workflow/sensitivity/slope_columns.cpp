// SPDX-License-Identifier: Apache-2.0
#include "workflow/sensitivity/slope_columns.h"

#include <algorithm>

namespace bolza::workflow {
namespace {

/// Values at fractions of a horizon, linear between those of others.
std::vector<double> at_times(const std::vector<double>& time, const std::vector<double>& values,
                             const std::vector<double>& wanted) {
  std::vector<double> out;
  double stretch = (time.back() - time.front()) / (wanted.back() - wanted.front());
  for (double t : wanted) {
    double at = time.front() + (t - wanted.front()) * stretch;
    auto after = static_cast<std::size_t>(std::ranges::upper_bound(time, at) - time.begin());
    std::size_t k = std::clamp<std::size_t>(after, 1, time.size() - 1);
    double length = time[k] - time[k - 1], share = length > 0 ? std::clamp((at - time[k - 1]) / length, 0.0, 1.0) : 1;
    out.push_back((1 - share) * values[k - 1] + share * values[k]);
  }
  return out;
}

}  // namespace

std::vector<SlopeColumn> slope_columns(const bolza_problem& problem, std::size_t phase, const ParameterSlope& p) {
  std::vector<SlopeColumn> out;
  if (!p.response.known || phase >= p.response.phases.size()) return out;
  const bolza_model& model = *problem.models[problem.phases[phase].model];
  const transcribe::PhaseSlopes& slopes = p.response.phases[phase];
  auto add = [&](const bolza_variable* list, const std::vector<std::vector<double>>& rows) {
    for (std::size_t k = 0; k < rows.size(); ++k)
      out.push_back({"d(" + std::string(list[k].name) + ")/d(" + p.name + ")", &rows[k]});
  };
  add(model.x, slopes.x);
  add(model.z, slopes.z);
  add(model.u, slopes.u);
  return out;
}

void add_slopes(const bolza_problem& problem, std::size_t phase, const OptimumSensitivity& sensitivity,
                result::ResultTable& table) {
  for (const ParameterSlope& p : sensitivity.parameters)
    for (const SlopeColumn& column : slope_columns(problem, phase, p)) {
      const std::vector<double>& time = sensitivity.solution.phases[phase].trajectories.time;
      result::ResultVariable v{.name = column.name, .description = "response to " + p.name};
      v.role = result::Role::sensitivity;
      v.column = table.columns.size();
      table.columns.push_back(time.size() == table.time.size() ? *column.values
                                                               : at_times(time, *column.values, table.time));
      table.variables.push_back(std::move(v));
    }
}

}  // namespace bolza::workflow
