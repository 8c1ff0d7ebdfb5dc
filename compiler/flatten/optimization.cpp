// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/optimization_internal.h"

#include <algorithm>

#include "base/expects.h"
#include "compiler/flatten/extrema_internal.h"
#include "compiler/flatten/fields/field_equations_internal.h"
#include "compiler/flatten/groups/emit_internal.h"
#include "compiler/flatten/groups/equation_leaves_internal.h"
#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/switching_internal.h"
#include "compiler/flatten/timeless_internal.h"
#include "compiler/flatten/typing/context_internal.h"
#include "compiler/flatten/typing/iterators_internal.h"
#include "compiler/flatten/typing/typer_internal.h"
#include "compiler/flatten/typing/values_internal.h"

namespace bolza::flatten {
namespace {

using instance::ClassAttribute;
using ir::Op;

bool has_integral(const Node& node) {
  auto part = [](const Node* p) { return p != nullptr && has_integral(*p); };
  return node.kind == NodeKind::integral || std::any_of(node.children.begin(), node.children.end(), part);
}

/// Whether it is made of parameters, `time` and variables that are not controls, none of them taken at a time of its own.
bool is_of_states(const Node& node) {
  switch (node.kind) {
    case NodeKind::derivative:
    case NodeKind::timed:
    case NodeKind::previous:
    case NodeKind::delayed:
    case NodeKind::transported:
    case NodeKind::integral:
    case NodeKind::extremum:
      return false;
    case NodeKind::variable:
      return !node.instance || node.instance->causality != ast::Causality::input;
    default:
      return std::all_of(node.children.begin(), node.children.end(), [](const Node* p) { return !p || is_of_states(*p); });
  }
}

/// Mayer and Lagrange part of `minimize expr`; null parts are zero. An integral that enters linearly is a Lagrange part, any
/// other one stays, as the value of a state at the end.
struct Parts {
  const Node* point = nullptr;
  const Node* integrand = nullptr;
};

class ObjectiveSplit {
 public:
  explicit ObjectiveSplit(Model& model) : model_(model) {}

  Outcome<Parts> split(const Node& node) {
    if (!has_integral(node)) return Parts{&node, nullptr};
    if (node.kind == NodeKind::integral) {
      if (has_integral(*node.children[0])) return Parts{&node, nullptr};
      return Parts{nullptr, node.children[0]};
    }
    if (node.kind == NodeKind::reduce && node.op == Op::add) return summed(node);
    if (node.kind != NodeKind::apply) return Parts{&node, nullptr};
    if (node.op == Op::neg) {
      auto of = split(*node.children[0]);
      if (!of) return of;
      return Parts{negated(of->point), negated(of->integrand)};
    }
    if (node.op == Op::add || node.op == Op::sub) {
      auto a = split(*node.children[0]), b = a ? split(*node.children[1]) : a;
      if (!b) return b;
      return Parts{joined(node.op, a->point, b->point, node.span), joined(node.op, a->integrand, b->integrand, node.span)};
    }
    bool second = node.children.size() == 2 && has_integral(*node.children[1]);
    if (node.op == Op::mul && !(second && has_integral(*node.children[0]))) return scale(node, second ? 1 : 0);
    if (node.op == Op::div && !second) return scale(node, 0);
    return Parts{&node, nullptr};
  }

