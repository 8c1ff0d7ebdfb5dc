// Calls that stand as equations: assert, terminate, reinit, functions for their effect.
#include "compiler/flatten/effects_internal.h"

#include <algorithm>

#include "compiler/flatten/codes.h"
#include "compiler/instance/instantiate.h"

namespace bolza::flatten {

using ir::Op;

namespace {

const ast::Expr* argument(const ast::Arguments& given, std::size_t position, std::string_view name) {
  if (position < given.positional.size()) return given.positional[position];
  for (const ast::NamedArgument& named : given.named)
    if (named.name == name) return named.value;
  return nullptr;
}

bool wrong_count(Typer& typer, Span span, std::string_view name, const char* takes, const ast::Arguments& given) {
  typer.wrong(argument_count, span, {name, takes, std::to_string(given.positional.size() + given.named.size())});
  return false;
}

bool reinit(Typer& typer, const ast::Arguments& given, Effect& out) {
  if (given.positional.size() != 2 || !given.named.empty()) return wrong_count(typer, out.span, "reinit", "2", given);
  out.kind = Effect::Kind::reinit;
  out.place = typer.expression(*given.positional[0]);
  out.value = out.place ? typer.expression(*given.positional[1]) : nullptr;
  if (!out.value) return false;
  const Node* base = out.place->kind == NodeKind::index ? out.place->children[0] : out.place;
  bool state = base->kind == NodeKind::variable && base->instance != nullptr && base->basic == Basic::real &&
               base->level == Level::continuous;
  if (!state) return typer.wrong(reinit_argument, given.positional[0]->span, {type_text(*out.place)}), false;
  std::vector<Sides> sides;
  return sides_of(typer, out.place, out.value, out.span, sides);
}

/// The condition and the values of a message for every instance; conditions that are `trivial` say nothing.
template <class Out>
void emit_condition(Model& model, const Space& space, const Effect& effect, const Node* condition, bool trivial, Out out) {
  for_each_part(space, [&](Work& work) {
    auto conditions = lower_values(model, work, *condition, {}, Place::discrete);
    if (!conditions || work.split) return;
    std::vector<ir::ElementValues> values;
    std::size_t n = conditions->terms.size();
    for (const Node* value : effect.message.values) {
      auto terms = lower_values(model, work, *value, {}, Place::discrete);
      if (!terms || work.split) return;
      values.push_back(std::move(*terms));
      n = std::max(n, values.back().terms.size());
    }
    for (std::size_t i = 0; i < n; ++i) {
      auto of = [&](const ir::ElementValues& all) { return all.terms[all.terms.size() == 1 ? 0 : i]; };
      ir::Term term = of(*conditions);
      if (model.dag().is_number(term.root, trivial ? 1.0 : 0.0)) continue;
      term.span = effect.span;
      std::vector<ir::Term> shown;
      for (const ir::ElementValues& value : values) shown.push_back(of(value));
      out(std::move(term), std::move(shown));
    }
  });
}

void emit_reinit(Model& model, const Space& space, const Effect& effect, const Node* fires, const NamedAxes& names) {
  std::vector<std::uint32_t> states = ids_in(model, space, *effect.place);
  for (std::uint32_t state : states) {
    auto [at, is_new] = model.reinitialised.emplace(state, effect.span);
    if (!is_new) {
      model.diagnostics.error(set_twice, effect.span, {ir::name_of(model.flat, ir::VariableId(std::size_t{state}))},
                              {{at->second, "the other one"}});
      return;
    }
    ir::variable_of(model.flat, ir::VariableId(std::size_t{state})).state_select_always = true;
  }
  ir::Reinitialisations& out = model.flat.reinitialisations;
  std::uint32_t rows = emit_pairs(model, space, *fires, *effect.value, {&out.section, Place::discrete, effect.span, &names});
  if (rows != states.size()) return;  // reported
  for (std::uint32_t state : states) out.states.emplace_back(std::size_t{state});
}

}  // namespace

bool assertion_of(Typer& typer, const ast::Arguments& given, bool lenient, Effect& out) {
  const ast::Expr *condition = argument(given, 0, "condition"), *message = argument(given, 1, "message");
  if (condition == nullptr) return wrong_count(typer, out.span, "assert", "2", given);
  out.value = typer.boolean_condition(*condition);
  if (out.value == nullptr) return false;
  if (const ast::Expr* level = argument(given, 2, "level")) {
    auto value = instance::try_evaluate(typer.model.tree, *level, typer.scope);
    bool warning = value && !value->numbers.empty() && value->numbers[0] == 1;
    out.level = warning ? ir::AssertionLevel::warning : ir::AssertionLevel::error;
    if (!value) out.chosen = typer.expression(*level);
    if (!value && !out.chosen) return false;
  }
  if (out.value->kind == NodeKind::number && out.value->value != 0) return true;  // its message will not be needed
  auto text = message ? message_of(typer, *message, lenient) : Message{};
  if (text) out.message = std::move(*text);
  return text.has_value();
}

const Instance* function_named(Typer& typer, const ast::Reference& name) {
  Diagnostics quiet;
  auto resolved = instance::lookup(typer.model.tree, typer.scope, name, quiet);
  bool is_class = resolved && resolved->kind == instance::ResolvedKind::class_ && resolved->definition != nullptr &&
                  resolved->definition->ast->kind == ast::ClassKind::function;
  if (!is_class) return nullptr;
  auto made = instance::instance_of(typer.model.tree, *resolved->definition, resolved->enclosing, name.span, quiet);
  return made ? *made : nullptr;
}

namespace {

bool has_output(const Instance& function) {
  return std::any_of(function.children.begin(), function.children.end(), [](const Instance* c) { return is_output(*c); });
}

/// Whether a call is made for its effect. A function that gets texts and gives nothing can only complain; in a when-clause
/// that is done when the clause fires, with the texts of that moment.
bool is_for_effect(Typer& typer, const Instance& function, bool in_when) {
  if (acts(typer.model, function)) return true;
  return in_when && !has_output(function) &&
         std::any_of(function.children.begin(), function.children.end(),
                     [](const Instance* c) { return is_input(*c) && c->type == instance::Type::string; });
}

}  // namespace

const Node* both(Nodes& nodes, const Node* a, const Node* b) {
  if (a == nullptr || b == nullptr) return a ? a : b;
  return nodes.apply(Op::logical_and, {a, b}, Basic::boolean, b->span);
}

std::vector<std::uint32_t> ids_in(Model& model, const Space& given, const Node& place) {
  Space space = given;
  Indices indices;
  for (std::int64_t d : place.dims)
    if (space.n > 0) space = extend_to(space, model.nodes.new_axis(), d);
  if (space.n == 0) return {};
  for (std::size_t d = space.axes.size() - place.dims.size(); d < space.axes.size(); ++d)
    indices.push_back(space.axes[d].second);
  Work work{space, {}};
  Lowering lowering(model.nodes, model.dag(), model.diagnostics, work, model.structural_leaves());
  std::vector<std::uint32_t> ids = ids_of(model, lowering, place, indices);
  if (ids.size() == 1) ids.assign(space.n, ids[0]);
  return ids;
}

bool effect_of(Typer& typer, const ast::Expr& call, bool in_when, Span span, std::vector<Effect>& out) {
  const ast::Reference& name = *call.reference;
  std::string_view first = name.parts[0].identifier;
  Effect effect;
  effect.span = span;
  bool good = true;
  if (name.simple() && first == "assert") {
    good = assertion_of(typer, *call.arguments, false, effect);
  } else if (name.simple() && first == "terminate") {
    effect.kind = Effect::Kind::termination;
    const ast::Expr* message = argument(*call.arguments, 0, "message");
    if (message == nullptr) return wrong_count(typer, span, "terminate", "1", *call.arguments);
    auto text = message_of(typer, *message);
    good = text.has_value();
    if (good) effect.message = std::move(*text);
  } else if (name.simple() && first == "reinit") {
    if (!in_when) return typer.wrong(only_in_when, span, {"reinit"}), false;
    good = reinit(typer, *call.arguments, effect);
  } else if (const Instance* function = function_named(typer, name); function && is_for_effect(typer, *function, in_when)) {
    effect.kind = Effect::Kind::call;
    effect.in_when = in_when;
    auto message = action_of(typer, call);
    good = message.has_value();
    if (good) effect.message = std::move(*message);
  } else {
    const Node* value = typer.statement(call);
    if (value == nullptr) return false;
    bool is_true = value->kind == NodeKind::number && value->basic == Basic::boolean && value->value != 0;
    if (is_true) return true;  // a function without outputs that had nothing to object to
    bool objects = value->kind == NodeKind::call && value->instance == nullptr;
    if (!objects) {
      typer.model.diagnostics.warning(call_without_effect, span, {name.parts.back().identifier});
      return true;
    }
    effect.value = value;
    effect.message.text = "an assertion of `" + std::string(name.parts.back().identifier) + "` does not hold";
  }
  if (good) out.push_back(std::move(effect));
  return good;
}

void emit_effect(Model& model, const Space& space, const Effect& effect, const Node* fires, const NamedAxes& names) {
  const Node* when = both(model.nodes, fires, effect.guard);
  if (effect.kind == Effect::Kind::reinit) return emit_reinit(model, space, effect, when, names);
  if (effect.kind == Effect::Kind::termination) {
    const Node* condition = when ? when : model.nodes.number(1, Basic::boolean, effect.span);
    return emit_condition(model, space, effect, condition, false, [&](ir::Term term, std::vector<ir::Term> values) {
      model.flat.terminations.push_back({std::move(term), effect.message.text, std::move(values), effect.message.action});
    });
  }
  if (effect.kind == Effect::Kind::call) {
    const Node* not_due = when ? model.nodes.apply(Op::logical_not, {when}, Basic::boolean, effect.span)
                               : model.nodes.number(0, Basic::boolean, effect.span);
    auto level = effect.in_when || fires != nullptr ? ir::AssertionLevel::call : ir::AssertionLevel::call_at_events;
    return emit_condition(model, space, effect, not_due, true, [&](ir::Term term, std::vector<ir::Term> values) {
      model.flat.assertions.push_back(
          {std::move(term), effect.message.text, level, std::move(values), effect.message.action});
    });
  }
  const Node* condition = effect.value;
  if (when != nullptr) {
    const Node* otherwise = model.nodes.apply(Op::logical_not, {when}, Basic::boolean, effect.span);
    condition = model.nodes.apply(Op::logical_or, {otherwise, condition}, Basic::boolean, effect.span);
  }
  if (effect.chosen != nullptr) {  // an assertion of either level, which holds where the level is the other one
    for (auto level : {ir::AssertionLevel::error, ir::AssertionLevel::warning}) {
      Effect one = effect;
      one.chosen = nullptr, one.level = level;
      const Node* other = model.nodes.number(level == ir::AssertionLevel::error ? 1 : 2, Basic::enumeration, effect.span);
      const Node* is_other = model.nodes.apply(Op::equal, {effect.chosen, other}, Basic::boolean, effect.span);
      one.value = model.nodes.apply(Op::logical_or, {is_other, effect.value}, Basic::boolean, effect.span);
      emit_effect(model, space, one, fires, names);
    }
    return;
  }
  emit_condition(model, space, effect, condition, true, [&](ir::Term term, std::vector<ir::Term> values) {
    if (when == nullptr && effect.level == ir::AssertionLevel::error && model.dag().is_number(term.root, 0.0))
      return void(model.diagnostics.error(never_holds, effect.span, {effect.message.text}));
    model.flat.assertions.push_back(
        {std::move(term), effect.message.text, effect.level, std::move(values), effect.message.action});
  });
}

}  // namespace bolza::flatten
