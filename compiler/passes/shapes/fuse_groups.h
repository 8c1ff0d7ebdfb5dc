// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Joins the groups of few instances into straight-line groups of one instance, in which equal subexpressions of different
/// equations are computed once. Numbers become literals again, roots of one row are added up.
///
/// Groups of PassOptions::roll_from and more instances stay rolled: their code does not grow with n, and lanes are mesh
/// points anyway. A fused group ends when it has more than PassOptions::fuse_limit operations.
void fuse_groups(ir::Expressions& expressions, ir::Section& section, const PassOptions& options);

}  // namespace bolza::passes
