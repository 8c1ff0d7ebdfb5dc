// SPDX-License-Identifier: Apache-2.0
#include "runtime/linalg/block_triangular_form.h"

#include <btf.h>

#include <numeric>

namespace bolza::linalg {

BlockTriangularForm block_triangular_form(std::size_t n, const std::vector<std::pair<std::int32_t, std::int32_t>>& places) {
  std::vector<int> start(n + 1), rows(places.size()), work(5 * n);
  for (auto [row, col] : places) ++start[static_cast<std::size_t>(col) + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<int> next(start.begin(), start.end() - 1);
  for (auto [row, col] : places) rows[static_cast<std::size_t>(next[static_cast<std::size_t>(col)]++)] = row;
  BlockTriangularForm out{std::vector<int>(n), std::vector<int>(n), std::vector<int>(n + 1)};
  double effort = 0;
  int matched = 0;
  int blocks = btf_order(static_cast<int>(n), start.data(), rows.data(), 0, &effort, out.row.data(), out.col.data(),
                         out.first.data(), &matched, work.data());
  out.first.resize(static_cast<std::size_t>(blocks) + 1);
  out.complete = matched == static_cast<int>(n);
  return out;
}

}  // namespace bolza::linalg
