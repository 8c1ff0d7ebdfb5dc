// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/flatten/model/model_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"

namespace bolza::flatten {

/// Number of connections that touch a connector, from inside or outside of its component; of an array those of all its
/// elements. Cost: the connect equations of the whole model once, then that of the subscripts.
Outcome<std::int64_t> cardinality(Model& model, Work& work, const Node& connector);

}  // namespace bolza::flatten
