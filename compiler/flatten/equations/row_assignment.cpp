// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/equations/row_assignment_internal.h"

namespace bolza::flatten {

std::uint32_t RowAssignment::add(std::vector<std::uint32_t> unknowns) {
  rows_.push_back(std::move(unknowns));
  return static_cast<std::uint32_t>(rows_.size() - 1);
}

bool RowAssignment::assign(std::uint32_t row) {
  std::map<std::uint32_t, std::uint32_t> reached_from;  // unknown → row
  std::vector<std::uint32_t> queue{row};
  for (std::size_t k = 0; k < queue.size(); ++k)
    for (std::uint32_t unknown : rows_[queue[k]]) {
      if (!reached_from.emplace(unknown, queue[k]).second) continue;
      auto taken = row_of_.find(unknown);
      if (taken == row_of_.end()) {
        move_along(row, unknown, reached_from);
        return true;
      }
      queue.push_back(taken->second);
    }
  return false;
}

void RowAssignment::move_along(std::uint32_t row, std::uint32_t free,
                               const std::map<std::uint32_t, std::uint32_t>& reached_from) {
  for (;;) {
    std::uint32_t by = reached_from.at(free);
    auto before = unknown_of_.find(by);
    std::uint32_t next = before == unknown_of_.end() ? free : before->second;
    row_of_[free] = by;
    unknown_of_[by] = free;
    if (by == row) return;
    free = next;
  }
}

}  // namespace bolza::flatten
