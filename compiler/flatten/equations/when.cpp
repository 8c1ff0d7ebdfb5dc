// SPDX-License-Identifier: Apache-2.0
// When-equations [MLS, 8.3.5]: every variable v that a clause sets gets the discrete equation
//   v = if fires1 then e1 elseif fires2 then e2 else pre(v),
// where fires = if initial() then «the condition has the literal initial()» else c and not pre(c), and c is a discrete
// variable that equals the condition; one per element of a vector of conditions.
#include "compiler/flatten/equations/when_internal.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "compiler/flatten/calls/effects_internal.h"
#include "compiler/flatten/equations/emit_effect_internal.h"
#include "compiler/flatten/equations/equate_internal.h"
#include "compiler/flatten/groups/emit_internal.h"
#include "compiler/flatten/groups/equation_leaves_internal.h"
#include "compiler/flatten/model/auxiliaries_internal.h"
#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/typing/context_internal.h"
#include "compiler/flatten/typing/events_internal.h"
#include "compiler/flatten/typing/sides_internal.h"
#include "compiler/flatten/typing/typer_internal.h"

namespace bolza::flatten {

using ast::EquationKind;
using ir::Op;

namespace {

struct Assignment {
  const Node* place = nullptr;
  const Node* value = nullptr;
  Span span;
};

/// What a part of a when-clause does when it fires.
struct Body {
  std::vector<Assignment> assignments;
  std::vector<Effect> effects;
  mutable std::unordered_multimap<const Instance*, std::size_t> by_variable;  ///< positions of assignments; see `find`
};

class WhenTranslator {
 public:
  WhenTranslator(Model& model, const ast::Equation& when) : model_(model), when_(when) {}

  void translate(const Context& context) {
    if (context.initial) {
      model_.diagnostics.error(when_place, when_.span, {"an initial equation"});
      return;
    }
    for_each_part(context.space, [&](Work& work) -> Outcome<Done> {
      std::vector<Condition> conditions;
      Typer typer = typer_in(model_, work, context);
      for (const auto& branch : when_.branches) {
        auto condition = condition_of(typer, *branch.condition);
        if (!condition) return condition.failure();
        conditions.push_back(std::move(*condition));
      }
      Context inner = context;
      inner.space = work.space;
      AxisId number = model_.nodes.new_axis();
      std::vector<double> numbers(work.space.n);
      for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
      inner.space.axes.emplace_back(number, Known(std::move(numbers)));
      std::vector<const Node*> fires;
      for (const Condition& condition : conditions) fires.push_back(fires_of(condition, inner, number));
      auto begins = [](const Condition& c) { return c.has_initial; };
      at_start_ = static_cast<std::size_t>(std::find_if(conditions.begin(), conditions.end(), begins) - conditions.begin());
      if (fires.size() > 1) several(inner, fires);
      else
        for (const ast::Equation* item : when_.branches[0].body) single(*item, inner, fires[0]);
      return Done{};
    });
  }

 private:
  struct Condition {
    bool has_initial = false;
    std::vector<const Node*> parts;  ///< scalar Booleans
  };

  // ---------------------------------------------------------------- conditions

  Outcome<Condition> condition_of(Typer& typer, const ast::Expr& expr) {
    Condition out;
    bool listed = expr.kind == ast::ExprKind::array && expr.iterators.empty();
    std::vector<const ast::Expr*> items{&expr};
    if (listed) items.assign(expr.operands.begin(), expr.operands.end());
    for (const ast::Expr* item : items) {
      if (is_initial_call(*item)) {
        out.has_initial = true;
        continue;
      }
      auto node = typer.expression(*item);
      if (!node) return node.failure();
      if (node->basic != Basic::boolean || node->dims.size() > (listed ? 0 : 1))
        return model_.diagnostics.error(expected_type, item->span, {"a Boolean or a vector of Booleans", type_text(*node)});
      if (node->level == Level::continuous) return model_.diagnostics.error(not_discrete, item->span, {"condition"});
      for (std::int64_t e = 0; e < size_of(node->dims); ++e)
        out.parts.push_back(model_.nodes.element(node, indices_at(node->dims, e)));
    }
    return out;
  }

