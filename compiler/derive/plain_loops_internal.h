// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/ir/program.h"

namespace bolza::derive {

/// The same Program with the locals of its for-loops made ordinary: set by an assignment in the body, from a fresh counter
/// that nobody else assigns, or (when the local has a derivative) from a trip count of a while-loop. Requires a Program
/// without exits.
ir::Program with_plain_loops(ir::Expressions& expressions, const ir::Program& program);

}  // namespace bolza::derive
