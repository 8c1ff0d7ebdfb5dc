#pragma once
#include <memory>
#include <vector>

#include "runtime/result/table.h"
#include "workflow/simulate.h"
#include "workflow/solver_library.h"

namespace bolza::workflow {

/// What one choice of states gave of a run.
struct Leg {
  integrate::Simulation simulation;
  result::ResultTable table;  ///< in the model's names
};

/// Integrates the model. Where the choice of states becomes singular the model is compiled once more, with states that are
/// good there (LoadRequest::point), and the run goes on from that point; repeated as often as needed. The implicit forms
/// begin at a consistent point of the explicit one.
///
/// @param options  of the whole run; output times are given to each leg as far as it goes
/// Counters of the last report are those of all legs. Errors  of the input only (the model was loaded before).
/// Cost  besides the integration one compilation per new choice; a choice that was made before is not compiled again.
Result<std::vector<Leg>> run_legs(Model& model, const SolverLibrary& library, integrate::SimulateOptions options);

/// The legs one after another. Variables are those of the first; where a leg ends and the next begins the time stands once.
result::ResultTable joined(std::vector<Leg>& legs);

}  // namespace bolza::workflow
