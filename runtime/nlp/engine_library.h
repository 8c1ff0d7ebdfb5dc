// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mutex>

#include "runtime/nlp/engine_table.h"

namespace bolza::nlp {

/// An engine that lives in another shared library, because opening the outside library costs more than what a run without
/// it needs. The row of the table is a stand-in of the same name; `solve` and `check_option` open lib<library>.so, which
/// lies next to the library or program that asks, and call the engine of that name in it.
///
/// Requires  the library has the symbol `engine_symbol`, an `EngineFunction`. Built together: layouts are shared. It takes
/// the
///           lock of MUMPS (mumps_turn.h) from here.
/// Throws    std::runtime_error where the library is missing or cannot be opened: a broken installation.
const Engine& opened_engine(const char* library, const char* engine);

/// Something else of such a library. Throws the same.
void* opened_symbol(const char* library, const char* name);

inline constexpr const char* engine_symbol = "bolza_engine";
using EngineFunction = const Engine* (*)(const char* engine, std::recursive_mutex& lock_of_mumps);  ///< null: there is none

}  // namespace bolza::nlp
