// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>

#include "runtime/nlp/interior/loop.h"

namespace bolza::nlp::interior {

using MakeFactors = std::function<std::unique_ptr<KktFactors>(const Pattern& hessian, LinearAlgebra& used)>;

/// The algorithm of IPOPT [IPOPT] over the factors of runtime/kkt: a primal–dual interior-point method with a filter line
/// search and a restoration phase.   [docs/decisions/barrier.md]
///
/// Contract  that of `Engine::solve`. It keeps no state outside the call, unless its factors come to MUMPS.
/// @param make_factors  of the problem's KKT matrix, with what counts them
Report solve(const Nlp& nlp, const EngineOptions& options, const Iterate& start, const Settings& settings,
             const MakeFactors& make_factors);

}  // namespace bolza::nlp::interior
