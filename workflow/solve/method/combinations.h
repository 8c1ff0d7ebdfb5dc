// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "workflow/solve/method/chain.h"
#include "workflow/solver_library.h"

namespace bolza::workflow {

// Conditions on the model.
inline constexpr std::string_view squares_alone = "the objective is a sum of squares";  ///< integrals of squares included
inline constexpr std::string_view squares_at_points = "the objective is a sum of squares of values at points";

/// A transcription, an integrator and an engine, and whether they go together: by the tables of all three.
struct MethodTriple {
  std::string transcription;
  std::string integrator;  ///< "" where the transcription has steps of its own
  std::string engine;
  std::string condition;        ///< on the model, in words; empty: they take any
  bool takes_integers = false;  ///< whole numbers by branch and bound, or by the engine's own search
  std::string reason, nearest;  ///< why they do not go together, and the row that does in its place; empty: they do
};

/// All of them, in the order of the tables.
std::vector<MethodTriple> combinations(const SolverLibrary& library);

/// Whether every stage's transcription, integrator, engine and Hessian go together, whatever the model. Errors E910 where
/// the row is named that does not fit, with the reason and the nearest that does. Warns of options that no stage has a use
/// for: W910.
Result<Done> check_combinations(const std::vector<Stage>& stages, const SolverLibrary& library, Diagnostics& diagnostics);

/// What squares may stand in.
struct ObjectiveParts {
  bool integral = false;      ///< of which samples may be taken
  bool end_of_state = false;  ///< a state at the end of the horizon, which may accumulate them
};

/// What to do where a model is refused by the rows of the options: notes with what takes it.
/// @param by_engine  the engine refused, and another integrator would not help
std::vector<Note> remedies(const driver::Options& options, const SolverLibrary& library, bool by_engine,
                           ObjectiveParts parts);

}  // namespace bolza::workflow
