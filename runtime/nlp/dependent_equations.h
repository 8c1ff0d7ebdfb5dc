// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/nlp/nlp.h"

namespace bolza::nlp {

/// The equality rows whose derivatives at w [n] are sums of those of other equality rows, by variables that are not fixed:
/// numbers in ascending order, a row for each rank that is missing. None where a derivative is not finite.
///
/// `tolerance`: what is left of a row of length one beside the others that counts as nothing. Cost: a sparse QR
/// factorisation of the transposed Jacobian.
std::vector<std::int32_t> dependent_equations(const Nlp& nlp, std::span<const double> w, double tolerance = 1e-10);

/// `nlp` with rows that nothing bounds in the place of these. Its functions are those of `nlp`.
Nlp without_equations(Nlp nlp, std::span<const std::int32_t> rows);

}  // namespace bolza::nlp
