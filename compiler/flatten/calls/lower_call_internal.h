// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/frame_internal.h"
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/lower_internal.h"
#include "compiler/flatten/nodes/node_internal.h"

namespace bolza::flatten {

/// A call in an equation: a call node over the arguments, an output of it; computed when all arguments are known.
Scalar lower_call(Model& model, Lowering& lowering, const Node& node, const Indices& indices);
/// All arguments of a call as scalars, in the order of the Program's inputs.
Outcome<std::vector<Scalar>> lower_arguments(Model& model, Lowering& lowering, const Node& node,
                                             const Indices& vector_indices);
/// Which output of the Program the element is; none where that is only known while the model runs.
Outcome<std::optional<std::uint32_t>> output_number(Lowering& lowering, const Frame& frame, const Node& node,
                                                    const Indices& own);
/// The same as a scalar, also at indices that are not known at compile time.
Scalar output_position(Lowering& lowering, const Frame& frame, const Node& node, const Indices& own);

}  // namespace bolza::flatten
