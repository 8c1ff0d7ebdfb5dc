// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "workflow/solve/attempts/climb.h"

namespace bolza::workflow {

/// Whether other optima of a solution are looked for on a coarse mesh.
bool looks_coarsely(const Climb& climb);

}  // namespace bolza::workflow
