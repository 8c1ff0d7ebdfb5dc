// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "workflow/solve/nonsmooth/smoothing.h"

namespace bolza::workflow {

/// Clearly worse than what was found before in another way: another order of modes, what slides along a change, or another
/// optimum.
bool is_clearly_worse(const SolveOutcome& own, const SolveOutcome& outcome, bool maximize);

/// Whether solve_nonsmooth goes on: it was asked to, relations leave a solution open, or jumps may hide one.
bool goes_on_without_kinks(Nonsmooth how, const Model& model, const SolveOutcome& outcome);

/// What `--nonsmooth` asks for, after the problem was solved or not as it is written (docs/solving.md):
///
///  modes            the sequence of sides is read off the solution, else off the one with smooth functions, else off a
///                   simulation of the guess; the problem is solved in pieces with free times between, again where the
///                   sequence of what was found is another, three times at most
///  complementarity  relaxed by 0.1, 0.01, … 1e-7, each solved from the one before
///  auto             modes, where smooth functions were needed, where relations change sides and no mesh is fine enough, and
///                   where they do and equations jump there
///
/// `outcome` becomes the solution found, as one of `model`; what does not succeed is a warning where it was asked for. Tells
/// in `outcome.relations` how each relation was treated.
void solve_nonsmooth(Nonsmooth how, Model& model, const SolverLibrary& library, const Budget& budget, const RunStages& run,
                     SolveOutcome& outcome);

}  // namespace bolza::workflow
