// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/statistics/integer_relations.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace bolza::estimate {
namespace {

constexpr int largest_integer = 6;

std::optional<std::vector<long>> integers_of(const Eigen::RowVectorXd& row, double tolerance) {
  double largest = row.cwiseAbs().maxCoeff();
  for (int multiplier = 1; multiplier <= largest_integer; ++multiplier) {
    std::vector<long> out;
    for (double entry : row) {
      double wanted = entry / largest * multiplier, nearest = std::round(wanted);
      if (std::fabs(wanted - nearest) > tolerance * std::fabs(nearest)) break;
      out.push_back(std::lround(nearest));
    }
    if (out.size() == static_cast<std::size_t>(row.size())) return out;
  }
  return std::nullopt;
}

void divide_by_common(std::vector<long>& row) {
  long common = 0;
  for (long v : row) common = std::gcd(common, v);
  long sign = 1;
  for (long v : row)
    if (v != 0) {
      sign = v < 0 ? -1 : 1;
      break;
    }
  for (long& v : row) v = common ? sign * v / common : v;
}

// Echelon form in integers; gives the pivot columns.
std::vector<std::size_t> eliminate_integers(IntegerMatrix& n, std::size_t columns) {
  std::vector<std::size_t> pivots;
  for (std::size_t column = columns; column-- > 0 && pivots.size() < n.size();) {
    std::size_t row = pivots.size(), found = row;
    while (found < n.size() && n[found][column] == 0) ++found;
    if (found == n.size()) continue;
    std::swap(n[row], n[found]);
    for (std::size_t other = 0; other < n.size(); ++other) {
      if (other == row || n[other][column] == 0) continue;
      long a = n[row][column], b = n[other][column];
      for (std::size_t j = 0; j < columns; ++j) n[other][j] = a * n[other][j] - b * n[row][j];
      divide_by_common(n[other]);
    }
    pivots.push_back(column);
  }
  return pivots;
}

}  // namespace

Eigen::MatrixXd reduced_echelon(Eigen::MatrixXd n) {
  for (Eigen::Index row = 0; row < n.rows(); ++row) {
    Eigen::Index r = 0, c = 0;
    n.bottomRows(n.rows() - row).cwiseAbs().maxCoeff(&r, &c);
    n.row(row).swap(n.row(row + r));
    n.row(row) /= n(row, c);
    for (Eigen::Index other = 0; other < n.rows(); ++other)
      if (other != row) n.row(other) -= (n(other, c) * n.row(row)).eval();
  }
  return n;
}

std::optional<IntegerMatrix> as_integers(const Eigen::MatrixXd& rows, double tolerance) {
  IntegerMatrix out;
  for (Eigen::Index r = 0; r < rows.rows(); ++r) {
    auto row = integers_of(rows.row(r), tolerance);
    if (!row) return std::nullopt;
    out.push_back(*row);
  }
  return out;
}

long size_of(const IntegerMatrix& rows) {
  long sum = 0;
  for (const auto& row : rows)
    for (long v : row) sum += std::labs(v);
  return sum;
}

IntegerMatrix kernel_of(const IntegerMatrix& n, std::size_t columns) {
  IntegerMatrix echelon = n, out;
  std::vector<std::size_t> pivots = eliminate_integers(echelon, columns);
  for (std::size_t free = 0; free < columns; ++free) {
    if (std::find(pivots.begin(), pivots.end(), free) != pivots.end()) continue;
    long multiple = 1;  // so that every pivot's entry is whole
    for (std::size_t r = 0; r < pivots.size(); ++r) multiple = std::lcm(multiple, echelon[r][pivots[r]]);
    std::vector<long> c(columns, 0);
    c[free] = multiple;
    for (std::size_t r = 0; r < pivots.size(); ++r) c[pivots[r]] = -echelon[r][free] * multiple / echelon[r][pivots[r]];
    divide_by_common(c);
    out.push_back(c);
  }
  return out;
}

}  // namespace bolza::estimate
