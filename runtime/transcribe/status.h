#pragma once
#include "runtime/abi/solution.h"
#include "runtime/nlp/nlp.h"

namespace bolza::transcribe {

/// How a solve ended, from how its nonlinear program ended.
abi::SolveStatus status_of(nlp::Status status);

}  // namespace bolza::transcribe
