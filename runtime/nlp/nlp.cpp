// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/nlp.h"

#include <algorithm>
#include <cmath>

#include "base/expects.h"

namespace bolza::nlp {
namespace {

bool within(const Pattern& pattern, std::size_t rows, std::size_t columns) {
  if (pattern.row.size() != pattern.col.size()) return false;
  for (std::size_t k = 0; k < pattern.size(); ++k)
    if (pattern.row[k] < 0 || pattern.col[k] < 0 || static_cast<std::size_t>(pattern.row[k]) >= rows ||
        static_cast<std::size_t>(pattern.col[k]) >= columns)
      return false;
  return true;
}

bool lower_triangle(const Pattern& pattern) {
  for (std::size_t k = 0; k < pattern.size(); ++k)
    if (pattern.row[k] < pattern.col[k]) return false;
  return true;
}

bool no_nan(const std::vector<double>& v) {
  for (double x : v)
    if (std::isnan(x)) return false;
  return true;
}

bool follows_rows(const Nlp& nlp) {
  auto is_equality = [&](std::int32_t row) {
    auto r = static_cast<std::size_t>(row);
    return row == global || (row >= 0 && r < nlp.m() && nlp.row_lower[r] == nlp.row_upper[r]);
  };
  return (nlp.follows.empty() || nlp.follows.size() == nlp.n()) &&
         std::all_of(nlp.follows.begin(), nlp.follows.end(), is_equality);
}

}  // namespace

void verify(const Nlp& nlp) {
  std::size_t n = nlp.n(), m = nlp.m();
  expects(nlp.start.size() == n && nlp.upper.size() == n && nlp.scale.size() == n, "variable arrays have one length");
  expects(nlp.role.size() == n && nlp.interval.size() == n, "every variable has a role and an interval");
  expects(nlp.integer.empty() || nlp.integer.size() == n, "every variable is an integer or not");
  expects(nlp.sequence.empty() || nlp.sequence.size() == n, "every variable belongs to a sequence or not");
  expects(nlp.length.size() == nlp.sequence.size(), "every variable of a sequence has the length of its interval");
  expects(follows_rows(nlp), "variables follow from equalities");
  expects(nlp.row_upper.size() == m && nlp.row_scale.size() == m && nlp.linear.size() == m, "row arrays have one length");
  expects(nlp.row_role.size() == m && nlp.row_interval.size() == m, "every row has a role and an interval");
  expects(within(nlp.jacobian, m, n) && nlp.constant_entries <= nlp.jacobian.size(), "the Jacobian lies within m x n");
  expects(within(nlp.hessian, n, n) && lower_triangle(nlp.hessian), "the Hessian is a lower triangle");
  expects(within(nlp.gauss_newton, n, n) && lower_triangle(nlp.gauss_newton), "the Gauss-Newton matrix is a lower triangle");
  expects(no_nan(nlp.lower) && no_nan(nlp.upper) && no_nan(nlp.row_lower) && no_nan(nlp.row_upper), "no bound is NaN");
  for (double s : nlp.scale) expects(s > 0 && std::isfinite(s), "scales are positive");
  for (double s : nlp.row_scale) expects(s > 0 && std::isfinite(s), "scales are positive");
}

}  // namespace bolza::nlp
