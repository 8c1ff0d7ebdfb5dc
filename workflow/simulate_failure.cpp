// SPDX-License-Identifier: Apache-2.0
#include "workflow/simulate_failure.h"

#include <cmath>
#include <cstdio>

#include "base/numbers.h"
#include "compiler/foreign/c_function.h"
#include "runtime/integrate/codes.h"

namespace bolza::workflow {
namespace {

using Status = integrate::SimulateStatus;

const char* remedy(const integrate::SimulateReport& report) {
  switch (report.status) {
    case Status::initialisation:
      return "give `start` values nearer to the solution, or remove what contradicts a fixed start";
    case Status::bad_method:
      return "leave out the integrator, or choose one that takes such equations: `bolza methods`; `--form explicit` has the "
             "fewest algebraic equations, of index 1";
    case Status::nonfinite:
      if (report.message.find("a loop does not end") != std::string::npos)
        return "the condition of the loop stays true: bound how often it is done, or use `for`";
      return "look for a root, logarithm or quotient whose argument leaves its domain; bounds or another `start` keep it "
             "inside";
    case Status::error_test:
    case Status::convergence:
      return "the solution may grow without bound or jump here; an earlier `--stop` shows how it gets there";
    case Status::too_many_steps:
      if (report.has_many_ticks()) return "a longer interval between them, or an earlier `--stop`";
      return "a larger `--tol`, or an integrator for stiff models: `bolza methods`";
    case Status::too_much_accuracy:
      return "give a larger `--tol`, or `nominal` values near the size of the variables";
    case Status::event_iteration:
      return "each of them changes because another does: `pre(...)` on one side breaks the circle";
    case Status::chattering:
      return "give the relation a hysteresis, two thresholds instead of one, or smooth it";
    case Status::singular_states:
      return "another choice of states is needed here: `stateSelect=StateSelect.prefer` on variables that stay independent";
    case Status::assertion:
    case Status::finished:
    case Status::time_limit:
    case Status::interrupted:
    case Status::failed:
      return "";
  }
  return "";
}

std::vector<Note> notes_of(const integrate::SimulateReport& report) {
  std::vector<Note> notes;
  if (const char* text = remedy(report); *text) notes.push_back({{}, text});
  if (std::string said = foreign::last_failure(); !said.empty())
    notes.push_back({{}, "an external function failed last at a point that was tried: " + said});
  return notes;
}

/// "`x + y = 3` is off by 0.5".
std::string unsolved(const abi::Finding& finding) {
  if (finding.kind == abi::Finding::Kind::nonfinite) return finding.text;
  return "`" + finding.name + "` is off by " + shown(finding.amount);
}

}  // namespace

Span span_of(const Model& model, const abi::Finding& finding) {
  auto begins_there = [&](Span span) {
    if (!span || model.sources.path(span.file) != finding.file) return false;
    Place place = model.sources.place(span.file, span.begin);
    return place.line == static_cast<std::uint32_t>(finding.line) &&
           place.column == static_cast<std::uint32_t>(finding.column);
  };
  if (finding.file.empty()) return {};
  for (const ir::Origin& origin : model.problem.flat.origins)
    if (begins_there(origin.span)) return origin.span;
  for (const ir::Variable& variable : model.problem.flat.variables)
    if (begins_there(variable.span)) return variable.span;
  if (model.problem.hybrid)
    for (const auto* messages : {&model.problem.hybrid->assertions, &model.problem.hybrid->terminations})
      for (const ir::EventMessage& message : *messages)
        if (begins_there(message.span)) return message.span;
  return {};
}

integrate::Act act_of(const Model& model) {
  ir::ActionPerformer* actions = model.problem.flat.actions.get();
  if (!actions) return {};
  return [actions](std::size_t action, std::span<const double> values) -> integrate::ActionResult {
    ir::ActionPerformer::Outcome outcome = actions->perform(action, values);
    return {std::move(outcome.text), std::move(outcome.failure)};
  };
}

void report_messages(Model& model, const integrate::SimulateReport& report) {
  for (const abi::Finding& f : report.warnings)
    model.diagnostics.warning(integrate::assertion_warning, span_of(model, f), {shown(f.time), f.text});
  for (const abi::Finding& f : report.undetermined)
    model.diagnostics.warning(integrate::undetermined, span_of(model, f), {f.name, shown(f.time)},
                              {{{}, "an equation that says something else about it, or `start` and a derivative"}});
  for (const abi::Finding& f : report.jumps)
    model.diagnostics.warning(integrate::branch_left, span_of(model, f),
                              {f.name, shown(f.time), shown(f.bound), shown(f.value)});
  for (const abi::Finding& f : report.undecided)
    if (f.kind == abi::Finding::Kind::unstable)
      model.diagnostics.warning(integrate::grown_from_noise, span_of(model, f),
                                {f.name, shown(f.bound, 2), shown(f.time, 4)},
                                {{{}, "a `nominal` as small as it becomes, or a smaller `--tol`, keeps them"}});
    else model.diagnostics.warning(integrate::relation_undecided, span_of(model, f), {f.name, shown(f.time)});
  if (!report.termination.text.empty())
    model.diagnostics.warning(integrate::terminated, span_of(model, report.termination),
                              {shown(report.termination.time), report.termination.text});
}

void report_failure(Model& model, const integrate::SimulateReport& report) {
  if (report.finished() || report.status == Status::interrupted || report.status == Status::time_limit) return;
  Span at = span_of(model, report.finding);
  if (report.status == Status::initialisation)
    model.diagnostics.error(integrate::initialisation_failed, at, {unsolved(report.finding)}, notes_of(report));
  else if (report.status == Status::bad_method)
    model.diagnostics.error(integrate::integrator_cannot, at, {report.method, report.message}, notes_of(report));
  else model.diagnostics.error(integrate::simulation_failed, at, {shown(report.time), report.message}, notes_of(report));
}

}  // namespace bolza::workflow