  /// The condition itself where it is a discrete variable, else an auxiliary that equals it.
  const Node* remembered(const Node* condition, const Context& context, AxisId number) {
    const Node* place = condition->kind == NodeKind::index ? condition->children[0] : condition;
    if (place->kind == NodeKind::variable && condition->level == Level::discrete && !is_input(*place)) return condition;
    const Node* c = new_condition(model_, context.space.n, number, "$when", condition->span);
    emit_pairs(model_, context.space, *c, *condition,
               {&model_.flat.discrete_equations.section, ExpressionPlace::discrete, condition->span, &context.names});
    return c;
  }

  bool is_input(const Node& place) {
    auto id = model_.first_id.find(place.instance);
    return id == model_.first_id.end() ||
           ir::variable_of(model_.flat, ir::VariableId(std::size_t{id->second})).kind != ir::VariableKind::discrete;
  }

  const Node* fires_of(const Condition& condition, const Context& context, AxisId number) {
    Nodes& nodes = model_.nodes;
    const Node* edges = nullptr;
    for (const Node* part : condition.parts) {
      const Node* c = remembered(part, context, number);
      const Node* was_not = nodes.apply(Op::logical_not, {nodes.previous(c, c->span)}, Basic::boolean, c->span);
      const Node* edge = nodes.apply(Op::logical_and, {c, was_not}, Basic::boolean, c->span);
      edges = edges ? nodes.apply(Op::logical_or, {edges, edge}, Basic::boolean, c->span) : edge;
    }
    const Node* initial = nodes.flag(Flag::initial, when_.span);
    if (edges == nullptr) return initial;
    const Node* at_start = nodes.number(condition.has_initial ? 1 : 0, Basic::boolean, when_.span);
    return nodes.choose(NodeKind::select, initial, at_start, edges, when_.span);
  }

  // ---------------------------------------------------------------- bodies

  /// In the branch that fires at the start `reinit(x, e)` is the initial equation x = e, too [MLS, 8.3.6].
  void emit_at_start(const Space& space, const std::vector<Effect>& effects, const Context& context) {
    for (const Effect& effect : effects) {
      if (effect.kind != Effect::Kind::reinit) continue;
      const Node* value = effect.value;
      if (effect.guard) value = model_.nodes.choose(NodeKind::select, effect.guard, value, effect.place, effect.span);
      emit_equation(model_, space, {effect.place, value}, true, effect.span, context.names);
    }
  }

  /// Effects of branches that exclude each other. A state that several of them set stays one with `reinit`.
  class Branches {
   public:
    Branches(WhenTranslator& translator, const Space& space, std::vector<Effect>& out)
        : model_(translator.model_),
          space_(space),
          out_(out) {}

    void add(const std::vector<Effect>& effects, const Node* holds) {
      std::size_t end = out_.size();
      for (Effect effect : effects) {
        effect.guard = both(model_.nodes, holds, effect.guard);
        std::size_t k = end;
        if (effect.kind == Effect::Kind::reinit)
          if (auto states = ids_in(model_, space_, *effect.place))
            k = set_by_.try_emplace(*states, out_.size()).first->second;
        if (k >= end) {
          out_.push_back(std::move(effect));
          continue;
        }
        Effect& first = out_[k];
        first.value = model_.nodes.choose(NodeKind::select, effect.guard, effect.value, first.value, effect.span);
        first.guard = model_.nodes.apply(Op::logical_or, {first.guard, effect.guard}, Basic::boolean, effect.span);
      }
    }

   private:
    Model& model_;
    const Space& space_;
    std::vector<Effect>& out_;
    std::map<std::vector<std::uint32_t>, std::size_t> set_by_;  ///< states → the effect
  };

  /// An item of a clause without `elsewhen`: loops stay rolled.
  void single(const ast::Equation& item, const Context& context, const Node* fires) {
    if (item.kind == EquationKind::for_) return loop(item, context, fires, 0);
    for_each_part(context.space, [&](Work& work) -> Outcome<Done> {
      Typer typer = typer_in(model_, work, context);
      typer.in_when = true;
      typer.due = fires;
      Body body;
      if (auto done = collect(item, typer, body); !done) return done;
      for (const Assignment& a : body.assignments) set(work.space, a, choose(fires, a, before(a)), context);
      for (const Effect& effect : body.effects) emit_effect(model_, work.space, effect, fires, context.names);
      if (at_start_ == 0) emit_at_start(work.space, body.effects, context);
      return Done{};
    });
  }

