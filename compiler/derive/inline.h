// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/ir/program.h"

namespace bolza::derive {

/// An assertion met while inlining whose condition is not a literal.
struct InlinedCheck {
  ir::ExprId condition;  ///< must not be 0; already says "or this path is not taken"
  std::string text;
  Span span;
};

struct InlineLimits {
  std::size_t statements = 20'000;  ///< executed, unrolled loops counted
  std::size_t nodes = 50'000;       ///< added to the DAG
  std::size_t copied = 2'000'000;   ///< values of variables, kept while branches are executed
  std::size_t branched = 500;       ///< nodes added by the two sides of a branch on data: a call computes one side only
  bool late = false;          ///< index reduction is done: derivatives by time that the model gives do not matter any more
  bool keeps_smooth = false;  ///< Programs that their author calls smooth although they decide stay calls
};

/// Executes a Program symbolically: straight-line code, branches on data (as selections), loops whose number of trips
/// follows from literals, arrays with literal indices, early return and break, calls of other Programs. Gives the outputs as
/// expressions of the arguments, or nothing when control flow or an index depends on data, an index is out of range, or a
/// limit is hit; then a call node is the way. Foreign Programs, those that ask not to be inlined, and those with a given
/// derivative or inverse stay calls.
///
/// `guard` must run over the equation that uses the result before it is differentiated.
/// @param arguments  [argument_count]
/// @param checks     assertions found, appended; none when nothing is returned
std::optional<std::vector<ir::ExprId>> inline_program(ir::Expressions& expressions, ir::ProgramId program,
                                                      std::span<const ir::ExprId> arguments,
                                                      std::vector<InlinedCheck>* checks = nullptr, InlineLimits limits = {});

/// The outputs of a call: inlined when possible, else outputs of a call node.
std::vector<ir::ExprId> call_or_inline(ir::Expressions& expressions, ir::ProgramId program,
                                       std::span<const ir::ExprId> arguments, std::vector<InlinedCheck>* checks = nullptr,
                                       InlineLimits limits = {});

}  // namespace bolza::derive
