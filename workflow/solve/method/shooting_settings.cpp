// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/method/shooting_settings.h"

#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "compiler/driver/compile.h"
#include "runtime/transcribe/mesh_choice.h"
#include "workflow/codes.h"
#include "workflow/solve/method/solver.h"
#include "workflow/solve/outcome/choices.h"

namespace bolza::workflow {
namespace {

const std::string phase_control = "phase-control";

/// The items of `control-grid`, `phase-mesh` or `phase-control` as name and value; "" stands for all controls.
std::vector<std::pair<std::string, std::string>> items_of(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> out;
  std::string_view rest = text;
  while (!rest.empty()) {
    std::size_t comma = 0;
    for (int depth = 0; comma < rest.size() && (depth > 0 || rest[comma] != ','); ++comma)
      depth += (rest[comma] == '[') - (rest[comma] == ']');
    std::string item(rest.substr(0, comma));
    std::size_t equals = item.rfind('=');
    std::string name = equals == std::string::npos ? "" : item.substr(0, equals);
    out.emplace_back(name, item.substr(equals == std::string::npos ? 0 : equals + 1));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return out;
}

std::vector<std::pair<std::string, std::uint32_t>> grids_of(const std::string& text) {
  std::vector<std::pair<std::string, std::uint32_t>> out;
  for (const auto& [name, value] : items_of(text)) out.emplace_back(name, static_cast<std::uint32_t>(std::stod(value)));
  return out;
}

/// Absent: a single phase cannot have it.
std::optional<ControlForm> form_of_phase(const std::string& word) {
  std::optional<ControlForm> form = control_forms.find(word);
  return form == ControlForm::structure ? std::nullopt : form;
}

bool is_control(const Model& model, const std::string& name) {
  return std::any_of(model.problem.u.begin(), model.problem.u.end(),
                     [&](ir::VariableId v) { return ir::name_of(model.problem.flat, v) == name; });
}

Result<Done> check_grid(Model& model, const driver::Options& options) {
  if (!options.has("control-grid")) return Done{};
  Span at = options.place("control-grid");
  for (const auto& [name, intervals] : grids_of(options.text("control-grid")))
    if (!name.empty() && !is_control(model, name)) {
      std::string controls;
      for (ir::VariableId v : model.problem.u)
        controls += (controls.empty() ? "`" : ", `") + ir::name_of(model.problem.flat, v) + "`";
      return model.diagnostics.error(cannot_combine, at,
                                     {"`control-grid` names `" + name + "`, which is not a control of `" + model.class_name +
                                      "`; " + (controls.empty() ? "it has none" : "they are " + controls)});
    }
  return Done{};
}

/// @param option   of single phases, `example` how it is written
/// @param general  the option of all phases
Result<Done> check_phases(Model& model, const driver::Options& options, const std::string& option,
                          const std::string& example, const std::string& general) {
  if (!options.has(option)) return Done{};
  Span at = options.place(option);
  std::string phases;
  for (const ir::PhaseOfProblem& phase : model.problem.phases) phases += (phases.empty() ? "`" : ", `") + phase.name + "`";
  for (const auto& [name, value] : items_of(options.text(option))) {
    if (name.empty())
      return model.diagnostics.error(cannot_combine, at,
                                     {"`" + option + "` names phases, `" + example + "`; `" + general + "` is that of all"});
    auto named = [&](const ir::PhaseOfProblem& phase) { return transcribe::names_phase(name, phase.name); };
    if (std::none_of(model.problem.phases.begin(), model.problem.phases.end(), named))
      return model.diagnostics.error(cannot_combine, at,
                                     {"`" + option + "` names `" + name + "`, which is not a phase of `" + model.class_name +
                                      "`; " + (phases.empty() ? "it has none" : "they are " + phases)});
    if (option == phase_control && !form_of_phase(value))
      return model.diagnostics.error(cannot_combine, at,
                                     {"controls of a phase are `constant` or `collocated`, and not `" + value + "`"});
  }
  return Done{};
}

/// A grid in collocation is one of values, in all phases.
Result<Done> check_phase_control(Model& model, const driver::Options& options) {
  if (options.has(phase_control) && options.has("control-grid") && !is_shooting(options))
    return model.diagnostics.error(
        cannot_combine, options.place(phase_control),
        {"`control-grid` gives controls one value on each of its intervals in all phases, so that "
         "`phase-control` has nothing to say"});
  return check_phases(model, options, phase_control, "second=constant", "control");
}

}  // namespace

void set_phases(const driver::Options& options, transcribe::TranscribeOptions& out) {
  if (options.has("phase-mesh")) out.phase_mesh = grids_of(options.text("phase-mesh"));
  if (options.has(phase_control))
    for (const auto& [name, value] : items_of(options.text(phase_control)))
      out.phase_control.emplace_back(name, form_of_phase(value) == ControlForm::constant);
}

void set_control_grid(const driver::Options& options, transcribe::TranscribeOptions& out) {
  for (auto& [name, intervals] : grids_of(options.text("control-grid"))) {
    if (name.empty()) out.control_intervals = intervals;
    else out.control_grid.emplace_back(name, intervals);
  }
  if (options.has("control-grid") && !is_shooting(options)) out.control_constant = true;
}

bool is_lifted(const driver::Options& options, const SolverLibrary& library) {
  if (shooting_of(options) != Shooting::single || !options.flag("lift") ||
      chosen(options, "hessian", hessians) == nlp::Hessian::lbfgs)
    return false;
  if (options.text("nlp") == "bonmin") return false;  // its cuts are for convex problems, which defects are not
  return std::ranges::none_of(library.engines(), [&](const TableRow& engine) {
    return engine.name == options.text("nlp") && (engine.squares_only || engine.bounds_only);
  });
}

transcribe::ShootingOptions shooting_options(const driver::Options& options, const SolverLibrary& library) {
  transcribe::ShootingOptions out;
  out.lift = is_lifted(options, library);
  if (options.has("rtol")) out.rtol = options.number("rtol");
  std::string integrator = options.has("integrator") ? options.text("integrator") : "";
  out.idas = integrator == "idas";
  if (!out.idas) out.integrator = integrator;
  if (chosen(options, "path-constraints", path_constraint_ways) == PathConstraintsOption::maxima)
    out.path_constraints = transcribe::PathConstraints::maxima;
  if (options.has("path-tolerance")) out.path_tolerance = options.number("path-tolerance");
  out.tighten = options.flag("tighten");
  return out;
}

Result<Done> check_shooting(Model& model, const std::vector<Stage>& stages) {
  bool shooting = false, single = false, multiple = false;
  for (const Stage& stage : stages) {
    if (driver::integrated_path_tolerance(stage.options) != model.request.path_tolerance.value_or(0))
      return model.diagnostics.error(
          cannot_combine, stage.options.place("path-constraints"),
          {"`path-constraints=integrated` makes another problem, of all stages: `--path-constraints` and `--path-tolerance` "
           "stand together on the command line or in the annotation, not in a chain"});
    if (driver::samples_of(stage.options) != model.request.samples.value_or(0))
      return model.diagnostics.error(cannot_combine, stage.options.place("samples"),
                                     {"`samples` makes another problem, of all stages: it stands on the command line or in "
                                      "the annotation, not in a chain"});
    if (!check_grid(model, stage.options) || !check_phases(model, stage.options, "phase-mesh", "second=20", "mesh") ||
        !check_phase_control(model, stage.options))
      return model.diagnostics.already_reported();
    shooting = shooting || is_shooting(stage.options);
    single = single || shooting_of(stage.options) == Shooting::single;
    multiple = multiple || shooting_of(stage.options) == Shooting::multiple;
  }
  const driver::Options& last = stages.back().options;
  if (last.flag("condensing") && !multiple)
    return model.diagnostics.error(cannot_combine, last.place("condensing"),
                                   {"`condensing` eliminates the states of multiple shooting, and `" +
                                    last.text("transcription") + "` has none to eliminate: `--method hqp+dopri5` has"});
  for (const char* name : {"path-constraints", "tighten", "checkpoint-memory"})
    if (!shooting && last.has(name) && path_constraint_ways.find(last.text(name)) != PathConstraintsOption::integrated)
      model.diagnostics.warning(without_effect, last.place(name), {name, "it is one of shooting"});
  if (!single && last.has("lift"))
    model.diagnostics.warning(without_effect, last.place("lift"), {"lift", "it is one of single shooting"});
  return Done{};
}

std::unique_ptr<Model> with_path_constraints(const Model& model) {
  if (model.request.path_tolerance.value_or(0) == 0) return nullptr;
  auto literal = std::make_unique<Model>();
  LoadRequest request = model.request;
  request.path_tolerance = 0;
  if (!literal->load(request) || !literal->compile({.calls = codegen::Calls::one})) return nullptr;
  return literal;
}

void report_mean_violation(const Model& model, abi::Solution& solution) {
  double tol = model.request.path_tolerance.value_or(0), most = 0;
  for (const abi::PhaseSolution& phase : solution.phases)
    if (const auto& q = phase.trajectories.integral; tol > 0 && !q.empty())
      most = std::max(most, q.back() / (phase.final_time - phase.start_time));
  if (tol > 0) solution.log.push_back({"path violation, root of the mean square relative to sizes", tol * std::sqrt(most)});
}

void warn_of_path_constraints(const driver::Options& options, const abi::Solution& solution, Warnings& warnings) {
  double tol =
      options.has("path-tolerance") ? options.number("path-tolerance") : transcribe::ShootingOptions().path_tolerance;
  for (const abi::Measure& m : solution.log)
    if (m.name == transcribe::path_violation_log && m.value > tol)
      warnings.push_back({WarningKind::constraint_broken_between_samples,
                          "a path constraint is violated by " + shown(m.value, 2) + " of its size between its samples",
                          "a finer mesh, or an integrator of higher order, lets less through"});
}

}  // namespace bolza::workflow
