// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/structure/tearing.h"

#include <algorithm>
#include <map>

namespace bolza::passes {

namespace {

class BlockTearing {
 public:
  BlockTearing(const Incidence& incidence, const Matching& matching, const std::vector<std::uint32_t>& block,
               const std::vector<bool>& solvable)
      : incidence_(incidence),
        block_(block),
        solvable_(solvable) {
    for (std::uint32_t row : block) columns_.emplace(matching.of_row[row], Column{});
    for (std::uint32_t r = 0; r < block.size(); ++r) {
      unknown_.push_back(0);
      for (std::size_t entry = incidence.begin[block[r]]; entry < incidence.begin[block[r] + 1]; ++entry) {
        auto at = columns_.find(incidence.columns[entry]);
        if (at == columns_.end()) continue;
        at->second.rows.push_back(r);
        ++unknown_.back();
      }
    }
    row_used_.assign(block.size(), false);
    for (auto& [number, column] : columns_) by_rows_.push_back({number, &column});
    std::stable_sort(by_rows_.begin(), by_rows_.end(),
                     [](const auto& a, const auto& b) { return a.second->rows.size() > b.second->rows.size(); });
  }

  Tearing run() {
    for (std::uint32_t r = 0; r < block_.size(); ++r)
      if (unknown_[r] == 1) queue_.push_back(r);
    for (std::size_t left = columns_.size(); left > 0;) {
      if (!queue_.empty()) {
        std::uint32_t r = queue_.back();
        queue_.pop_back();
        if (assign(r)) --left;
        continue;
      }
      tear_one();
      --left;
    }
    std::size_t next = 0;
    for (std::uint32_t r = 0; r < block_.size(); ++r)
      if (!row_used_[r]) result_.residuals.emplace_back(block_[r], torn_[next++]);
    return std::move(result_);
  }

 private:
  struct Column {
    std::vector<std::uint32_t> rows;
    bool known = false;
  };

  bool assign(std::uint32_t r) {
    if (row_used_[r] || unknown_[r] != 1) return false;
    for (std::size_t entry = incidence_.begin[block_[r]]; entry < incidence_.begin[block_[r] + 1]; ++entry) {
      auto at = columns_.find(incidence_.columns[entry]);
      if (at == columns_.end() || at->second.known) continue;
      if (!solvable_[entry]) return false;  // stays a residual
      row_used_[r] = true;
      result_.assignments.emplace_back(block_[r], at->first);
      set_known(at->second);
      return true;
    }
    return false;
  }

  void tear_one() {
    while (by_rows_[next_].second->known) ++next_;
    torn_.push_back(by_rows_[next_].first);
    set_known(*by_rows_[next_].second);
  }

  void set_known(Column& column) {
    column.known = true;
    for (std::uint32_t r : column.rows)
      if (--unknown_[r] == 1) queue_.push_back(r);
  }

  const Incidence& incidence_;
  const std::vector<std::uint32_t>& block_;
  const std::vector<bool>& solvable_;
  std::map<std::uint32_t, Column> columns_;
  std::vector<std::pair<std::uint32_t, Column*>> by_rows_;  // those in most rows first, ties: lowest number
  std::size_t next_ = 0;
  std::vector<std::uint32_t> unknown_, queue_, torn_;
  std::vector<bool> row_used_;
  Tearing result_;
};

}  // namespace

Tearing tear(const Incidence& incidence, const Matching& matching, const std::vector<std::uint32_t>& block,
             const std::vector<bool>& solvable) {
  return BlockTearing(incidence, matching, block, solvable).run();
}

}  // namespace bolza::passes
