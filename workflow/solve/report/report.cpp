// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/report/report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/interrupt.h"
#include "base/numbers.h"
#include "runtime/result/file.h"
#include "runtime/result/phases.h"
#include "runtime/result/report.h"
#include "runtime/transcribe/checks/resimulate.h"
#include "workflow/codes.h"
#include "workflow/file_stem.h"
#include "workflow/sensitivity/optimum_sensitivity.h"
#include "workflow/sensitivity/slope_columns.h"
#include "workflow/solve/method/integers.h"
#include "workflow/solve/method/solver.h"
#include "workflow/solve/outcome/piece_names.h"
#include "workflow/solve/outcome/verdict.h"
#include "workflow/solve/report/idle.h"
#include "workflow/solve/report/open_starts.h"
#include "workflow/solve/report/report_json.h"

namespace bolza::workflow {
namespace {

std::string today() {
  std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", std::localtime(&now));
  return text;
}

/// "x 2, y 0.5", the first of many.
std::string text_of_sizes(const bolza_problem& problem, const abi::Solution& solution) {
  constexpr std::size_t most = 30;
  nlohmann::json flat = sizes_json(problem, solution).flatten();
  std::string text;
  std::size_t count = 0;
  for (const auto& [path, size] : flat.items()) {
    if (count++ >= most || !size.is_number()) continue;
    text += (text.empty() ? "" : ", ") + path.substr(1) + " " + shown(size.get<double>(), 3);
  }
  return count <= most ? text : text + " and " + std::to_string(count - most) + " more, in `--json`";
}

result::ReportContext context_of(const Model& model, const SolveOutcome& outcome) {
  result::ReportContext context;
  context.class_name = model.class_name;
  context.verdict = text_of_verdict(outcome);
  context.has_warnings = verdict_of(outcome) == Verdict::solved_with_warnings;
  context.file = model.problem.flat.span ? std::string(model.sources.path(model.problem.flat.span.file)) : "";
  context.date = today();
  context.timing = {{"load", model.seconds_load},
                    {"compile", outcome.seconds_compile},
                    {"solve", outcome.seconds_solve},
                    {"total", outcome.seconds_total}};
  context.options.emplace_back("method", outcome.method);
  if (model.n_scenarios > 0) context.options.emplace_back("scenarios", text_of(model.request.scenarios, model.n_scenarios));
  for (const Diagnostic& d : model.diagnostics.all())
    if (d.severity == Severity::warning) context.warnings.push_back(d.message + " [" + std::string(d.code->id) + "]");
  for (const Warning& warning : outcome.warnings) context.warnings.push_back(line_of(warning));
  if (const Refinement& r = outcome.accuracy; r.known) {
    context.cards.emplace_back("± " + shown_at_most(r.objective_error), "estimated error of the objective");
    context.cards.emplace_back(shown(r.error, 1), r.error > 0 ? "mesh error: `" + r.name + "` at t = " + shown(r.time, 3)
                                                              : std::string("mesh error"));
    if (std::isfinite(r.control_slope))
      context.cards.emplace_back(shown(r.control_slope, 1),
                                 r.slope_name.empty()
                                     ? std::string("∂H/∂u between the points")
                                     : "∂H/∂u between the points: `" + r.slope_name + "` at t = " + shown(r.slope_time, 3));
  }
  for (const abi::Measure& entry : outcome.solution.log)
    if (entry.name == transcribe::violation_of_simulation)
      context.cards.emplace_back(shown(entry.value, 2),
                                 entry.name + (entry.value > 0 && !entry.where.empty() ? " " + entry.where : ""));
  if (std::string sizes = text_of_sizes(model.abi(), outcome.solution); !sizes.empty())
    context.options.emplace_back("variables divided by", sizes);
  if (const abi::IntegerStatistics& integers = outcome.solution.integers; integers.any)
    context.options.emplace_back("integers", text_of(integers, outcome.solution.objective));
  if (!outcome.attempt.empty()) context.options.emplace_back("attempt", outcome.attempt);
  if (std::string open = text_of(open_starts(model, outcome.solution)); !open.empty())
    context.options.emplace_back("free start", open);
  if (std::string idle = text_of_idle(idle_decisions(model)); !idle.empty()) context.options.emplace_back("no effect", idle);
  if (outcome.other) context.options.emplace_back("other optimum", shown(*outcome.other, 5));
  if (outcome.stopped)
    context.options.emplace_back("stopped", outcome.stopped->what + (outcome.stopped->by_time ? ", by the time limit" : ""));
  if (std::string search = text_of_search(outcome); !search.empty()) context.options.emplace_back("optima", search);
  if (outcome.starts > 0)
    context.options.emplace_back("multi-start", std::to_string(outcome.optima.size()) + " of " +
                                                    std::to_string(outcome.starts) + " starts were solved");
  for (std::size_t k = 0; k < outcome.arcs.size(); ++k)
    context.options.emplace_back(
        "arc " + std::to_string(k + 1),
        shown(outcome.arcs[k].from, 9) + " to " + shown(outcome.arcs[k].to, 9) + ": " + outcome.arcs[k].text);
  for (const StageOutcome& stage : outcome.stages) {
    if (outcome.stages.size() > 1) context.options.emplace_back("stage", stage.text);
    if (stage.refinement) context.options.emplace_back("mesh error", shown(stage.refinement->error, 2));
  }
  return context;
}

/// What the objective compares states and algebraics with, as the guess of a calibration sees it.
std::vector<result::MeasuredPoints> measured_points(Model& model) {
  auto library = solver_library(model.diagnostics);
  if (!library) return {};
  bolza_problem& problem = model.abi();
  abi::Solution data = (*library)->data_guess(problem);
  std::map<std::pair<std::size_t, std::string>, std::map<double, double>> all;  // time → value
  for (std::size_t k = 0; k < problem.n_values && !data.phases.empty(); ++k) {
    const bolza_value_at& value = problem.values[k];
    bool is_state = value.quantity == BOLZA_STATE;
    if (!is_state && value.quantity != BOLZA_ALGEBRAIC) continue;
    const bolza_place& place = problem.places[value.place];
    auto p = static_cast<std::size_t>(place.phase), index = static_cast<std::size_t>(value.index);
    const abi::PhaseSolution& phase = data.phases[p];
    const abi::Trajectories& y = phase.trajectories;
    const std::vector<std::vector<double>>& rows = is_state ? y.x : y.z;
    double t = place.on_start * phase.start_time + place.on_final * phase.final_time + place.offset;
    auto at = std::find(y.time.begin(), y.time.end(), t);
    if (index >= rows.size() || at == y.time.end()) continue;
    const bolza_model& m = *problem.models[problem.phases[p].model];
    const bolza_variable& v = is_state ? m.x[index] : m.z[index];
    all[{p, v.name ? v.name : ""}][t] = rows[index][static_cast<std::size_t>(at - y.time.begin())];
  }
  std::vector<result::MeasuredPoints> out;
  for (const auto& [variable, points] : all) {
    if (points.size() < 3) continue;  // as data_guess
    out.push_back({variable.first, variable.second, {}, {}});
    for (auto [t, value] : points) {
      out.back().time.push_back(t);
      out.back().value.push_back(value);
    }
  }
  return out;
}

/// Protected variables of components are what these are made of: files have them, the page would be full of them.
result::ResultTable without_internals(const Model& model, result::ResultTable table) {
  std::set<std::string> internals;
  const ir::FlatModel& flat = model.problem.flat;
  for (const ir::Variable& v : flat.variables)
    for (std::uint32_t e = 0; v.is_protected && v.name.size() > 1 && e < v.size; ++e)
      internals.insert(ir::name_of(flat, ir::VariableId(v.first.index() + e)));
  std::erase_if(table.variables, [&](const result::ResultVariable& v) {
    return v.role != result::Role::state && v.role != result::Role::control && internals.contains(v.name);
  });
  return table;
}

/// The model's file and class, and what was changed in it: a result can be held against it later. What settings alone do not
/// make again is named: pieces of a horizon, relations made smooth, scenarios.
std::vector<std::pair<std::string, std::string>> origin_of(const Model& model, const SolveOutcome& outcome) {
  const LoadRequest& r = model.request;
  std::vector<std::pair<std::string, std::string>> words{{"model", r.file}, {"class", model.class_name}};
  for (const std::string& setting : r.settings) words.emplace_back("set", setting);
  for (const std::string& path : r.library_paths) words.emplace_back("path", path);
  if (r.horizon.start) words.emplace_back("start", exact_text(*r.horizon.start));
  if (r.horizon.stop) words.emplace_back("stop", exact_text(*r.horizon.stop));
  if (r.path_tolerance) words.emplace_back("path-tolerance", exact_text(*r.path_tolerance));
  if (r.samples) words.emplace_back("samples", std::to_string(*r.samples));
  if (model.problem.flat.are_pieces) words.emplace_back("changed", "the horizon was cut into modes");
  else if (outcome.smoothed || r.smooth > 0) words.emplace_back("changed", "relations were made smooth");
  else if (r.complementarity > 0) words.emplace_back("changed", "relations were made complementarity");
  else if (!r.scenarios.file.empty()) words.emplace_back("changed", "it was solved for scenarios");
  else if (!r.texts.empty()) words.emplace_back("changed", "it was given as text");
  return words;
}

std::vector<result::SensitivityRow> rows_of(const OptimumSensitivity& sensitivity) {
  std::vector<result::SensitivityRow> out;
  for (const ParameterSlope& p : sensitivity.parameters) {
    ParameterRange range = p.response.known ? range_of(p) : ParameterRange{std::nan(""), std::nan("")};
    out.push_back({p.name, p.unit, p.value, p.slope, range.low, range.high, warning_of(p)});
  }
  return out;
}

/// One table for the files.
result::ResultTable all_phases(const bolza_problem& problem, const std::vector<result::ResultTable>& tables) {
  if (tables.size() == 1) return tables.front();
  std::vector<std::string> names;
  for (std::size_t k = 0; k < problem.n_phases; ++k) names.emplace_back(problem.phases[k].name);
  result::ResultTable whole = result::join_phases(tables, names);
  whole.name = problem.name;
  return whole;
}

/// `X.mat` → `X.branch.csv`.
std::string branch_path(const std::string& result) {
  std::size_t dot = result.rfind('.');
  bool has_ending = dot != result.npos && result.find('/', dot) == result.npos;
  return (has_ending ? result.substr(0, dot) : result) + ".branch.csv";
}

Result<Done> write_branch(Model& model, const std::string& path, SolutionBranch& branch) {
  std::string text = branch.parameter + ",objective,norm,fold\n";
  for (const BranchPoint& point : branch.points)
    text += exact_text(point.parameter) + "," + exact_text(point.objective) + "," + exact_text(point.norm) + "," +
            (point.kind == BranchPoint::Kind::fold ? "1" : "0") + "\n";
  if (!result::write_file(path, text, model.diagnostics)) return model.diagnostics.already_reported();
  branch.csv = path;
  return Done{};
}

}  // namespace

result::ResultTable result_table(const Model& model, const abi::Solution& solution) {
  std::vector<result::ResultTable> tables;
  for (std::size_t k = 0; k < solution.phases.size(); ++k) tables.push_back(result::make_table(model.abi(), solution, k));
  result::ResultTable whole = all_phases(model.abi(), tables);
  return model.problem.flat.are_pieces ? without_pieces(std::move(whole)) : whole;
}

Result<Done> write_files(Model& model, const SolveRequest& request, SolveOutcome& outcome) {
  Writing writing;
  if (!request.files || outcome.solution.phases.empty()) return Done{};
  std::vector<result::ResultTable> tables;
  for (std::size_t k = 0; k < outcome.solution.phases.size(); ++k)
    tables.push_back(result::make_table(model.abi(), outcome.solution, k));
  for (std::size_t k = 0; k < tables.size(); ++k) add_slopes(model.abi(), k, outcome.sensitivity, tables[k]);
  std::string path = request.output.empty() ? file_stem(model.class_name) + ".mat" : request.output;
  result::ResultTable whole = all_phases(model.abi(), tables);
  for (auto& word : origin_of(model, outcome)) whole.metadata.push_back(std::move(word));
  if (!result::write_result(whole, path, model.diagnostics)) return model.diagnostics.already_reported();
  outcome.result = path;
  if (!outcome.branch.points.empty() && !write_branch(model, branch_path(path), outcome.branch))
    return model.diagnostics.already_reported();
  if (!request.csv.empty()) {
    if (!result::write_result(whole, request.csv, model.diagnostics)) return model.diagnostics.already_reported();
    outcome.csv = request.csv;
  }
  if (!request.report.empty()) {
    if (model.problem.flat.are_pieces) tables = {without_pieces(whole)};
    for (result::ResultTable& table : tables) table = without_internals(model, std::move(table));
    result::ReportContext context = context_of(model, outcome);
    context.measured = measured_points(model);
    context.sensitivity = rows_of(outcome.sensitivity);
    std::string html = result::html_report(model.abi(), outcome.solution, tables, context);
    if (!result::write_file(request.report, html, model.diagnostics)) return model.diagnostics.already_reported();
    outcome.report = request.report;
  }
  return Done{};
}

}  // namespace bolza::workflow
