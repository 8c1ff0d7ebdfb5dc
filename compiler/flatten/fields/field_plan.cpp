// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/fields/field_plan_internal.h"

#include <algorithm>
#include <set>

#include "compiler/flatten/fields/codes.h"
#include "compiler/flatten/fields/field_names_internal.h"
#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/fields_internal.h"
#include "compiler/instance/fields.h"
#include "compiler/syntax/made.h"
#include "compiler/syntax/print.h"

namespace bolza::flatten {
namespace {

using ast::EquationKind;
using Kind = SideOfField::Kind;

/// An equation of a domain or a side.
struct Placed {
  const ast::Equation* equation = nullptr;
  const Instance* instance = nullptr;
  NamedDomain domain;
  Scope scope;
  FieldNames names;
  std::vector<FieldMention> mentions;
  bool settled = false;

  FieldPlan::Place place() const { return {equation, instance}; }
  std::size_t across() const { return dimension_of(*domain.side); }
};

/// What a derivative across a side is called in results.
std::string slope_name(const Instance& field, const NamedDomain& domain, Side side) {
  std::string full = domain.side_name(side);
  return "pder(" + std::string(field.name) + "," + std::string(instance::coordinate_name(dimension_of(side))) + "," +
         full.substr(full.rfind('.') + 1) + ")";
}

class Planner {
 public:
  explicit Planner(Model& model) : model_(model), plan_(*model.fields) {}

  void run() {
    for_each_component(model_.tree.root(), [&](const Instance& instance) {
      plan_.any = plan_.any || instance.domain != nullptr;
      if (instance.type != instance::Type::none) return;
      for (const auto& equation : instance.equations) collect(*equation.node, equation.scope, instance, {}, "");
      for (const auto& equation : instance.initial_equations)
        if (has_domain_inside(*equation.node)) refuse_branches(*equation.node);
    });
    determine();
    std::size_t errors = model_.diagnostics.errors();
    settle_sides();
    if (model_.diagnostics.errors() == errors) say_what_is_open();
  }

 private:
  // ---- what there is

  void collect(const ast::Equation& equation, const Scope& scope, const Instance& instance,
               std::vector<std::string_view> iterators, std::string_view inside) {
    if (equation.domain != nullptr) {
      if (!inside.empty()) {
        model_.diagnostics.error(in_domain_inside, equation.domain->span, {inside});
        return;
      }
      place(equation, scope, instance, std::move(iterators));
    }
    for (const ast::Iterator& i : equation.iterators) iterators.push_back(i.name);
    for (const ast::Equation* inner : equation.body) collect(*inner, scope, instance, iterators, inside);
    for (const auto& branch : equation.branches)
      for (const ast::Equation* inner : branch.body)
        collect(*inner, scope, instance, iterators,
                equation.kind == EquationKind::when ? "a when-equation" : "an if-equation");
  }

  static bool has_domain_inside(const ast::Equation& equation) {
    return std::ranges::any_of(equation.branches, [](const auto& branch) {
      return std::ranges::any_of(branch.body, [](const ast::Equation* e) { return e->domain || has_domain_inside(*e); });
    });
  }
  void refuse_branches(const ast::Equation& equation) {
    model_.diagnostics.error(in_domain_inside, equation.span, {"an if-equation"});
  }

  void place(const ast::Equation& equation, const Scope& scope, const Instance& instance,
             std::vector<std::string_view> iterators) {
    auto domain = named_domain(model_, *equation.domain, scope);
    if (!domain || equation.kind != EquationKind::equality) return;
    Placed placed{&equation, &instance, *domain, scope, FieldNames(model_, scope, std::move(iterators)), {}};
    for (const ast::Expr* side : {equation.left, equation.right}) {
      auto more = placed.names.mentions(*side, *domain->domain);
      placed.mentions.insert(placed.mentions.end(), more.begin(), more.end());
    }
    (domain->side ? sides_ : whole_).push_back(std::move(placed));
  }

  // ---- which equation determines which field

  /// How much an equation of the domain looks like the one that determines a field.
  static int likeness(Placed& placed, const Instance& field) {
    int best = 0, second = 0, in_time = 0;
    for (const FieldMention& m : placed.mentions) {
      if (m.field != &field) continue;
      int order = std::max(m.order[0], m.order[1]);
      second |= order >= 2;
      in_time |= m.in_time;
      best = std::max(best, order == 1 ? 2 : 0);
    }
    bool alone =
        placed.names.field(*placed.equation->left) == &field || placed.names.field(*placed.equation->right) == &field;
    return 8 * second + 4 * in_time + best + (alone ? 1 : 0);
  }

