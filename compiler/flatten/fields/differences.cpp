// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/fields/differences_internal.h"

#include <algorithm>

#include "compiler/flatten/fields/codes.h"
#include "compiler/flatten/model/fields_internal.h"
#include "compiler/instance/fields.h"
#include "compiler/syntax/print.h"

namespace bolza::flatten {

using ast::Expr;
using ast::ExprKind;

Differences::Differences(Model& model, const Scope& scope, const NamedDomain& domain,
                         std::vector<std::string_view> iterators, Span span)
    : model_(model),
      scope_(scope),
      domain_(domain),
      make_(model.fields->arena, span),
      names_(model, scope, std::move(iterators)) {}

void Differences::use_transports(const ast::Equation& equation) {
  if (domain_.scheme != DifferenceScheme::central) transports_ = transports_of(equation, names_, *domain_.domain, make_);
}

const FieldTransport* Differences::transport(const Expr& call) const {
  auto at = transports_.find(&call);
  return at == transports_.end() ? nullptr : &at->second;
}

std::int64_t Differences::reach(const Expr& expr, std::size_t dimension) {
  std::int64_t most = 0;
  syntax::visit(expr, [&](const Expr& e) {
    if (!calls(e, "pder")) return true;
    std::vector<std::size_t> by = names_.along(e, *domain_.domain);
    if (std::ranges::find(by, dimension) != by.end()) most = std::max<std::int64_t>(most, transport(e) != nullptr ? 2 : 1);
    return true;
  });
  return most;
}

bool Differences::differentiates(const Expr& e, std::size_t d) { return reach(e, d) > 0; }

const Instance* Differences::own_field(const Expr& e) {
  const Instance* field = names_.field(e);
  return field != nullptr && field->domain == domain_.domain ? field : nullptr;
}

// ---------------------------------------------------------------- what is wrong

bool Differences::check(const Expr& expr) {
  bool good = true;
  auto wrong = [&](const Code& code, Span span, std::string first, std::string second) {
    if (good) model_.diagnostics.error(code, span, {first, second});
    good = false;
  };
  std::string domain = syntax::print(*domain_.name);
  syntax::visit(expr, [&](const Expr& e) {
    if (e.kind == ExprKind::name) {
      const Instance* field = names_.field(e);
      if (field != nullptr && field->domain != domain_.domain) wrong(other_domain, e.span, syntax::print(e), domain);
    }
    if (calls(e, "extrapolateField") && !domain_.side) wrong(outside_of_domain, e.span, syntax::print(e), "");
    if (!good || !calls(e, "pder") || e.arguments->positional.empty()) return good;
    std::vector<std::size_t> by = names_.along(e, *domain_.domain);
    for (std::size_t k = 1; k < e.arguments->positional.size() && by.size() + 1 < e.arguments->positional.size(); ++k) {
      const Expr& given = *e.arguments->positional[k];
      bool known =
          given.kind == ExprKind::name &&
          (given.reference->simple() ? instance::coordinate_of(*domain_.domain, given.reference->parts[0].identifier)
                                     : names_.coordinate(*given.reference, *domain_.domain))
              .has_value();
      if (!known) wrong(not_a_coordinate, given.span, syntax::print(given), domain);
    }
    if (by.empty()) wrong(not_a_coordinate, e.span, "nothing", domain);
    std::vector<FieldMention> inside = names_.mentions(e, *domain_.domain);
    const Expr& of = *e.arguments->positional[0];
    if (inside.empty()) wrong(not_a_field, e.span, syntax::print(of), domain);
    for (const FieldMention& m : inside)
      if (m.order[0] + m.order[1] > 2) wrong(third_derivative, e.span, syntax::print(e), "");
    for (std::size_t d : by)
      if (good && domain_.points[d] < 3) {
        model_.diagnostics.error(too_few_points, domain_.name->span,
                                 {domain, std::to_string(domain_.points[d]), instance::coordinate_name(d), "3"});
        good = false;
      }
    return good;
  });
  return good;
}

// ---------------------------------------------------------------- points

const Expr* Differences::subscript(const Along& along) {
  if (along.iterator.empty()) return make_.integer(along.at);
  const Expr* i = make_.name(along.iterator);
  if (along.at == 0) return i;
  return along.at > 0 ? make_.add(i, make_.integer(along.at)) : make_.subtract(i, make_.integer(-along.at));
}

Spot Differences::moved(Spot spot, std::size_t d, std::int64_t by) const {
  spot[d] = spot[d].point(by);
  return spot;
}

/// Whether a point is on a side, and on which: the upper one is true.
std::optional<bool> Differences::side_at(std::size_t d, const Along& along) const {
  if (along.is(1)) return false;
  if (along.is(domain_.points[d])) return true;
  return {};
}

const Expr* Differences::coordinate(std::size_t d, const Along& along) {
  if (along.half) return mean(coordinate(d, along.point()), coordinate(d, along.point(1)));
  const ast::Reference* x = make_.member(*domain_.name, instance::coordinate_name(d));
  return make_.name(*make_.with_subscripts(*x, {{subscript(along), x->span}}));
}

/// From a point to the next.
const Expr* Differences::distance(std::size_t d, const Along& lower) {
  if (domain_.uniform[d]) return make_.name(*make_.member(*domain_.name, instance::distance_name(d)));
  return make_.subtract(coordinate(d, lower.point(1)), coordinate(d, lower.point()));
}

/// Of the cell around a point, between the middles to its neighbours; on a side half of that.
const Expr* Differences::width(std::size_t d, const Along& along) {
  auto side = side_at(d, along);
  if (side) return make_.scaled(0.5, distance(d, *side ? along.point(-1) : along));
  if (domain_.uniform[d]) return distance(d, along);
  return make_.scaled(0.5, make_.subtract(coordinate(d, along.point(1)), coordinate(d, along.point(-1))));
}

const Expr* Differences::weight(std::size_t dimension, const Along& along) { return width(dimension, along); }

// ---------------------------------------------------------------- values

const Expr* Differences::at(const Expr& expr, const Spot& spot) {
  return syntax::rewritten(make_, expr, [&](const Expr& e) { return part(e, spot); });
}

const Expr* Differences::part(const Expr& e, const Spot& spot) {
  if (e.kind == ExprKind::name) return name(e, spot);
  if (e.kind != ExprKind::call) return nullptr;
  if (calls(e, "pder") && !e.arguments->positional.empty()) return derivative(e, spot);
  if (calls(e, "extrapolateField") && e.arguments->positional.size() == 1) return extrapolated(e, spot);
  if (calls(e, "integral") && e.arguments->positional.size() == 2) return &e;  // over a domain: a number of its own
  const Instance* field = names_.field(*e.reference);                          // u(finalTime)
  if (field == nullptr || field->domain != domain_.domain) return nullptr;
  Expr& timed = make_.copy(e);
  timed.reference = value(*e.reference, *field, spot)->reference;
  return &timed;
}

const Expr* Differences::name(const Expr& e, const Spot& spot) {
  if (const Instance* field = own_field(e)) {
    if (upstream_ && upstream_->field == field && spot[upstream_->dimension].half)
      return at_face(*e.reference, *field, upstream_->dimension, spot, upstream_->from);
    return value(*e.reference, *field, spot);
  }
  if (auto d = names_.coordinate(*e.reference, *domain_.domain)) return coordinate(*d, spot[*d]);
  return nullptr;
}

const Expr* Differences::value(const ast::Reference& field, const Instance& instance, const Spot& spot) {
  for (std::size_t d = 0; d < domain_.rank(); ++d)
    if (spot[d].half) return mean(value(field, instance, moved(spot, d, 0)), value(field, instance, moved(spot, d, 1)));
  std::vector<ast::Subscript> subscripts(field.parts.back().subscripts.begin(), field.parts.back().subscripts.end());
  while (subscripts.size() + domain_.rank() < instance.rank()) subscripts.push_back({nullptr, field.span});
  for (std::size_t d = 0; d < domain_.rank(); ++d) subscripts.push_back({subscript(spot[d]), field.span});
  return make_.name(*make_.with_subscripts(field, subscripts));
}

/// `extrapolateField(u)` on a side: the straight line through the two points next to it.
const Expr* Differences::extrapolated(const Expr& call, const Spot& spot) {
  const Expr& of = *call.arguments->positional[0];
  for (std::size_t d = 0; d < domain_.rank(); ++d) {
    auto side = side_at(d, spot[d]);
    if (!side) continue;
    std::int64_t inwards = *side ? -1 : 1;
    const Expr* near = at(of, moved(spot, d, inwards));
    const Expr* far = at(of, moved(spot, d, 2 * inwards));
    if (domain_.uniform[d]) return make_.subtract(make_.multiply(make_.integer(2), near), far);
    const Expr* ratio = make_.divide(distance(d, *side ? spot[d].point(-1) : spot[d].point()),
                                     distance(d, *side ? spot[d].point(-2) : spot[d].point(1)));
    return make_.add(near, make_.multiply(ratio, make_.subtract(near, far)));
  }
  return nullptr;
}

// ---------------------------------------------------------------- derivatives

const Expr* Differences::derivative(const Expr& call, const Spot& spot) {
  std::vector<std::size_t> by = names_.along(call, *domain_.domain);
  if (by.empty()) return nullptr;
  return along(*call.arguments->positional[0], by, call, spot);
}

/// By several coordinates: the last one is the outer derivative.
const Expr* Differences::along(const Expr& of, const std::vector<std::size_t>& by, const Expr& call, const Spot& spot) {
  if (by.size() == 1) return first(of, by[0], call, spot);
  std::vector<const Expr*> inner(call.arguments->positional.begin(), call.arguments->positional.end() - 1);
  const Expr* once = make_.call("pder", inner);
  return first(*once, by.back(), *once, spot);
}

const Expr* Differences::first(const Expr& of, std::size_t d, const Expr& call, const Spot& spot) {
  const FieldTransport* carried_by = transport(call);
  const Along& here = spot[d];
  if (here.half) {
    const Expr* change = make_.subtract(at(of, moved(spot, d, 1)), at(of, moved(spot, d, 0)));
    return make_.divide(change, distance(d, here));
  }
  if (here.face) return on_side(of, d, spot);
  bool is_flux = carried_by != nullptr && carried_by->form == FieldTransport::Form::conservative;
  if (is_flux || differentiates(of, d) || definition(of, d)) return second(of, d, call, spot);
  if (auto side = side_at(d, here)) {
    if (const Expr* slope = slope_variable(of, d, *side, spot)) return slope;
    return one_sided(of, d, spot, *side ? From::below : From::above);
  }
  return carried_by != nullptr ? upwind(of, d, *carried_by, spot) : central(of, d, spot);
}

/// What a field stands for, where that is a derivative along the coordinate: a difference of differences over two distances
/// would not see what differs from one point to the next.
const Expr* Differences::definition(const Expr& field, std::size_t d) {
  const Instance* instance = own_field(field);
  auto at = model_.fields->definitions.find(instance);
  if (instance == nullptr || at == model_.fields->definitions.end()) return nullptr;
  const FieldPlan::Definition& said = at->second;
  bool here = said.instance == scope_.instance && said.lexical == scope_.lexical;
  return here && differentiates(*said.value, d) ? said.value : nullptr;
}

/// The derivative of what is a derivative itself, or a flux: the difference of what flows through the two ends of the cell.
const Expr* Differences::second(const Expr& of, std::size_t d, const Expr& call, const Spot& spot) {
  auto side = side_at(d, spot[d]);
  bool plain = calls(of, "pder") && own_field(*of.arguments->positional[0]) != nullptr;
  if (plain && side) {
    const Instance* field = own_field(*of.arguments->positional[0]);
    bool given = model_.fields->side(field, side_of(d, *side)).kind == SideOfField::Kind::value;
    if (given && domain_.points[d] > 3) {  // nothing flows through the side that is known: as in the two cells next to it
      std::int64_t inwards = *side ? -1 : 1;
      const Expr* near = second(of, d, call, moved(spot, d, inwards));
      const Expr* far = second(of, d, call, moved(spot, d, 2 * inwards));
      return make_.subtract(make_.multiply(make_.integer(2), near), far);
    }
  }
  if (plain && !side && domain_.uniform[d]) {
    const Expr& field = *of.arguments->positional[0];
    const Expr* twice = make_.multiply(make_.integer(2), at(field, spot));
    const Expr* all = make_.add(make_.subtract(at(field, moved(spot, d, 1)), twice), at(field, moved(spot, d, -1)));
    return make_.divide(all, make_.square(distance(d, spot[d])));
  }
  Spot upper = spot, lower = spot;
  upper[d].half = !side || !*side;
  upper[d].face = !upper[d].half;
  if (!side || *side) {
    lower[d] = lower[d].point(-1);
    lower[d].half = true;
  } else {
    lower[d].face = true;
  }
  const FieldTransport* carried_by = transport(call);
  const Expr* out = flux(of, d, carried_by, upper);
  const Expr* in = flux(of, d, carried_by, lower);
  return make_.divide(make_.subtract(out, in), width(d, spot[d]));
}

/// Through a side: the variable that stands for it, or what flows through the middle of the first cell.
const Expr* Differences::on_side(const Expr& of, std::size_t d, const Spot& spot) {
  bool upper = spot[d].is(domain_.points[d]);
  if (const Expr* slope = slope_variable(of, d, upper, spot)) return slope;
  Spot inside = moved(spot, d, upper ? -1 : 0);
  inside[d].half = true;
  return at(*make_.call("pder", {&of, make_.name(instance::coordinate_name(d))}), inside);
}

const Expr* Differences::slope_variable(const Expr& of, std::size_t d, bool upper, const Spot& spot) {
  const Instance* field = own_field(of);
  if (field == nullptr) return nullptr;
  const SideOfField& side = model_.fields->side(field, side_of(d, upper));
  if (side.slope == nullptr) return nullptr;
  const ast::Reference& name = *make_.sibling(*of.reference, side.slope->name);
  std::vector<ast::Subscript> own(of.reference->parts.back().subscripts.begin(),
                                  of.reference->parts.back().subscripts.end());
  while (own.size() + domain_.rank() < field->rank()) own.push_back({nullptr, of.span});
  const std::size_t across = 1 - d;
  if (domain_.rank() == 1) return make_.name(own.empty() ? name : *make_.with_subscripts(name, own));
  auto at_point = [&](const Along& along) {
    std::vector<ast::Subscript> all = own;
    all.push_back({subscript(along), of.span});
    return make_.name(*make_.with_subscripts(name, all));
  };
  if (!spot[across].half) return at_point(spot[across]);
  return mean(at_point(spot[across].point()), at_point(spot[across].point(1)));
}

const Expr* Differences::central(const Expr& of, std::size_t d, const Spot& spot) {
  const Expr *above = at(of, moved(spot, d, 1)), *below = at(of, moved(spot, d, -1));
  const Expr *up = distance(d, spot[d]), *down = distance(d, spot[d].point(-1));
  if (domain_.uniform[d]) return make_.divide(make_.subtract(above, below), make_.multiply(make_.integer(2), up));
  const Expr* here = at(of, spot);
  const Expr* to_above = make_.multiply(make_.divide(make_.subtract(above, here), up), down);
  const Expr* from_below = make_.multiply(make_.divide(make_.subtract(here, below), down), up);
  return make_.divide(make_.add(to_above, from_below), make_.add(up, down));
}

/// The parabola through the point and the next two.
const Expr* Differences::one_sided(const Expr& of, std::size_t d, const Spot& spot, From from) {
  std::int64_t step = from == From::below ? -1 : 1;
  const Expr *here = at(of, spot), *near = at(of, moved(spot, d, step)), *far = at(of, moved(spot, d, 2 * step));
  auto ends = [&](const Expr* upper, const Expr* lower) {
    return from == From::below ? make_.subtract(upper, lower) : make_.subtract(lower, upper);
  };
  if (domain_.uniform[d]) {  // (3 u - 4 near + far)/(2 h), the other way round from above
    const Expr* outer = make_.add(make_.multiply(make_.integer(3), here), far);
    const Expr* four = make_.multiply(make_.integer(4), near);
    return make_.divide(ends(outer, four), make_.multiply(make_.integer(2), distance(d, spot[d])));
  }
  const Expr* first_step = distance(d, from == From::below ? spot[d].point(-1) : spot[d].point());
  const Expr* second_step = distance(d, from == From::below ? spot[d].point(-2) : spot[d].point(1));
  const Expr* slope = make_.divide(ends(here, near), first_step);
  const Expr* next = make_.divide(ends(near, far), second_step);
  const Expr* share = make_.divide(first_step, make_.add(first_step, second_step));
  return make_.add(slope, make_.multiply(share, make_.subtract(slope, next)));
}

}  // namespace bolza::flatten
