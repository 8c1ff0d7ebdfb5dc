// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/transcribe/collocation/transcription.h"

namespace bolza::transcribe {

/// How hard limits are pressed on in every mesh interval of a phase: the absolute multipliers of the bounds of x and z, then
/// of the path constraints, summed over the points of the closed interval (a mesh point counts in both its intervals).
/// [n_x + n_z + n_g][N], in units of the objective over those of the limit; limits that fix a variable are left out. Empty
/// when the iterate has no multipliers. Cost linear.
std::vector<std::vector<double>> interval_multipliers(const Transcription& t, const PhaseLayout& phase,
                                                      const nlp::Iterate& iterate);

}  // namespace bolza::transcribe
