// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "compiler/flatten/calls/messages_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/outcome_internal.h"
#include "compiler/flatten/typing/typer_internal.h"

namespace bolza::flatten {

/// What a call that stands as an equation does.
struct Effect {
  enum class Kind : std::uint8_t { assertion, call, termination, reinit };
  Kind kind = Kind::assertion;
  const Node* guard = nullptr;  ///< holds where the call stands; null: always
  const Node* place = nullptr;  ///< reinit: the state
  const Node* value = nullptr;  ///< assertion: the condition; reinit: the new value
  Message message;
  ir::AssertionLevel level = ir::AssertionLevel::error;
  const Node* chosen = nullptr;  ///< assertion: the level where it is only known while the model runs
  bool in_when = true;           ///< call: made when it becomes due; else at every event while it is
  Span span;
};

/// The effect of a call. Calls that do nothing add none.
Outcome<Done> effect_of(Typer& typer, const ast::Expr& call, bool in_when, Span span, std::vector<Effect>& out);

/// What `assert` with these arguments says: its condition, message and level. The message of a condition that is literally
/// true is not looked at.
Outcome<Done> assertion_of(Typer& typer, const ast::Arguments& given, bool lenient, Effect& out);

}  // namespace bolza::flatten