  void loop(const ast::Equation& item, const Context& context, const Node* fires, std::size_t k) {
    if (k == item.iterators.size()) {
      for (const ast::Equation* inner : item.body) single(*inner, context, fires);
      return;
    }
    for_each_part(context.space, [&](Work& work) -> Outcome<Done> {
      const ast::Iterator& it = item.iterators[k];
      auto inner = enter_loop(model_, it, it.range ? Subscripted{} : subscripted_by(item.body, it.name), context, work);
      if (!inner) return inner.failure();
      loop(item, *inner, fires, k + 1);
      return Done{};
    });
  }

  /// Clauses with `elsewhen`: the branches set the same variables; loops are written out.
  void several(const Context& context, const std::vector<const Node*>& fires) {
    for_each_part(context.space, [&](Work& work) -> Outcome<Done> {
      Typer typer = typer_in(model_, work, context);
      typer.in_when = true;
      std::vector<Body> bodies(fires.size());
      const Node* reached = nullptr;  // no branch before it fires
      for (std::size_t b = 0; b < fires.size(); ++b) {
        typer.due = both(model_.nodes, reached, fires[b]);
        for (const ast::Equation* item : when_.branches[b].body)
          if (auto done = collect(*item, typer, bodies[b]); !done) return done;
        reached = both(model_.nodes, reached, model_.nodes.apply(Op::logical_not, {fires[b]}, Basic::boolean, when_.span));
      }
      if (auto done = split_parts(typer, bodies); !done) return done;
      for (const Body& body : bodies) {
        if (auto same = sets_the_same(bodies[0], body); !same) return same;
        if (auto same = sets_the_same(body, bodies[0]); !same) return same;
      }
      for (const Assignment& a : bodies[0].assignments) {
        const Node* value = before(a);
        for (std::size_t b = fires.size(); b-- > 0;) value = choose(fires[b], *find(bodies[b], *a.place), value);
        set(work.space, a, value, context);
      }
      const Node* none_before = nullptr;
      std::vector<Effect> effects;
      Branches branches(*this, work.space, effects);
      for (std::size_t b = 0; b < fires.size(); ++b) {
        branches.add(bodies[b].effects, both(model_.nodes, none_before, fires[b]));
        if (at_start_ == b) emit_at_start(work.space, bodies[b].effects, context);
        const Node* not_this = model_.nodes.apply(Op::logical_not, {fires[b]}, Basic::boolean, when_.span);
        none_before = both(model_.nodes, none_before, not_this);
      }
      for (const Effect& effect : effects) emit_effect(model_, work.space, effect, nullptr, context.names);
      return Done{};
    });
  }

  static const Assignment* find(const Body& body, const Node& place) {
    for (std::size_t k = body.by_variable.size(); k < body.assignments.size(); ++k)
      body.by_variable.emplace(base_of(body.assignments[k])->instance, k);
    const Node* base = place.kind == NodeKind::index ? place.children[0] : &place;
    std::size_t first = body.assignments.size();
    auto [at, end] = body.by_variable.equal_range(base->instance);
    for (; at != end; ++at)
      if (same_place(*body.assignments[at->second].place, place)) first = std::min(first, at->second);
    return first == body.assignments.size() ? nullptr : &body.assignments[first];
  }

  Outcome<Done> sets_the_same(const Body& wanted, const Body& given) {
    for (const Assignment& a : wanted.assignments) {
      if (find(given, *a.place)) continue;
      const Node* base = a.place->kind == NodeKind::index ? a.place->children[0] : a.place;
      return model_.diagnostics.error(when_branches_differ, a.span, {instance::path_of(*base->instance)});
    }
    return Done{};
  }

  const Node* before(const Assignment& a) { return model_.nodes.previous(a.place, a.span); }

  const Node* choose(const Node* fires, const Assignment& a, const Node* otherwise) {
    return model_.nodes.choose(NodeKind::select, fires, a.value, otherwise, a.span);
  }

  // ---------------------------------------------------------------- items

  Outcome<Done> collect(const ast::Equation& item, Typer& typer, Body& out) {
    switch (item.kind) {
      case EquationKind::equality:
        return item.left->kind == ast::ExprKind::tuple ? outputs(item, typer, out) : equality(item, typer, out);
      case EquationKind::call:
        return effect_of(typer, *item.left, true, item.span, out.effects);
      case EquationKind::for_:
        return written_out(item, typer, out, 0);
      case EquationKind::if_:
        return branches(item, typer, out);
      case EquationKind::when:
        return model_.diagnostics.error(when_place, item.span, {"another `when`"});
      case EquationKind::connect:
        return model_.diagnostics.error(not_in_open_branch, item.span, {"`connect`"});
    }
    expects(false, "every kind of equation is collected");
    return Done{};
  }

