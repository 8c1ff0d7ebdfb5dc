// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "compiler/syntax/ast.h"

namespace bolza::syntax {

/// Source-like text of an expression on one line, for messages and listings: `a + 2*x[1]`. Parses back to the same tree.
/// Cost linear in the length of the text.
std::string print(const ast::Expr& expression);
/// `a[1].b`, `.Modelica.Math.sin`.
std::string print(const ast::Reference& reference);
/// `(a = 1, b(start = 2)) = 3`.
std::string print(const ast::Modification& modification);
/// `+`, `.*`, `and`.
std::string_view spelling(ast::Operator op);
/// `model`, `operator record`.
std::string_view spelling(ast::ClassKind kind);
/// `<=`.
std::string_view spelling(ast::ConstraintRelation relation);

}  // namespace bolza::syntax