  struct Match {
    int likeness;
    Placed* placed;
    const Instance* field;
    std::string element;
  };

  /// How an equation names a field: elements of arrays have equations of their own.
  static std::string element_named(Placed& placed, const Instance& field) {
    std::string text;
    for (const ast::Expr* side : {placed.equation->left, placed.equation->right})
      syntax::visit(*side, [&](const ast::Expr& e) {
        if (text.empty() && placed.names.field(e) == &field) text = syntax::print(e);
        return text.empty();
      });
    return text;
  }

  void determine() {
    std::vector<Match> matches;
    for (Placed& placed : whole_)
      for (const FieldMention& m : placed.mentions)
        if (int how = likeness(placed, *m.field); how > 0)
          matches.push_back({how, &placed, m.field, element_named(placed, *m.field)});
    std::ranges::stable_sort(matches, [](const Match& a, const Match& b) { return a.likeness > b.likeness; });
    std::set<std::pair<const Instance*, std::string>> done;
    for (const Match& match : matches) {
      if (done.contains({match.field, match.element})) continue;
      if (!plan_.determined.emplace(match.placed->place(), match.field).second) continue;
      done.emplace(match.field, match.element);
      define(*match.placed, *match.field);
      for (const FieldMention& m : match.placed->mentions)
        if (m.in_time && m.field != match.field) plan_.integrated[m.field] = match.field;
    }
  }

  /// `q = e` with derivatives along coordinates in e.
  void define(Placed& placed, const Instance& field) {
    if (field.rank() != placed.domain.rank()) return;
    const ast::Expr *left = placed.equation->left, *right = placed.equation->right;
    if (placed.names.field(*left) != &field) std::swap(left, right);
    bool derived = placed.names.field(*left) == &field;
    for (const FieldMention& m : placed.names.mentions(*right, *placed.domain.domain))
      derived = derived && m.field != &field && !m.in_time && m.order[0] + m.order[1] <= 1;
    if (derived)
      plan_.definitions.emplace(&field, FieldPlan::Definition{right, placed.scope.instance, placed.scope.lexical});
  }

  // ---- what sides say

  SideOfField& side_of_field(const Instance& field, Side side) {
    return plan_.sides[&field][static_cast<std::size_t>(side)];
  }

  void settle_sides() {
    for (Placed& placed : sides_) value_on_the_left(placed);
    for (Placed& placed : sides_)
      if (!placed.settled) slope(placed, /*reads_too=*/false);
    for (Placed& placed : sides_)
      if (!placed.settled) value_on_the_right(placed);
    for (Placed& placed : sides_)
      if (!placed.settled) slope(placed, /*reads_too=*/true);
    for (Placed& placed : sides_)
      if (!placed.settled) anything(placed);
  }

  void take(Placed& placed, const Instance& field, Kind kind) {
    placed.settled = true;
    SideOfField& side = side_of_field(field, *placed.domain.side);
    bool again = !elements_.emplace(&side, element_named(placed, field)).second;
    if (again || (side.kind != Kind::open && side.kind != kind)) {
      model_.diagnostics.error(again ? two_conditions : kinds_of_conditions, placed.equation->span,
                               {field.name, placed.domain.side_name(*placed.domain.side)},
                               {{side.span, "the first one is here"}});
      return;
    }
    if (side.kind != Kind::open) {
      plan_.conditions.emplace(placed.place(), &field);
      return;
    }
    side.kind = kind;
    side.span = placed.equation->span;
    plan_.conditions.emplace(placed.place(), &field);
    if (kind == Kind::slope) add_slope(placed, field, side);
  }

  void add_slope(const Placed& placed, const Instance& field, SideOfField& side) {
    std::vector<std::int64_t> dimensions;
    for (std::size_t d = 0; d + placed.domain.rank() < field.rank(); ++d) dimensions.push_back(field.dimensions[d].size);
    for (std::size_t d = 0; d < placed.domain.rank(); ++d)
      if (d != placed.across()) dimensions.push_back(placed.domain.points[d]);
    syntax::Maker make(plan_.arena, placed.equation->span);
    std::string_view name = make.keep(slope_name(field, placed.domain, *placed.domain.side));
    side.slope = &instance::add_slope(model_.tree, field, name, dimensions, placed.equation->span);
  }

  /// `u = …`, or `u = extrapolateField(u)`.
  void value_on_the_left(Placed& placed) {
    const Instance* field = placed.names.field(*placed.equation->left);
    if (field == nullptr || field->domain != placed.domain.domain) return;
    const ast::Expr& right = *placed.equation->right;
    bool of_itself = calls(right, "extrapolateField") && right.arguments->positional.size() == 1 &&
                     placed.names.field(*right.arguments->positional[0]) == field;
    take(placed, *field, of_itself ? Kind::extrapolated : Kind::value);
  }

