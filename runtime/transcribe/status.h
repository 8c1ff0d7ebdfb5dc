// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/abi/solution.h"
#include "runtime/nlp/nlp.h"

namespace bolza::transcribe {

/// How a solve ended, from how its nonlinear program ended.
abi::SolveStatus status_of(nlp::Status status);

/// What an engine says when it refuses its settings or fails, with the constraint violation that it ended with.
abi::Finding said_by_engine(const nlp::Report& report);

}  // namespace bolza::transcribe
