// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "workflow/model.h"

namespace bolza::workflow {

/// The external functions of the model whose derivatives are difference quotients (W306): results of solvers that need
/// derivatives hold to the precision of these only.
std::vector<std::string> difference_quotients(const Model& model);

}  // namespace bolza::workflow
