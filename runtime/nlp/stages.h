// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "runtime/kkt/chain.h"
#include "runtime/nlp/nlp.h"

namespace bolza::nlp {

/// The stages of a problem, without the places of its matrix; rows as `rows` numbers them.
kkt::ChainShape stages_of(const Nlp& nlp, std::span<const std::int32_t> rows);
/// The same of all rows, with the places of the problem's own matrix: the patterns of Jacobian and Hessian, which must
/// outlive the result.
kkt::ChainShape chain_of(const Nlp& nlp, const Pattern& hessian);

}  // namespace bolza::nlp
