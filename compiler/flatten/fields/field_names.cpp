// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/fields/field_names_internal.h"

#include <algorithm>
#include <functional>

#include "base/numbers.h"
#include "compiler/flatten/fields/codes.h"
#include "compiler/instance/evaluate.h"
#include "compiler/instance/fields.h"
#include "compiler/instance/library/codes.h"
#include "compiler/syntax/made.h"
#include "compiler/syntax/print.h"

namespace bolza::flatten {
namespace {

constexpr std::array<std::string_view, 4> side_names{"left", "right", "bottom", "top"};

/// Whether the places of the points are the predefined ones: neither they nor their grading were given.
bool is_uniform(Model& model, const Instance& domain, std::size_t dimension) {
  const Instance* x = domain.child(instance::coordinate_name(dimension));
  if (x == nullptr || !x->binding || x->binding.span.file != x->declared_in->source) return false;
  std::string grading = domain.domain_rank == 1 ? "grading" : dimension == 0 ? "gradingX" : "gradingY";
  ast::NamePart part{grading, {}, {}};
  ast::Reference name;
  name.parts = {&part, 1};
  Diagnostics quiet;
  auto found = instance::lookup(model.tree, instance::scope_of(domain), name, quiet);
  return found && found->definition && found->definition->ast->span.file == x->declared_in->source;
}

/// Whether the coordinates, as far as they are known now, grow from each point to the next.
Result<Done> check_order(Model& model, const NamedDomain& named, std::size_t dimension) {
  const Instance* x = named.domain->child(instance::coordinate_name(dimension));
  auto value = x && x->binding ? instance::try_evaluate(model.tree, x->binding) : std::nullopt;
  if (!value) return Done{};
  auto at = std::ranges::adjacent_find(value->numbers, std::greater_equal<>());
  if (at == value->numbers.end()) return Done{};
  bool graded = x->binding.span.file == x->declared_in->source;
  return model.diagnostics.error(points_not_in_order, graded ? named.domain->span : x->binding.span,
                                 {syntax::print(*named.name), x->name, shown(at[1], 6), shown(at[0], 6)});
}

Result<DifferenceScheme> scheme_of(Model& model, const Instance& domain) {
  const Instance* scheme = domain.child("scheme");
  if (scheme == nullptr) return DifferenceScheme::automatic;
  auto value = value_of(model, *scheme, {}, scheme->span);
  if (!value) return model.diagnostics.already_reported();
  constexpr std::array<std::string_view, 4> names{"automatic", "central", "upwind", "limited"};
  std::string_view given = (*value)->strings.empty() ? "" : std::string_view((*value)->strings[0]);
  auto at = std::ranges::find(names, given);
  Span span = scheme->binding ? scheme->binding.span : scheme->span;
  if (at == names.end()) return model.diagnostics.error(unknown_scheme, span, {given});
  return static_cast<DifferenceScheme>(at - names.begin());
}

/// The domain and the side that a path leads to.
const Instance* domain_on(Model& model, const instance::Resolved& found, std::optional<Side>& side, bool& with_region) {
  if (found.kind != instance::ResolvedKind::component) return nullptr;
  const Instance& last = found.component();
  if (instance::find_domain_rank(model.tree, last, model.diagnostics) > 0) return &last;
  const Instance* around = found.path.size() > 1 ? found.path[found.path.size() - 2].instance : nullptr;
  if (around == nullptr || instance::find_domain_rank(model.tree, *around, model.diagnostics) == 0) return nullptr;
  with_region = true;
  auto at = std::ranges::find(side_names, last.name);
  if (at == side_names.end()) return last.name == "interior" ? around : nullptr;
  side = static_cast<Side>(at - side_names.begin());
  return around;
}

}  // namespace

std::string NamedDomain::side_name(Side which) const {
  return syntax::print(*name) + "." + std::string(side_names[static_cast<std::size_t>(which)]);
}

Result<NamedDomain> named_domain(Model& model, const ast::Reference& name, const Scope& scope) {
  auto found = instance::lookup(model.tree, scope, name, model.diagnostics);
  if (!found) return model.diagnostics.already_reported();
  NamedDomain out;
  bool with_region = false;
  out.domain = domain_on(model, *found, out.side, with_region);
  if (out.domain == nullptr) return model.diagnostics.error(instance::codes::not_a_domain, name.span, {syntax::print(name)});
  out.name = &name;
  if (with_region) {
    syntax::Maker make(model.fields->arena, name.span);
    ast::Reference& domain = make.copy(name);
    domain.parts = name.parts.first(name.parts.size() - 1);
    out.name = &domain;
  }
  for (std::size_t d = 0; d < out.rank(); ++d) {
    const Instance* x = out.domain->child(instance::coordinate_name(d));
    if (x != nullptr && x->rank() == 1) out.points[d] = x->dimensions[0].size;
    out.uniform[d] = is_uniform(model, *out.domain, d);
    if (!out.uniform[d] && !check_order(model, out, d)) return model.diagnostics.already_reported();
  }
  auto scheme = scheme_of(model, *out.domain);
  if (!scheme) return model.diagnostics.already_reported();
  out.scheme = *scheme;
  return out;
}

bool calls(const ast::Expr& expr, std::string_view name) {
  return expr.kind == ast::ExprKind::call && expr.reference && expr.reference->simple() &&
         expr.reference->parts[0].identifier == name;
}

std::optional<instance::Resolved> FieldNames::component(const ast::Reference& name) {
  auto [at, is_new] = known_.try_emplace(&name);
  if (!is_new) return at->second;
  bool iterator = !name.global && std::ranges::find(iterators_, name.parts[0].identifier) != iterators_.end();
  if (iterator) return at->second;
  Diagnostics quiet;
  auto found = instance::lookup(model_->tree, scope_, name, quiet);
  if (found && found->kind == instance::ResolvedKind::component) at->second = std::move(*found);
  return at->second;
}

const Instance* FieldNames::field(const ast::Reference& name) {
  auto found = component(name);
  if (!found || found->component().domain == nullptr) return nullptr;
  const Instance& field = found->component();
  return name.parts.back().subscripts.size() < field.rank() ? &field : nullptr;
}

std::optional<std::size_t> FieldNames::coordinate(const ast::Reference& name, const Instance& domain) {
  if (name.parts.size() < 2 || !name.parts.back().subscripts.empty()) return {};
  auto dimension = instance::coordinate_of(domain, name.parts.back().identifier);
  if (!dimension) return {};
  auto found = component(name);
  bool of_domain = found && found->path.size() >= 2 && found->path[found->path.size() - 2].instance == &domain;
  return of_domain ? dimension : std::nullopt;
}

std::vector<std::size_t> FieldNames::along(const ast::Expr& pder, const Instance& domain) {
  std::vector<std::size_t> out;
  for (std::size_t k = 1; k < pder.arguments->positional.size(); ++k) {
    const ast::Expr& by = *pder.arguments->positional[k];
    if (by.kind != ast::ExprKind::name) continue;
    std::optional<std::size_t> dimension;
    if (by.reference->simple()) dimension = instance::coordinate_of(domain, by.reference->parts[0].identifier);
    else dimension = coordinate(*by.reference, domain);
    if (dimension) out.push_back(*dimension);
  }
  return out;
}

std::vector<FieldMention> FieldNames::mentions(const ast::Expr& expr, const Instance& domain) {
  std::vector<FieldMention> out;
  mentions(expr, domain, {}, out);
  return out;
}

void FieldNames::mentions(const ast::Expr& expr, const Instance& domain, FieldMention inside,
                          std::vector<FieldMention>& out) {
  syntax::visit(expr, [&](const ast::Expr& part) {
    if (part.kind == ast::ExprKind::name) {
      inside.field = field(*part.reference);
      if (inside.field != nullptr && inside.field->domain == &domain) out.push_back(inside);
      return true;
    }
    bool in_space = calls(part, "pder"), in_time = calls(part, "der");
    if ((!in_space && !in_time) || part.arguments->positional.empty()) return true;
    FieldMention deeper = inside;
    deeper.in_time |= in_time;
    if (in_space)
      for (std::size_t d : along(part, domain)) ++deeper.order[d];
    mentions(*part.arguments->positional[0], domain, deeper, out);
    return false;
  });
}

}  // namespace bolza::flatten
