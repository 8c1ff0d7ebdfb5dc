// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/transcribe/collocation/transcription.h"

namespace bolza::transcribe {

/// The description of the model or problem variable that a block holds; null for point values and running sums.
const bolza_variable* variable_of(const Transcription& t, const VariableBlock& block);
/// The row of the function that a row block belongs to; null when there is none (defects, definitions).
const bolza_row* row_of(const Transcription& t, const RowBlock& block);

/// Whether all derivatives of the block's rows are constants: of a path or point constraint, or of a defect where the
/// horizon is fixed.
bool has_constant_derivatives(const Transcription& t, const RowBlock& block);

/// Fills bounds, roles and intervals of the NLP's variables and rows; adds what keeps the pieces of the horizon from
/// becoming negative: a bound of the one free time, with a remark where a fixed time inside asks for it, or a row when both
/// are free.
void add_bounds(Transcription& t);

}  // namespace bolza::transcribe
