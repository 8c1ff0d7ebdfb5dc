// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "workflow/model.h"

namespace bolza::workflow {

/// Free parameters and controls that no equation, constraint or objective reads, by name: their values mean nothing. Cost:
/// linear in the instances of the problem.
std::vector<std::string> idle_decisions(const Model& model);

/// "`w`, `k` and 3 more"; "" where there is none.
std::string text_of_idle(const std::vector<std::string>& names);

}  // namespace bolza::workflow
