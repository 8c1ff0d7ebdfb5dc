// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/syntax/ast.h"

namespace bolza::flatten {

/// Whether `a[…, name, …]` stands in an expression.
bool mentions_as_subscript(const ast::Expr& expr, std::string_view name);

}  // namespace bolza::flatten
