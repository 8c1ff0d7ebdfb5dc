// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "compiler/ir/program.h"

namespace bolza::derive {

/// The tangent Program: arguments are those of the Program, then a direction for each; outputs are the directional
/// derivatives of the Program's outputs. Integer and Boolean arguments have no direction (theirs is ignored), such outputs
/// give 0. Made once per Program; `Expressions` remembers it. Works for every Program, tapes included, so tangents of
/// adjoints exist.
ir::ProgramId tangent(ir::Expressions& expressions, ir::ProgramId program);

/// What a derivative is taken by: time, along which arguments that are functions of each other change together, or
/// variables, each for itself. A derivative that assumes such functions (`noDerivative`) is one by time.
enum class By : std::uint8_t { variables, time };

/// The tangent Program for these arguments and directions: the first derivative that the model gives and that applies, else
/// the one derived from the statements; of a foreign Program difference quotients.
ir::ProgramId tangent_along(ir::Expressions& expressions, ir::ProgramId program, std::span<const ir::ExprId> arguments,
                            std::span<const ir::ExprId> directions, By by);

/// Whether derivatives of a Program are made by its tangent only: one given by the model, or difference quotients.
bool has_own_tangent(const ir::Program& program);

/// The adjoint Program: arguments are those of the Program, then a seed for each output; outputs are, for each argument, the
/// seeds times the derivatives of the outputs by it. Runs the Program once, saving overwritten values and the paths taken on
/// a tape, then backwards; of a Program that has its own tangent, one tangent for each argument. Made once per Program.
/// Requires a Program without push and pop (`has_tape`).
ir::ProgramId adjoint(ir::Expressions& expressions, ir::ProgramId program);

bool has_tape(const ir::Program& program);

/// Is the local or array behind a port real?
bool is_real(const ir::Program& program, ir::Program::Port port);

}  // namespace bolza::derive
