// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/groups/group_builder_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/lower_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"

namespace bolza::flatten {

/// What may stand in an expression.
enum class ExpressionPlace : std::uint8_t {
  equation,
  initial_equation,
  discrete,
  attribute,
  integrand,  ///< of an integral in a constraint, or in a function in the objective
  path,
  point,
  time_argument,
  algorithm
};

/// A sum of many terms that gets rows of its own.
struct PendingSum {
  const Node* node = nullptr;
  std::vector<std::pair<AxisId, Scalar>> bindings;
  std::uint32_t auxiliary = 0;  ///< first of n auxiliary variables that equal the sum
  enum class Variables : std::uint8_t { to_be_made, there } variables = Variables::to_be_made;
};

/// Leaves of equations, constraints, attributes: slots of a group.
class EquationLeaves final : public Leaves {
 public:
  EquationLeaves(Model& model, GroupBuilder& builder, ExpressionPlace place)
      : model_(model),
        builder_(builder),
        place_(place) {}
  Scalar variable(Lowering& lowering, const Node& node, const Indices& indices) override;
  Scalar call(Lowering& lowering, const Node& node, const Indices& indices) override;
  ir::ExprId datum(const Known& known) override { return builder_.datum(known); }
  Scalar select(Lowering& lowering, const Node& node, const Indices& indices) override;
  Scalar long_sum(Lowering& lowering, const Node& node, const Indices& indices) override;
  Scalar element_at_run_time(Lowering& lowering, const Node& node, const Indices& indices) override;
  Leaves& structural() override;

  ExpressionPlace place() const { return place_; }
  std::vector<PendingSum>& sums() { return sums_; }

 private:
  Scalar slot_of(std::vector<std::uint32_t> ids) { return builder_.slot(std::move(ids)); }
  Scalar timed(Lowering& lowering, const Node& node, const Indices& indices);
  Scalar derivative(Lowering& lowering, const Node& node, const Indices& indices);
  Scalar derivative_of_expression(Lowering& lowering, const Node& of, const Indices& indices);
  Scalar flag(const Node& node);
  Scalar sample(Lowering& lowering, const Node& node);
  Scalar delayed(Lowering& lowering, const Node& node, const Indices& indices);
  Scalar transported(Lowering& lowering, const Node& node);
  Scalar clocked(Lowering& lowering, const Node& node, const Indices& indices);
  Scalar integral(Lowering& lowering, const Node& node);
  Outcome<ir::ElementValues> own_term(Lowering& lowering, const Node& node, const Indices& indices,
                                      ExpressionPlace place = ExpressionPlace::time_argument);

  Model& model_;
  GroupBuilder& builder_;
  ExpressionPlace place_;
  std::vector<PendingSum> sums_;
};

/// The ids of a place of a variable: one entry, or one per instance.
Outcome<std::vector<std::uint32_t>> ids_of(Model& model, Lowering& lowering, const Node& place, const Indices& indices);
/// The ids of a place for every instance of a space and every element, row-major.
Outcome<std::vector<std::uint32_t>> ids_in(Model& model, const Space& space, const Node& place);

/// Lowers one scalar in a place of its own: attributes, times, conditions of assertions.
Outcome<ir::ElementValues> lower_values(Model& model, Work& work, const Node& node, const Indices& indices,
                                        ExpressionPlace place);

}  // namespace bolza::flatten
