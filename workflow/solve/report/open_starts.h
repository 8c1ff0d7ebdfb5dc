// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "runtime/abi/solution.h"
#include "workflow/model.h"

namespace bolza::workflow {

/// A state whose initial value the optimum has chosen.
struct OpenStart {
  std::string name;
  double value = 0;
};

/// States of which nothing says where they start: not fixed, in no initial equation, and no constraint or objective names
/// their start. A `start` without `fixed = true` is a guess. Controls that are continuous (`der(u)` is read) are none.
std::vector<OpenStart> open_starts(const Model& model, const abi::Solution& solution);

/// "`y` = 0.7071, `z` = 2 and 3 more"; "" where there is none.
std::string text_of(const std::vector<OpenStart>& starts);

}  // namespace bolza::workflow
