// SPDX-License-Identifier: Apache-2.0
// The stages of a request: which they are, what all of them need, and the time that is left for them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "workflow/model.h"
#include "workflow/solve/indirect/solve_in_arcs.h"
#include "workflow/solve/method/chain.h"
#include "workflow/solve/outcome/outcome.h"
#include "workflow/solver_library.h"

namespace bolza::workflow {

/// `points` that no stage has a use for: W910.
void warn_of_points(const std::vector<Stage>& stages, Diagnostics& diagnostics);
/// `hand-over` where there is no stage after: W910.
void warn_of_hand_over(const std::vector<Stage>& stages, Diagnostics& diagnostics);

/// The command line's chain, else the class's own, unless the command line names a method.
std::string chain_of(const SolveRequest& request, const driver::Options& common);

/// An indirect stage starts from costates: where none comes before it, a direct one by Radau's collocation is put there.
void start_directly(std::vector<Stage>& stages);

/// Whole-number controls have one value per mesh interval, and so have all then. The engine has to take them.
Result<Done> prepare_integers(Model& model, std::vector<Stage>& stages, const SolverLibrary& library);

/// The last stage as it is to be solved in the arcs of its controls, none: it is not. All stages are solved as usual first,
/// but for the last one of a chain where it alone is to be solved so: it has its arcs from the stage before. Stages before
/// the last that are to be solved in arcs are marked.
std::optional<Stage> take_structure(std::vector<Stage>& stages);
/// A stage on a model in pieces: with the intervals of each, and no way but the one from the guess.
Stage on_pieces(const Stage& stage, const std::vector<MeshOfArc>& mesh);

/// Keeps the parameter of the option `continue` between two values, while direct stages are solved at its first one. Nothing
/// where there is no such option.
void bound_continued(Model& model, const std::vector<Stage>& stages, bool to_first_value);

/// The reason of a refusal as a diagnostic.
Reported refuse(Model& model, const driver::Options& options, const SolverLibrary& library, const abi::Solution& solution);

/// How often kernels will be evaluated at a point, about.
double expected_evaluations(const std::vector<Stage>& stages);

/// What is left of the budget, at most the option `max-time` from now on.
Budget within_max_time(const Budget& budget, const driver::Options& options);

}  // namespace bolza::workflow
