// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/report/report_json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "workflow/quotients.h"
#include "workflow/sensitivity/sensitivity_json.h"
#include "workflow/solve/method/integers.h"
#include "workflow/solve/outcome/verdict.h"
#include "workflow/solve/report/idle.h"
#include "workflow/solve/report/named_values.h"
#include "workflow/solve/report/open_starts.h"

namespace bolza::workflow {
namespace {

nlohmann::json looked_json(const LookedFrom& looked) {
  nlohmann::json o = {{"starts", looked.starts}, {"objectives", looked.ends}, {"convex", looked.is_convex}};
  const CoarseLook& coarse = looked.coarse;
  if (coarse.starts > 0)
    o["coarse"] = {{"starts", coarse.starts}, {"intervals", coarse.intervals}, {"objectives", coarse.objectives}};
  return o;
}

nlohmann::json number_or_null(double value) { return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(); }

nlohmann::json refinement_json(const Refinement& r) {
  return {{"refinements", r.rounds}, {"mesh_error", number_or_null(r.error)}, {"intervals", r.intervals}};
}

nlohmann::json integers_json(const abi::IntegerStatistics& integers, double objective) {
  nlohmann::json o{{"method", integers.method},
                   {"found", integers.found},
                   {"relaxed", number_or_null(integers.relaxed)},
                   {"bound", number_or_null(integers.bound)},
                   {"gap", number_or_null(integers.gap)},
                   {"relative_gap", number_or_null(relative_gap(integers, objective))},
                   {"nodes", integers.nodes}};
  if (!integers.stopped.empty()) o["stopped"] = integers.stopped;
  if (integers.deviation_bound > 0) {
    o["deviation"] = integers.deviation;
    o["deviation_bound"] = integers.deviation_bound;
  }
  return o;
}

nlohmann::json findings_json(const abi::Solution& solution) {
  static constexpr const char* kinds[] = {"violated",  "nonfinite", "at_bound", "unbounded",
                                          "of_engine", "conflict",  "unstable"};
  static_assert(std::size(kinds) == abi::Finding::kinds);
  nlohmann::json list = nlohmann::json::array();
  for (const abi::Finding& f : solution.findings) {
    nlohmann::json o{{"kind", kinds[static_cast<int>(f.kind)]},
                     {"name", f.name},
                     {"amount", number_or_null(f.amount)},
                     {"value", number_or_null(f.value)}};
    if (!f.file.empty()) {
      o["file"] = f.file;
      o["line"] = f.line;
      o["column"] = f.column;
    }
    if (std::isfinite(f.time)) o["time"] = f.time;
    if (!f.text.empty()) o["text"] = f.text;
    list.push_back(o);
  }
  return list;
}

}  // namespace

nlohmann::json warning_json(const Warning& warning) {
  nlohmann::json o{{"kind", name_of(warning.kind)}, {"text", warning.text}};
  if (!warning.remedy.empty()) o["remedy"] = warning.remedy;
  if (!warning.name.empty()) o["name"] = warning.name;
  if (std::isfinite(warning.time)) o["time"] = warning.time;
  return o;
}

nlohmann::json branch_json(const SolutionBranch& branch) {
  nlohmann::json out = {
      {"parameter", branch.parameter}, {"points", nlohmann::json::array()}, {"folds", nlohmann::json::array()}};
  for (const BranchPoint& point : branch.points) {
    bool fold = point.kind == BranchPoint::Kind::fold;
    out["points"].push_back({{"value", number_or_null(point.parameter)},
                             {"objective", number_or_null(point.objective)},
                             {"norm", number_or_null(point.norm)},
                             {"fold", fold}});
    if (fold) out["folds"].push_back(number_or_null(point.parameter));
  }
  if (!branch.ended.empty()) out["ended"] = branch.ended;
  if (!branch.csv.empty()) out["csv"] = branch.csv;
  return out;
}

nlohmann::json to_json(const std::map<std::string, double>& values) {
  nlohmann::json o = nlohmann::json::object();
  for (const auto& [name, value] : values) o[name] = number_or_null(value);
  return o;
}

nlohmann::json sizes_json(const bolza_problem& problem, const abi::Solution& s) {
  nlohmann::json all = nlohmann::json::object();
  for (std::size_t p = 0; p < s.phases.size() && p < problem.n_phases; ++p) {
    const bolza_model& m = *problem.models[problem.phases[p].model];
    nlohmann::json own = nlohmann::json::object();
    auto add = [&](const bolza_variable* list, const std::vector<double>& sizes) {
      for (std::size_t k = 0; k < sizes.size(); ++k) own[list[k].name] = sizes[k];
    };
    add(m.x, s.phases[p].x_size);
    add(m.z, s.phases[p].z_size);
    add(m.u, s.phases[p].u_size);
    if (problem.n_phases == 1) all = own;
    else if (!own.empty()) all[problem.phases[p].name] = own;
  }
  for (std::size_t k = 0; k < problem.n_parameters && k < s.parameter_scale.size(); ++k)
    if (!problem.parameters[k].fixed) all[problem.parameters[k].name] = s.parameter_scale[k];
  return all;
}

void add_timing(const Timing& timing, nlohmann::json& to) {
  to["solves"] = nlohmann::json::array();
  for (const SolveNote& s : timing.solves)
    to["solves"].push_back({{"what", s.what},
                            {"intervals", s.intervals},
                            {"variables", s.variables},
                            {"constraints", s.constraints},
                            {"iterations", s.iterations},
                            {"status", abi::name_of(s.status)},
                            {"objective", number_or_null(s.objective)},
                            {"seconds", s.seconds},
                            {"evaluation", s.seconds_evaluation},
                            {"analysis", s.seconds_analysis},
                            {"factorisation", s.seconds_factorisation},
                            {"back_solve", s.seconds_back_solve}});
  for (const auto& [name, seconds] : timing.parts) to["parts"][name] = seconds;
}

nlohmann::json report_json(const Model& model, const SolveOutcome& outcome) {
  const bolza_problem& problem = model.abi();
  const abi::Solution& s = outcome.solution;
  nlohmann::json o{{"status", abi::name_of(s.status)},
                   {"verdict", name_of(verdict_of(outcome))},
                   {"class", problem.name},
                   {"objective", number_or_null(s.objective)},
                   {"sense", problem.maximize ? "maximize" : "minimize"},
                   {"iterations", s.statistics.iterations},
                   {"variables", s.statistics.variables},
                   {"constraints", s.statistics.constraints},
                   {"method", outcome.method}};
  if (!s.phases.empty()) {
    o["start_time"] = s.phases.front().start_time;
    o["final_time"] = s.phases.back().final_time;
  }
  for (std::size_t k = 0; s.phases.size() > 1 && k < s.phases.size(); ++k)
    o["phases"].push_back({{"name", problem.phases[k].name},
                           {"start_time", number_or_null(s.phases[k].start_time)},
                           {"final_time", number_or_null(s.phases[k].final_time)}});
  if (model.n_scenarios > 0) o["scenarios"] = model.n_scenarios;
  for (std::size_t excused : model.request.scenarios.excused) o["excused"].push_back(excused + 1);
  o["parameters"] = to_json(parameters_of(model, s));
  o["final"] = to_json(final_values(problem, s));
  for (const std::string& name : idle_decisions(model)) o["no_effect"].push_back(name);
  for (const OpenStart& start : open_starts(model, s)) o["free_starts"][start.name] = number_or_null(start.value);
  if (nlohmann::json sizes = sizes_json(problem, s); !sizes.empty()) o["sizes"] = sizes;
  o["timing"] = {{"load", model.seconds_load},
                 {"compile", outcome.seconds_compile},
                 {"solve", outcome.seconds_solve},
                 {"evaluation", s.statistics.seconds_evaluation},
                 {"total", outcome.seconds_total}};
  o["infeasibility"] = {{"primal", number_or_null(s.statistics.primal_infeasibility)},
                        {"dual", number_or_null(s.statistics.dual_infeasibility)},
                        {"complementarity", number_or_null(s.statistics.complementarity)},
                        {"scaled",
                         {{"primal", number_or_null(s.statistics.scaled.primal)},
                          {"dual", number_or_null(s.statistics.scaled.dual)},
                          {"complementarity", number_or_null(s.statistics.scaled.complementarity)}}}};
  if (const Refinement& r = outcome.accuracy; r.known) {
    o["accuracy"] = {{"objective_error", number_or_null(r.objective_error)},
                     {"local_error", number_or_null(r.error)},
                     {"variable", r.name},
                     {"time", number_or_null(r.time)},
                     {"intervals", r.intervals}};
    if (std::isfinite(r.control_slope))
      o["accuracy"].update({{"control_slope", r.control_slope}, {"control", r.slope_name}, {"control_time", r.slope_time}});
  }
  if (s.integers.any) o["integers"] = integers_json(s.integers, s.objective);
  if (!outcome.sensitivity.parameters.empty()) o["sensitivity"] = sensitivity_json(problem, outcome.sensitivity);
  if (!outcome.sensitivity.why.empty()) o["no_trajectories"] = outcome.sensitivity.why;
  o["gap"] = number_or_null(s.statistics.gap);
  o["regularization"] = s.statistics.regularization;
  if (s.statistics.is_saddle) o["saddle"] = true;
  if (s.status == abi::SolveStatus::infeasible) o["proven"] = s.statistics.is_proven;
  if (outcome.other) o["other_optimum"] = *outcome.other;
  if (outcome.stopped)
    o["stopped"] = {{"what", outcome.stopped->what}, {"by", outcome.stopped->by_time ? "time limit" : "interrupt"}};
  if (!text_of_search(outcome).empty()) o["looked_from"] = looked_json(outcome.looked);
  if (outcome.starts > 0) o["multi_start"] = {{"starts", outcome.starts}, {"objectives", outcome.optima}};
  for (const Warning& warning : outcome.warnings) {
    o["warnings"].push_back(warning_json(warning));
    o["doubts"].push_back(line_of(warning));  // their name in version 0.1
  }
  if (!outcome.attempt.empty()) o["attempt"] = outcome.attempt;
  if (!outcome.relations.empty()) o["relations"] = outcome.relations;
  for (const auto& [name, value, where] : s.log) {
    o["checks"][name] = number_or_null(value);
    if (!where.empty()) o["checks_where"][name] = where;
  }
  for (const StageOutcome& stage : outcome.stages) {
    o["stages"].push_back({{"stage", stage.text},
                           {"status", abi::name_of(stage.status)},
                           {"objective", number_or_null(stage.objective)},
                           {"iterations", stage.iterations},
                           {"seconds", stage.seconds}});
    if (!stage.handed_over.empty()) o["stages"].back()["handed_over"] = stage.handed_over;
    if (stage.refinement) o["stages"].back().update(refinement_json(*stage.refinement));
  }
  for (const ArcOfOptimum& arc : outcome.arcs)
    o["arcs"].push_back({{"from", number_or_null(arc.from)}, {"to", number_or_null(arc.to)}, {"text", arc.text}});
  if (!outcome.branch.points.empty()) o["branch"] = branch_json(outcome.branch);
  if (outcome.kept_stage > 0) o["kept_stage"] = outcome.kept_stage;
  if (!outcome.stages.empty() && outcome.stages.back().refinement)
    o.update(refinement_json(*outcome.stages.back().refinement));
  if (!outcome.result.empty()) o["result"] = outcome.result;
  if (!outcome.csv.empty()) o["csv"] = outcome.csv;
  if (!outcome.report.empty()) o["report"] = outcome.report;
  o["findings"] = findings_json(s);
  if (auto names = difference_quotients(model); !names.empty()) o["difference_quotients"] = names;
  return o;
}

}  // namespace bolza::workflow