 private:
  const Node* negated(const Node* node) {
    return node ? model_.nodes.apply(Op::neg, {node}, Basic::real, node->span) : nullptr;
  }
  const Node* joined(Op op, const Node* a, const Node* b, Span span) {
    if (!a) return op == Op::sub ? negated(b) : b;
    return b ? model_.nodes.apply(op, {a, b}, Basic::real, span) : a;
  }
  /// sum(integral(f) for i in …) is integral(sum(f for i in …)).
  Outcome<Parts> summed(const Node& node) {
    auto of = split(*node.children[0]);
    if (!of) return of;
    std::vector<const Node*> ranges(node.children.begin() + 1, node.children.end());
    for (const Node** part : {&of->point, &of->integrand})
      if (*part) *part = model_.nodes.reduce(node.op, *part, node.axes, ranges, node.counts, node.span);
    return of;
  }
  Outcome<Parts> scale(const Node& node, std::size_t where) {
    auto of = split(*node.children[where]);
    if (!of) return of;
    for (const Node** part : {&of->point, &of->integrand}) {
      if (*part == nullptr) continue;
      std::vector<const Node*> operands = node.children;
      operands[where] = *part;
      *part = model_.nodes.apply(node.op, operands, Basic::real, node.span);
    }
    return of;
  }

  Model& model_;
};

class ProblemTranslator {
 public:
  explicit ProblemTranslator(Model& model)
      : model_(model),
        root_(model.tree.root()),
        problem_(*model.flat.optimization),
        switching_(model, problem_) {}

  void run() {
    // the last row is of the class around the phases, until it is known of which phase it is
    problem_.objective.n_rows = 1;
    problem_.integrand.n_rows = 1 + static_cast<std::uint32_t>(model_.flat.phases.size());
    problem_.span = root_.definition ? root_.definition->ast->name_span : root_.span;
    is_static();
    problem_.maximize = is_maximized();
    objectives_of({&root_, Space{}, problem_.integrand.n_rows - 1});
    for (const Instance* child : root_.children)
      if (!child->removed && model_.first_phase.contains(child)) objectives_of_phases(*child);
    for_each_component(root_, [&](const Instance& instance) {
      for (const auto& constraint : instance.constraints)
        translate(*constraint.node, context_of(model_, instance, constraint.scope));
      final_values_ = true;
      for (const auto& constraint : instance.final_constraints)
        translate(*constraint.node, context_of(model_, instance, constraint.scope));
      final_values_ = false;
    });
    switching_.emit();
  }

 private:
  /// What states an objective: the class that is solved, or one of its phases.
  struct Part {
    const Instance* instance = nullptr;
    Space space;            ///< the one element of an array of phases
    std::uint32_t row = 0;  ///< of the integrand
    bool negated = false;   ///< it is maximised, and all together minimised, or the other way round
    const Instance* attribute(ClassAttribute which) const {
      for (const Instance* child : instance->children)
        if (child->class_attribute == which) return child;
      return nullptr;
    }
  };

  /// `minimize` and `maximize` of a class; what it states itself, in its head too, takes the place of what it inherits.
  std::vector<instance::Scoped<ast::Objective>> objectives_in(const Instance& instance) const {
    std::vector<instance::Scoped<ast::Objective>> all(instance.objectives.begin(), instance.objectives.end());
    auto is_inherited = [&](const auto& objective) { return objective.scope.lexical != instance.definition; };
    bool replaced = !std::all_of(all.begin(), all.end(), is_inherited);
    for (const Instance* child : instance.children)
      if (child->class_attribute == ClassAttribute::objective && child->binding)
        replaced = replaced || child->binding.scope.lexical == instance.definition;
    if (replaced) std::erase_if(all, is_inherited);
    return all;
  }

  /// As the class says; when it says nothing, as its phases do that say something.
  bool is_maximized() const {
    for (const auto& objective : objectives_in(root_)) return objective.node->maximize;
    bool any = false, all = true;
    for (const Instance* child : root_.children)
      for (const auto& objective : child->is_phase ? child->objectives : decltype(child->objectives){}) {
        any = true;
        all = all && objective.node->maximize;
      }
    return any && all;
  }

  void objectives_of(const Part& part) {
    std::vector<Span> objectives;
    attributes(part, objectives);
    statements(part, objectives);
    if (part.instance == &root_) annotated_variables(objectives);
    if (objectives.size() > 1)
      model_.diagnostics.error(two_objectives, objectives[1], {}, {{objectives[0], "the other one is here"}});
  }

