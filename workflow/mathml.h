// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>

#include "base/result.h"
#include "compiler/ir/program.h"

namespace bolza::workflow {

/// MathML of an expression, in the subset of SBML, level 3 version 2.
/// @param leaf  what stands for a slot or a datum
/// Errors  E977 functions and operators that MathML has not. Cost: the length of the text, which repeats what is shared.
using LeafMath = std::function<std::string(ir::Op op, std::uint32_t k)>;
Result<std::string> mathml_of(const ir::Expressions& expressions, ir::ExprId root, const LeafMath& leaf,
                              Diagnostics& diagnostics);

std::string number_element(double value);
std::string name_element(const std::string& id);
std::string time_element();
/// The element `math` around an expression.
std::string math_element(const std::string& content);

}  // namespace bolza::workflow
