#include "workflow/smoothing.h"

#include <string_view>

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
  const bolza_model &one = *a.models[0], &other = *b.models[0];
  return same_names(one.x, one.n_x, other.x, other.n_x) && same_names(one.u, one.n_u, other.u, other.n_u) &&
         same_names(a.parameters, a.n_parameters, b.parameters, b.n_parameters);
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

}  // namespace bolza::workflow
