// SPDX-License-Identifier: Apache-2.0
#include "compiler/instance/fields.h"

#include <algorithm>
#include <array>

#include "compiler/instance/build/fields_internal.h"
#include "compiler/instance/library/codes.h"
#include "compiler/instance/names/class_lookup_internal.h"
#include "compiler/syntax/made.h"
#include "compiler/syntax/print.h"

namespace bolza::instance {

std::optional<std::size_t> coordinate_of(const Instance& domain, std::string_view name) {
  for (std::size_t d = 0; d < domain.domain_rank; ++d)
    if (coordinate_name(d) == name) return d;
  return {};
}

std::string_view coordinate_name(std::size_t dimension) { return dimension == 0 ? "x" : "y"; }

std::string_view points_name(const Instance& domain, std::size_t dimension) {
  return domain.domain_rank == 1 ? "N" : dimension == 0 ? "Nx" : "Ny";
}

std::string_view distance_name(std::size_t dimension) { return dimension == 0 ? "dx" : "dy"; }

std::size_t find_domain_rank(InstanceTree& tree, const Instance& component, Diagnostics& d) {
  if (component.domain_rank > 0 || component.definition == nullptr || component.class_kind != ast::ClassKind::record)
    return component.domain_rank;
  constexpr std::array<std::string_view, 2> names{"DomainLineSegment1D", "DomainRectangle2D"};
  for (std::size_t k = 0; k < names.size(); ++k) {
    auto base = tree.library().predefined(names[k], d);
    if (!base || !*base) continue;
    auto is = inherits(tree.store(), *component.definition, **base, d);
    if (is && *is) InstanceTree::Store::edit(component).domain_rank = k + 1;
  }
  return component.domain_rank;
}

namespace {

/// Where it is said which domain a field has.
ScopedExpr said_domain(const ast::Component& declaration, const Selection& selection, const Scope& scope) {
  Environment given;
  inside(selection, {}, given);
  Selection said = select(given, "domain", /*class_attribute=*/false);
  if (!said.values.empty() && !said.values.front().breaks) return said.values.front().value;
  ScopedExpr own;
  own.expr = find_value(declaration.modification, "domain");
  own.scope = scope;
  own.span = own.expr ? own.expr->span : declaration.name_span;
  return own;
}

}  // namespace

Result<Done> set_domain(InstanceTree& tree, Instance& field, const ast::Component& declaration, const Selection& selection,
                        const Scope& scope, Diagnostics& d) {
  ScopedExpr said = said_domain(declaration, selection, scope);
  if (!said) return d.error(codes::field_without_domain, declaration.name_span, {declaration.name});
  if (said.expr->kind != ast::ExprKind::name)
    return d.error(codes::not_a_domain, said.expr->span, {syntax::print(*said.expr)});
  auto found = lookup(tree, said.scope, *said.expr->reference, d);
  if (!found) return d.already_reported();
  bool is_domain = found->kind == ResolvedKind::component && find_domain_rank(tree, found->component(), d) > 0;
  if (!is_domain) return d.error(codes::not_a_domain, said.expr->span, {syntax::print(*said.expr)});
  field.domain = &found->component();
  syntax::Maker make(tree.store().arena, said.expr->span);
  for (std::size_t k = 0; k < field.domain->domain_rank; ++k) {
    const ast::Expr* points = make.name(*make.member(*said.expr->reference, points_name(*field.domain, k)));
    field.dimensions.push_back({-1, points, said.scope});
  }
  return Done{};
}

// ---------------------------------------------------------------- values at the points

namespace {

constexpr std::array<std::string_view, 2> iterators{"$i", "$j"};

/// An expression about one point of the domain.
class AtPoint {
 public:
  AtPoint(InstanceTree& tree, const Instance& field, const Scope& scope, Span span)
      : tree_(tree),
        field_(field),
        scope_(scope),
        make_(tree.store().arena, span) {}

  /// The expression at the point ($i, $j), or the same where it names neither coordinates nor fields.
  const ast::Expr* operator()(const ast::Expr& e) {
    return syntax::rewritten(make_, e, [&](const ast::Expr& part) { return at_point(part); });
  }
  /// An array over all points.
  const ast::Expr* over_points(const ast::Expr* at) {
    for (std::size_t k = field_.domain->domain_rank; k-- > 0;) {
      const ast::Expr* last = make_.call("size", {make_.name(*coordinates_), make_.integer(1)});
      if (k == 1) last = make_.call("size", {make_.name(*make_.sibling(*coordinates_, "y")), make_.integer(1)});
      if (k == 0) last = make_.call("size", {make_.name(*make_.sibling(*coordinates_, "x")), make_.integer(1)});
      at = make_.comprehension(at, iterators[k], make_.range(make_.integer(1), last));
    }
    return at;
  }
  /// The same, with the numbers of points as the field's declaration has them.
  const ast::Expr* over_declared_points(const ast::Expr* at) {
    std::size_t rank = field_.domain->domain_rank;
    for (std::size_t k = rank; k-- > 0;) {
      const ast::Expr* points = field_.dimensions[field_.rank() - rank + k].expr;
      at = make_.comprehension(at, iterators[k], make_.range(make_.integer(1), points));
    }
    return at;
  }
  bool names_coordinates() const { return coordinates_ != nullptr; }
  bool names_fields() const { return names_fields_; }

