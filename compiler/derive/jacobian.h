// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "compiler/derive/program_derivatives.h"

namespace bolza::derive {

/// One structurally non-zero entry ∂root/∂slot.
struct JacobianEntry {
  std::uint32_t root = 0, slot = 0;
  ir::ExprId value;
};

/// One entry of a gradient.
struct GradientEntry {
  std::uint32_t slot = 0;
  ir::ExprId value;
};

/// Slots by which to differentiate: all of them unless given.
using Wanted = std::optional<std::span<const std::uint32_t>>;

/// The sparse Jacobian of the roots, ascending by (root, slot). Forward or reverse accumulation, whichever gives the cheaper
/// expressions; subexpressions are shared between entries and with the roots.
/// Cost: a small multiple of the operations of the roots per root (reverse) or per slot (forward).
std::vector<JacobianEntry> jacobian(ir::Expressions& expressions, std::span<const ir::ExprId> roots,
                                    Wanted wanted = std::nullopt);

/// ∂root/∂slot for every slot, ascending, by reverse accumulation: about four times the operations of the root, whatever the
/// number of slots.
std::vector<GradientEntry> gradient(ir::Expressions& expressions, ir::ExprId root, Wanted wanted = std::nullopt);

/// Σ_r factor_r · ∂root_r/∂slot. An absent factor leaves its root out.
std::vector<GradientEntry> weighted_gradient(ir::Expressions& expressions, std::span<const ir::ExprId> roots,
                                             std::span<const ir::ExprId> factors, Wanted wanted = std::nullopt);

/// The transposed product: Σ_r weight(r) · ∂root_r/∂slot.
std::vector<GradientEntry> vjp(ir::Expressions& expressions, std::span<const ir::ExprId> roots,
                               Wanted wanted = std::nullopt);

/// The product with a direction: per root Σ_k ∂root/∂slot_k · direction(k); zero where a root is constant. Applied to the
/// results of `vjp` it gives the second adjoint along a direction.
std::vector<ir::ExprId> jvp(ir::Expressions& expressions, std::span<const ir::ExprId> roots);

/// Per root Σ_k ∂root/∂slot_k · tangent_k; slots without a tangent (absent, or beyond the list) are constants. A call whose
/// Program has given derivatives becomes one call along the tangents of its arguments.
std::vector<ir::ExprId> tangents(ir::Expressions& expressions, std::span<const ir::ExprId> roots,
                                 std::span<const ir::ExprId> slot_tangents, By by = By::variables);

/// A figure for comparing expressions: operations reached, divisions and functions counted for more.
std::size_t evaluation_cost(const ir::Dag& dag, std::span<const ir::ExprId> roots);

}  // namespace bolza::derive
