// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/tables/table_internal.h"
#include "compiler/flatten/tables/table_patches_internal.h"
#include "compiler/flatten/tables/table_pieces_internal.h"

namespace bolza::flatten {

/// Program(u) → value.
ir::ProgramId write_table(Model& model, const Pieces& pieces, Extrapolation outside, Span span);
/// Program(time, next event, its value before the event) → value. While an event is being found (both are equal and reached)
/// the piece before it holds. `pieces` may be those of a derivative.
ir::ProgramId write_time_table(Model& model, const TableData& table, const Pieces& pieces, Span span);
/// Program(time) → the first time event after it, 1.8e308 when there is none.
ir::ProgramId write_next_event(Model& model, const TableData& table, Span span);
/// Program(u1, u2) → value.
ir::ProgramId write_table_2d(Model& model, const Patches& patches, Extrapolation outside, Span span);
/// Program(u1, u2) → value of the constant pieces of a table; linear outside with `last_two`.
ir::ProgramId write_steps_2d(Model& model, const TableData& table, Span span);

}  // namespace bolza::flatten
