// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/assign_internal.h"

#include <algorithm>
#include <numeric>

namespace bolza::codegen {
namespace {

struct LastWriter {
  std::uint32_t instance = 0;  ///< counted over all groups, from 1; 0: none
  std::uint32_t output = 0;
};

}  // namespace

Assignment assign(const std::vector<GroupOutputs>& groups, std::size_t n_out) {
  Assignment result;
  std::vector<LastWriter> last(n_out);
  std::uint32_t instance = 0;
  for (const GroupOutputs& group : groups) {
    std::vector<std::uint8_t>& adds = result.adds.emplace_back(group.values.size(), 0);
    std::size_t n = group.rows.empty() ? 0 : group.rows[0].size();
    for (std::size_t i = 0; i < n; ++i) {
      ++instance;
      for (std::uint32_t o = 0; o < group.rows.size(); ++o) {
        LastWriter& writer = last[static_cast<std::size_t>(group.rows[o][i])];
        if (writer.instance == instance) adds[writer.output] = 1;
        if (writer.instance != 0) adds[o] = 1;
        writer = {instance, o};
      }
    }
  }
  std::vector<std::uint8_t> stored(n_out, 0);
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (std::size_t o = 0; o < groups[g].rows.size(); ++o)
      if (!result.adds[g][o])
        for (std::int32_t row : groups[g].rows[o]) stored[static_cast<std::size_t>(row)] = 1;
  for (std::size_t row = 0; row < n_out; ++row)
    if (!stored[row]) result.zero.push_back(static_cast<std::int32_t>(row));
  return result;
}

std::size_t PatternBuilder::add(std::int32_t row, std::int32_t column) {
  pairs_.push_back(static_cast<std::uint64_t>(row) << 32 | static_cast<std::uint32_t>(column));
  return pairs_.size() - 1;
}

std::vector<std::int32_t> PatternBuilder::finish(std::vector<std::int32_t>& row, std::vector<std::int32_t>& column) const {
  std::vector<std::size_t> order(pairs_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return pairs_[a] != pairs_[b] ? pairs_[a] < pairs_[b] : a < b; });
  std::vector<std::int32_t> entry(pairs_.size());
  row.clear();
  column.clear();
  for (std::size_t j = 0; j < order.size(); ++j) {
    std::uint64_t pair = pairs_[order[j]];
    if (j == 0 || pairs_[order[j - 1]] != pair) {
      row.push_back(static_cast<std::int32_t>(pair >> 32));
      column.push_back(static_cast<std::int32_t>(pair & 0xFFFFFFFFu));
    }
    entry[order[j]] = static_cast<std::int32_t>(row.size() - 1);
  }
  return entry;
}

}  // namespace bolza::codegen
