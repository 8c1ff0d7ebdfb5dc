#include "workflow/smoothing.h"

#include <initializer_list>
#include <string_view>

#include "base/numbers.h"
#include "compiler/ir/op.h"

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
    solution.log.emplace_back(std::string(name) + ": not comparable", 0);
    return;
  }
  abi::Solution given = solution;
  for (abi::PhaseSolution& phase : given.phases) phase.trajectories.z.clear();  // their number may be another
  transcribe::Resimulation r = library.resimulate(literal.abi(), given, 1e-8, {});
  double reached = r.simulated.phases.empty() || r.simulated.phases.back().trajectories.time.empty()
                       ? 0
                       : r.simulated.phases.back().trajectories.time.back();
  if (r.finished) solution.log.emplace_back(name, r.deviation);
  else solution.log.emplace_back("simulation with the relations as written stopped at", reached);
}

bool has_kinks(const ir::Problem& problem) {
  const ir::Dag& dag = problem.flat.expressions.dag;
  auto kinked = [&](const ir::Function& f) {
    for (const ir::Group& group : f.section.groups)
      for (ir::ExprId e : ir::reachable(dag, group.roots))
        if (ir::row_of(dag.op(e)).smoothness != ir::Smoothness::smooth) return true;
    return false;
  };
  for (const ir::Problem* model : ir::models_of(problem))
    if (kinked(model->rates) || kinked(model->residuals)) return true;
  return kinked(problem.point);
}

bool solve_smoothed(const Model& model, const RunStages& run, SolveOutcome& outcome) {
  if (model.request.smooth > 0 || model.problem.is_static || !has_kinks(model.problem)) return false;
  double held = 0;
  SolveOutcome best;
  for (double width : {1e-1, 1e-2, 1e-3, 1e-4}) {
    Model smooth;
    LoadRequest request = model.request;
    request.smooth = width;
    SolveOutcome own;
    if (!smooth.load(request) || !smooth.compile({.calls = codegen::Calls::both}) ||
        !comparable(model.abi(), smooth.abi()) || !run(smooth, held > 0 ? &best.solution : nullptr, own) ||
        !abi::is_solution(own.solution.status))
      break;
    held = width, best = std::move(own);
  }
  if (held == 0) return false;
  best.stages.insert(best.stages.begin(), outcome.stages.begin(), outcome.stages.end());
  outcome = std::move(best);
  outcome.attempt = "relations, abs, min and max made smooth", outcome.first_failed = true;
  outcome.doubts.push_back("this is the solution with relations, abs, min and max smoothed over a width of " + shown(held) +
                           " (`--smooth " + shown(held) + "`): as they are written it was not found");
  return true;
}

}  // namespace bolza::workflow
