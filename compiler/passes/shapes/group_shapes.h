// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Brings all sections to canonical shapes and joins the groups of equal shape: repeated components roll up here.
Result<Done> group_shapes(System& system, Diagnostics& diagnostics);

/// Equations with several roots (functions with several results) become one equation per row; later passes rely on it.
/// Discrete equations that share a call stay together.
Result<Done> split_rows(System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
