// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "runtime/result/table.h"
#include "workflow/model.h"
#include "workflow/solve/outcome/outcome.h"

namespace bolza::workflow {

/// Is this the end of a piece that nothing in the model names? Its name begins with that of the piece.
bool is_of_piece(const Model& model, const std::string& name);

/// Free times cut the horizon into pieces. What is reported at a time is reported of `x`, not of `piece[2].x`: accuracy,
/// warnings, findings.
void tell_without_pieces(const Model& model, SolveOutcome& outcome);

/// A table for the report: what goes through all pieces, as one curve, and not the pieces beside it.
result::ResultTable without_pieces(result::ResultTable table);

}  // namespace bolza::workflow
