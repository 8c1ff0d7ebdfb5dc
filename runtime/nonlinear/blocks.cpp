// SPDX-License-Identifier: Apache-2.0
#include "runtime/nonlinear/blocks.h"

#include <algorithm>
#include <cmath>

#include "runtime/linalg/block_triangular_form.h"
#include "runtime/nonlinear/continuation.h"
#include "runtime/nonlinear/kinsol.h"

namespace bolza::nonlinear {
namespace {

// Some rows of the equations with as many unknowns, the others as they are in `w`.
struct Block {
  const Equations& whole;
  std::vector<double>& w;
  std::span<const int> row, col;
  std::vector<std::int32_t> row_here, col_here;  // [rows], [unknowns] of the whole; -1 elsewhere
  std::vector<double> size, r;
  std::vector<Entry> entries;

  Block(const Equations& equations, std::vector<double>& at, std::span<const int> rows, std::span<const int> cols)
      : whole(equations),
        w(at),
        row(rows),
        col(cols),
        row_here(equations.rows, -1),
        col_here(equations.unknowns, -1),
        r(equations.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) row_here[static_cast<std::size_t>(row[i])] = static_cast<std::int32_t>(i);
    for (std::size_t i = 0; i < col.size(); ++i) col_here[static_cast<std::size_t>(col[i])] = static_cast<std::int32_t>(i);
    for (int c : col) size.push_back(equations.size[static_cast<std::size_t>(c)]);
  }

  void move_to(std::span<const double> v) {
    for (std::size_t i = 0; i < col.size(); ++i) w[static_cast<std::size_t>(col[i])] = v[i];
  }

  std::vector<double> guess() const {
    std::vector<double> v;
    for (int c : col) v.push_back(w[static_cast<std::size_t>(c)]);
    return v;
  }

  bool residual(std::span<const double> v, std::span<double> out) {
    move_to(v);
    std::fill(r.begin(), r.end(), NAN);
    (void)whole.residual(w, r);  // what is not finite may be of another block
    for (std::size_t i = 0; i < row.size(); ++i) out[i] = r[static_cast<std::size_t>(row[i])];
    return std::all_of(out.begin(), out.end(), [](double x) { return std::isfinite(x); });
  }

  bool jacobian(std::span<const double> v, std::vector<Entry>& out) {
    move_to(v);
    entries.clear();
    (void)whole.jacobian(w, entries);
    for (const Entry& e : entries) {
      std::int32_t i = row_here[static_cast<std::size_t>(e.row)], j = col_here[static_cast<std::size_t>(e.col)];
      if (i >= 0 && j >= 0) out.push_back({i, j, e.value});
    }
    return std::all_of(out.begin(), out.end(), [](const Entry& e) { return std::isfinite(e.value); });
  }

  NewtonReport solve() {
    Equations equations{row.size(), col.size(), size,
                        [this](std::span<const double> v, std::span<double> out) { return residual(v, out); },
                        [this](std::span<const double> v, std::vector<Entry>& out) { return jacobian(v, out); }};
    const std::vector<double> start = guess();
    std::vector<double> v = start;
    NewtonReport report;
    if (solve_by_kinsol(equations, v).converged()) report = solve_either_way(equations, v);
    if (!report.converged()) {
      v = start;
      report = solve_either_way(equations, v);
    }
    if (!report.converged()) {
      std::vector<double> other = start;
      NewtonReport along = solve_by_continuation(equations, other);
      if (along.converged()) {
        v = std::move(other);
        report = along;
      }
    }
    move_to(v);
    report.worst_row = static_cast<std::size_t>(row[std::min(report.worst_row, row.size() - 1)]);
    return report;
  }
};

}  // namespace

NewtonReport solve_by_blocks(const Equations& equations, std::vector<double>& w) {
  NewtonReport total;
  std::vector<Entry> entries;
  if (equations.rows != equations.unknowns || equations.rows == 0) return total;
  (void)equations.jacobian(w, entries);  // places count, not values
  std::vector<std::pair<std::int32_t, std::int32_t>> places;
  for (const Entry& e : entries) places.emplace_back(e.row, e.col);
  const linalg::BlockTriangularForm order = linalg::block_triangular_form(equations.rows, places);
  if (!order.complete) return total;
  for (std::size_t b = order.first.size() - 1; b-- > 0;) {
    auto at = static_cast<std::size_t>(order.first[b]), count = static_cast<std::size_t>(order.first[b + 1]) - at;
    Block block(equations, w, std::span(order.row).subspan(at, count), std::span(order.col).subspan(at, count));
    NewtonReport report = block.solve();
    report.iterations += total.iterations;
    report.evaluations += total.evaluations;
    total = report;
    if (!report.converged()) break;
  }
  return total;
}

}  // namespace bolza::nonlinear
