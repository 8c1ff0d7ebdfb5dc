// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "compiler/flatten/fields/differences_internal.h"
#include "compiler/flatten/model/fields_internal.h"
#include "compiler/instance/evaluate.h"

/// What is carried along: derivatives from the side that it comes from, and fluxes through the ends of cells.
namespace bolza::flatten {

using ast::Expr;
using ast::ExprKind;

namespace {

/// As part of a domain's length in a unit of time, the velocity over which optimisations go from one side to the other.
constexpr double at_rest = 1e-6;
/// As part of a field's nominal value, steps from point to point that are too small to be limited.
constexpr double unlimited = 1e-6;

double nominal_of(Model& model, const Instance& field) {
  const instance::ScopedExpr* given = field.attribute("nominal");
  auto value = given ? instance::try_evaluate(model.tree, *given) : std::nullopt;
  bool known = value && !value->numbers.empty() && value->numbers[0] != 0;
  return known ? std::fabs(value->numbers[0]) : 1;
}

}  // namespace

bool Differences::limits(const FieldTransport& transport) const {
  return domain_.scheme == DifferenceScheme::limited ||
         (domain_.scheme == DifferenceScheme::automatic && transport.form == FieldTransport::Form::conservative);
}

/// Whether it is made of constants and parameters alone, none of them free.
bool Differences::is_fixed(const Expr& e) {
  bool fixed = true;
  syntax::visit(e, [&](const Expr& part) {
    if (part.kind != ExprKind::name) return fixed;
    auto found = names_.component(*part.reference);
    fixed = fixed && found && found->component().variability <= instance::Variability::parameter &&
            !found->component().attribute("free");
    return fixed;
  });
  return fixed;
}

const Expr* Differences::upwind(const Expr& of, std::size_t d, const FieldTransport& transport, const Spot& spot) {
  const Expr* below = from_one_side(of, d, transport, spot, From::below);
  if (transport.factor == nullptr) return below;
  const Expr* above = from_one_side(of, d, transport, spot, From::above);
  const Expr* velocity = at(*transport.factor, spot);
  if (!model_.smooth_streams || is_fixed(*transport.factor)) {
    const Expr* rising = make_.call("noEvent", {make_.relation(ast::Operator::greater_equal, velocity, make_.integer(0))});
    return make_.choose(rising, below, above);
  }
  const Expr* length = make_.subtract(coordinate(d, {"", domain_.points[d]}), coordinate(d, {"", 1}));
  const Expr* least = make_.scaled(at_rest, length);
  const Expr* speed = make_.call("sqrt", {make_.add(make_.square(velocity), make_.square(least))});
  const Expr* difference = make_.multiply(make_.divide(velocity, speed), make_.subtract(below, above));
  return make_.scaled(0.5, make_.add(make_.add(below, above), difference));
}

/// Where the two points on that side are not there, the difference is central.
const Expr* Differences::from_one_side(const Expr& of, std::size_t d, const FieldTransport& transport, const Spot& spot,
                                       From from) {
  if (limits(transport)) {
    Spot upper = spot, lower = moved(spot, d, -1);
    upper[d].half = true;
    lower[d].half = true;
    const Expr* out = at_face(*of.reference, *transport.field, d, upper, from);
    const Expr* in = at_face(*of.reference, *transport.field, d, lower, from);
    return make_.divide(make_.subtract(out, in), width(d, spot[d]));
  }
  std::int64_t farthest = spot[d].at + (from == From::below ? -2 : 2);
  bool there = !spot[d].iterator.empty() || (farthest >= 1 && farthest <= domain_.points[d]);
  return there ? one_sided(of, d, spot, from) : central(of, d, spot);
}

/// The value of a field at the middle between two points, extended from one of them with its slope; the mean of both where
/// the point has only one neighbour.
const Expr* Differences::at_face(const ast::Reference& field, const Instance& instance, std::size_t d, const Spot& face,
                                 From from) {
  std::int64_t point = from == From::below ? 0 : 1;
  Spot here = moved(face, d, point);
  auto value_at = [&](std::int64_t by) { return value(field, instance, moved(face, d, by)); };
  if (side_at(d, here[d])) return mean(value_at(0), value_at(1));
  auto step = [&](std::int64_t lower) {  // to the next point; as long as the one over the face
    const Expr* change = make_.subtract(value_at(lower + 1), value_at(lower));
    if (domain_.uniform[d] || lower == 0) return change;
    return make_.multiply(change, make_.divide(distance(d, face[d].point()), distance(d, face[d].point(lower))));
  };
  const Expr *before = step(point - 1), *after = step(point);
  bool limited = domain_.scheme != DifferenceScheme::upwind;
  const Expr* small = make_.real(unlimited * nominal_of(model_, instance));
  const Expr* slope = limited ? make_.call(".Bolza.Fields.limitedStep", {before, after, small}) : mean(before, after);
  const Expr* half = make_.scaled(0.5, slope);
  return from == From::below ? make_.add(value_at(0), half) : make_.subtract(value_at(1), half);
}

/// Terms with derivatives are taken at the face; of the others the field that is carried is taken from where it comes.
const Expr* Differences::flux(const Expr& of, std::size_t d, const FieldTransport* transport, const Spot& face) {
  bool carries = transport != nullptr && transport->form == FieldTransport::Form::conservative && face[d].half;
  const Expr* meant = face[d].half ? definition(of, d) : nullptr;
  if (!carries) return at(meant ? *meant : of, face);
  if (of.kind == ExprKind::additive) {
    std::vector<const Expr*> terms;
    for (const Expr* term : of.operands) terms.push_back(flux(*term, d, transport, face));
    Expr& sum = make_.copy(of);
    sum.operands = make_.list(terms);
    return &sum;
  }
  return differentiates(of, d) ? at(of, face) : carried(of, d, *transport, face);
}

/// The mean of the fluxes from both sides, with as much exchange as the speed of the waves asks for.
const Expr* Differences::carried(const Expr& of, std::size_t d, const FieldTransport& transport, const Spot& face) {
  auto slope = slope_by_field(of, *transport.field, names_, make_);
  if (!slope) return at(of, face);
  std::array<const Expr*, 2> flux{}, wave{}, field{};
  const Expr* name = nullptr;
  syntax::visit(of, [&](const Expr& e) {
    if (name == nullptr && names_.field(e) == transport.field) name = &e;
    return name == nullptr;
  });
  if (name == nullptr) return at(of, face);
  for (From from : {From::below, From::above}) {
    upstream_ = Upstream{transport.field, d, from};
    auto k = static_cast<std::size_t>(from);
    flux[k] = at(of, face);
    wave[k] = slope->zero ? make_.integer(0) : slope->value ? at(*slope->value, face) : make_.integer(1);
    field[k] = at(*name, face);
    upstream_.reset();
  }
  const Expr* squares = make_.scaled(0.5, make_.add(make_.square(wave[0]), make_.square(wave[1])));
  const Expr* speed = make_.call("sqrt", {make_.add(squares, make_.real(at_rest * at_rest))});
  if (transport.factor != nullptr) {
    const Expr* factor = at(*transport.factor, face);
    speed = make_.divide(make_.multiply(speed, factor), make_.call("sqrt", {make_.square(factor)}));
  }
  const Expr* exchange = make_.multiply(speed, make_.subtract(field[1], field[0]));
  return make_.scaled(0.5, make_.subtract(make_.add(flux[0], flux[1]), exchange));
}

}  // namespace bolza::flatten
