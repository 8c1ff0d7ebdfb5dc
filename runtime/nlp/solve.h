// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/nlp/nlp.h"

namespace bolza::nlp {

/// Solves an NLP with the engine named in the options, through the layers of layer_table.h: removes fixed variables,
/// scales, solves, and gives everything back in the units and numbering of `nlp`, multipliers of fixed variables included.
/// Variables that take whole numbers only are dealt with as `options.integers` says: by the engine, or by
/// branch_and_bound.h around it.
///
/// @param start  null: from nlp.start; else its w, and with options.warm_start its multipliers
/// Errors  are in the report: an unknown engine or option is Status::bad_option with a message.
Report solve(const Nlp& nlp, const EngineOptions& options, const Iterate* start = nullptr);

/// Whether the iterate is a solution, if only at the acceptable tolerance.
constexpr bool is_solution(Status status) { return status == Status::solved || status == Status::acceptable; }

}  // namespace bolza::nlp
