// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/transcribe/collocation/transcription.h"

namespace bolza::transcribe {

/// The multipliers of an iterate along the horizon of a phase; fixed variables are left out. Empty when it has none. Cost
/// linear.
abi::PhaseMultipliers multipliers_along(const Transcription& t, const PhaseLayout& phase, const nlp::Iterate& iterate);

/// Multipliers at the NLP's start from a solution by any method on any mesh: of defects by its costates (docs/notation.md),
/// of rows and bounds by what falls on the stretch that each stands for, of rows that define a variable by stationarity.
/// Empty when the solution lacks some of them (`has_multipliers`). One evaluation of gradient and Jacobian.
nlp::Iterate carried_multipliers(Transcription& t, const abi::Solution& from);

}  // namespace bolza::transcribe
