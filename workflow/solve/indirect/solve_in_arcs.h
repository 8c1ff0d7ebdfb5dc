// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <vector>

#include "base/budget.h"
#include "workflow/model.h"
#include "workflow/solve/nonsmooth/smoothing.h"
#include "workflow/solve/outcome/outcome.h"

namespace bolza::workflow {

/// How an arc is solved: a control that is singular has one value on each interval, as a polynomial through collocation
/// points would swing between them, which nothing but the points tells.
struct MeshOfArc {
  std::size_t intervals = 0;
  bool control_constant = false;
};

/// `--control structure`: a direct solution once more, with its arcs as pieces of the horizon.
struct ArcsTask {
  const Model& model;
  const driver::Options& options;  ///< `arcs`
  std::size_t intervals = 50;      ///< of the mesh, which arcs share by their lengths
  /// The last stage on a model in pieces.
  /// @param mesh  [pieces]
  std::function<Result<Done>(Model& pieces, const abi::Solution& guess, const std::vector<MeshOfArc>& mesh,
                             SolveOutcome& own)>
      run;
  Budget budget;  ///< nothing more is tried once it has ended
};

/// Reads the arcs of controls from the solution, or from the option `arcs`, and solves again with a piece for each and free
/// times between them: a control at a bound has that value throughout its arc, one between its bounds is as free as before.
/// So a jump is at the end of a mesh interval, wherever it is. Arcs that shrink to nothing are taken out, and the rest is
/// solved again. `outcome` becomes that solution, as one of the model, with its arcs; where it is worse, is not found, or a
/// multiplier of a held control has the wrong sign, it stays, with a warning that says what was assumed and what is against
/// it. Errors  E926 where the option `arcs` cannot be read.     Cost  a compilation and a solve for each sequence of arcs.
Result<Done> solve_in_arcs(const ArcsTask& task, Diagnostics& diagnostics, SolveOutcome& outcome);

}  // namespace bolza::workflow