 private:
  const ast::Expr* at_point(const ast::Expr& e) {
    if (e.kind != ast::ExprKind::name) return nullptr;
    if (const ast::Expr* value = value_of_field(e)) return value;
    if (e.reference->parts.size() < 2) return nullptr;
    const ast::NamePart& last = e.reference->parts.back();
    auto dimension = coordinate_of(*field_.domain, last.identifier);
    if (!dimension || !last.subscripts.empty()) return nullptr;
    Diagnostics quiet;
    auto found = lookup(tree_, scope_, *e.reference, quiet);
    bool of_domain = found && found->kind == ResolvedKind::component && found->path.size() >= 2 &&
                     found->path[found->path.size() - 2].instance == field_.domain;
    if (!of_domain) return nullptr;
    coordinates_ = e.reference;
    std::vector<ast::Subscript> at{{make_.name(iterators[*dimension]), e.span}};
    return make_.name(*make_.with_subscripts(*e.reference, at));
  }

  /// Another field on the same domain.
  const ast::Expr* value_of_field(const ast::Expr& e) {
    Diagnostics quiet;
    auto found = lookup(tree_, scope_, *e.reference, quiet);
    bool on_domain = found && found->kind == ResolvedKind::component && found->component().domain == field_.domain;
    if (!on_domain || !e.reference->parts.back().subscripts.empty()) return nullptr;
    names_fields_ = true;
    std::vector<ast::Subscript> at(found->component().rank() - field_.domain->domain_rank, {nullptr, e.span});
    for (std::size_t d = 0; d < field_.domain->domain_rank; ++d) at.push_back({make_.name(iterators[d]), e.span});
    return make_.name(*make_.with_subscripts(*e.reference, at));
  }

  InstanceTree& tree_;
  const Instance& field_;
  Scope scope_;
  syntax::Maker make_;
  const ast::Reference* coordinates_ = nullptr;
  bool names_fields_ = false;
};

/// Whether a value that names no coordinate has elements of its own.
bool is_array(InstanceTree& tree, const ScopedExpr& value) {
  switch (value.expr->kind) {
    case ast::ExprKind::array:
    case ast::ExprKind::comprehension:
    case ast::ExprKind::matrix:
    case ast::ExprKind::range:
      return true;
    case ast::ExprKind::name: {
      Diagnostics quiet;
      auto found = lookup(tree, value.scope, *value.expr->reference, quiet);
      if (!found || found->kind != ResolvedKind::component) return false;
      std::size_t rank = 0, chosen = 0;
      for (const PathPart& part : found->path) {
        rank += part.instance->rank();
        chosen += part.subscripts.size();
      }
      return rank > chosen;
    }
    case ast::ExprKind::call: {
      constexpr std::array<std::string_view, 5> makers{"fill", "zeros", "ones", "linspace", "cat"};
      return value.expr->reference->simple() &&
             std::ranges::find(makers, value.expr->reference->parts[0].identifier) != makers.end();
    }
    default:
      return false;
  }
}

}  // namespace

namespace {

void spread_value(InstanceTree& tree, Instance& field) {
  ScopedExpr& value = field.binding;
  AtPoint at(tree, field, value.scope, value.expr->span);
  const ast::Expr* point = at(*value.expr);
  const Scope& declared = field.dimensions.back().scope;
  bool same_scope = declared.instance == value.scope.instance && declared.lexical == value.scope.lexical;
  bool varies = at.names_coordinates() || at.names_fields();
  if (!varies && is_array(tree, value)) return;
  if (same_scope) value.expr = at.over_declared_points(point);
  else if (at.names_coordinates()) value.expr = at.over_points(point);
}

}  // namespace

void spread_over_domain(InstanceTree& tree, Instance& field) {
  auto spread = [&](ScopedExpr& value) {
    AtPoint at(tree, field, value.scope, value.expr->span);
    const ast::Expr* point = at(*value.expr);
    bool same = !at.names_coordinates();
    if (same && is_array(tree, value)) return;
    auto own = std::ranges::find_if(value.levels, [&](const ArrayLevel& level) { return level.instance == &field; });
    auto rank = static_cast<std::uint32_t>(field.domain->domain_rank);
    if (same && own == value.levels.end()) return;  // `each`
    value.expr = same ? value.expr : at.over_points(point);
    if (own == value.levels.end()) {
      value.levels.push_back({&field, static_cast<std::uint32_t>(field.rank()) - rank, rank});
    } else if (same) {
      value.levels.erase(own);
    } else {
      own->first = static_cast<std::uint32_t>(field.rank()) - rank;
      own->count = rank;
    }
    value.each = value.each || same;
  };
  for (GivenAttribute& attribute : field.attributes) spread(attribute.value);
  if (field.binding && !field.binding.whole) spread_value(tree, field);
}

const Instance& add_slope(InstanceTree& tree, const Instance& field, std::string_view name,
                          const std::vector<std::int64_t>& dimensions, Span named_at) {
  Instance& slope = tree.store().make();
  slope = field;
  slope.name = name;
  slope.span = named_at;
  slope.domain = nullptr;
  slope.binding = {};
  slope.attributes.clear();
  slope.causality = ast::Causality::none;
  slope.is_protected = true;
  slope.dimensions.clear();
  for (std::int64_t size : dimensions) slope.dimensions.push_back({size, nullptr, {}});
  tree.store().conditions_decided.insert(&slope);
  add_child(tree.store(), InstanceTree::Store::edit(*field.parent), slope);
  return slope;
}

}  // namespace bolza::instance
