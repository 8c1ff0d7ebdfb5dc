// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/fields/field_equations_internal.h"

#include <algorithm>

#include "compiler/flatten/fields/codes.h"
#include "compiler/flatten/fields/differences_internal.h"
#include "compiler/flatten/model/components_internal.h"
#include "compiler/flatten/model/fields_internal.h"
#include "compiler/flatten/typing/typer_internal.h"
#include "compiler/instance/library/codes.h"
#include "compiler/syntax/print.h"

namespace bolza::flatten {
namespace {

using ast::EquationKind;
using ast::Expr;
using Kind = SideOfField::Kind;

constexpr std::array<std::string_view, 2> loop_names{"$i", "$j"};

/// Points along a coordinate where an equation has one form: a single one, or those of a loop.
struct Stretch {
  Along along;
  std::int64_t first = 0, last = 0;
};

/// The points from `first` to `last`; those nearer to a side than `reach` stand alone.
std::vector<Stretch> stretches(std::size_t d, std::int64_t first, std::int64_t last, std::int64_t points,
                               std::int64_t reach) {
  std::vector<Stretch> out;
  std::int64_t from = std::max(first, reach + 1), to = std::min(last, points - reach);
  for (std::int64_t i = first; i <= last && i < from; ++i) out.push_back({{"", i}, i, i});
  if (from <= to) out.push_back({{loop_names[d], 0}, from, to});
  for (std::int64_t i = std::max(to + 1, from); i <= last; ++i) out.push_back({{"", i}, i, i});
  return out;
}

std::vector<std::string_view> names_of(const Context& context) {
  std::vector<std::string_view> out;
  for (const auto& [name, node] : context.iterators) out.push_back(name);
  return out;
}

/// Calls `make` for every form that something has over a domain, with the spot and the loops around it, outermost first.
template <class Make>
void for_each_form(Differences& differences, const NamedDomain& domain, const std::array<std::vector<Stretch>, 2>& all,
                   Make make) {
  Stretch none;
  std::vector<Stretch> alone{none};
  for (const Stretch& x : all[0])
    for (const Stretch& y : domain.rank() == 2 ? all[1] : alone) {
      Spot spot{x.along, y.along};
      std::vector<ast::Iterator> loops;
      syntax::Maker& maker = differences.maker();
      for (const Stretch* s : {&x, &y})
        if (!s->along.iterator.empty())
          loops.push_back(
              {s->along.iterator, domain.name->span, maker.range(maker.integer(s->first), maker.integer(s->last))});
      make(spot, loops);
    }
}

class EquationsAtPoints {
 public:
  EquationsAtPoints(Model& model, const NamedDomain& domain, const Context& context, Span span)
      : plan_(*model.fields),
        domain_(domain),
        differences_(model, context.scope, domain, names_of(context), span) {}

  std::vector<const ast::Equation*> make(const ast::Equation& equation, const Instance* determined, bool initial = false) {
    initial_ = initial;
    if (!differences_.check(*equation.left) || !differences_.check(*equation.right)) return {};
    if (!initial && !domain_.side) differences_.use_transports(equation);
    std::array<std::vector<Stretch>, 2> all;
    for (std::size_t d = 0; d < domain_.rank(); ++d) {
      std::int64_t reach = std::max(differences_.reach(*equation.left, d), differences_.reach(*equation.right, d));
      if (domain_.side && dimension_of(*domain_.side) == d) {
        std::int64_t at = is_upper(*domain_.side) ? domain_.points[d] : 1;
        all[d] = {{{"", at}, at, at}};
        continue;
      }
      std::int64_t first = gives_value(determined, side_of(d, /*upper=*/false)) ? 2 : 1;
      std::int64_t last = domain_.points[d] - (gives_value(determined, side_of(d, /*upper=*/true)) ? 1 : 0);
      all[d] = stretches(d, first, last, domain_.points[d], reach);
    }
    std::vector<const ast::Equation*> out;
    for_each_form(differences_, domain_, all, [&](const Spot& spot, const std::vector<ast::Iterator>& loops) {
      out.push_back(at(equation, spot, loops));
    });
    return out;
  }

 private:
  /// Whether the points on a side are not the equation's.
  bool gives_value(const Instance* field, Side side) const {
    return field != nullptr && (initial_ ? plan_.starts_free(field, side) : plan_.gives_value(field, side));
  }

