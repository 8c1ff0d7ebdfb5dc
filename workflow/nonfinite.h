// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/abi/solution.h"
#include "runtime/transcribe/options.h"
#include "workflow/model.h"

namespace bolza::workflow {

/// Completes a finding about a value that is not finite, and the sentence about it if there is one, by the innermost part
/// that has no finite value and the values of its operands: "`1/(5 - k)` is inf with `5 - k` = 0". Its place is forgotten
/// then: it points into `model`, which may go. Findings without a place stay as they are.
///
/// @param model     the one whose function gave the value
/// @param sentence  of the report, null: none
/// Cost  one interpretation of the function's values, and of its first derivatives when all values are finite.
void explain(abi::Finding& finding, Model& model, std::string* sentence = nullptr);

/// The same for what a transcription saw. Suits TranscribeOptions::explain with the Model as context.
std::string explain_nonfinite(void* model, const transcribe::NonfiniteReport& report);

}  // namespace bolza::workflow
