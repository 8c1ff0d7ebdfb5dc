// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "workflow/model.h"

namespace bolza::workflow {

/// How much there is of what in a PEtab problem.
struct PetabSummary {
  std::size_t estimated = 0, fixed = 0, observables = 0, experiments = 0, equilibrations = 0, changes = 0, measurements = 0;
  std::size_t states = 0;
};

/// Reads a problem whole, compiles its model and puts both together, as a fit does before it begins; nothing is simulated.
/// All that is wrong in rows of tables is said at once.
/// Errors  those of `read_petab`, and of a fit to it.
Result<PetabSummary> check_petab(std::unique_ptr<Model>& model, const LoadRequest& load);

}  // namespace bolza::workflow
