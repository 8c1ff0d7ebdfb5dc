// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <unordered_map>

#include "compiler/flatten/fields/field_names_internal.h"
#include "compiler/syntax/made.h"

/// What an equation says of the direction in which a field is carried along.
namespace bolza::flatten {

/// A first derivative `pder(e, x)` in an equation with `der(u)`: der(u) + factor*pder(e, x) + … = 0.
struct FieldTransport {
  enum class Form : std::uint8_t {
    advective,     // e is u itself: it is carried with the velocity `factor`
    conservative,  // e is a flux that depends on u: a balance over the cells between the points
  };
  Form form = Form::advective;
  const Instance* field = nullptr;    ///< u
  const ast::Expr* factor = nullptr;  ///< null: 1
};

using Transports = std::unordered_map<const ast::Expr*, FieldTransport>;  ///< by the call of pder

/// The transports of an equation; none where it does not depend linearly on the derivatives, so that there is no direction.
/// Cost: linear in the length of the text, for each derivative.
Transports transports_of(const ast::Equation& equation, FieldNames& names, const Instance& domain, syntax::Maker& maker);

/// A factor; zero where an expression does not depend on the part, null: 1.
struct Factor {
  bool zero = true;
  const ast::Expr* value = nullptr;
};

/// The derivative of an expression by a field that it names, outside of derivatives; none where it is not made of sums,
/// products, quotients and powers.
std::optional<Factor> slope_by_field(const ast::Expr& expr, const Instance& field, FieldNames& names, syntax::Maker& maker);

}  // namespace bolza::flatten