  const ast::Equation* at(const ast::Equation& equation, const Spot& spot, const std::vector<ast::Iterator>& loops) {
    syntax::Maker& make = differences_.maker();
    ast::Equation& here = make.copy(equation);
    here.domain = nullptr;
    here.left = differences_.at(*equation.left, spot);
    here.right = differences_.at(*equation.right, spot);
    if (loops.empty()) return &here;
    ast::Equation& loop = make.copy(ast::Equation{});
    loop.kind = EquationKind::for_;
    loop.iterators = make.list(loops);
    loop.body = make.list(std::vector<const ast::Equation*>{&here});
    loop.span = equation.span;
    return &loop;
  }

  const FieldPlan& plan_;
  const NamedDomain& domain_;
  Differences differences_;
  bool initial_ = false;
};

}  // namespace

std::vector<const ast::Equation*> equations_at_points(Model& model, const ast::Equation& equation, const Instance& instance,
                                                      const Context& context) {
  if (equation.kind != EquationKind::equality) {
    model.diagnostics.error(in_domain_inside, equation.domain->span, {"a call"});
    return {};
  }
  const FieldPlan& plan = *model.fields;
  auto domain = named_domain(model, *equation.domain, context.scope);
  if (!domain) return {};
  FieldPlan::Place place{&equation, &instance};
  if (!domain->side) {
    auto field = plan.determined.find(place);
    const Instance* determined = field == plan.determined.end() ? nullptr : field->second;
    return EquationsAtPoints(model, *domain, context, equation.span).make(equation, determined);
  }
  auto condition = plan.conditions.find(place);
  const Instance* field = condition == plan.conditions.end() ? nullptr : condition->second;
  Kind kind = field ? plan.side(field, *domain->side).kind : Kind::open;
  if (kind == Kind::extrapolated) return {};
  // a corner belongs to the left or right side where these give the value
  bool value = kind == Kind::value && dimension_of(*domain->side) == 1;
  return EquationsAtPoints(model, *domain, context, equation.span).make(equation, value ? field : nullptr);
}

namespace {

/// The field that stands alone, or differentiated in time, on a side of an equation.
const Instance* field_of(FieldNames& names, const ast::Equation& equation) {
  for (const Expr* side : {equation.left, equation.right}) {
    const Expr* e = calls(*side, "der") && side->arguments->positional.size() == 1 ? side->arguments->positional[0] : side;
    if (const Instance* field = names.field(*e)) return field;
  }
  return nullptr;
}

/// The name of a coordinate in the expression, less the coordinate: the domain.
const ast::Reference* named_in(FieldNames& names, const Expr& expr, const Instance& domain, syntax::Maker& make) {
  const ast::Reference* found = nullptr;
  syntax::visit(expr, [&](const Expr& e) {
    if (found || e.kind != ast::ExprKind::name || !names.coordinate(*e.reference, domain)) return found == nullptr;
    ast::Reference& name = make.copy(*e.reference);
    name.parts = name.parts.first(name.parts.size() - 1);
    found = &name;
    return false;
  });
  return found;
}

}  // namespace

std::vector<const ast::Equation*> initial_at_points(Model& model, const ast::Equation& equation, const Context& context) {
  bool plain = equation.kind != EquationKind::equality || (equation.domain == nullptr && !model.fields->any);
  if (plain) return {&equation};
  FieldNames names(model, context.scope, names_of(context));
  const Instance* field = field_of(names, equation);
  const ast::Reference* written = equation.domain;
  syntax::Maker make(model.fields->arena, equation.span);
  for (const Expr* side : {equation.left, equation.right})
    if (!written && field) written = named_in(names, *side, *field->domain, make);
  if (!written) return {&equation};
  auto domain = named_domain(model, *written, context.scope);
  if (!domain) return {};
  return EquationsAtPoints(model, *domain, context, equation.span).make(equation, field, /*initial=*/true);
}

std::vector<const ast::Constraint*> constraints_at_points(Model& model, const ast::Constraint& constraint,
                                                          const Context& context) {
  auto domain = named_domain(model, *constraint.domain, context.scope);
  if (!domain) return {};
  Differences differences(model, context.scope, *domain, names_of(context), constraint.span);
  std::array<std::vector<Stretch>, 2> all;
  for (const Expr* operand : constraint.operands)
    if (!differences.check(*operand)) return {};
  for (std::size_t d = 0; d < domain->rank(); ++d) {
    std::int64_t reach = 0, n = domain->points[d];
    for (const Expr* operand : constraint.operands) reach = std::max(reach, differences.reach(*operand, d));
    bool across = domain->side && dimension_of(*domain->side) == d;
    std::int64_t first = across && is_upper(*domain->side) ? n : 1;
    all[d] = stretches(d, first, across ? first : n, n, across ? n : reach);
  }
  std::vector<const ast::Constraint*> out;
  for_each_form(differences, *domain, all, [&](const Spot& spot, const std::vector<ast::Iterator>& loops) {
    syntax::Maker& make = differences.maker();
    ast::Constraint& here = make.copy(constraint);
    std::vector<const Expr*> operands;
    for (const Expr* operand : constraint.operands) operands.push_back(differences.at(*operand, spot));
    here.operands = make.list(operands);
    here.domain = nullptr;
    if (loops.empty()) return out.push_back(&here);
    ast::Constraint& loop = make.copy(ast::Constraint{});
    loop.kind = ast::ConstraintKind::for_;
    loop.iterators = make.list(loops);
    loop.body = make.list(std::vector<const ast::Constraint*>{&here});
    loop.span = constraint.span;
    out.push_back(&loop);
  });
  return out;
}

// ---------------------------------------------------------------- integrals

/// `integral(e, omega)`: the trapezoidal rule, which is the sum of the values by the cells around the points.
Typed Typer::integral_over_domain(const ast::Expr& expr) {
  const Expr& over = *expr.arguments->positional[1];
  if (over.kind != ast::ExprKind::name) return wrong(instance::codes::not_a_domain, over.span, {syntax::print(over)});
  auto domain = named_domain(model, *over.reference, scope);
  if (!domain) return reported();
  std::vector<std::string_view> around;
  for (const auto& [name, node] : iterators) around.push_back(name);
  Differences differences(model, scope, *domain, std::move(around), expr.span);
  const Expr& of = *expr.arguments->positional[0];
  if (!differences.check(of)) return reported();
  std::array<std::vector<Stretch>, 2> all;
  for (std::size_t d = 0; d < domain->rank(); ++d) {
    std::int64_t n = domain->points[d], reach = std::max<std::int64_t>(1, differences.reach(of, d));
    bool across = domain->side && dimension_of(*domain->side) == d;
    std::int64_t first = across && is_upper(*domain->side) ? n : 1;
    all[d] = stretches(d, first, across ? first : n, n, across ? n : reach);
  }
  syntax::Maker& make = differences.maker();
  const Expr* sum = nullptr;
  for_each_form(differences, *domain, all, [&](const Spot& spot, const std::vector<ast::Iterator>& loops) {
    const Expr* term = differences.at(of, spot);
    for (std::size_t d = 0; d < domain->rank(); ++d)
      if (!domain->side || dimension_of(*domain->side) != d) term = make.multiply(differences.weight(d, spot[d]), term);
    for (std::size_t k = loops.size(); k-- > 0;) term = make.comprehension(term, loops[k].name, loops[k].range);
    if (!loops.empty()) term = make.call("sum", {term});
    sum = sum ? make.add(sum, term) : term;
  });
  return expression(*sum);
}

/// For `pder` and `extrapolateField` where no equation says where it holds.
Typed Typer::outside_of_domains(const ast::Expr& expr) { return wrong(outside_of_domain, expr.span, {syntax::print(expr)}); }

// ---------------------------------------------------------------- start values

namespace {

/// Whether the point is on a side where there is no initial value; `at` from 0, the last index runs fastest.
bool is_free(const FieldPlan& plan, const Instance& field, std::size_t at) {
  std::size_t rank = field.domain->domain_rank;
  for (std::size_t d = rank; d-- > 0;) {
    auto n = static_cast<std::size_t>(field.dimensions[field.rank() - rank + d].size);
    std::size_t i = at % n;
    at /= n;
    if (i == 0 && plan.starts_free(&field, side_of(d, /*upper=*/false))) return true;
    if (i + 1 == n && plan.starts_free(&field, side_of(d, /*upper=*/true))) return true;
  }
  return false;
}

}  // namespace

void free_starts_on_sides(Model& model) {
  std::vector<const Instance*> fields;
  for (const auto& [field, sides] : model.fields->sides) fields.push_back(field);
  for (const auto& [field, other] : model.fields->integrated) fields.push_back(field);
  for (const Instance* field : fields) {
    auto id = model.first_id.find(field);
    if (id == model.first_id.end()) continue;
    ir::Variable& variable = ir::variable_of(model.flat, ir::VariableId(std::size_t{id->second}));
    if (variable.fixed.empty()) continue;
    std::vector<bool> fixed(variable.size);
    for (std::size_t k = 0; k < fixed.size(); ++k)
      fixed[k] = variable.fixed[variable.fixed.size() == 1 ? 0 : k] && !is_free(*model.fields, *field, k);
    variable.fixed = std::move(fixed);
  }
}

}  // namespace bolza::flatten
