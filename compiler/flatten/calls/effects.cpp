// SPDX-License-Identifier: Apache-2.0
// Calls that stand as equations: assert, terminate, reinit, functions for their effect.
#include "compiler/flatten/calls/effects_internal.h"

#include <algorithm>

#include "compiler/flatten/calls/function_search_internal.h"
#include "compiler/flatten/calls/messages_internal.h"
#include "compiler/flatten/calls/side_effects_internal.h"
#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/typing/sides_internal.h"
#include "compiler/flatten/typing/typer_internal.h"
#include "compiler/instance/build/instantiate.h"

namespace bolza::flatten {

using ir::Op;

namespace {

const ast::Expr* argument(const ast::Arguments& given, std::size_t position, std::string_view name) {
  if (position < given.positional.size()) return given.positional[position];
  for (const ast::NamedArgument& named : given.named)
    if (named.name == name) return named.value;
  return nullptr;
}

Reported wrong_count(Typer& typer, Span span, std::string_view name, const char* takes, const ast::Arguments& given) {
  return typer.model.diagnostics.error(argument_count, span,
                                       {name, takes, std::to_string(given.positional.size() + given.named.size())});
}

Outcome<Done> reinit(Typer& typer, const ast::Arguments& given, Effect& out) {
  if (given.positional.size() != 2 || !given.named.empty()) return wrong_count(typer, out.span, "reinit", "2", given);
  out.kind = Effect::Kind::reinit;
  auto place = typer.expression(*given.positional[0]), value = place ? typer.expression(*given.positional[1]) : place;
  if (!value) return value.failure();
  out.place = place;
  out.value = value;
  const Node* base = out.place->kind == NodeKind::index ? out.place->children[0] : out.place;
  bool state = base->kind == NodeKind::variable && base->instance != nullptr && base->basic == Basic::real &&
               base->level == Level::continuous;
  if (!state) return typer.model.diagnostics.error(reinit_argument, given.positional[0]->span, {type_text(*out.place)});
  std::vector<Sides> sides;
  if (auto done = sides_of(typer, out.place, out.value, out.span, sides); !done) return done;
  auto literal = typer.without_events(out.value, out.span);
  if (!literal) return literal.failure();
  out.value = literal;
  return Done{};
}

}  // namespace

Outcome<Done> assertion_of(Typer& typer, const ast::Arguments& given, bool lenient, Effect& out) {
  const ast::Expr *condition = argument(given, 0, "condition"), *message = argument(given, 1, "message");
  if (condition == nullptr) return wrong_count(typer, out.span, "assert", "2", given);
  auto holds = typer.boolean_condition(*condition);
  if (!holds) return holds.failure();
  out.value = holds;
  if (const ast::Expr* level = argument(given, 2, "level")) {
    auto value = instance::try_evaluate(typer.model.tree, *level, typer.scope);
    bool warning = value && !value->numbers.empty() && value->numbers[0] == 1;
    out.level = warning ? ir::AssertionLevel::warning : ir::AssertionLevel::error;
    if (!value) {
      auto chosen = typer.expression(*level);
      if (!chosen) return chosen.failure();
      out.chosen = chosen;
    }
  }
  if (out.value->kind == NodeKind::number && out.value->value != 0) return Done{};  // its message will not be needed
  auto text = message ? message_of(typer, *message, lenient) : Message{};
  if (!text) return text.failure();
  out.message = std::move(*text);
  return Done{};
}

namespace {

bool has_output(const Instance& function) {
  return std::any_of(function.children.begin(), function.children.end(), [](const Instance* c) { return is_output(*c); });
}

/// Whether a call is made for its effect. A function that gets texts and gives nothing can only complain; in a when-clause
/// that is done when the clause fires, with the texts of that moment.
bool is_for_effect(Typer& typer, const Instance& function, bool in_when) {
  if (has_side_effects(typer.model, function)) return true;
  return in_when && !has_output(function) &&
         std::any_of(function.children.begin(), function.children.end(),
                     [](const Instance* c) { return is_input(*c) && c->type == instance::Type::string; });
}

}  // namespace

Outcome<Done> effect_of(Typer& typer, const ast::Expr& call, bool in_when, Span span, std::vector<Effect>& out) {
  const ast::Reference& name = *call.reference;
  std::string_view first = name.parts[0].identifier;
  Effect effect;
  effect.span = span;
  if (name.simple() && first == "assert") {
    if (auto done = assertion_of(typer, *call.arguments, false, effect); !done) return done;
  } else if (name.simple() && first == "terminate") {
    effect.kind = Effect::Kind::termination;
    const ast::Expr* message = argument(*call.arguments, 0, "message");
    if (message == nullptr) return wrong_count(typer, span, "terminate", "1", *call.arguments);
    auto text = message_of(typer, *message);
    if (!text) return text.failure();
    effect.message = std::move(*text);
  } else if (name.simple() && first == "reinit") {
    if (!in_when) return typer.model.diagnostics.error(only_in_when, span, {"reinit"});
    if (auto done = reinit(typer, *call.arguments, effect); !done) return done;
  } else if (const Instance* function = function_named(typer, name); function && is_for_effect(typer, *function, in_when)) {
    effect.kind = Effect::Kind::call;
    effect.in_when = in_when;
    auto message = action_of(typer, call);
    if (!message) return message.failure();
    effect.message = std::move(*message);
  } else {
    auto value = typer.statement(call);
    if (!value) return value.failure();
    bool is_true = value->kind == NodeKind::number && value->basic == Basic::boolean && value->value != 0;
    if (is_true) return Done{};  // a function without outputs that had nothing to object to
    bool objects = value->kind == NodeKind::call && value->instance == nullptr;
    if (!objects) {
      typer.model.diagnostics.warning(call_without_effect, span, {name.parts.back().identifier});
      return Done{};
    }
    effect.value = value;
    effect.message.text = "an assertion of `" + std::string(name.parts.back().identifier) + "` does not hold";
  }
  out.push_back(std::move(effect));
  return Done{};
}

}  // namespace bolza::flatten
