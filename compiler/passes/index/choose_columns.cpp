// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/index/choose_columns.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <tuple>

namespace bolza::passes {

namespace {

constexpr std::uint32_t no_index = 0xffffffff;
constexpr double zero = 1e-10;           ///< relative to the row as given: what rounding leaves of a cancelled entry
constexpr double similar = 0.5;          ///< pivots that differ by less than this factor are a matter of taste
constexpr double least_constant = 1e-6;  ///< constant pivots are at least so large, relative to their row: they stay regular

class ColumnElimination {
 public:
  using Entry = ColumnChoice::Entry;

  explicit ColumnElimination(const ColumnChoice& matrix)
      : m_(matrix),
        rows_(matrix.rows),
        chosen_(rows_.size(), no_index),
        size_(rows_.size(), 0) {
    rows_of_.resize(matrix.rank.size());
    for (std::uint32_t r = 0; r < rows_.size(); ++r) {
      std::sort(rows_[r].begin(), rows_[r].end(), [](const Entry& a, const Entry& b) { return a.column < b.column; });
      for (const Entry& e : rows_[r]) {
        size_[r] = std::max(size_[r], std::fabs(e.value));
        rows_of_[e.column].push_back(r);
      }
    }
  }

  std::optional<std::vector<std::uint32_t>> run(std::vector<std::uint32_t>* dependent) {
    std::vector<std::uint32_t> ranks(m_.rank.begin(), m_.rank.end());
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    for (std::size_t k = 0; k < ranks.size(); ++k) {
      take_columns(ranks[k], m_.tolerance);
      if (k + 1 == ranks.size() || ranks[k + 1] == m_.last_resort) take_columns(ranks[k], 0);
    }
    bool complete = true;
    for (std::uint32_t r = 0; r < rows_.size(); ++r) {
      if (chosen_[r] != no_index) continue;
      complete = false;
      if (dependent) dependent->push_back(r);
    }
    if (!complete) return {};
    return std::move(chosen_);
  }

 private:
  void take_columns(std::uint32_t rank, double tolerance) {
    using Item = std::pair<std::size_t, std::uint32_t>;  // length, row
    std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
    for (std::uint32_t r = 0; r < rows_.size(); ++r)
      if (chosen_[r] == no_index) queue.emplace(rows_[r].size(), r);
    while (!queue.empty()) {
      auto [length, r] = queue.top();
      queue.pop();
      if (chosen_[r] != no_index || length != rows_[r].size()) continue;  // an older entry of this row
      std::uint32_t column = best(r, rank, tolerance);
      if (column == no_index) continue;
      chosen_[r] = column;
      for (std::uint32_t other : rows_of_[column])
        if (chosen_[other] == no_index && eliminate(other, r, column)) queue.emplace(rows_[other].size(), other);
      rows_[r].clear();
      rows_[r].shrink_to_fit();
    }
  }

  /// A constant entry where there is one: it is regular at every point.
  std::uint32_t best(std::uint32_t r, std::uint32_t rank, double tolerance) const {
    double largest = 0, allowed = 0, constant = 0;
    for (const Entry& e : rows_[r]) {
      double size = std::fabs(e.value);
      largest = std::max(largest, size);
      if (m_.rank[e.column] > rank) continue;
      allowed = std::max(allowed, size);
      if (e.is_constant) constant = std::max(constant, size);
    }
    bool takes_constant = constant > zero * size_[r] && constant >= least_constant * largest;
    if (takes_constant) allowed = constant;
    else if (allowed <= zero * size_[r] || allowed < tolerance * largest) return no_index;
    std::uint32_t found = no_index;
    for (const Entry& e : rows_[r]) {
      if (m_.rank[e.column] > rank || std::fabs(e.value) < similar * allowed) continue;
      if (takes_constant && !e.is_constant) continue;
      if (found == no_index ||
          std::pair(m_.rank[e.column], m_.taste[e.column]) <= std::pair(m_.rank[found], m_.taste[found]))
        found = e.column;
    }
    return found;
  }

