// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/outcome_internal.h"
#include "compiler/flatten/typing/typer_internal.h"

namespace bolza::flatten {

/// A text in which `{0}`, `{1}`, … stand for values; the action makes the text, or the call, of the values.
struct Message {
  std::string text;
  std::vector<const Node*> values;  ///< scalars
  std::optional<std::uint32_t> action;
};

/// A message made of literals, texts known now, `String(x)`, functions that give texts, choices and sums of these.
/// @param lenient  parts that cannot be computed then are shown as "…" and not reported
Outcome<Message> message_of(Typer& typer, const ast::Expr& expr, bool lenient = false);
/// The same of a call of a function without outputs, which is performed for its effect.
Outcome<Message> action_of(Typer& typer, const ast::Expr& expr);

}  // namespace bolza::flatten
