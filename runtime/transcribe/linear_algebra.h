// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/abi/solution.h"
#include "runtime/nlp/nlp.h"

namespace bolza::transcribe {

/// One line where an engine's linear systems were factored along the chain of intervals by request, or by MUMPS in its
/// place; none where a choice of the program served.
void log_linear_algebra(const nlp::EngineOptions& options, const nlp::Report& report, abi::Solution& solution);

/// That of a solve before, where one that went on from it took no steps.
void carry_linear_algebra(const abi::Solution& from, abi::Solution& to);

}  // namespace bolza::transcribe
