// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "workflow/gradient/gradient.h"

namespace bolza::workflow {

/// The rows of the point function that outputs are, in their order. Errors  E919.
/// Requires  the model was loaded with `output_expressions` and compiled.
Result<std::vector<NamedRow>> output_rows(Model& model, const std::vector<Output>& outputs);

}  // namespace bolza::workflow
