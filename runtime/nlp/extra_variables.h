// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "runtime/nlp/nlp.h"

namespace bolza::nlp {

/// A problem with some variables more, the last ones: no row depends on them, the objective has half of their squares added.
/// Their optimum is 0, and that of the others is what it was.
struct WithExtraVariables {
  Nlp nlp;  ///< functions: owned by `functions` below
  std::unique_ptr<Functions> functions;
};

/// `nlp` and its functions must outlive the result. Cost linear.
WithExtraVariables with_extra_variables(const Nlp& nlp, std::size_t count);

/// An iterate of the one problem as an iterate of the other; empty multipliers stay empty.
Iterate with_extra_entries(Iterate iterate, std::size_t count);
Iterate without_extra_entries(Iterate iterate, std::size_t count);

/// Equations among the rows.
std::size_t count_equations(const Nlp& nlp);

}  // namespace bolza::nlp
