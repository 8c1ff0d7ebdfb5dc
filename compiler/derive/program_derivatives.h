#pragma once
#include "compiler/ir/program.h"

namespace bolza::derive {

/// The tangent Program: arguments are those of the Program, then a direction for each; outputs are the directional
/// derivatives of the Program's outputs. Integer and Boolean arguments have no direction (theirs is ignored), such outputs
/// give 0. Made once per Program; `Expressions` remembers it. Works for every Program, tapes included, so tangents of
/// adjoints exist.
ir::ProgramId tangent(ir::Expressions& expressions, ir::ProgramId program);

/// The adjoint Program: arguments are those of the Program, then a seed for each output; outputs are, for each argument, the
/// seeds times the derivatives of the outputs by it. Runs the Program once, saving overwritten values and the paths taken on
/// a tape, then backwards. Made once per Program. Requires a Program without push and pop (`has_tape`).
ir::ProgramId adjoint(ir::Expressions& expressions, ir::ProgramId program);

bool has_tape(const ir::Program& program);

/// Is the local or array behind a port real?
bool is_real(const ir::Program& program, ir::Program::Port port);

}  // namespace bolza::derive
