// SPDX-License-Identifier: Apache-2.0
#include "workflow/fit/check_experiments.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/numbers.h"
#include "workflow/codes.h"
#include "workflow/fit/assemble.h"

namespace bolza::workflow {
namespace {

/// What the measurements of an experiment say of it.
struct Stretch {
  std::string condition;
  std::set<double> times;  ///< finite ones
  Span first;              ///< of the earliest measurement
};

std::map<std::string, Stretch> stretches_of(const FitProblem& problem) {
  std::map<std::string, Stretch> out;
  for (const FitMeasurement& m : problem.measurements) {
    Stretch& own = out[experiment_name(m)];
    own.condition = m.condition;
    if (!std::isfinite(m.time)) continue;
    if (own.times.empty() || m.time < *own.times.begin()) own.first = m.span;
    own.times.insert(m.time);
  }
  return out;
}

/// Years that are counted from the birth of Christ, and an experiment that begins at 0.
void check_start(const estimate::Experiment& e, const Stretch& own, Diagnostics& diagnostics) {
  constexpr double far = 20;  // times the stretch from the first measurement to the last
  if (own.times.size() < 3 || e.equilibrates) return;
  double first = *own.times.begin(), last = *own.times.rbegin();
  if (first - e.start > far * (last - first))
    diagnostics.warning(starts_long_before, own.first, {shown(e.start), shown(first)});
}

void check_series(const estimate::Experiment& e, const Stretch& own, const FitProblem& problem, Diagnostics& diagnostics) {
  auto series = problem.inputs.find(own.condition);
  if (series == problem.inputs.end() || series->second.time.size() < 2 || own.times.empty()) return;
  double first = series->second.time.front(), last = series->second.time.back(), end = *own.times.rbegin();
  double room = 1e-9 * (end - e.start);
  if (first > e.start + room || last < end - room)
    diagnostics.warning(input_held, series->second.span,
                        {"`" + e.name + "`", shown(first), shown(last), shown(e.start), shown(end)});
}

/// Every input that has no start in the model is given, by a series or by the condition.
void check_inputs(const Model& model, const FitProblem& problem, const std::map<std::string, Stretch>& stretches,
                  Diagnostics& diagnostics) {
  const ir::FlatModel& flat = model.problem.flat;
  for (std::size_t i = 0; i < model.problem.u.size(); ++i) {
    if (model.problem.u_numbers[i].has_start) continue;
    std::string name = ir::name_of(flat, model.problem.u[i]);
    for (const auto& [experiment, own] : stretches) {
      auto series = problem.inputs.find(own.condition);
      const FitCondition* condition = problem.condition(own.condition);
      bool given = (series != problem.inputs.end() && series->second.values.contains(name)) ||
                   (condition && std::any_of(condition->values.begin(), condition->values.end(),
                                             [&](const FitCondition::Value& v) { return v.target == name; }));
      if (given) continue;
      diagnostics.warning(input_not_given, ir::variable_of(flat, model.problem.u[i]).span,
                          {name, "`" + experiment + "`", "0"});
      break;
    }
  }
}

/// Names of experiments in the measurements, and nothing that tells them apart.
void check_differences(const FitProblem& problem, const std::map<std::string, Stretch>& stretches,
                       Diagnostics& diagnostics) {
  if (!problem.names_experiments || !problem.conditions.empty()) return;
  std::vector<std::string> alike;
  Span at;
  for (const auto& [experiment, own] : stretches)
    if (!problem.inputs.contains(own.condition)) {
      alike.push_back("`" + experiment + "`");
      at = own.first;
    }
  if (alike.size() < 2) return;
  std::string names = alike[0] + (alike.size() == 2 ? " and " : ", ") + alike[1];
  if (alike.size() > 2) names += " and " + std::to_string(alike.size() - 2) + " more";
  diagnostics.warning(same_experiments, at, {names});
}

}  // namespace

void check_experiments(const Model& model, const FitProblem& problem, const estimate::Estimation& estimation,
                       Diagnostics& diagnostics) {
  std::map<std::string, Stretch> stretches = stretches_of(problem);
  for (const estimate::Experiment& e : estimation.experiments) {
    check_start(e, stretches[e.name], diagnostics);
    check_series(e, stretches[e.name], problem, diagnostics);
  }
  check_inputs(model, problem, stretches, diagnostics);
  check_differences(problem, stretches, diagnostics);
}

}  // namespace bolza::workflow