  Outcome<Done> equality(const ast::Equation& item, Typer& typer, Body& out) {
    auto left = typer.expression(*item.left), right = left ? typer.expression(*item.right) : left;
    return right ? assign(left, right, item.span, typer, out) : right.failure();
  }

  Outcome<Done> outputs(const ast::Equation& item, Typer& typer, Body& out) {
    auto call = typer.expression(*item.right);
    if (!call) return call.failure();
    std::vector<const Node*> values = typer.outputs_of(call);
    const auto& targets = item.left->operands;
    if (targets.size() > values.size())
      return model_.diagnostics.error(too_many_outputs, item.left->span,
                                      {std::to_string(values.size()), std::to_string(targets.size())});
    for (std::size_t k = 0; k < targets.size(); ++k) {
      if (targets[k] == nullptr) continue;
      auto left = typer.expression(*targets[k]);
      if (!left) return left.failure();
      if (auto done = assign(left, values[k], item.span, typer, out); !done) return done;
    }
    return Done{};
  }

  Outcome<Done> assign(const Node* left, const Node* right, Span span, Typer& typer, Body& out) {
    std::vector<Sides> sides;
    if (auto done = sides_of(typer, left, right, span, sides); !done) return done;
    for (const Sides& side : sides) {
      const Node* base = side.left->kind == NodeKind::index ? side.left->children[0] : side.left;
      if (base->kind != NodeKind::variable || base->instance == nullptr || is_input(*base))
        return model_.diagnostics.error(when_left, side.left->span);
      auto value = typer.without_events(side.right, span);
      if (!value) return value.failure();
      out.assignments.push_back({side.left, value, span});
    }
    return Done{};
  }

  Outcome<Done> written_out(const ast::Equation& item, Typer& typer, Body& out, std::size_t k) {
    if (k == item.iterators.size()) {
      for (const ast::Equation* inner : item.body)
        if (auto done = collect(*inner, typer, out); !done) return done;
      return Done{};
    }
    const ast::Iterator& it = item.iterators[k];
    auto range = typer.range_of(it, it.range ? Subscripted{} : subscripted_by(item.body, it.name));
    if (!range) return range.failure();
    for (std::int64_t i = 1; i <= range->dims[0]; ++i) {
      typer.iterators.emplace_back(it.name, model_.nodes.element(range, {i}));
      auto done = written_out(item, typer, out, k + 1);
      typer.iterators.pop_back();
      if (!done) return done;
    }
    return Done{};
  }

  Outcome<Done> branches(const ast::Equation& item, Typer& typer, Body& out) {
    std::vector<const Node*> conditions;
    std::vector<Body> bodies;
    for (const auto& branch : item.branches) {
      const Node* condition = nullptr;
      if (branch.condition) {
        auto given = typer.boolean_condition(*branch.condition);
        if (!given) return given.failure();
        bool now = given->level == Level::constant || Typer::is_structural(*given);
        auto holds = now ? typer.number_now(*given) : 1.0;
        if (!holds) return holds.failure();
        if (*holds == 0) continue;
        auto literal = typer.without_events(given, item.span);
        if (!literal) return literal.failure();
        if (!now) condition = literal;
      }
      conditions.push_back(condition);
      bodies.emplace_back();
      for (const ast::Equation* inner : branch.body)
        if (auto done = collect(*inner, typer, bodies.back()); !done) return done;
      if (condition == nullptr) break;
    }
    if (auto done = split_parts(typer, bodies); !done) return done;
    merge(typer.work.space, conditions, bodies, out);
    return Done{};
  }

  // ---------------------------------------------------------------- parts of arrays

  static const Node* base_of(const Assignment& a) {
    return a.place->kind == NodeKind::index ? a.place->children[0] : a.place;
  }