  /// other −= factor·row; false when `other` does not contain the column.
  bool eliminate(std::uint32_t other, std::uint32_t row, std::uint32_t column) {
    auto at = [&](std::uint32_t r) {
      auto e = std::lower_bound(rows_[r].begin(), rows_[r].end(), column,
                                [](const Entry& a, std::uint32_t c) { return a.column < c; });
      return e != rows_[r].end() && e->column == column ? *e : Entry{column, 0};
    };
    Entry own = at(other), pivot = at(row);
    if (own.value == 0) return false;
    double factor = own.value / pivot.value;
    bool is_constant = own.is_constant && pivot.is_constant;
    std::vector<Entry> sum;
    auto a = rows_[other].begin(), a_end = rows_[other].end();
    for (const Entry& b : rows_[row]) {
      while (a != a_end && a->column < b.column) sum.push_back(*a++);
      Entry old{b.column, 0};
      bool is_new = a == a_end || a->column != b.column;
      if (!is_new) old = *a++;
      double changed = old.value - factor * b.value;
      if (b.column == column || std::fabs(changed) <= zero * size_[other]) continue;
      if (is_new) rows_of_[b.column].push_back(other);
      sum.push_back({b.column, changed, old.is_constant && b.is_constant && is_constant});
    }
    sum.insert(sum.end(), a, a_end);
    rows_[other] = std::move(sum);
    return true;
  }

  const ColumnChoice& m_;
  std::vector<std::vector<Entry>> rows_;
  std::vector<std::vector<std::uint32_t>> rows_of_;  ///< may name rows that no longer contain the column
  std::vector<std::uint32_t> chosen_;
  std::vector<double> size_;
};

/// Rows with a column each form a graph: one depends on those whose columns it has. Triangular means that it has no circle.
class Triangle {
 public:
  using Entry = ColumnChoice::Entry;
  explicit Triangle(const ColumnChoice& matrix)
      : m_(matrix),
        row_of_(matrix.rank.size(), no_index),
        is_in_(matrix.rank.size(), no_index),
        seen_(matrix.rows.size(), no_index) {}

  /// Entries that row r may take.
  std::vector<Entry> available(std::uint32_t r) {
    ++visit_;
    mark(r);
    double largest = 0;
    for (const Entry& e : m_.rows[r]) largest = std::max(largest, std::fabs(e.value));
    std::vector<Entry> entries;
    for (const Entry& e : m_.rows[r])
      if (e.is_constant && row_of_[e.column] == no_index && is_in_[e.column] != visit_ &&
          m_.rank[e.column] < m_.last_resort && std::fabs(e.value) > least * largest)
        entries.push_back(e);
    return entries;
  }

  void take(std::uint32_t r, std::uint32_t column) { row_of_[column] = r; }

 private:
  static constexpr double least = 1e-6;  ///< of a pivot, relative to the largest entry of its row

  /// Columns of the rows that row r depends on, however indirectly.
  void mark(std::uint32_t r) {
    std::vector<std::uint32_t> open{r};
    while (!open.empty()) {
      std::uint32_t row = open.back();
      open.pop_back();
      for (const Entry& e : m_.rows[row]) {
        if (row != r) is_in_[e.column] = visit_;
        std::uint32_t next = row_of_[e.column];
        if (next != no_index && next != row && seen_[next] != visit_) {
          seen_[next] = visit_;
          open.push_back(next);
        }
      }
    }
  }

  const ColumnChoice& m_;
  std::vector<std::uint32_t> row_of_, is_in_, seen_;  ///< [columns] taken by; [columns], [rows] marked in which visit
  std::uint32_t visit_ = 0;
};

}  // namespace

std::optional<std::vector<std::uint32_t>> choose_columns(const ColumnChoice& matrix, std::vector<std::uint32_t>* dependent) {
  return ColumnElimination(matrix).run(dependent);
}

std::vector<std::optional<std::uint32_t>> choose_triangular(const ColumnChoice& matrix) {
  auto n = static_cast<std::uint32_t>(matrix.rows.size());
  std::vector<std::optional<std::uint32_t>> chosen(n);
  std::vector<bool> done(n, false);
  Triangle triangle(matrix);
  auto rather = [&](const ColumnChoice::Entry& a, const ColumnChoice::Entry& b) {
    return std::tuple(matrix.rank[a.column], matrix.taste[a.column], -std::fabs(a.value)) <
           std::tuple(matrix.rank[b.column], matrix.taste[b.column], -std::fabs(b.value));
  };
  for (;;) {
    std::uint32_t next = no_index;
    std::pair<std::size_t, std::size_t> fewest;
    for (std::uint32_t r = 0; r < n; ++r) {
      if (done[r]) continue;
      std::pair count(triangle.available(r).size(), matrix.rows[r].size());
      if (count.first == 0) done[r] = true;  // and so it stays
      else if (next == no_index || count < fewest) {
        next = r;
        fewest = count;
      }
    }
    if (next == no_index) return chosen;
    std::vector<ColumnChoice::Entry> entries = triangle.available(next);
    chosen[next] = std::min_element(entries.begin(), entries.end(), rather)->column;
    done[next] = true;
    triangle.take(next, *chosen[next]);
  }
}

}  // namespace bolza::passes
