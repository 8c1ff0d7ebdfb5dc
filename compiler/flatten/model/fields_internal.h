// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <map>
#include <memory_resource>
#include <unordered_map>

#include "compiler/flatten/nodes/node_internal.h"

namespace bolza::flatten {

/// Sides of a domain: two for each coordinate, the lower one first.
enum class Side : std::uint8_t { left, right, bottom, top };
inline std::size_t dimension_of(Side side) { return static_cast<std::size_t>(side) / 2; }
inline bool is_upper(Side side) { return static_cast<std::size_t>(side) % 2 == 1; }
inline Side side_of(std::size_t dimension, bool upper) { return static_cast<Side>(2 * dimension + (upper ? 1 : 0)); }

/// What is said of a field on one side.
struct SideOfField {
  enum class Kind : std::uint8_t {
    open,          // nothing: what the equations need beyond the side is extrapolated
    extrapolated,  // the same, asked for
    value,         // an equation gives the value there, in place of the equation of the domain
    slope,         // an equation gives the derivative, which is a variable; the equation of the domain holds there, too
  };
  Kind kind = Kind::open;
  const Instance* slope = nullptr;
  Span span;  ///< of the equation
};

/// What the equations of domains and sides say, found before anything is made of them.
struct FieldPlan {
  using Place = std::pair<const ast::Equation*, const Instance*>;  ///< an equation in an instance of its class
  bool any = false;                                                ///< there are fields
  std::unordered_map<const Instance*, std::array<SideOfField, 4>> sides;
  std::map<Place, const Instance*>
      determined;  ///< by an equation of a domain: where a side gives the value, it does not hold
  /// By a field: that of which the derivative in time stands in the equation that determines the field. Where that does not
  /// hold, it has no initial value.
  std::unordered_map<const Instance*, const Instance*> integrated;
  /// Of fields that an equation gives by derivatives along coordinates, `q = -k*pder(T, x)`: what it says, and where it
  /// stands.
  struct Definition {
    const ast::Expr* value = nullptr;
    const Instance* instance = nullptr;
    const instance::Definition* lexical = nullptr;
  };
  std::unordered_map<const Instance*, Definition> definitions;
  std::map<Place, const Instance*> conditions;  ///< equations of sides: the field of which it is the condition
  std::pmr::monotonic_buffer_resource arena;    ///< of the equations that are made

  const SideOfField& side(const Instance* field, Side side) const {
    static const SideOfField nothing{};
    auto at = sides.find(field);
    return at == sides.end() ? nothing : at->second[static_cast<std::size_t>(side)];
  }
  bool starts_free(const Instance* field, Side at) const {
    auto with = integrated.find(field);
    return gives_value(field, at) || (with != integrated.end() && gives_value(with->second, at));
  }
  bool gives_value(const Instance* field, Side at) const { return side(field, at).kind == SideOfField::Kind::value; }
};

}  // namespace bolza::flatten
