// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "base/span.h"
#include "compiler/flatten/model/model_internal.h"

namespace bolza::flatten {

/// A scalar stream variable in a connection set, by the id of the variable.
struct StreamEnd {
  std::uint32_t id = 0;
  bool outside = false;
  Span span;
};

/// The equations of stream variables [MLS, 15.2]: what `inStream` of each is, and the value of those that are in a set as
/// outside connectors: what the others of the set would mix to, if all flows had their signs. Those in no set see
/// themselves. Cost: the square of the size of each set.
void stream_rows(Model& model, const std::vector<std::vector<StreamEnd>>& sets);

}  // namespace bolza::flatten
