// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/transcribe/collocation/transcription.h"

namespace bolza::transcribe {

/// The most violated rows and bounds of an iterate, one entry per constraint or equation at its worst place, worst first, at
/// most `limit`. Amounts are in the row's own units; the order is by amount over scale.
std::vector<abi::Finding> violations(Transcription& t, const nlp::Iterate& iterate, double tolerance,
                                     std::size_t limit = 10);

/// Active bounds and inequalities, one entry per variable or constraint where its multiplier is largest, largest first.
std::vector<abi::Finding> active(Transcription& t, const nlp::Iterate& iterate, double tolerance, std::size_t limit = 20);

/// Name, place in the text and time of a variable or row of the program.
abi::Finding place_of_variable(const Transcription& t, const std::vector<double>& w, std::size_t variable);
abi::Finding place_of_row(const Transcription& t, const std::vector<double>& w, std::size_t row);

/// What a non-finite value was computed from, as text with the model's names; the explanation of the caller is appended.
abi::Finding describe(const Transcription& t, const NonfiniteReport& report, const std::string& explanation);

}  // namespace bolza::transcribe
