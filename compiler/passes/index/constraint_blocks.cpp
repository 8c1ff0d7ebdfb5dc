// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/index/constraint_blocks.h"

namespace bolza::passes {

UnionFind constraint_blocks(const Signature& signature, const Offsets& offsets) {
  UnionFind blocks(signature.n_columns);
  for (std::uint32_t r = 0; r < signature.n_rows(); ++r) {
    if (offsets.rows[r] == 0) continue;
    for (std::size_t entry = signature.begin[r]; entry < signature.begin[r + 1]; ++entry)
      if (is_leading(signature, offsets, r, entry)) blocks.unite(signature.columns[entry], offsets.matching.of_row[r]);
  }
  return blocks;
}

}  // namespace bolza::passes