  void objectives_of_phases(const Instance& phase) {
    Space all = space_of(model_, phase, true);
    std::uint32_t first = model_.first_phase.at(&phase);
    for (std::uint32_t e = 0; e < all.n; ++e) objectives_of({&phase, pick(all, std::span(&e, 1)), first + e});
  }

  void is_static() {
    const Instance* given = Part{&root_, {}}.attribute(ClassAttribute::static_);
    if (!given || !given->binding) {
      problem_.is_static = is_timeless(root_);
      return;
    }
    auto value = instance::evaluate(model_.tree, given->binding, model_.diagnostics);
    if (value) problem_.is_static = value->number() != 0;
  }

  const Node& signed_term(const Part& part, const Node& node) {
    return part.negated ? *model_.nodes.apply(Op::neg, {&node}, Basic::real, node.span) : node;
  }

  Outcome<Done> both_terms(const Part& part, const Parts& parts, Work& work) {
    Outcome<Done> point = parts.point ? point_term(part, *parts.point, work) : Done{};
    Outcome<Done> integrand = parts.integrand ? integrand_term(part, *parts.integrand, work) : Done{};
    return point ? integrand : point;
  }

  Outcome<Done> point_term(const Part& part, const Node& node, Work& work) {
    if (!problem_.is_static && node.level > Level::timed)
      return model_.diagnostics.error(
          objective_variability, node.span, {},
          {{{},
            "`integral(e)` sums it over the horizon, `maxOverTime(e)` is its largest value there, "
            "and `x(finalTime)` the last value of `x`"}});
    emit_sum(model_, work.space, signed_term(part, node),
             {&problem_.objective, ExpressionPlace::point, node.span, &no_names_}, 0);
    return Done{};
  }

  Outcome<Done> integrand_term(const Part& part, const Node& node, Work& work) {
    if (node.level == Level::timed) return model_.diagnostics.error(integrand_is_timed, node.span);
    emit_sum(model_, work.space, signed_term(part, node),
             {&problem_.integrand, ExpressionPlace::path, node.span, &no_names_}, part.row);
    return Done{};
  }

  Typed without_extrema(const Part& part, const Node& node, Work& work) {
    return ExtremumSplit(model_, problem_, work).replace(node, problem_.maximize == part.negated);
  }

  /// The value of `objective` or `objectiveIntegrand`.
  Typed value_of_attribute(Typer& typer, const Instance& given, Work& work) {
    if (!given.binding.levels.empty() && !given.binding.each)
      return element_for(model_, work, given, given.binding, true);  // an array of phases, a value for each
    typer.in_objective = typer.over_time = true;
    return typer.scalar_real(*given.binding.expr);
  }

  void attributes(const Part& part, std::vector<Span>& objectives) {
    bool any = false;
    for (ClassAttribute which : {ClassAttribute::objective, ClassAttribute::objective_integrand}) {
      const Instance* given = part.attribute(which);
      if (!given || !given->binding) continue;
      if (!any) objectives.push_back(given->binding.span);
      any = true;
      for_each_part(part.space, [&](Work& work) -> Outcome<Done> {
        Typer typer(model_, work, given->binding.scope);
        auto node = value_of_attribute(typer, *given, work);
        if (node && which == ClassAttribute::objective) node = at_the_end(typer, *given, *node);
        if (node) node = without_extrema(part, *node, work);
        if (!node) return node.failure();
        if (which == ClassAttribute::objective_integrand) return integrand_term(part, *node, work);
        auto parts = ObjectiveSplit(model_).split(*node);
        if (!parts) return parts.failure();
        if (parts->point) parts->point = named_alone(typer, *parts->point);
        return both_terms(part, *parts, work);
      });
    }
  }

