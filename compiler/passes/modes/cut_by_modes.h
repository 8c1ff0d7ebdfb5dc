// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Cuts the horizon, or each phase, into the modes of PassOptions::modes: pieces in which each relation, |e|, min, max and
/// sign has one side, kept there by a path constraint, with free times `switchTime` between them at which what changes sides
/// is zero (join_pieces.h). Memoryless discrete variables become numbers of each piece. A time of the sequence that is not a
/// number is where a phase ends, or is a time of the model's own (x(t1)); other times of its own are put in where they are
/// guessed. Where the sequence holds controls, its pieces are arcs: bounds of a held control are its value there, and
/// nothing is said of relations. Without sides the relations are listed in FlatModel::mode_relations, and nothing is cut.
/// Errors  E489 what cannot be cut into modes.
Result<Done> cut_by_modes(System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
