#pragma once
#include "runtime/abi/solution.h"
#include "runtime/nlp/nlp.h"

namespace bolza::transcribe {

/// How a solve ended, from how its nonlinear program ended.
abi::SolveStatus status_of(nlp::Status status);

/// `Finding::name` of what an engine says when it refuses its settings or fails; other refusals are those of methods.
inline constexpr const char* said_by_engine = "nlp";

}  // namespace bolza::transcribe