  /// Element `indices` of a place, with numbers for subscripts where they are known.
  Typed element_of(Typer& typer, const Node* place, const std::vector<std::int64_t>& indices) {
    if (place->kind != NodeKind::index) return indices.empty() ? place : model_.nodes.element(place, indices);
    std::vector<const Node*> subscripts;
    std::size_t next = 0;
    for (std::size_t d = 0; d < place->children[0]->dims.size(); ++d) {
      const Node* given = d < place->subscripts.size() ? place->subscripts[d] : nullptr;
      if (given == nullptr) {
        subscripts.push_back(model_.nodes.number(static_cast<double>(indices[next++]), Basic::integer, place->span));
        continue;
      }
      if (!given->dims.empty()) given = model_.nodes.element(given, {indices[next++]});
      auto known = given->level <= Level::parameter ? typer.known(*given) : std::optional<Known>();
      if (!known) return known.failure();
      const std::optional<Known>& value = *known;
      subscripts.push_back(value && value->is_uniform() ? model_.nodes.number(value->uniform(), Basic::integer, place->span)
                                                        : given);
    }
    return model_.nodes.index(place->children[0], std::move(subscripts), place->span);
  }

  /// Where branches set different parts of an array, every element is set on its own.
  Outcome<Done> split_parts(Typer& typer, std::vector<Body>& bodies) {
    std::unordered_map<const Instance*, const Node*> first;  // place of each variable
    std::unordered_set<const Instance*> differ;              // variables with several
    for (const Body& body : bodies)
      for (const Assignment& a : body.assignments) {
        const Instance* base = base_of(a)->instance;
        if (!same_place(*first.try_emplace(base, a.place).first->second, *a.place)) differ.insert(base);
      }
    std::vector<Body> split(bodies.size());
    for (std::size_t b = 0; b < bodies.size(); ++b)
      for (const Assignment& a : bodies[b].assignments) {
        if (!differ.contains(base_of(a)->instance)) {
          split[b].assignments.push_back(a);
          continue;
        }
        for (std::int64_t e = 0; e < size_of(a.place->dims); ++e) {
          std::vector<std::int64_t> at = indices_at(a.place->dims, e);
          const Node* value = at.empty() || a.value->dims.empty() ? a.value : model_.nodes.element(a.value, at);
          auto place = element_of(typer, a.place, at);
          if (!place) return place.failure();
          split[b].assignments.push_back({place, value, a.span});
        }
      }
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      bodies[b].assignments = std::move(split[b].assignments);
      bodies[b].by_variable.clear();
    }
    return Done{};
  }

  /// Variables that a branch does not mention keep their values in it.
  void merge(const Space& space, const std::vector<const Node*>& conditions, const std::vector<Body>& bodies, Body& out) {
    Body places;  // the first assignment to each
    for (const Body& body : bodies)
      for (const Assignment& a : body.assignments)
        if (!find(places, *a.place)) places.assignments.push_back(a);
    for (const Assignment& place : places.assignments) {
      const Assignment* a = &place;
      const Node* value = before(*a);
      for (std::size_t b = bodies.size(); b-- > 0;) {
        const Assignment* own = find(bodies[b], *a->place);
        const Node* here = own ? own->value : before(*a);
        value = conditions[b] ? model_.nodes.choose(NodeKind::select, conditions[b], here, value, a->span) : here;
      }
      out.assignments.push_back({a->place, value, a->span});
    }
    const Node* none_before = nullptr;
    Branches branches(*this, space, out.effects);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      branches.add(bodies[b].effects, both(model_.nodes, none_before, conditions[b]));
      if (conditions[b] == nullptr) continue;
      const Node* not_this = model_.nodes.apply(Op::logical_not, {conditions[b]}, Basic::boolean, when_.span);
      none_before = both(model_.nodes, none_before, not_this);
    }
  }

  // ---------------------------------------------------------------- rows

  void set(const Space& space, const Assignment& a, const Node* value, const Context& context) {
    auto ids = ids_in(model_, space, *a.place);
    if (!ids) return;
    for (std::uint32_t id : *ids) {
      auto [at, is_new] = model_.set_in_when.emplace(id, a.span);
      if (is_new) continue;
      model_.diagnostics.error(set_twice, a.span, {ir::name_of(model_.flat, ir::VariableId(std::size_t{id}))},
                               {{at->second, "the other one"}});
      return;
    }
    emit_pairs(model_, space, *a.place, *value,
               {&model_.flat.discrete_equations.section, ExpressionPlace::discrete, a.span, &context.names});
  }

  Model& model_;
  const ast::Equation& when_;
  std::size_t at_start_ = 0;  ///< the branch that fires at the start; their number: none does
};

}  // namespace

void translate_when(Model& model, const ast::Equation& equation, const Context& context) {
  WhenTranslator(model, equation).translate(context);
}

}  // namespace bolza::flatten
