#include "workflow/refine.h"

#include <algorithm>
#include <cstdio>

#include "base/numbers.h"
#include "workflow/codes.h"

namespace bolza::workflow {
namespace {

std::size_t intervals_of(const abi::Solution& solution) {
  std::size_t most = 0;
  for (const abi::PhaseSolution& phase : solution.phases)
    most = std::max(most, phase.mesh.empty() ? 0 : phase.mesh.size() - 1);
  return most;
}

}  // namespace

Result<Refinement> refine(RefineTask task, abi::Solution& solution, int& iterations) {
  bolza_problem& problem = task.model.abi();
  double tol = task.options.number("refine");
  int most_rounds = task.options.integer("max-refinements");
  auto most = static_cast<std::size_t>(task.options.integer("max-mesh"));
  Refinement refinement;
  for (;;) {
    transcribe::MeshError error = task.library.mesh_error(problem, solution);
    if (!error.known) return task.model.diagnostics.error(cannot_combine, {}, {refine_needs_a_mesh});
    refinement.error = error.largest, refinement.intervals = intervals_of(solution);
    auto stop = [&](std::string_view why) {
      task.model.diagnostics.warning(refinement_stopped, {},
                                     {shown(tol, 3), why, shown(error.largest, 3), error.name, shown(error.time, 3)});
      return refinement;
    };
    if (error.largest <= tol) return refinement;
    if (refinement.rounds == most_rounds) return stop("`max-refinements` is reached");
    std::vector<double> mesh = task.library.refined_mesh(error, solution, tol, most);
    if (mesh.size() <= refinement.intervals + 1)
      return stop(refinement.intervals >= most ? "`max-mesh` is reached"
                                               : "the intervals are as short as rounding errors allow");
    transcribe::TranscribeOptions round = task.transcription;
    round.mesh_fractions = std::move(mesh), round.mesh = static_cast<std::uint32_t>(round.mesh_fractions.size() - 1);
    round.nlp.warm_start = true;
    round.nlp.barrier = std::clamp(1e-2 * error.largest, 1e-9, 1e-3);
    task.announce(round);
    abi::Solution finer = task.library.solve(problem, round, &solution);
    iterations += finer.statistics.iterations;
    if (!abi::is_solution(finer.status))
      return stop("the next mesh was not solved (" + std::string(abi::name_of(finer.status)) + ")");
    solution = std::move(finer), ++refinement.rounds;
  }
}

}  // namespace bolza::workflow
