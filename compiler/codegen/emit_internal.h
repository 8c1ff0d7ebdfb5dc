// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>

#include "compiler/codegen/compile.h"
#include "compiler/codegen/problem_tables_internal.h"

namespace bolza::codegen {

/// "bolza_" and the model's name with every character that C names cannot have as '_'.
std::string emitted_symbol(const bolza_problem& problem);

/// See CompiledProblem::emit.
std::string emit(ProblemTables& tables, const Machine& machine, ModuleForm form, std::span<const bolza_kind> kinds,
                 bool single);

}  // namespace bolza::codegen