  /// `objective = x*y`, as OpenModelica's users write it: the values of all variables at the final time. What has a control,
  /// an integral or a time in it is left as it is: it may have been meant as `objectiveIntegrand`.
  Typed at_the_end(Typer& typer, const Instance& given, const Node& node) {
    bool whole = given.binding.levels.empty() || given.binding.each;
    if (problem_.is_static || node.level <= Level::timed || !whole || is_place(node) || !is_of_states(node)) return &node;
    model_.diagnostics.warning(objective_at_end, node.span);
    typer.final_values = true;
    Typed values = typer.scalar_real(*given.binding.expr);
    typer.final_values = false;
    return values;
  }

  static bool is_place(const Node& node) {
    const Node& base = node.kind == NodeKind::index ? *node.children[0] : node;
    return base.kind == NodeKind::variable && base.instance;
  }

  /// `objective = cost`: the variable's value at the final time, counted once where it has `isMayer`. Anything else as it
  /// is.
  const Node* named_alone(Typer& typer, const Node& node) {
    if (problem_.is_static || node.level <= Level::timed || !is_place(node)) return &node;
    named_ = (node.kind == NodeKind::index ? *node.children[0] : node).instance;
    model_.diagnostics.warning(objective_at_end, node.span);
    return typer.final_value(&node, node.span);
  }

  void statements(const Part& of, std::vector<Span>& objectives) {
    Part part = of;
    for (const auto& objective : objectives_in(*part.instance)) {
      objectives.push_back(objective.node->span);
      part.negated = objective.node->maximize != problem_.maximize;
      if (part.instance == &root_) problem_.objective_name = std::string(objective.node->name);
      for_each_part(part.space, [&](Work& work) -> Outcome<Done> {
        Typer typer(model_, work, objective.scope);
        typer.in_objective = typer.over_time = true;
        auto node = typer.scalar_real(*objective.node->expression);
        if (node) node = without_extrema(part, *node, work);
        auto parts = node ? ObjectiveSplit(model_).split(*node) : node.failure();
        if (!parts) return parts.failure();
        return both_terms(part, *parts, work);
      });
    }
  }

  // ---- OpenModelica's annotations

  const Node* at_final_time(Work& work, const Instance& instance) {
    return model_.nodes.timed(own_element(model_, work, instance), final_time(model_, instance.span), instance.span);
  }

  void annotated_variables(std::vector<Span>& objectives) {
    bool any = false;
    for_each_component(root_, [&](const Instance& instance) {
      if (instance.type == instance::Type::none || !instance.declaration) return;
      bool mayer = instance::annotated(instance, "isMayer") && &instance != named_,
           lagrange = instance::annotated(instance, "isLagrange");
      if ((mayer || lagrange) && !any) {
        objectives.push_back(instance.span);
        any = true;
      }
      if (mayer || lagrange)
        for_each_part(space_of(model_, instance, true), [&](Work& work) -> Outcome<Done> {
          if (mayer)
            emit_sum(model_, work.space, *at_final_time(work, instance),
                     {&problem_.objective, ExpressionPlace::point, instance.span, &no_names_}, 0);
          if (lagrange)
            emit_sum(model_, work.space, *own_element(model_, work, instance),
                     {&problem_.integrand, ExpressionPlace::path, instance.span, &no_names_}, problem_.integrand.n_rows - 1);
          return Done{};
        });
      if (instance::annotated(instance, "isFinalConstraint")) final_constraint(instance);
    });
  }

  /// The bounds of such a variable hold at the end only.
  void final_constraint(const Instance& instance) {
    for (bool upper : {false, true}) {
      const instance::ScopedExpr* bound = instance.attribute(upper ? "max" : "min");
      if (!bound) continue;
      for_each_part(space_of(model_, instance, true), [&](Work& work) -> Outcome<Done> {
        auto value = element_for(model_, work, instance, *bound, false);
        if (!value) return value.failure();
        std::uint32_t rows = emit_pairs(model_, work.space, *at_final_time(work, instance), *value,
                                        {&problem_.point.section, ExpressionPlace::point, bound->span, &no_names_});
        problem_.point.relations.insert(problem_.point.relations.end(), rows,
                                        upper ? ir::Relation::less_equal : ir::Relation::greater_equal);
        return Done{};
      });
    }
    ir::Variable& variable = ir::variable_of(model_.flat, ir::VariableId(std::size_t{model_.first_id.at(&instance)}));
    variable.attributes[static_cast<std::size_t>(ir::Attribute::min)] = {};
    variable.attributes[static_cast<std::size_t>(ir::Attribute::max)] = {};
  }

