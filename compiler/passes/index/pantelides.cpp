// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/index/pantelides.h"

#include <algorithm>

namespace bolza::passes {

namespace {

Incidence leading_part(const Signature& signature, const Offsets& offsets) {
  Incidence leading;
  leading.n_columns = signature.n_columns;
  leading.begin.push_back(0);
  for (std::size_t r = 0; r < signature.n_rows(); ++r) {
    for (std::size_t entry = signature.begin[r]; entry < signature.begin[r + 1]; ++entry)
      if (is_leading(signature, offsets, r, entry)) leading.columns.push_back(signature.columns[entry]);
    leading.begin.push_back(static_cast<std::uint32_t>(leading.columns.size()));
  }
  return leading;
}

}  // namespace

bool is_leading(const Signature& signature, const Offsets& offsets, std::size_t row, std::size_t entry) {
  return signature.orders[entry] + static_cast<std::int64_t>(offsets.rows[row]) ==
         static_cast<std::int64_t>(offsets.columns[signature.columns[entry]]);
}

std::optional<Offsets> differentiation_offsets(const Signature& signature, std::span<const std::uint32_t> least,
                                               std::uint32_t limit) {
  Offsets offsets;
  offsets.rows.assign(signature.n_rows(), 0);
  offsets.columns.assign(least.begin(), least.end());
  for (std::size_t entry = 0; entry < signature.columns.size(); ++entry) {
    std::uint32_t& order = offsets.columns[signature.columns[entry]];
    if (signature.orders[entry] > 0) order = std::max(order, static_cast<std::uint32_t>(signature.orders[entry]));
  }
  while (true) {
    Incidence leading = leading_part(signature, offsets);
    if (offsets.matching.of_row.empty()) offsets.matching = empty_matching(leading);
    maximise(leading, offsets.matching);
    if (offsets.matching.size == signature.n_rows()) return offsets;
    Decomposition parts = decompose(leading, offsets.matching);
    for (std::uint32_t r : parts.over_rows)
      if (++offsets.rows[r] > limit) return {};
    for (std::uint32_t c : parts.over_columns) ++offsets.columns[c];
  }
}

}  // namespace bolza::passes
