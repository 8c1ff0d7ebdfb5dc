// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/transcribe/collocation/measured_sizes.h"
#include "runtime/transcribe/collocation/transcription.h"

namespace bolza::transcribe {

/// What a point constraint that involves one variable alone, linearly or not, asks of that variable.
struct EndLimits {
  const VariableBlock* block;
  double start;         ///< the variable at the NLP's start
  double lower, upper;  ///< by the constraint's derivative there; not finite where it is zero or there is no limit
};
/// Evaluates constraints and Jacobian at the NLP's start.
std::vector<EndLimits> end_limits(const Transcription& t);

/// Sizes by nominal values, else start values and guesses, else bounds; 0: nothing is known.
std::vector<PhaseSizes> known_sizes(const Transcription& t, const abi::Solution* guess);

/// Fills the NLP's scales from nominal values, else from the sizes of guesses far from one. Evaluates the Jacobian at the
/// start.
void set_scales(Transcription& t, const abi::Solution* guess);

/// Whether a variable without nominal value ended far from what it was divided by, above or (but for rounding) below: sizes
/// are to be taken from where it ended.
bool sizes_missed(const Transcription& t, const std::vector<double>& w);

}  // namespace bolza::transcribe
