// SPDX-License-Identifier: Apache-2.0
#include "workflow/sensitivity/sensitivity_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "workflow/sensitivity/optimum_sensitivity.h"
#include "workflow/sensitivity/slope_columns.h"

namespace bolza::workflow {
namespace {

nlohmann::json finite_or_null(double value) { return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(); }

nlohmann::json trajectories_json(const bolza_problem& problem, const OptimumSensitivity& all, const ParameterSlope& p) {
  nlohmann::json phases = nlohmann::json::array();
  for (std::size_t k = 0; k < p.response.phases.size(); ++k) {
    nlohmann::json o{{"time", all.solution.phases[k].trajectories.time}, {"d(time)", p.response.phases[k].time}};
    for (const SlopeColumn& column : slope_columns(problem, k, p)) o[column.name] = *column.values;
    phases.push_back(std::move(o));
  }
  return phases.size() == 1 ? phases[0] : phases;
}

void add_response(const bolza_problem& problem, const OptimumSensitivity& all, const ParameterSlope& p, nlohmann::json& o) {
  if (!p.response.known) return;
  ParameterRange range = range_of(p);
  o["range"] = {finite_or_null(range.low), finite_or_null(range.high)};
  o["range_ends"] = {text_of(p.response.below), text_of(p.response.above)};
  if (std::string warning = warning_of(p); !warning.empty()) o["warning"] = warning;
  for (std::size_t k = 0; k < problem.n_parameters; ++k)
    if (!problem.parameters[k].fixed && problem.parameters[k].name)
      o["parameters"][problem.parameters[k].name] = p.response.parameters[k];
  o["trajectories"] = trajectories_json(problem, all, p);
}

}  // namespace

nlohmann::json sensitivity_json(const bolza_problem& problem, const OptimumSensitivity& sensitivity) {
  nlohmann::json list = nlohmann::json::array();
  for (const ParameterSlope& p : sensitivity.parameters) {
    nlohmann::json o{{"parameter", p.name}, {"unit", p.unit}, {"value", p.value}, {"slope", finite_or_null(p.slope)}};
    if (sensitivity.has_trajectories) add_response(problem, sensitivity, p, o);
    list.push_back(std::move(o));
  }
  return list;
}

}  // namespace bolza::workflow
