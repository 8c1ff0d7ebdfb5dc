// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "runtime/transcribe/collocation/transcription.h"

namespace bolza::transcribe {

/// Where the controls of a phase take other values, if they have grids of their own.
using ControlGrids = std::vector<std::vector<AffineTime>>;  ///< [n_u] mesh points; none: those of the mesh

/// The grids that options ask for; the mesh gets the points that it has not.
/// @param breakpoints  of the horizon, which every grid has too
ControlGrids control_grids(const TranscribeOptions& options, const bolza_model& model, const Horizon& horizon,
                           const std::vector<AffineTime>& breakpoints, Mesh& mesh);

/// Adds a row for every value of a control that is the one of the mesh interval before it.
/// Requires  the phase has one value of each control per interval.
std::vector<nlp::Nlp::Equal> add_control_blocks(Transcription& t, std::size_t phase, const ControlGrids& grids);

/// Leaves the bounds, and the length of a block if its control takes whole numbers, to the first value of each block, and
/// hides the others from engines. To be called when bounds are set.
void join_control_blocks(Transcription& t, const std::vector<nlp::Nlp::Equal>& equal);

}  // namespace bolza::transcribe
