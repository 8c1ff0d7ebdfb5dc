// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/equations/emit_effect_internal.h"

#include <algorithm>

#include "compiler/flatten/calls/effects_internal.h"
#include "compiler/flatten/groups/emit_internal.h"
#include "compiler/flatten/groups/equation_leaves_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"

namespace bolza::flatten {

using ir::Op;

namespace {

/// The condition and the values of a message for every instance; conditions that are `trivial` say nothing.
template <class Out>
void emit_condition(Model& model, const Space& space, const Effect& effect, const Node* condition, bool trivial, Out out) {
  for_each_part(space, [&](Work& work) -> Outcome<Done> {
    auto conditions = lower_values(model, work, *condition, {}, ExpressionPlace::discrete);
    if (!conditions) return conditions.failure();
    std::vector<ir::ElementValues> values;
    std::size_t n = conditions->terms.size();
    for (const Node* value : effect.message.values) {
      auto terms = lower_values(model, work, *value, {}, ExpressionPlace::discrete);
      if (!terms) return terms.failure();
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
    return Done{};
  });
}

void emit_reinit(Model& model, const Space& space, const Effect& effect, const Node* fires, const NamedAxes& names) {
  auto states = ids_in(model, space, *effect.place);
  if (!states) return;
  for (std::uint32_t state : *states) {
    auto [at, is_new] = model.reinitialised.emplace(state, effect.span);
    if (!is_new) {
      model.diagnostics.error(set_twice, effect.span, {ir::name_of(model.flat, ir::VariableId(std::size_t{state}))},
                              {{at->second, "the other one"}});
      return;
    }
    ir::variable_of(model.flat, ir::VariableId(std::size_t{state})).state_select_always = true;
  }
  ir::Reinitialisations& out = model.flat.reinitialisations;
  std::uint32_t rows =
      emit_pairs(model, space, *fires, *effect.value, {&out.section, ExpressionPlace::discrete, effect.span, &names});
  if (rows != states->size()) return;  // reported
  for (std::uint32_t state : *states) out.states.emplace_back(std::size_t{state});
}

}  // namespace

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
      one.chosen = nullptr;
      one.level = level;
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
