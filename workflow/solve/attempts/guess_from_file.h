// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "runtime/abi/solution.h"
#include "workflow/model.h"

namespace bolza::workflow {

/// Trajectories, parameters and multipliers of a result file, as a guess. W: what the file has not.
/// Errors  a file that cannot be read, or that has nothing of the model.
Result<abi::Solution> guess_from_file(Model& model, const std::string& path);

}  // namespace bolza::workflow
