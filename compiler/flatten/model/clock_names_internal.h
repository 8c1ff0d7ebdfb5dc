// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/model_internal.h"

namespace bolza::flatten {

/// Whether an expression is a clock, as far as its text and the names in it tell: a constructor, a conversion of a clock, a
/// component of type Clock, a choice of these.
bool is_clock(Model& model, const Scope& scope, const ast::Expr& expr);

}  // namespace bolza::flatten
