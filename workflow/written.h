// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "workflow/model.h"

namespace bolza::workflow {

/// The same class with another form of its equations: `reduced` or `original`, compiled. It is integrated in the place of
/// the model, which stays the one whose states, constraints and results count. Errors  E910 it cannot be had.
Result<std::unique_ptr<Model>> with_form(Model& model, const std::string& form);

}  // namespace bolza::workflow
