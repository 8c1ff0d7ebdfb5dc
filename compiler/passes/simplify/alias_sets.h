// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "compiler/ir/group.h"

namespace bolza::passes {

/// Union–find over variables with v = sign·representative + offset.
class AliasSets {
 public:
  struct Link {
    ir::VariableId representative;
    double sign = 1, offset = 0;
  };
  explicit AliasSets(std::size_t n);
  Link find(ir::VariableId v);
  /// Says a = sign·b + offset. The representative of b stays one. Requires different representatives.
  void unite(ir::VariableId a, ir::VariableId b, double sign, double offset);

 private:
  std::vector<Link> parent_;
};

}  // namespace bolza::passes
