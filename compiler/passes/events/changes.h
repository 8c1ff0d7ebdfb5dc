#pragma once
#include <cstdint>

#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// When a value can change, from never to always.
enum class Changes : std::uint8_t { never, at_events, with_time, always };

Changes changes_of(const System& system, VariableId v);

/// The instances of a group whose slots change alike, each set a group, in the order of first occurrence.
std::vector<ir::Group> parts_by_changes(const System& system, const ir::Group& group);

}  // namespace bolza::passes
