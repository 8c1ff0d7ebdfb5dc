// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "workflow/solve/checks/check_table.h"

namespace bolza::workflow {

/// Makes the checks of check_table.h: warnings go into the outcome, figures into the solution's log.
/// @param evaluates  false: only what needs no function of the model
void check_solution(Checked checked, bool evaluates);

}  // namespace bolza::workflow
