// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "compiler/ir/program.h"

namespace bolza::derive {

/// Is argument k of the call that `output` belongs to a real number, and the output too?
bool call_is_differentiable(const ir::Expressions& expressions, ir::ExprId output, std::size_t k);

/// ∂output/∂argument k as an output of a call of the adjoint or the tangent Program, whichever needs fewer calls for all
/// partials.
ir::ExprId call_partial(ir::Expressions& expressions, ir::ExprId output, std::size_t k);

/// ∂²output/∂argument k ∂argument m by the tangent of the adjoint.
ir::ExprId call_second_partial(ir::Expressions& expressions, ir::ExprId output, std::size_t k, std::size_t m);

}  // namespace bolza::derive
