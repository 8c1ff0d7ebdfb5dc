// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>

#include "workflow/solver_library.h"

namespace bolza::workflow {

/// Solves with other options from a guess, counting and announcing as its caller does.
using SolveFrom = std::function<abi::Solution(const transcribe::TranscribeOptions& options, const abi::Solution& guess)>;

struct LeastHamiltonian {
  bool local = false;   ///< other controls make the Hamiltonian smaller, for a hundredth of the time and by enough to matter
  bool better = false;  ///< a better solution has taken the place of the one that was given
};

/// Solves again from the controls that make the Hamiltonian least, where those of `solution` are in another of its minima
/// (see better_controls), three times at most; close to bounds and with a small barrier, which would lead back.
/// @param options  as `solution` was solved with; those of the engine that the user has set stay
LeastHamiltonian take_least_hamiltonian(bolza_problem& problem, const SolverLibrary& library,
                                        transcribe::TranscribeOptions options, const SolveFrom& solve,
                                        abi::Solution& solution);

}  // namespace bolza::workflow
