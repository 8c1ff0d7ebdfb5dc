// SPDX-License-Identifier: Apache-2.0
// Calls that stand as statements: assertions, errors, printing.
#include "compiler/flatten/statements/statements_internal.h"

#include "compiler/flatten/calls/effects_internal.h"
#include "compiler/flatten/calls/function_search_internal.h"
#include "compiler/flatten/calls/messages_internal.h"
#include "compiler/flatten/calls/side_effects_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/lower_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/statements/algorithm_section_internal.h"
#include "compiler/flatten/statements/program_writer_internal.h"

namespace bolza::flatten {

Outcome<Done> StatementWriter::call(const ast::Statement& s) {
  const ast::Reference& name = *s.value->reference;
  const ast::Arguments& given = *s.value->arguments;
  bool is_assert = name.simple() && name.parts[0].identifier == "assert";
  const Instance* function = is_assert ? nullptr : function_named(typer_, name);
  bool objects = function && is_error(*function), at_event = writer_.section && typer_.in_when && writer_.loop_bindings == 0;
  if (function && (has_side_effects(model_, *function) || (objects && at_event))) return effect(s);
  if (name.simple() && (name.parts[0].identifier == "terminate" || name.parts[0].identifier == "reinit"))
    return model_.diagnostics.error(unsupported, s.span,
                                    {"`" + std::string(name.parts[0].identifier) + "` among other statements"});
  Effect assertion;
  assertion.span = s.span;
  if (is_assert) {
    if (auto done = assertion_of(typer_, given, true, assertion); !done) return done;
    bool is_true = assertion.value->kind == NodeKind::number && assertion.value->value != 0;
    if (is_true) return Done{};
    Scalar holds = lowering_.scalar(*assertion.value);
    return holds.failed() ? holds.failure() : require(lowering_.expression(holds), assertion);
  }
  if (objects) {
    auto text = given.positional.empty() ? Message{} : message_of(typer_, *given.positional[0], true);
    if (!text) return text.failure();
    assertion.message = std::move(*text);
    return require(model_.dag().zero(), assertion);
  }
  auto value = typer_.statement(*s.value);
  if (!value) return value.failure();
  bool checks = value->kind == NodeKind::call && value->instance == nullptr && value->dims.empty();
  if (!checks) return Done{};  // its results are dropped
  assertion.message.text = "an assertion of `" + std::string(name.parts.back().identifier) + "` does not hold";
  Scalar holds = lowering_.scalar(*value);
  return holds.failed() ? holds.failure() : require(lowering_.expression(holds), assertion);
}

/// A call for its effect: in a when-statement its arguments are noted when it is reached, and it is made when the event is
/// settled. Elsewhere when and how often a statement is reached is not defined.
Outcome<Done> StatementWriter::effect(const ast::Statement& s) {
  if (!writer_.section || !typer_.in_when || writer_.loop_bindings > 0) {
    model_.diagnostics.warning(print_ignored, s.span);
    return Done{};
  }
  auto message = action_of(typer_, *s.value);
  if (!message) return message.failure();
  AlgorithmSection::Call call{.span = s.span};
  auto note = [&](const char* name, Basic basic, ir::ExprId value) {
    std::uint32_t local = writer_.new_local(name, scalar_type_of(basic));
    ir::Statement zero{ir::StatementKind::assign, s.span};
    zero.target = local;
    zero.value = model_.dag().zero();
    writer_.prologue.push_back(std::move(zero));
    writer_.assign(local, value, s.span);
    return local;
  };
  for (const Node* node : message->values) {
    Scalar value = lowering_.scalar(*node);
    if (value.failed()) return value.failure();
    call.locals.push_back(note("argument", node->basic, lowering_.expression(value)));
  }
  call.due = note("due", Basic::boolean, model_.dag().one());
  call.message = std::move(*message);
  writer_.section->calls.push_back(std::move(call));
  return Done{};
}

namespace {

/// The literal parts of a message.
std::string without_values(const Message& message) {
  std::string text = message.text;
  for (std::size_t k = 0; k < message.values.size(); ++k) {
    std::string mark = "{" + std::to_string(k) + "}";
    if (std::size_t at = text.find(mark); at != std::string::npos) text.replace(at, mark.size(), "…");
  }
  return text;
}

}  // namespace

/// An assertion of either level where the level is only known at run time: each holds where it is the other one.
Outcome<Done> StatementWriter::require(ir::ExprId condition, const Effect& assertion) {
  using Level = ir::AssertionLevel;
  if (assertion.chosen == nullptr) return require(condition, assertion.message, assertion.level, assertion.span);
  Scalar level = lowering_.scalar(*assertion.chosen);
  if (level.failed()) return level.failure();
  ir::Dag& dag = model_.dag();
  for (Level one : {Level::error, Level::warning}) {
    ir::ExprId other = dag.number(one == Level::error ? 1 : 2);
    ir::ExprId is_other = dag.make(ir::Op::equal, lowering_.expression(level), other);
    auto done = require(dag.make(ir::Op::logical_or, is_other, condition), assertion.message, one, assertion.span);
    if (!done) return done;
  }
  return Done{};
}

/// A condition that must hold: where it does not, a function fails; one that has nothing else to say, and the algorithm
/// section of a model, go on. The values of the message are computed where it is needed.
Outcome<Done> StatementWriter::require(ir::ExprId condition, const Message& message, ir::AssertionLevel level, Span span) {
  ir::Dag& dag = model_.dag();
  bool is_error = level == ir::AssertionLevel::error;
  if (writer_.holds && is_error)
    writer_.assign(*writer_.holds, dag.make(ir::Op::logical_and, dag.slot(*writer_.holds), condition), span);
  ir::Statement check{ir::StatementKind::check, span};
  check.value = condition;
  check.text = message.text;
  check.action = message.action;
  check.level = level;
  check.goes_on = !is_error || writer_.holds || writer_.section;
  std::uint32_t block = writer_.new_block(), outside = writer_.enter(block);
  auto saved = writer_.call_outputs;
  Diagnostics before = model_.diagnostics;
  Outcome<Done> done = Done{};
  for (const Node* node : message.values) {
    Scalar value = lowering_.scalar(*node);
    if (done && value.failed()) done = value.failure();
    if (done) check.arguments.push_back(lowering_.expression(value));
  }
  writer_.call_outputs = std::move(saved);
  if (!done && !done.failure().restarts()) {  // what cannot be shown is no reason to refuse
    model_.diagnostics = std::move(before);
    done = Done{};
    check.arguments.clear();
    check.action.reset();
    check.text = without_values(message);
  }
  if (writer_.empty(block)) {
    writer_.enter(outside);
    if (block + 1 == writer_.program.blocks.size()) writer_.program.blocks.pop_back();
    writer_.push(std::move(check));
    return done;
  }
  check.value = dag.zero();
  writer_.push(std::move(check));
  writer_.enter(outside);
  ir::Statement fails{ir::StatementKind::branch, span};
  fails.value = dag.make(ir::Op::logical_not, condition);
  fails.body = ir::BlockId(std::size_t{block});
  writer_.push(std::move(fails));
  return done;
}

}  // namespace bolza::flatten
