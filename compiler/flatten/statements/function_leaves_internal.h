// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/lower_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"
#include "compiler/flatten/statements/program_writer_internal.h"

namespace bolza::flatten {

/// Leaves in the body of a function: locals, elements of local arrays, calls as statements.
class FunctionLeaves final : public Leaves {
 public:
  FunctionLeaves(Model& model, ProgramWriter& writer) : model_(model), writer_(writer) {}
  Scalar variable(Lowering& lowering, const Node& node, const Indices& indices) override;
  Scalar call(Lowering& lowering, const Node& node, const Indices& indices) override;
  ir::ExprId datum(const Known& known) override;
  Scalar select(Lowering& lowering, const Node& node, const Indices& indices) override;
  Scalar long_sum(Lowering& lowering, const Node& node, const Indices& indices) override;
  Scalar element_at_run_time(Lowering& lowering, const Node& node, const Indices& indices) override;
  std::optional<Scalar> instead(Lowering& lowering, const Node& node, const Indices& indices) override;
  Leaves& structural() override { return *this; }

 private:
  Scalar constant(Lowering& lowering, const Node& node, const Indices& indices);
  Scalar of_section(Lowering& lowering, const Node& node, const Indices& indices);
  Scalar clocked_element(Lowering& lowering, const Node& node, const Indices& indices);

  Model& model_;
  ProgramWriter& writer_;
};

}  // namespace bolza::flatten
