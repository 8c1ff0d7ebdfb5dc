// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "compiler/ir/flat_model.h"

namespace bolza::passes {

/// A text for messages with `delay(x, 1)` in the place of the names that delayed values have in the flat model.
/// Cost  linear in the text × delays.
std::string with_delays_written(const ir::FlatModel& model, std::string text);

}  // namespace bolza::passes
