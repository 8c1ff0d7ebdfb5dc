// SPDX-License-Identifier: Apache-2.0
#include "workflow/sensitivity/optimum_sensitivity.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/numbers.h"
#include "runtime/abi/neighbours.h"
#include "workflow/codes.h"
#include "workflow/solve/method/solver.h"

namespace bolza::workflow {
namespace {

constexpr double about_to_change = 1e-3;  ///< of a parameter: a change so near is warned of
constexpr double relative_step = 1e-4;    ///< of a parameter: the Lagrangian is smooth in it, and rounding is far smaller

/// The parameters that a user may set, with their values in the result; those that are optimised have none to be given.
std::vector<ParameterSlope> candidates(const Model& model, const result::ResultTable& whole) {
  std::vector<ParameterSlope> out;
  const ir::FlatModel& flat = model.problem.flat;
  auto add = [&](const std::string& name, const std::string& unit) {
    const result::ResultVariable* found = result::find(whole, name);
    if (found && found->constant) out.push_back({name, unit, found->value, std::nan("")});
  };
  for (const ir::Variable& v : flat.variables) {
    bool is_time = v.kind == ir::VariableKind::start_time || v.kind == ir::VariableKind::final_time;
    bool is_given = v.kind == ir::VariableKind::parameter && v.type == ir::ValueType::real && !v.is_constant && !v.is_final;
    if (v.free || (!is_time && !is_given)) continue;
    for (std::uint32_t e = 0; e < v.size; ++e) add(ir::name_of(flat, ir::VariableId(v.first.index() + e)), v.unit);
  }
  const bolza_problem& problem = model.abi();
  std::erase_if(out, [&](const ParameterSlope& p) {
    return std::any_of(problem.parameters, problem.parameters + problem.n_parameters,
                       [&](const bolza_variable& v) { return !v.fixed && v.name && p.name == v.name; });
  });
  return out;
}

/// The model with another value; null where it cannot be had. A time that was given in the place of the class's is given
/// anew: it wins over settings.
std::unique_ptr<Model> with_value(const Model& model, const std::string& name, double value) {
  LoadRequest load = model.request;
  std::optional<double>* given = name == "startTime"   ? &load.horizon.start
                                 : name == "finalTime" ? &load.horizon.stop
                                                       : nullptr;
  if (given && *given) *given = value;
  else {
    std::erase_if(load.settings, [&](const std::string& setting) { return setting.starts_with(name + "="); });
    load.settings.push_back(name + "=" + exact_text(value));
  }
  auto other = std::make_unique<Model>();
  if (!other->load(load) || !other->compile()) return nullptr;
  return other;
}

Result<std::vector<ParameterSlope>> chosen(Model& model, const result::ResultTable& whole,
                                           std::span<const std::string> names) {
  std::vector<ParameterSlope> all = candidates(model, whole);
  if (names.empty()) return all;
  std::vector<ParameterSlope> out;
  std::vector<std::string> known;
  for (const ParameterSlope& p : all) known.push_back(p.name);
  for (const std::string& name : names) {
    auto at = std::ranges::find(all, name, &ParameterSlope::name);
    if (at == all.end()) return model.diagnostics.error(no_such_parameter, {}, {name}, did_you_mean(name, known));
    out.push_back(*at);
  }
  return out;
}

}  // namespace

Result<OptimumSensitivity> optimum_sensitivity(Model& model, const result::ResultTable& whole, const abi::Solution& stored,
                                               const SensitivityRequest& request) {
  auto library = solver_library(model.diagnostics);
  if (!library) return model.diagnostics.already_reported();
  auto found = chosen(model, whole, request.names);
  if (!found) return model.diagnostics.already_reported();
  std::vector<std::unique_ptr<Model>> models;
  std::vector<abi::NeighbourProblems> neighbours;
  std::vector<std::size_t> of;
  for (std::size_t k = 0; k < found->size(); ++k) {
    const ParameterSlope& p = (*found)[k];
    double step = relative_step * (p.value != 0 ? std::abs(p.value) : 1);
    auto below = with_value(model, p.name, p.value - step), above = with_value(model, p.name, p.value + step);
    if (!below || !above) continue;
    neighbours.push_back({&below->abi(), &above->abi(), step});
    of.push_back(k);
    models.push_back(std::move(below));
    models.push_back(std::move(above));
  }
  OptimumSensitivity out{.parameters = *std::move(found), .has_trajectories = request.trajectories};
  std::vector<double> slopes = (*library)->objective_slopes(model.abi(), stored, neighbours);
  for (std::size_t k = 0; k < of.size(); ++k) out.parameters[of[k]].slope = slopes[k];
  if (request.trajectories) {
    transcribe::TrajectorySensitivity all = (*library)->trajectory_sensitivity(model.abi(), stored, neighbours);
    out.why = all.why;
    out.solution = std::move(all.solution);
    for (std::size_t k = 0; k < all.slopes.size(); ++k) out.parameters[of[k]].response = std::move(all.slopes[k]);
  }
  std::ranges::stable_sort(out.parameters, std::greater<>(), [](const ParameterSlope& p) {
    return std::isfinite(p.slope) ? std::abs(p.value * p.slope) : -1;
  });
  return out;
}

ParameterRange range_of(const ParameterSlope& p) {
  return {p.value - p.response.below.step, p.value + p.response.above.step};
}

std::string text_of(const transcribe::ActiveChange& change) {
  if (!std::isfinite(change.step)) return "";
  std::string text = "`" + change.of + "` " + (change.becomes_active ? "reaches" : "leaves") + " its limit";
  return std::isfinite(change.time) ? text + " at t = " + shown(change.time, 4) : text;
}

std::string warning_of(const ParameterSlope& p) {
  if (!p.response.known) return "";
  const transcribe::ActiveChange& near = p.response.below.step < p.response.above.step ? p.response.below : p.response.above;
  if (!(near.step <= about_to_change * std::abs(p.value))) return "";
  return "the active set is about to change with `" + p.name + "`: at " +
         shown(&near == &p.response.below ? range_of(p).low : range_of(p).high, 8) + " " + text_of(near) +
         "; slopes hold up to there";
}

}  // namespace bolza::workflow
