// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/nonsmooth/smoothing.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/numbers.h"
#include "compiler/ir/node_map.h"
#include "compiler/ir/norm.h"
#include "compiler/ir/op.h"
#include "runtime/transcribe/checks/resimulate.h"
#include "workflow/codes.h"
#include "workflow/solve/outcome/size_of_objective.h"

namespace bolza::workflow {
namespace {

bool same_names(const bolza_variable* a, std::size_t n_a, const bolza_variable* b, std::size_t n_b) {
  if (n_a != n_b) return false;
  for (std::size_t k = 0; k < n_a; ++k)
    if (std::string_view(a[k].name) != b[k].name) return false;
  return true;
}

/// Do states, controls and parameters of both models mean the same?
bool comparable(const bolza_problem& a, const bolza_problem& b) {
  if (a.n_models != b.n_models) return false;
  for (std::size_t k = 0; k < a.n_models; ++k) {
    const bolza_model &one = *a.models[k], &other = *b.models[k];
    if (!same_names(one.x, one.n_x, other.x, other.n_x) || !same_names(one.u, one.n_u, other.u, other.n_u)) return false;
  }
  return same_names(a.parameters, a.n_parameters, b.parameters, b.n_parameters);
}

}  // namespace

void report_smoothing(const Model& model, const SolverLibrary& library, abi::Solution& solution) {
  if (!(model.request.smooth > 0) || model.problem.is_static) return;
  Model literal;
  LoadRequest request = model.request;
  request.smooth = 0;
  constexpr const char* name = "state deviation with the relations as written";
  if (!literal.load(request) || !literal.compile({.calls = codegen::Calls::one}) ||
      !comparable(model.abi(), literal.abi())) {
    solution.log.push_back({std::string(name) + ": not comparable", 0});
    return;
  }
  abi::Solution given = solution;
  for (abi::PhaseSolution& phase : given.phases) phase.trajectories.z.clear();  // their number may be another
  transcribe::Resimulation r = library.resimulate(literal.abi(), given, 1e-8, {}, {});
  double reached = r.simulated.phases.empty() || r.simulated.phases.back().trajectories.time.empty()
                       ? 0
                       : r.simulated.phases.back().trajectories.time.back();
  if (r.finished) solution.log.push_back({name, r.deviation});
  else solution.log.push_back({"simulation with the relations as written stopped at", reached});
}

namespace {

/// Whether what the solver differentiates has a node that `fits`.
template <class Fits>
bool has_node(const ir::Problem& problem, Fits fits) {
  const ir::Dag& dag = problem.flat.expressions.dag;
  auto found = [&](const ir::Function& f) {
    for (const ir::Group& group : f.section.groups)
      for (ir::ExprId e : ir::reachable(dag, group.roots))
        if (fits(dag, e)) return true;
    return false;
  };
  for (const ir::Problem* model : ir::models_of(problem))
    if (found(model->rates) || found(model->residuals)) return true;
  return found(problem.point);
}

}  // namespace

bool has_kinks(const ir::Problem& problem) {
  return has_node(
      problem, [](const ir::Dag& dag, ir::ExprId e) { return ir::row_of(dag.op(e)).smoothness != ir::Smoothness::smooth; });
}

bool has_norms(const ir::Problem& problem) { return has_node(problem, ir::is_norm); }

std::vector<std::string> kinked_tables(const ir::Problem& problem) {
  const ir::Expressions& all = problem.flat.expressions;
  std::set<std::string> names;
  for (const ir::Problem* model : ir::models_of(problem))
    for (const ir::Function* f : {&model->rates, &model->residuals})
      for (const ir::Group& group : f->section.groups) {
        ir::NodeMap<char> varies;  // with something other than time and parameters
        for (ir::ExprId e : ir::reachable(all.dag, group.roots)) {
          bool own = false;
          if (all.dag.op(e) == ir::Op::slot) {
            std::uint32_t position = group.slots[all.dag.index(e)][0].index();
            own = position > 0 && position < f->n_point;
          }
          for (ir::ExprId operand : all.dag.operands(e)) own = own || *varies.find(operand) != 0;
          varies[e] = own;
          if (!own || all.dag.op(e) != ir::Op::call) continue;
          const std::string& table = all.programs[all.dag.program(e).index()].kinked_table;
          if (!table.empty()) names.insert(table);
        }
      }
  return {names.begin(), names.end()};
}

namespace {

enum Reads : std::uint8_t { of_time = 1, of_decision = 2, of_other = 4 };

/// What a position of a model function's inputs is.
std::uint8_t reads(const ir::Problem& model, std::uint32_t n_point, std::size_t position) {
  if (position == 0) return of_time;
  if (position < n_point) return of_other;
  std::size_t k = position - n_point;
  return k < model.n_global && k < model.shared_numbers.size() && !model.shared_numbers[k].fixed ? of_decision : 0;
}

/// Whether something jumps by what `fits`: a mask of Reads.
template <class Fits>
bool has_jump(const ir::Dag& dag, const ir::Problem& model, const ir::Function& f, Fits fits) {
  for (const ir::Group& group : f.section.groups) {
    ir::NodeMap<std::uint8_t> known;
    for (ir::ExprId e : ir::reachable(dag, group.roots)) {
      std::uint8_t own = 0;
      if (dag.op(e) == ir::Op::slot) own = reads(model, f.n_point, group.slots[dag.index(e)][0].index());
      for (ir::ExprId operand : dag.operands(e)) own |= *known.find(operand);
      known[e] = own;
      bool jumps = ir::row_of(dag.op(e)).smoothness == ir::Smoothness::discontinuous && dag.op(e) != ir::Op::select;
      if (jumps && fits(own)) return true;
    }
  }
  return false;
}

/// The same of all models.
template <class Fits>
bool has_jump(const ir::Problem& problem, Fits fits) {
  const ir::Dag& dag = problem.flat.expressions.dag;
  for (const ir::Problem* model : ir::models_of(problem))
    if (has_jump(dag, *model, model->rates, fits) || has_jump(dag, *model, model->residuals, fits)) return true;
  return false;
}

/// Whether kinks may be why nothing was found.
bool may_be_smoothed(abi::SolveStatus status) {
  using enum abi::SolveStatus;
  return status == infeasible || status == iteration_limit || status == failed || status == diverging ||
         status == evaluation_error;
}

/// The widths to go through: of kinks in their own units, of switches in time. Problems without time are cheap, and
/// nothing else limits how close their solutions come.
std::vector<double> widths_of(const ir::Problem& problem, bool is_switch, const abi::Solution& solution) {
  if (problem.is_static) return {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
  if (!is_switch) return {1e-1, 1e-2, 1e-3, 1e-4};
  double horizon = 0;
  for (const abi::PhaseSolution& phase : solution.phases) horizon = std::max(horizon, phase.final_time - phase.start_time);
  if (!(horizon > 0) || !std::isfinite(horizon)) horizon = 1;
  return {1e-1 * horizon, 1e-2 * horizon, 1e-3 * horizon};
}

/// What is made smooth where nothing depends on a free switch.
std::string edges_of(const ir::Problem& problem) {
  bool tables = !kinked_tables(problem).empty();
  if (has_kinks(problem)) return tables ? "relations, abs, min, max and tables" : "relations, abs, min and max";
  return tables ? "tables of straight lines" : "square roots of sums of squares";
}

std::string text_of_smoothing(const ir::Problem& problem, bool is_switch, double width) {
  std::string how = "smoothed over a width of " + shown(width, 3) + " (`--smooth " + shown(width, 3) + "`): ";
  if (is_switch)
    return "this is the solution with a change at a time that is to be optimised " + how +
           "as it is written its derivative by that time is zero (W412)";
  return "this is the solution with " + edges_of(problem) + " " + how + "as they are written it was not found";
}

/// Whether a problem without time is solved as it is written: no value jumps, and the width changes nothing more.
/// @param size  of the objective
bool is_as_written(const ir::Problem& problem, const SolveOutcome& outcome, double size) {
  auto jumps = [](const ir::Dag& dag, ir::ExprId e) {
    return ir::row_of(dag.op(e)).smoothness == ir::Smoothness::discontinuous && dag.op(e) != ir::Op::select;
  };
  return problem.is_static && !has_node(problem, jumps) && outcome.smoothing_error <= default_accuracy * size;
}

/// Whether a limit of the user's ended it.
bool run_out(abi::SolveStatus status) {
  return status == abi::SolveStatus::time_limit || status == abi::SolveStatus::interrupted;
}

/// A search for whole numbers that began, unlike the one before it, and found none says more than that did.
void take_search(SolveOutcome found, const std::string& attempt, SolveOutcome& outcome) {
  if (found.solution.integers.method.empty() || !outcome.solution.integers.method.empty()) return;
  found.first_failed = found.smoothed = true;
  found.stages.insert(found.stages.begin(), outcome.stages.begin(), outcome.stages.end());
  found.attempt = attempt;
  outcome = std::move(found);
}

}  // namespace

bool has_free_switch(const ir::Problem& problem) {
  return has_jump(problem, [](std::uint8_t read) { return read == (of_time | of_decision); });
}

bool has_jumps(const ir::Problem& problem) {
  return has_jump(problem, [](std::uint8_t read) { return (read & of_other) != 0; });
}

namespace {

/// Loads and solves the model with functions smooth over a width; false where that cannot be.
bool solve_with_width(const Model& model, const RunStages& run, double width, const abi::Solution* guess, Effort effort,
                      SolveOutcome& own) {
  Model smooth;
  LoadRequest request = model.request;
  request.smooth = width;
  return smooth.load(request) && smooth.compile({.calls = codegen::Calls::both}) && comparable(model.abi(), smooth.abi()) &&
         run(smooth, guess, effort, own);
}

/// What twice the width changes, where no narrower one was solved: the objective is off by about that.
double change_with_twice(const Model& model, const RunStages& run, double width, const SolveOutcome& best) {
  SolveOutcome own;
  Effort once{.attempts = Attempts::none, .refine = false};
  bool solved = solve_with_width(model, run, 2 * width, &best.solution, once, own);
  if (!solved || !abi::is_solution(own.solution.status)) return 0;
  return std::abs(own.solution.objective - best.solution.objective);
}

}  // namespace

double solve_smoothed(const Model& model, const RunStages& run, bool asked, Effort effort, SolveOutcome& outcome) {
  if (model.request.smooth > 0) return 0;
  bool is_switch = has_free_switch(model.problem);
  bool wanted =
      may_be_smoothed(outcome.solution.status) || ((is_switch || asked) && abi::is_solution(outcome.solution.status));
  if (!wanted) return 0;
  if (!has_kinks(model.problem) && !has_norms(model.problem) && kinked_tables(model.problem).empty()) return 0;
  std::string attempt = is_switch ? "changes at free times made smooth" : edges_of(model.problem) + " made smooth";
  double held = 0;
  int spent = 0;                                    // iterations, of all widths
  bool may_be_too_wide = has_jumps(model.problem);  // a step that is made smooth counts where it is not reached
  SolveOutcome best;
  effort.refine = false;
  bool is_alone = true;  // the width that is held
  std::vector<double> widths = widths_of(model.problem, is_switch, outcome.solution);
  for (std::size_t k = 0; k < widths.size(); ++k) {
    double width = widths[k];
    SolveOutcome own;
    const abi::Solution* guess = held > 0                                             ? &best.solution
                                 : asked && abi::is_solution(outcome.solution.status) ? &outcome.solution
                                                                                      : nullptr;
    if (!solve_with_width(model, run, width, guess, effort, own)) break;
    spent += own.stages.empty() ? 0 : own.stages.back().iterations;
    if (!abi::is_solution(own.solution.status)) {
      std::size_t before = outcome.stages.size();
      bool is_too_wide = held == 0 && std::exchange(may_be_too_wide, false) && !run_out(own.solution.status);
      if (held == 0) take_search(std::move(own), attempt, outcome);
      if (outcome.stages.size() > before) spent = 0;  // it has its own
      if (!is_too_wide || k + 1 == widths.size()) break;
      widths.insert(widths.begin() + static_cast<std::ptrdiff_t>(k) + 1, std::sqrt(width * widths[k + 1]));
      continue;
    }
    if (held > 0 && best.solution.status == abi::SolveStatus::solved && own.solution.status != abi::SolveStatus::solved)
      break;  // narrower than the engine's tolerance can tell
    if (held > 0) own.smoothing_error = std::abs(own.solution.objective - best.solution.objective);
    is_alone = held == 0;
    held = width;
    best = std::move(own);
  }
  if (held == 0 && !outcome.stages.empty()) outcome.stages.back().iterations += spent;
  if (held == 0) return 0;
  if (is_alone) best.smoothing_error = change_with_twice(model, run, held, best);
  best.stages.back().iterations = spent;
  double size = std::max(size_of_objective(outcome.solution), size_of_objective(best.solution));
  best.first_failed = !abi::is_solution(outcome.solution.status);
  best.stages.insert(best.stages.begin(), outcome.stages.begin(), outcome.stages.end());
  outcome = std::move(best);
  outcome.attempt = std::move(attempt);
  outcome.smoothed = true;
  if (!is_as_written(model.problem, outcome, size))
    outcome.warnings.push_back({WarningKind::smoothed, text_of_smoothing(model.problem, is_switch, held)});
  return held;
}

void refine_smoothed(const Model& model, const RunStages& run, double width, SolveOutcome& outcome) {
  Model smooth;
  LoadRequest request = model.request;
  request.smooth = width;
  SolveOutcome own;
  if (!smooth.load(request) || !smooth.compile({.calls = codegen::Calls::both}) ||
      !run(smooth, &outcome.solution, {.attempts = Attempts::none}, own) || own.stages.empty())
    return;
  own.stages.back().iterations += outcome.stages.back().iterations;
  outcome.stages.back().iterations = own.stages.back().iterations;
  if (!abi::is_solution(own.solution.status)) return;
  outcome.stages.back() = own.stages.back();
  outcome.solution = std::move(own.solution);
  outcome.accuracy = std::move(own.accuracy);
  outcome.method = std::move(own.method);
  if (own.stopped) outcome.stopped = own.stopped;
  outcome.warnings.insert(outcome.warnings.end(), own.warnings.begin(), own.warnings.end());
}

void name_kinked_tables(Model& model, const SolveOutcome& outcome) {
  using enum abi::SolveStatus;
  abi::SolveStatus status = outcome.solution.status;
  bool stalled = status == iteration_limit || status == failed || status == diverging || status == infeasible;
  std::vector<std::string> tables = kinked_tables(model.problem);
  if (tables.empty() || !(stalled || outcome.smoothed)) return;
  std::string names;
  for (const std::string& table : tables) names += (names.empty() ? "`" : ", `") + table + "`";
  model.diagnostics.warning(kinks_of_tables, {},
                            {names + (tables.size() > 1 ? " are" : " is"),
                             "`Bolza.Tables` has smooth forms, and `smoothness = "
                             "Modelica.Blocks.Types.Smoothness.ContinuousDerivative` is one of the library"});
}

}  // namespace bolza::workflow
