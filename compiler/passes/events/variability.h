// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// When a value can change during a run, from never to always.
enum class RunVariability : std::uint8_t { never, at_events, with_time, always };

RunVariability variability_of(const System& system, VariableId v);

/// The instances of a group whose slots are alike in variability, each set a group, in the order of first occurrence.
std::vector<ir::Group> parts_by_variability(const System& system, const ir::Group& group);

}  // namespace bolza::passes