  // ---- constraints

  /// @param when  null, or what holds where the constraint does
  void translate(const ast::Constraint& constraint, const Context& context, const Node* when = nullptr) {
    if (constraint.domain != nullptr) {
      for (const ast::Constraint* made : constraints_at_points(model_, constraint, context)) translate(*made, context, when);
      return;
    }
    switch (constraint.kind) {
      case ast::ConstraintKind::relation:
        return relation(constraint, context, when);
      case ast::ConstraintKind::for_:
        return loop(constraint, context, 0, when);
      case ast::ConstraintKind::if_:
        return branches(constraint, context, when);
    }
  }

  static void find_subscripted(const ast::Constraint& constraint, std::string_view name, Subscripted& out) {
    for (const ast::Expr* operand : constraint.operands)
      if (mentions_as_subscript(*operand, name)) out.push_back(operand);
    for (const ast::Constraint* inner : constraint.body) find_subscripted(*inner, name, out);
  }

  void loop(const ast::Constraint& constraint, const Context& context, std::size_t k, const Node* when) {
    if (k == constraint.iterators.size()) {
      for (const ast::Constraint* inner : constraint.body) translate(*inner, context, when);
      return;
    }
    for_each_part(context.space, [&](Work& work) -> Outcome<Done> {
      const ast::Iterator& it = constraint.iterators[k];
      Subscripted mentions;
      if (!it.range) find_subscripted(constraint, it.name, mentions);
      auto inner = enter_loop(model_, it, mentions, context, work);
      if (!inner) return inner.failure();
      loop(constraint, *inner, k + 1, when);
      return Done{};
    });
  }

  /// Branches that parameters decide are taken or left out; those of conditions that vary hold where their condition does,
  /// and those before do not.
  void branches(const ast::Constraint& constraint, const Context& context, const Node* when) {
    for_each_part(context.space, [&](Work& work) -> Outcome<Done> {
      Typer typer = typer_in(model_, work, context);
      Context part = context;
      part.space = work.space;
      const Node* before = when;  // and none of the branches before
      for (const auto& branch : constraint.branches) {
        const Node* here = before;
        bool varies = false;
        if (branch.condition) {
          auto condition = typer.boolean_condition(*branch.condition);
          if (!condition) return condition.failure();
          varies = condition->level > Level::parameter;
          if (varies) {
            here = both(before, condition);
            before = both(before, model_.nodes.apply(Op::logical_not, {condition}, Basic::boolean, condition->span));
          } else {
            auto holds = typer.number_now(*condition);
            if (!holds) return holds.failure();
            if (*holds == 0) continue;
          }
        }
        for (const ast::Constraint* inner : branch.body) translate(*inner, part, here);
        if (!varies) break;
      }
      return Done{};
    });
  }

  const Node* both(const Node* a, const Node* b) {
    return a ? model_.nodes.apply(Op::logical_and, {a, b}, Basic::boolean, b->span) : b;
  }

  void relation(const ast::Constraint& constraint, const Context& context, const Node* when) {
    for_each_part(context.space, [&](Work& work) -> Outcome<Done> {
      Typer typer = typer_in(model_, work, context);
      typer.final_values = final_values_;
      typer.over_time = true;
      if (constraint.relations.empty()) return switching_.state(*constraint.operands[0], typer, when != nullptr);
      std::vector<const Node*> operands;
      for (const ast::Expr* operand : constraint.operands) {
        auto node = typer.expression(*operand);
        if (!node) return node.failure();
        if (!is_numeric(node->basic)) return typer.wrong(expected_type, operand->span, {"a number", type_text(*node)});
        operands.push_back(node);
        if (node->dims != operands[0]->dims)
          return typer.wrong(sizes_differ, constraint.span,
                             {"constraint", dims_text(operands[0]->dims), dims_text(node->dims)});
      }
      for (std::size_t k = 0; k < constraint.relations.size(); ++k)
        if (auto done = pair(constraint, k, *operands[k], *operands[k + 1], work, context, when); !done) return done;
      return Done{};
    });
  }

