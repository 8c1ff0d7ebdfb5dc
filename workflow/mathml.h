// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>

#include "base/result.h"
#include "compiler/ir/program.h"

namespace bolza::workflow {

/// The longest text of one expression, in bytes.
inline constexpr std::size_t longest_mathml = 10'000'000;

/// MathML of an expression, in the subset of SBML, level 3 version 2. What expressions share is written out each time.
/// @param what  whose expression it is, for messages: "the equation of `x`"
/// @param leaf  what stands for a slot or a datum
/// Errors  E977: functions and operators that MathML has not, a text longer than `longest_mathml`, which is counted before
/// it is written. Cost: the length of the text.
using LeafMath = std::function<std::string(ir::Op op, std::uint32_t k)>;
Result<std::string> mathml_of(const ir::Expressions& expressions, ir::ExprId root, const std::string& what,
                              const LeafMath& leaf, Diagnostics& diagnostics);

std::string number_element(double value);
std::string name_element(const std::string& id);
std::string time_element();
/// The element `math` around an expression.
std::string math_element(const std::string& content);

}  // namespace bolza::workflow
