// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/groups/emit_internal.h"

#include <algorithm>

#include "base/expects.h"
#include "compiler/flatten/groups/equation_leaves_internal.h"
#include "compiler/flatten/groups/group_builder_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/codes.h"
#include "compiler/flatten/nodes/lower_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"

namespace bolza::flatten {

using ir::ExprId;
using ir::Op;
using ir::RowId;

namespace {

/// A factor of a sum: lowered again in the wider space of the sum's terms.
struct Factor {
  const Node* node = nullptr;
  Indices indices;
  bool divides = false;
};

/// A long sum that adds into a row.
struct Deferred {
  const Node* sum = nullptr;
  std::vector<std::pair<AxisId, Scalar>> bindings;
  std::vector<Factor> factors;
  bool negative = false;
  std::size_t root = 0;     ///< which side of a pair
  std::int64_t offset = 0;  ///< of the row
};

/// Takes the long sums out of an expression where it is linear in them with factor ±1, or other factors.
class Additive {
 public:
  /// Discrete values are not sums of rows: there nothing is taken out.
  Additive(Lowering& lowering, std::vector<Deferred>& deferred, std::size_t root, std::int64_t offset, ExpressionPlace place)
      : lowering_(lowering),
        deferred_(deferred),
        root_(root),
        offset_(offset),
        defers_(place != ExpressionPlace::discrete) {}

  /// The rest of the expression.
  Scalar rest(const Node& node, const Indices& indices, bool negative) {
    if (!node.has_sum || !defers_) return lowering_.element(node, indices);
    switch (node.kind) {
      case NodeKind::apply:
        return apply(node, indices, negative);
      case NodeKind::comprehension:
        return comprehension(node, indices, negative);
      case NodeKind::index: {
        auto at = lowering_.base_indices(node, indices);
        return at ? rest(*node.children[0], *at, negative) : at.failure();
      }
      case NodeKind::reduce:
        return reduce(node, negative);
      default:
        return lowering_.element(node, indices);
    }
  }

 private:
  static bool is_split(const Scalar& scalar) { return scalar.failed() && scalar.failure().is(Again::How::split); }
  static Indices indices_for(const Node& child, const Indices& indices) { return child.dims.empty() ? Indices{} : indices; }

  Scalar apply(const Node& node, const Indices& indices, bool negative) {
    const Node& a = *node.children[0];
    if (node.op == Op::neg) return lowering_.apply(Op::neg, rest(a, indices_for(a, indices), !negative));
    if (node.op == Op::add || node.op == Op::sub) {
      const Node& b = *node.children[1];
      Scalar left = rest(a, indices_for(a, indices), negative);
      if (is_split(left)) return left;
      Scalar right = rest(b, indices_for(b, indices), negative != (node.op == Op::sub));
      return lowering_.apply(node.op, left, right);
    }
    if (node.op == Op::mul && (!a.has_sum || !node.children[1]->has_sum)) {
      const Node& sum = a.has_sum ? a : *node.children[1];
      return scaled(node.op, sum, a.has_sum ? *node.children[1] : a, indices, negative);
    }
    if (node.op == Op::div && !node.children[1]->has_sum) return scaled(node.op, a, *node.children[1], indices, negative);
    return lowering_.element(node, indices);
  }

  Scalar scaled(Op op, const Node& sum, const Node& factor, const Indices& indices, bool negative) {
    Indices at = indices_for(factor, indices);
    factors_.push_back({&factor, at, op == Op::div});
    Scalar remaining = rest(sum, indices_for(sum, indices), negative);
    factors_.pop_back();
    if (is_split(remaining)) return remaining;
    if (remaining.is_known() && remaining.known.is_uniform() && remaining.known.uniform() == 0) return remaining;
    return lowering_.apply(op, remaining, lowering_.element(factor, at));
  }

  Scalar comprehension(const Node& node, const Indices& indices, bool negative) {
    auto bound = lowering_.bind_comprehension(node, indices);
    if (!bound) return bound.failure();
    Scalar result =
        rest(*node.children[0], Indices(indices.begin() + static_cast<std::ptrdiff_t>(*bound), indices.end()), negative);
    lowering_.unbind(*bound);
    return result;
  }

