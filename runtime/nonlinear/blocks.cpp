#include "runtime/nonlinear/blocks.h"

#include <btf.h>

#include <algorithm>
#include <cmath>

#include "runtime/nonlinear/continuation.h"
#include "runtime/nonlinear/kinsol.h"

namespace bolza::nonlinear {
namespace {

// Rows and columns in the order of the block triangular form; block b is [first[b], first[b + 1]) of both, solved from the
// last to the first.
struct Order {
  std::vector<int> row, col, first;
  bool complete = false;  // every row has a column of its own
};

Order order_of(std::size_t n, const std::vector<Entry>& entries) {
  std::vector<int> start(n + 1), rows(entries.size()), work(5 * n);
  for (const Entry& e : entries) ++start[static_cast<std::size_t>(e.col) + 1];
  for (std::size_t c = 0; c < n; ++c) start[c + 1] += start[c];
  std::vector<int> next(start.begin(), start.end() - 1);
  for (const Entry& e : entries) rows[static_cast<std::size_t>(next[static_cast<std::size_t>(e.col)]++)] = e.row;
  Order out{std::vector<int>(n), std::vector<int>(n), std::vector<int>(n + 1)};
  double effort = 0;
  int matched = 0;
  int blocks = btf_order(static_cast<int>(n), start.data(), rows.data(), 0, &effort, out.row.data(), out.col.data(),
                         out.first.data(), &matched, work.data());
  out.first.resize(static_cast<std::size_t>(blocks) + 1);
  out.complete = matched == static_cast<int>(n);
  return out;
}

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
    if (!report.converged()) v = start, report = solve_either_way(equations, v);
    if (!report.converged()) {
      std::vector<double> other = start;
      NewtonReport along = solve_by_continuation(equations, other);
      if (along.converged()) v = std::move(other), report = along;
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
  Order order = order_of(equations.rows, entries);
  if (!order.complete) return total;
  for (std::size_t b = order.first.size() - 1; b-- > 0;) {
    auto at = static_cast<std::size_t>(order.first[b]), count = static_cast<std::size_t>(order.first[b + 1]) - at;
    Block block(equations, w, std::span(order.row).subspan(at, count), std::span(order.col).subspan(at, count));
    NewtonReport report = block.solve();
    report.iterations += total.iterations, report.evaluations += total.evaluations;
    total = report;
    if (!report.converged()) break;
  }
  return total;
}

}  // namespace bolza::nonlinear