  void value_on_the_right(Placed& placed) {
    const Instance* field = placed.names.field(*placed.equation->right);
    if (field == nullptr || field->domain != placed.domain.domain || given_by(placed) != nullptr) return;
    take(placed, *field, Kind::value);
  }

  /// @param reads_too  also where the equation could give another variable: that of a connector
  void slope(Placed& placed, bool reads_too) {
    const Instance* field = nullptr;
    for (const FieldMention& m : placed.mentions) {
      if (m.order[placed.across()] == 0) continue;
      if (field != nullptr && field != m.field) {
        model_.diagnostics.error(slope_in_condition, placed.equation->span,
                                 {field->name, placed.domain.side_name(*placed.domain.side)});
        placed.settled = true;
        return;
      }
      field = m.field;
    }
    if (field == nullptr) return;
    const Instance* gives = given_by(placed);
    if (gives == nullptr) return take(placed, *field, Kind::slope);
    bool open = side_of_field(*field, *placed.domain.side).kind == Kind::open;
    if (reads_too && is_in_connector(*gives) && open) take(placed, *field, Kind::slope);
  }

  void anything(Placed& placed) {
    placed.settled = true;
    const Instance* gives = given_by(placed);
    if (gives != nullptr && !is_in_connector(*gives)) return;  // it reads
    const Instance* any = nullptr;
    for (const FieldMention& m : placed.mentions) {
      if (m.order[placed.across()] > 0) continue;
      any = any ? any : m.field;
      if (side_of_field(*m.field, *placed.domain.side).kind == Kind::open) return take(placed, *m.field, Kind::value);
    }
    if (gives == nullptr && any != nullptr) take(placed, *any, Kind::value);  // one too many
  }

  static bool is_in_connector(const Instance& variable) {
    for (const Instance* around = variable.parent; around; around = around->parent)
      if (around->is_connector) return true;
    return false;
  }

  /// The variable, other than a field, that the equation of a side determines: it stands alone on one side, and nothing else
  /// gives it.
  const Instance* given_by(Placed& placed) {
    for (const ast::Expr* side : {placed.equation->left, placed.equation->right}) {
      if (side->kind != ast::ExprKind::name) continue;
      auto found = placed.names.component(*side->reference);
      if (!found || found->component().domain != nullptr) continue;
      const Instance& variable = found->component();
      bool unknown = variable.type == instance::Type::real && variable.variability > instance::Variability::parameter &&
                     !variable.binding && !is_top_level_input(variable);
      if (unknown && (is_in_connector(variable) || !given_elsewhere(placed, *side))) return &variable;
    }
    return nullptr;
  }

  /// Whether the name stands alone on a side of another equation of the class, or is differentiated in time there.
  static bool given_elsewhere(const Placed& placed, const ast::Expr& name) {
    std::string text = syntax::print(name);
    auto is_it = [&](const ast::Expr* e) {
      if (e == nullptr) return false;
      bool differentiated = false;
      syntax::visit(*e, [&](const ast::Expr& part) {
        differentiated |= calls(part, "der") && syntax::print(part) == "der(" + text + ")";
        return !differentiated;
      });
      return differentiated || syntax::print(*e) == text;
    };
    return std::ranges::any_of(placed.instance->equations, [&](const auto& other) {
      return other.node != placed.equation && other.node->kind == EquationKind::equality && other.node->domain == nullptr &&
             (is_it(other.node->left) || is_it(other.node->right));
    });
  }

  // ---- sides without conditions

  void say_what_is_open() {
    for (const Placed& placed : whole_) {
      auto at = plan_.determined.find(placed.place());
      if (at == plan_.determined.end()) continue;
      for (std::size_t d = 0; d < placed.domain.rank(); ++d) {
        bool second = std::ranges::any_of(placed.mentions,
                                          [&](const FieldMention& m) { return m.field == at->second && m.order[d] == 2; });
        for (bool upper : {false, true}) {
          Side side = side_of(d, upper);
          if (second && plan_.side(at->second, side).kind == Kind::open)
            model_.diagnostics.warning(side_extrapolated, placed.equation->span,
                                       {at->second->name, placed.domain.side_name(side)});
        }
      }
    }
  }

  Model& model_;
  FieldPlan& plan_;
  std::vector<Placed> whole_, sides_;
  std::set<std::pair<const SideOfField*, std::string>> elements_;  ///< that have a condition
};

}  // namespace

void plan_fields(Model& model) { Planner(model).run(); }

}  // namespace bolza::flatten
