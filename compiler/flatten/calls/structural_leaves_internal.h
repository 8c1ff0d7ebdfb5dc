// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/frame_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/lower_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"

namespace bolza::flatten {

/// Leaves of subscripts, sizes, ranges and conditions that are computed now: constants and parameters have their values.
class StructuralLeaves final : public Leaves {
 public:
  explicit StructuralLeaves(Model& model, Frame* frame = nullptr) : model_(model), frame_(frame) {}
  Scalar variable(Lowering& lowering, const Node& node, const Indices& indices) override;
  Scalar call(Lowering& lowering, const Node& node, const Indices& indices) override;
  ir::ExprId datum(const Known& known) override;
  Scalar select(Lowering& lowering, const Node& node, const Indices& indices) override;
  Scalar long_sum(Lowering& lowering, const Node& node, const Indices& indices) override;
  Scalar element_at_run_time(Lowering& lowering, const Node& node, const Indices& indices) override;
  Leaves& structural() override { return *this; }

 private:
  Model& model_;
  Frame* frame_;
};

/// Value of a constant or parameter for every instance.
Scalar known_value(Model& model, Lowering& lowering, const Node& node, const Indices& indices);
/// Value of a local at compile time: inputs with given values, constants, locals with a binding.
Scalar value_in_frame(Model& model, Lowering& lowering, Frame& frame, const Node& node, const Indices& indices);

}  // namespace bolza::flatten