  /// The difference of both sides where the condition holds; elsewhere what satisfies the relation.
  Outcome<std::pair<const Node*, const Node*>> where(const Node& when, const Node& left, const Node& right,
                                                     ir::Relation relation, Span span) {
    if (std::max(left.level, right.level) <= Level::timed) return model_.diagnostics.error(one_time_in_a_part, span);
    const Node* difference = model_.nodes.apply(Op::sub, {&left, &right}, Basic::real, span);
    auto number = [&](double value) {
      Node node = *model_.nodes.number(value, Basic::real, span);
      node.dims = difference->dims;
      return model_.nodes.add(std::move(node));
    };
    double satisfied = relation == ir::Relation::equal ? 0 : relation == ir::Relation::less_equal ? -1 : 1;
    return std::pair(model_.nodes.choose(NodeKind::select, &when, difference, number(satisfied), span), number(0));
  }

  Outcome<Done> pair(const ast::Constraint& constraint, std::size_t k, const Node& first, const Node& second, Work& work,
                     const Context& context, const Node* when) {
    ir::Relation relation = relation_of(constraint.relations[k]);
    auto sides = when ? where(*when, first, second, relation, constraint.span)
                      : ExtremumSplit(model_, problem_, work).sides(first, second, relation);
    if (!sides) return sides.failure();
    const Node &left = *sides->first, &right = *sides->second;
    bool point = std::max(left.level, right.level) <= Level::timed;
    ir::ConstraintSection& section = point ? problem_.point : problem_.path;
    std::uint32_t rows = emit_pairs(
        model_, work.space, left, right,
        {&section.section, point ? ExpressionPlace::point : ExpressionPlace::path, constraint.span, &context.names});
    section.relations.insert(section.relations.end(), rows, relation);
    return Done{};
  }

  static ir::Relation relation_of(ast::ConstraintRelation relation) {
    switch (relation) {
      case ast::ConstraintRelation::equal:
        break;
      case ast::ConstraintRelation::less:
      case ast::ConstraintRelation::less_equal:
        return ir::Relation::less_equal;
      case ast::ConstraintRelation::greater:
      case ast::ConstraintRelation::greater_equal:
        return ir::Relation::greater_equal;
    }
    return ir::Relation::equal;
  }

  Model& model_;
  const Instance& root_;
  ir::OptimizationProblem& problem_;
  NamedAxes no_names_;
  const Instance* named_ = nullptr;  // by `objective = cost`
  bool final_values_ = false;        // of what is translated
  SwitchingRules switching_;
};

bool states_a_problem(const Instance& root) {
  if (root.class_kind == ast::ClassKind::optimization || !root.objectives.empty()) return true;
  bool stated = false;
  for_each_component(root, [&](const Instance& instance) {
    stated |= !instance.constraints.empty() || !instance.final_constraints.empty();
    stated |= instance.binding && (instance.class_attribute == ClassAttribute::objective ||
                                   instance.class_attribute == ClassAttribute::objective_integrand);
    if (instance.type != instance::Type::none && instance.declaration)
      for (const char* mark : {"isMayer", "isLagrange"}) stated |= instance::annotated(instance, mark);
  });
  return stated;
}

}  // namespace

void translate_optimization(Model& model) {
  if (!states_a_problem(model.tree.root())) return;
  model.flat.optimization.emplace();
  ProblemTranslator(model).run();
}

}  // namespace bolza::flatten
