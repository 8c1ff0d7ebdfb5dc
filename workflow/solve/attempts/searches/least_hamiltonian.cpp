// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/attempts/least_hamiltonian.h"
#include "workflow/solve/attempts/attempt_table.h"

namespace bolza::workflow {
namespace {

using transcribe::TranscribeOptions;

bool has_minimum_principle(const Climb& climb) { return climb.may_retry() && !climb.task().given && climb.has_solution(); }

void look_by_hamiltonian(Climb& climb, const TranscribeOptions& first) {
  constexpr const char* what = "controls of the least Hamiltonian";
  if (!climb.may_look()) return;
  auto solve = [&](const TranscribeOptions& options, const abi::Solution& guess) {
    return climb.look(what, options, &guess);
  };
  const RetryTask& task = climb.task();
  LeastHamiltonian least = take_least_hamiltonian(task.problem, task.library, first, solve, climb.solution());
  if (least.better) climb.note(what);
  if (least.local && !least.better) climb.look_perturbed(first);
}

}  // namespace

extern const SearchRow least_hamiltonian_row;
const SearchRow least_hamiltonian_row{
    .name = "least Hamiltonian",
    .looks =
        "from the controls that make the Hamiltonian least, where it has a smaller minimum than the one that was found "
        "(three times at most, and on the refined mesh), then from a perturbed guess",
    .applies = has_minimum_principle,
    .look = look_by_hamiltonian};

}  // namespace bolza::workflow
