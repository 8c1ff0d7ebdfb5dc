// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "compiler/flatten/fields/field_names_internal.h"
#include "compiler/flatten/fields/transport_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/syntax/made.h"

namespace bolza::flatten {

/// Where something is along one coordinate: at a point, or halfway to the next one.
struct Along {
  std::string_view iterator;  ///< of the loop over the points; "": the point `at`
  std::int64_t at = 0;        ///< from 1; with an iterator: added to it
  bool half = false;          ///< halfway to the next point
  bool face = false;          ///< at the point, which is on a side, for what flows through that side
  Along moved(std::int64_t by) const { return {iterator, at + by, half, face}; }
  Along point(std::int64_t by = 0) const { return {iterator, at + by}; }
  bool is(std::int64_t point) const { return iterator.empty() && at == point; }
};

using Spot = std::array<Along, 2>;  ///< the second one only in rectangles

/// Writes expressions of fields as expressions of their values at the points of the grid [docs/decisions/fields.md].
class Differences {
 public:
  /// @param iterators  names that loops around the equation give a meaning
  Differences(Model& model, const Scope& scope, const NamedDomain& domain, std::vector<std::string_view> iterators,
              Span span);

  /// Takes the directions in which fields are carried from the equation.
  void use_transports(const ast::Equation& equation);
  /// The reach of the differences along a coordinate: 0 where there are none.
  std::int64_t reach(const ast::Expr& expr, std::size_t dimension);
  /// The expression at a spot; null when it was reported that there is none.
  const ast::Expr* at(const ast::Expr& expr, const Spot& spot);
  /// Errors  E504, E505, E507, E506, E509: what is wrong wherever the expression is taken.
  bool check(const ast::Expr& expr);
  /// The point as a subscript.
  const ast::Expr* subscript(const Along& along);
  /// What a point stands for in an integral along a coordinate.
  const ast::Expr* weight(std::size_t dimension, const Along& along);
  syntax::Maker& maker() { return make_; }
  FieldNames& names() { return names_; }

 private:
  enum class From : std::uint8_t { below, above };
  const ast::Expr* part(const ast::Expr& e, const Spot& spot);
  const ast::Expr* name(const ast::Expr& e, const Spot& spot);
  const ast::Expr* value(const ast::Reference& field, const Instance& instance, const Spot& spot);
  const ast::Expr* coordinate(std::size_t dimension, const Along& along);
  const ast::Expr* distance(std::size_t dimension, const Along& lower);
  const ast::Expr* width(std::size_t dimension, const Along& along);
  const ast::Expr* mean(const ast::Expr* a, const ast::Expr* b) { return make_.scaled(0.5, make_.add(a, b)); }

  // derivatives
  const ast::Expr* derivative(const ast::Expr& call, const Spot& spot);
  const ast::Expr* along(const ast::Expr& of, const std::vector<std::size_t>& by, const ast::Expr& call, const Spot& spot);
  const ast::Expr* first(const ast::Expr& of, std::size_t d, const ast::Expr& call, const Spot& spot);
  const ast::Expr* second(const ast::Expr& of, std::size_t d, const ast::Expr& call, const Spot& spot);
  const ast::Expr* on_side(const ast::Expr& of, std::size_t d, const Spot& spot);
  const ast::Expr* central(const ast::Expr& of, std::size_t d, const Spot& spot);
  const ast::Expr* one_sided(const ast::Expr& of, std::size_t d, const Spot& spot, From from);
  const ast::Expr* upwind(const ast::Expr& of, std::size_t d, const FieldTransport& transport, const Spot& spot);
  const ast::Expr* from_one_side(const ast::Expr& of, std::size_t d, const FieldTransport& transport, const Spot& spot,
                                 From from);
  const ast::Expr* flux(const ast::Expr& of, std::size_t d, const FieldTransport* transport, const Spot& face);
  const ast::Expr* carried(const ast::Expr& of, std::size_t d, const FieldTransport& transport, const Spot& face);
  const ast::Expr* at_face(const ast::Reference& field, const Instance& instance, std::size_t d, const Spot& face,
                           From from);
  const ast::Expr* definition(const ast::Expr& field, std::size_t d);
  const ast::Expr* slope_variable(const ast::Expr& field, std::size_t d, bool upper, const Spot& spot);
  const ast::Expr* extrapolated(const ast::Expr& call, const Spot& spot);
  const FieldTransport* transport(const ast::Expr& call) const;
  std::optional<bool> side_at(std::size_t d, const Along& along) const;
  bool differentiates(const ast::Expr& e, std::size_t d);
  bool is_fixed(const ast::Expr& e);
  bool limits(const FieldTransport& transport) const;
  Spot moved(Spot spot, std::size_t d, std::int64_t by) const;
  const Instance* own_field(const ast::Expr& e);

  Model& model_;
  Scope scope_;
  NamedDomain domain_;
  syntax::Maker make_;
  FieldNames names_;
  Transports transports_;
  /// While a flux is written: the field that is carried is taken from this side of the face.
  struct Upstream {
    const Instance* field = nullptr;
    std::size_t dimension = 0;
    From from = From::below;
  };
  std::optional<Upstream> upstream_;
};

}  // namespace bolza::flatten