  Scalar reduce(const Node& node, bool negative) {
    if (node.op != Op::add || size_of(node.counts) <= longest_written_sum) return lowering_.element(node, {});
    for (const auto& [axis, value] : lowering_.bindings())
      if (!value.is_known()) return lowering_.element(node, {});
    deferred_.push_back({&node, lowering_.bindings(), factors_, negative, root_, offset_});
    return 0.0;
  }

  Lowering& lowering_;
  std::vector<Deferred>& deferred_;
  std::vector<Factor> factors_;
  std::size_t root_;
  std::int64_t offset_;
  bool defers_;
};

/// Rows of one target, with the axis that numbers them.
struct Emission {
  Model& model;
  Target target;
  AxisId row;
  std::uint32_t base = 0;
  std::int64_t stride = 1;  ///< rows per instance of the row axis
  std::size_t sides = 1;
};

bool is_zero(const ir::Dag& dag, ExprId e) { return dag.is_number(e, 0.0); }

std::vector<RowId> rows_of(const Emission& emission, const Space& space, std::int64_t offset) {
  const Known* at = space.find(emission.row);
  expects(at != nullptr, "every instance knows its row");
  std::vector<RowId> rows(space.n);
  for (std::size_t i = 0; i < space.n; ++i)
    rows[i] = RowId(emission.base + static_cast<std::size_t>((*at)[i]) * static_cast<std::size_t>(emission.stride) +
                    static_cast<std::size_t>(offset));
  return rows;
}

void emit_deferred(const Emission& emission, const Space& space, const Deferred& deferred);

void emit_auxiliaries(Model& model, const Space& space, const std::vector<PendingSum>& sums, Span span,
                      const NamedAxes* names) {
  for (const PendingSum& sum : sums) {
    auto n = static_cast<std::uint32_t>(space.n);
    Emission emission{model, {&model.flat.equations, ExpressionPlace::equation, span, names}, model.nodes.new_axis()};
    emission.base = model.flat.equations.n_rows;
    model.flat.equations.n_rows += n;
    if (sum.variables == PendingSum::Variables::to_be_made) model.auxiliaries.push_back({sum.auxiliary, n, span});
    Space numbered = space;
    std::vector<double> rows(n);
    std::vector<std::uint32_t> ids(n);
    for (std::uint32_t i = 0; i < n; ++i) {
      rows[i] = i;
      ids[i] = provisional::auxiliary | (sum.auxiliary + i);
    }
    numbered.axes.emplace_back(emission.row, Known(std::move(rows)));
    GroupBuilder builder(model, n);
    ExprId root = builder.slot(std::move(ids));
    model.flat.equations.groups.push_back(builder.finish({root}, {rows_of(emission, numbered, 0)}, span, numbered, *names));
    emit_deferred(emission, numbered, {sum.node, sum.bindings, {}, true, 0, 0});
  }
}

/// Pushes the group of one part of a space, then what was taken out of it.
void finish_part(const Emission& emission, const Space& space, GroupBuilder& builder, EquationLeaves& leaves,
                 std::vector<ExprId> roots, std::vector<std::int64_t> offsets, const std::vector<Deferred>& deferred,
                 bool drop_zero) {
  bool empty =
      drop_zero && std::all_of(roots.begin(), roots.end(), [&](ExprId e) { return is_zero(emission.model.dag(), e); });
  if (!empty) {
    std::vector<std::vector<RowId>> rows;
    for (std::int64_t offset : offsets) rows.push_back(rows_of(emission, space, offset));
    emission.target.section->groups.push_back(
        builder.finish(std::move(roots), std::move(rows), emission.target.span, space, *emission.target.names));
  }
  std::vector<PendingSum> sums = std::move(leaves.sums());
  emit_auxiliaries(emission.model, space, sums, emission.target.span, emission.target.names);
  for (const Deferred& d : deferred) emit_deferred(emission, space, d);
}

/// The sides at the given indices, as one group; `offset` of the row.
Outcome<Done> emit_part(const Emission& emission, Work& work, const std::vector<const Node*>& sides,
                        const std::vector<Indices>& at) {
  GroupBuilder builder(emission.model, work.space.n);
  EquationLeaves leaves(emission.model, builder, emission.target.place);
  Lowering lowering(emission.model.nodes, emission.model.dag(), emission.model.diagnostics, work, leaves);
  std::vector<Deferred> deferred;
  std::vector<ExprId> roots;
  std::vector<std::int64_t> offsets;
  for (std::size_t e = 0; e < at.size(); ++e)
    for (std::size_t side = 0; side < sides.size(); ++side) {
      Additive additive(lowering, deferred, side, static_cast<std::int64_t>(e), emission.target.place);
      Scalar value = additive.rest(*sides[side], sides[side]->dims.empty() ? Indices{} : at[e], false);
      if (value.failed()) return value.failure();
      roots.push_back(lowering.expression(value));
      offsets.push_back(static_cast<std::int64_t>(e));
    }
  if (at.size() > 1 && sides.size() > 1) {  // constraints: groups of exactly two roots
    for (std::size_t e = 0; e < at.size(); ++e) {
      std::vector<Deferred> own;
      for (const Deferred& d : deferred)
        if (d.offset == static_cast<std::int64_t>(e)) own.push_back(d);
      finish_part(emission, work.space, builder, leaves, {roots[2 * e], roots[2 * e + 1]}, {offsets[2 * e], offsets[2 * e]},
                  own, false);
    }
    return Done{};
  }
  if (emission.model.clock != nullptr)  // a slot that no root reads: it says whose clock the rows have
    if (Scalar clock = lowering.element(*emission.model.clock, {}); clock.failed()) return clock.failure();
  finish_part(emission, work.space, builder, leaves, std::move(roots), std::move(offsets), deferred,
              !deferred.empty() && sides.size() == 1);
  return Done{};
}

void emit_deferred(const Emission& emission, const Space& outer, const Deferred& deferred) {
  Model& model = emission.model;
  const Node& sum = *deferred.sum;
  Space space = outer;
  for (const auto& [axis, value] : deferred.bindings) space.axes.emplace_back(axis, value.known);
  std::vector<Factor> factors;
  std::vector<std::vector<AxisId>> factor_axes;
  for (const Factor& factor : deferred.factors) {
    factor_axes.emplace_back();
    for (const Scalar& index : factor.indices) {
      factor_axes.back().push_back(model.nodes.new_axis());
      space.axes.emplace_back(factor_axes.back().back(), index.known);
    }
  }
  model.terms += size_of({size_of(sum.counts), static_cast<std::int64_t>(space.n)});
  if (model.has_too_many_terms()) {
    model.diagnostics.error(too_many_terms, sum.span, {std::to_string(model.most_terms())});
    return;
  }
  for (std::size_t k = 0; k < sum.axes.size(); ++k) {
    auto m = static_cast<std::size_t>(sum.counts[k]);
    std::vector<double> values(space.n * m);
    Work here(space);
    Lowering lowering(model.nodes, model.dag(), model.diagnostics, here, model.structural_leaves());
    for (std::size_t j = 0; j < m; ++j) {
      const Node* range = sum.children[k + 1];
      Scalar value = range ? lowering.element(*range, {static_cast<double>(j + 1)}) : Scalar(static_cast<double>(j + 1));
      if (value.failed()) return;
      if (!value.is_known())
        return void(model.diagnostics.error(not_known_at_compile_time, range->span, {"the result of a call"}));
      for (std::size_t i = 0; i < space.n; ++i) values[i * m + j] = value.known[i];
    }
    space = extend_each(space, sum.axes[k], std::move(values));
  }
  for_each_part(space, [&](Work& work) -> Outcome<Done> {
    GroupBuilder builder(model, work.space.n);
    EquationLeaves leaves(model, builder, emission.target.place);
    Lowering lowering(model.nodes, model.dag(), model.diagnostics, work, leaves);
    std::vector<Deferred> inner;
    Additive additive(lowering, inner, deferred.root, deferred.offset, emission.target.place);
    Scalar body = additive.rest(*sum.children[0], {}, deferred.negative);
    for (std::size_t f = 0; f < deferred.factors.size() && !body.failed(); ++f) {
      Indices at;
      for (AxisId axis : factor_axes[f]) at.push_back(lowering.axis(axis));
      Scalar factor = lowering.element(*deferred.factors[f].node, at);
      body = lowering.apply(deferred.factors[f].divides ? Op::div : Op::mul, body, factor);
    }
    if (deferred.negative) body = lowering.apply(Op::neg, body);
    if (body.failed()) return body.failure();
    for (Deferred& d : inner)
      for (std::size_t f = 0; f < deferred.factors.size(); ++f) {
        Factor factor{deferred.factors[f].node, {}, deferred.factors[f].divides};
        for (AxisId axis : factor_axes[f]) factor.indices.push_back(lowering.axis(axis));
        d.factors.push_back(std::move(factor));
      }
    std::vector<ExprId> roots(emission.sides, model.dag().zero());
    roots[deferred.root] = lowering.expression(body);
    std::vector<std::int64_t> offsets(emission.sides, deferred.offset);
    finish_part(emission, work.space, builder, leaves, std::move(roots), std::move(offsets), inner, true);
    return Done{};
  });
}

/// All elements and instances of one or two sides. Gives the number of rows.
std::uint32_t emit(Model& model, const Space& given, const std::vector<const Node*>& sides, const Target& target,
                   std::optional<std::uint32_t> row) {
  std::vector<std::int64_t> dims;
  bool has_call = false;
  for (const Node* side : sides) {
    if (!side->dims.empty()) dims = side->dims;
    has_call |= side->has_call;
  }
  std::int64_t size = size_of(dims);
  if (size == 0 || given.n == 0) return 0;
  if (target.section->n_rows + size_of({size, static_cast<std::int64_t>(given.n)}) > model.flat.max_scalars) {
    model.diagnostics.error(too_many_scalars, target.span, {"this equation", std::to_string(model.flat.max_scalars)});
    return 0;
  }
  Emission emission{model, target, model.nodes.new_axis()};
  emission.sides = sides.size();
  Space space = given;
  std::vector<Indices> at{Indices{}};
  if (!dims.empty() && has_call) {
    emission.stride = size;
    at.clear();
    for (std::int64_t e = 0; e < size; ++e) {
      at.emplace_back();
      for (std::int64_t i : indices_at(dims, e)) at.back().push_back(static_cast<double>(i));
    }
  }
  std::vector<AxisId> axes;
  if (!dims.empty() && !has_call)
    for (std::int64_t d : dims) {
      axes.push_back(model.nodes.new_axis());
      space = extend_to(space, axes.back(), d);
    }
  std::uint32_t count = static_cast<std::uint32_t>(space.n) * static_cast<std::uint32_t>(emission.stride);
  std::vector<double> rows(space.n);
  if (row) {
    emission.base = *row;
  } else {
    emission.base = target.section->n_rows;
    target.section->n_rows += count;
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<double>(i);
  }
  space.axes.emplace_back(emission.row, Known(std::move(rows)));
  for_each_part(space, [&](Work& work) -> Outcome<Done> {
    std::vector<Indices> here = at;
    if (!axes.empty()) {
      here[0].clear();
      for (AxisId axis : axes) here[0].emplace_back(*work.space.find(axis));
    }
    return emit_part(emission, work, sides, here);
  });
  return count;
}

}  // namespace

void emit_rows(Model& model, const Space& space, const Node& residual, const Target& target) {
  emit(model, space, {&residual}, target, {});
}

std::uint32_t emit_pairs(Model& model, const Space& space, const Node& left, const Node& right, const Target& target) {
  return emit(model, space, {&left, &right}, target, {});
}

void emit_sum(Model& model, const Space& space, const Node& term, const Target& target, std::uint32_t row) {
  emit(model, space, {&term}, target, row);
}

}  // namespace bolza::flatten
