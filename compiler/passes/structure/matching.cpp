// SPDX-License-Identifier: Apache-2.0
// Hopcroft–Karp, and the decomposition by Dulmage and Mendelsohn.
#include <algorithm>

#include "compiler/passes/structure/incidence.h"

namespace bolza::passes {

namespace {

class HopcroftKarp {
 public:
  HopcroftKarp(const Incidence& incidence, Matching& matching)
      : incidence_(incidence),
        m_(matching),
        level_(incidence.n_rows()),
        next_(incidence.n_rows()) {}

  void run() {
    while (set_levels()) {
      std::fill(next_.begin(), next_.end(), 0);
      for (std::uint32_t r = 0; r < incidence_.n_rows(); ++r)
        if (m_.of_row[r] == Matching::none && augment(r)) ++m_.size;
    }
  }

 private:
  /// Breadth first from the unmatched rows; true when an unmatched column is reached.
  bool set_levels() {
    std::vector<std::uint32_t> queue;
    std::fill(level_.begin(), level_.end(), Matching::none);
    for (std::uint32_t r = 0; r < incidence_.n_rows(); ++r)
      if (m_.of_row[r] == Matching::none) {
        level_[r] = 0;
        queue.push_back(r);
      }
    bool found = false;
    for (std::size_t at = 0; at < queue.size(); ++at)
      for (std::uint32_t c : incidence_.row(queue[at])) {
        std::uint32_t row = m_.of_column[c];
        if (row == Matching::none) found = true;
        else if (level_[row] == Matching::none) {
          level_[row] = level_[queue[at]] + 1;
          queue.push_back(row);
        }
      }
    return found;
  }

  /// Depth first along the levels, without recursion: a path of rows, each entered through the column that the row before
  /// wants.
  bool augment(std::uint32_t start) {
    std::vector<std::uint32_t> path{start};
    while (!path.empty()) {
      std::uint32_t row = path.back();
      std::span<const std::uint32_t> columns = incidence_.row(row);
      if (next_[row] == columns.size()) {
        path.pop_back();
        if (!path.empty()) ++next_[path.back()];
        continue;
      }
      std::uint32_t owner = m_.of_column[columns[next_[row]]];
      if (owner == Matching::none) {
        take(path);
        return true;
      }
      if (level_[owner] == level_[row] + 1) path.push_back(owner);
      else ++next_[row];
    }
    return false;
  }

  void take(const std::vector<std::uint32_t>& path) {
    for (std::uint32_t row : path) {
      std::uint32_t column = incidence_.row(row)[next_[row]];
      m_.of_row[row] = column;
      m_.of_column[column] = row;
      ++next_[row];
    }
  }

  const Incidence& incidence_;
  Matching& m_;
  std::vector<std::uint32_t> level_;
  std::vector<std::size_t> next_;
};

/// Rows and columns that alternating paths reach from the unmatched rows.
void reach(const Incidence& incidence, const std::vector<std::uint32_t>& of_row, const std::vector<std::uint32_t>& of_column,
           std::vector<std::uint32_t>& rows, std::vector<std::uint32_t>& columns) {
  std::vector<bool> row_seen(incidence.n_rows(), false), column_seen(incidence.n_columns, false);
  for (std::uint32_t r = 0; r < incidence.n_rows(); ++r)
    if (of_row[r] == Matching::none) {
      row_seen[r] = true;
      rows.push_back(r);
    }
  for (std::size_t at = 0; at < rows.size(); ++at)
    for (std::uint32_t c : incidence.row(rows[at])) {
      if (column_seen[c]) continue;
      column_seen[c] = true;
      columns.push_back(c);
      std::uint32_t row = of_column[c];
      if (row != Matching::none && !row_seen[row]) {
        row_seen[row] = true;
        rows.push_back(row);
      }
    }
  std::sort(rows.begin(), rows.end());
  std::sort(columns.begin(), columns.end());
}

}  // namespace

Matching empty_matching(const Incidence& incidence) {
  Matching matching;
  matching.of_row.assign(incidence.n_rows(), Matching::none);
  matching.of_column.assign(incidence.n_columns, Matching::none);
  return matching;
}

void maximise(const Incidence& incidence, Matching& matching) { HopcroftKarp(incidence, matching).run(); }

Decomposition decompose(const Incidence& incidence, const Matching& matching) {
  Decomposition d;
  reach(incidence, matching.of_row, matching.of_column, d.over_rows, d.over_columns);
  reach(transpose(incidence), matching.of_column, matching.of_row, d.under_columns, d.under_rows);
  return d;
}

}  // namespace bolza::passes
