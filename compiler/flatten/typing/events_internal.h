// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/syntax/ast.h"

namespace bolza::flatten {

/// Whether the text is `initial()`.
bool is_initial_call(const ast::Expr& expr);

}  // namespace bolza::flatten
