// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <functional>

#include "base/diagnostics.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/outcome_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/ir/dag.h"

namespace bolza::flatten {

/// A scalar while an expression is lowered: known at compile time, an expression, or the failure of what should have given
/// it; whatever uses a failed scalar fails alike.
struct Scalar {
  enum class State : std::uint8_t { failed, known, expression };
  State state = State::failed;
  Known known;
  ir::ExprId expr;
  std::optional<Failure> why;  ///< holds a value where the scalar failed

  Scalar(Known k) : state(State::known), known(std::move(k)) {}  // NOLINT(google-explicit-constructor)
  Scalar(double v) : state(State::known), known(v) {}            // NOLINT(google-explicit-constructor)
  Scalar(ir::ExprId e) : state(State::expression), expr(e) {}    // NOLINT(google-explicit-constructor)
  Scalar(Failure f) : why(f) {}                                  // NOLINT(google-explicit-constructor)
  Scalar(Reported r) : why(r) {}                                 // NOLINT(google-explicit-constructor)
  Scalar(Again a) : why(a) {}                                    // NOLINT(google-explicit-constructor)
  bool failed() const { return state == State::failed; }
  Failure failure() const { return why.value(); }
  bool is_known() const { return state == State::known; }
};

using Indices = std::vector<Scalar>;

class Lowering;

/// Gives the leaves of expressions their meaning: in equations they are slots, in functions locals, in sizes values.
class Leaves {
 public:
  virtual ~Leaves() = default;
  /// A scalar of a variable, derivative or timed value; `node` is of one of these kinds.
  virtual Scalar variable(Lowering& lowering, const Node& node, const Indices& indices) = 0;
  virtual Scalar call(Lowering& lowering, const Node& node, const Indices& indices) = 0;
  /// A number that differs between the instances, as an expression.
  virtual ir::ExprId datum(const Known& known) = 0;
  virtual Scalar select(Lowering& lowering, const Node& node, const Indices& indices) = 0;
  /// A sum of many terms in a place where it does not simply add into a row; and a sum, product, minimum or maximum of as
  /// many terms as only the run tells.
  virtual Scalar long_sum(Lowering& lowering, const Node& node, const Indices& indices) = 0;
  /// An element of a node at indices that are not known at compile time, when the node cannot be lowered at such.
  virtual Scalar element_at_run_time(Lowering& lowering, const Node& node, const Indices& indices) = 0;
  /// Another way to lower an operation; none: operand by operand.
  virtual std::optional<Scalar> instead(Lowering&, const Node&, const Indices&) { return {}; }
  /// How subscripts, ranges and compile-time conditions are lowered.
  virtual Leaves& structural() = 0;
};

/// Lowers nodes to scalars, element by element.
class Lowering {
 public:
  Lowering(Nodes& nodes, ir::Dag& dag, Diagnostics& diagnostics, Work& work, Leaves& leaves)
      : nodes(nodes),
        dag(dag),
        diagnostics(diagnostics),
        work(work),
        leaves_(&leaves) {}

  /// The element of `node` at 1-based indices, one for every dimension.
  Scalar element(const Node& node, const Indices& indices);
  Scalar scalar(const Node& node) { return element(node, {}); }
  /// With the leaves that subscripts have.
  Scalar structural(const Node& node, const Indices& indices = {});

  Scalar apply(ir::Op op, std::span<const Scalar> operands);
  Scalar apply(ir::Op op, const Scalar& a, const Scalar& b) { return apply(op, std::array{a, b}); }
  Scalar apply(ir::Op op, const Scalar& a) { return apply(op, std::span(&a, 1)); }
  ir::ExprId expression(const Scalar& scalar);  ///< expects that it has not failed

  void bind(AxisId axis, Scalar value) { bindings_.emplace_back(axis, std::move(value)); }
  void unbind(std::size_t count) { bindings_.erase(bindings_.end() - static_cast<std::ptrdiff_t>(count), bindings_.end()); }
  Scalar axis(AxisId axis);  ///< fails where the axis is not in scope, see Work::written_out
  const std::vector<std::pair<AxisId, Scalar>>& bindings() const { return bindings_; }
  Leaves& leaves() { return *leaves_; }

  /// Indices into children[0] of an index node for indices of the node itself.
  Outcome<Indices> base_indices(const Node& node, const Indices& indices);
  /// Binds the axes of a comprehension for its leading indices; the number bound.
  Outcome<std::size_t> bind_comprehension(const Node& node, const Indices& indices);

  /// The terms of a reduction one after the other, each handed to `term` with the axes bound, until one fails.
  Outcome<Done> each_term(const Node& reduce, const std::function<Outcome<Done>(const Scalar&)>& term);
  /// The sum of the terms of a reduction, written out.
  Scalar written_sum(const Node& reduce);
  /// What a sum, a product, a minimum, a maximum of nothing is.
  static double of_no_terms(ir::Op op);

  Nodes& nodes;
  ir::Dag& dag;
  Diagnostics& diagnostics;
  Work& work;

 private:
  Scalar choice(const Node& node, const Indices& indices);
  Scalar from_array(const Node& node, const Indices& indices);
  Scalar from_table(const Node& node, const Indices& indices);
  Scalar from_comprehension(const Node& node, const Indices& indices);
  Scalar reduction(const Node& node);
  Scalar element_wise(const Node& node, const Indices& indices);

  std::vector<std::pair<AxisId, Scalar>> bindings_;
  Leaves* leaves_;
};

/// Checks known indices against the dimensions; reports the first that is outside.
Outcome<Done> in_range(Lowering& lowering, const Node& node, const Indices& indices);
/// Row-major position from 0 of 1-based indices.
Scalar position(Lowering& lowering, const std::vector<std::int64_t>& dims, const Indices& indices);

}  // namespace bolza::flatten
