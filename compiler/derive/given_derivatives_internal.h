// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/ir/program.h"

namespace bolza::derive {

/// The tangent of a foreign Program: central difference quotients along the direction. The step is ε^(1/3) times the size of
/// the arguments that move, so that quotients lose a third of the digits; quotients of quotients two thirds.
ir::Program difference_quotient(ir::Expressions& expressions, ir::ProgramId foreign);

/// The adjoint of a Program that has its own tangent: for each real argument the tangent along it, times the seeds.
ir::Program transposed_tangents(ir::Expressions& expressions, ir::ProgramId program);

}  // namespace bolza::derive
