// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "workflow/model.h"

namespace bolza::workflow {

/// Do Real discrete variables of the model carry from event to event what states or free parameters do? A fit has no
/// derivatives through them. Ones that follow from the time of ticks alone are data.
/// Requires  the model is compiled.
/// Errors  E910.
Result<Done> check_carried_values(Model& model, Diagnostics& diagnostics);

}  // namespace bolza::workflow
