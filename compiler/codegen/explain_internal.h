// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "compiler/codegen/compile.h"
#include "compiler/codegen/problem_tables_internal.h"

namespace bolza::codegen {

/// Interprets the function's expressions at one point, in the order of its groups, and describes the first value that is not
/// finite. Cost: one interpretation of values, and of first derivatives when all values are finite. The caller fills in
/// `source`.
NonfiniteExplanation explain_nonfinite(ProblemTables& tables, FunctionTables& function, std::span<const double> point,
                                       std::span<const double> shared);

}  // namespace bolza::codegen
