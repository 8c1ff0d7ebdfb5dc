// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/engines/linear_certificate.h"

#include <algorithm>
#include <cmath>

#include "runtime/nlp/sqp/interior_point_qp.h"

namespace bolza::nlp {
namespace {

constexpr double infinite = 1e19;   // beyond it a bound is none
constexpr double widest = 1e6;      // of a variable without a bound, in its scale
constexpr double cancelled = 1e-9;  ///< of what is added up for a variable without a bound: what is left by rounding
constexpr double tolerance = 1e-9, least_tolerance = 1e-15;
constexpr double shift = 1e-11;  // what makes the program strictly convex where no row reads a variable

/// Equations of the model, which hold exactly; all other rows are limits.
bool is_equation(RowRole role) {
  switch (role) {
    case RowRole::defect:
    case RowRole::algebraic:
    case RowRole::continuity:
    case RowRole::initial:
    case RowRole::point_value:
    case RowRole::integral:
      return true;
    case RowRole::path:
    case RowRole::point:
    case RowRole::extra_point:
    case RowRole::horizon:
      return false;
  }
  return false;
}

/// The linear rows in steps from w, everything divided by its scale: lower <= d <= upper, row_lower <= A d <= row_upper.
struct LinearPart {
  std::vector<std::size_t> row;  ///< of the program
  Pattern pattern;
  std::vector<double> values, lower, upper, row_lower, row_upper;
};

/// Rows with constant entries that follow them, too, at the ends of the bounds, at zero and at the start: what counts by a
/// relation, `if u > 0 then 1 else 0`, has entries of zero and jumps. @param g, jacobian  at w
std::vector<std::uint8_t> linear_rows(const Nlp& nlp, const std::vector<double>& w, const std::vector<double>& g,
                                      const std::vector<double>& jacobian) {
  constexpr double rounding = 1e-6;
  std::vector<std::uint8_t> is_linear = nlp.linear;
  is_linear.resize(nlp.m(), 0);
  std::vector<std::vector<double>> points(4, w);
  for (std::size_t v = 0; v < nlp.n(); ++v) {
    if (std::abs(nlp.lower[v]) < infinite) points[0][v] = nlp.lower[v];
    if (std::abs(nlp.upper[v]) < infinite) points[1][v] = nlp.upper[v];
    points[2][v] = std::clamp(0.0, nlp.lower[v], nlp.upper[v]);
    points[3][v] = std::clamp(nlp.start[v], nlp.lower[v], nlp.upper[v]);
  }
  for (const std::vector<double>& point : points) {
    nlp.functions->move_to(point);
    const double* values = nlp.functions->constraints();
    if (values == nullptr) continue;
    std::vector<double> expected = g, size = nlp.row_scale;
    for (std::size_t e = 0; e < nlp.jacobian.size(); ++e) {
      auto r = static_cast<std::size_t>(nlp.jacobian.row[e]), v = static_cast<std::size_t>(nlp.jacobian.col[e]);
      double term = jacobian[e] * (point[v] - w[v]);
      expected[r] += term;
      size[r] += std::abs(term);
    }
    for (std::size_t r = 0; r < nlp.m(); ++r)
      if (!(std::abs(values[r] - expected[r]) <= rounding * (size[r] + std::abs(g[r])))) is_linear[r] = 0;
  }
  return is_linear;
}

std::optional<LinearPart> linear_part(const Nlp& nlp, std::vector<double>& w) {
  LinearPart part;
  for (std::size_t v = 0; v < nlp.n(); ++v) {
    w[v] = std::clamp(w[v], nlp.lower[v], nlp.upper[v]);
    if (!std::isfinite(w[v])) return {};
    part.lower.push_back((nlp.lower[v] - w[v]) / nlp.scale[v]);
    part.upper.push_back((nlp.upper[v] - w[v]) / nlp.scale[v]);
  }
  nlp.functions->move_to(w);
  const double *values = nlp.functions->constraints(), *entries = nlp.functions->jacobian();
  if (values == nullptr || entries == nullptr) return {};
  std::vector<double> g(values, values + nlp.m()), jacobian(entries, entries + nlp.jacobian.size());
  std::vector<std::uint8_t> is_linear = linear_rows(nlp, w, g, jacobian);
  std::vector<std::int32_t> number(nlp.m(), -1);
  for (std::size_t r = 0; r < nlp.m(); ++r) {
    if (is_linear[r] == 0 || !std::isfinite(g[r])) continue;
    number[r] = static_cast<std::int32_t>(part.row.size());
    part.row.push_back(r);
    part.row_lower.push_back((nlp.row_lower[r] - g[r]) / nlp.row_scale[r]);
    part.row_upper.push_back((nlp.row_upper[r] - g[r]) / nlp.row_scale[r]);
  }
  for (std::size_t e = 0; e < nlp.jacobian.size(); ++e) {
    auto r = static_cast<std::size_t>(nlp.jacobian.row[e]), v = static_cast<std::size_t>(nlp.jacobian.col[e]);
    if (number[r] < 0) continue;
    if (!std::isfinite(jacobian[e])) return {};
    part.pattern.row.push_back(number[r]);
    part.pattern.col.push_back(nlp.jacobian.col[e]);
    part.values.push_back(jacobian[e] * nlp.scale[v] / nlp.row_scale[r]);
  }
  return part;
}

/// Multipliers where ½ s's is least subject to row_lower <= A d - s <= row_upper.
std::vector<double> least_violation(const LinearPart& part) {
  std::size_t n = part.lower.size(), m = part.row.size();
  Pattern hessian, jacobian = part.pattern;
  std::vector<double> ones(m, 1.0), values = part.values, none(n + m, 0.0);
  QuadraticProgram program{.n = n + m, .m = m};
  for (std::size_t r = 0; r < m; ++r) {
    auto s = static_cast<std::int32_t>(n + r);
    hessian.row.push_back(s);
    hessian.col.push_back(s);
    jacobian.row.push_back(static_cast<std::int32_t>(r));
    jacobian.col.push_back(s);
    values.push_back(-1);
  }
  program.hessian_pattern = &hessian;
  program.jacobian_pattern = &jacobian;
  program.hessian = ones;
  program.jacobian = values;
  program.gradient = none;
  program.shift = shift;
  program.lower = part.lower;
  program.upper = part.upper;
  program.lower.resize(n + m, -std::numeric_limits<double>::infinity());
  program.upper.resize(n + m, std::numeric_limits<double>::infinity());
  program.row_lower = part.row_lower;
  program.row_upper = part.row_upper;
  QuadraticSolution solution = interior_point_solver(mumps_kkt_factors, {})->solve(program, tolerance);
  return solution.lambda;
}

bool is_bounded(const LinearPart& part, std::size_t v) { return part.lower[v] >= -widest && part.upper[v] <= widest; }

/// Moves multipliers of equations, which have either sign, by as little as makes the sum cancel for variables without
/// bounds: an interior point leaves 1e-9, of each of hundreds of states.
void cancel(const Nlp& nlp, const LinearPart& part, std::vector<double>& y) {
  constexpr std::int32_t none = -1;
  std::vector<std::int32_t> equation(part.row.size(), none), variable(nlp.n(), none);
  std::vector<std::size_t> rows;
  for (std::size_t r = 0; r < part.row.size(); ++r) {
    if (part.row_lower[r] != part.row_upper[r]) continue;
    equation[r] = static_cast<std::int32_t>(rows.size());
    rows.push_back(r);
  }
  std::vector<double> sum(nlp.n(), 0.0), wanted, values;
  add_transposed_product(part.pattern, part.values, y, sum);
  Pattern hessian, jacobian;
  for (std::size_t e = 0; e < part.values.size(); ++e) {
    auto v = static_cast<std::size_t>(part.pattern.col[e]);
    std::int32_t row = equation[static_cast<std::size_t>(part.pattern.row[e])];
    if (row == none || part.values[e] == 0 || is_bounded(part, v)) continue;
    if (variable[v] == none) {
      variable[v] = static_cast<std::int32_t>(wanted.size());
      wanted.push_back(-sum[v]);
    }
    jacobian.row.push_back(variable[v]);
    jacobian.col.push_back(row);
    values.push_back(part.values[e]);
  }
  if (wanted.empty()) return;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    hessian.row.push_back(static_cast<std::int32_t>(k));
    hessian.col.push_back(static_cast<std::int32_t>(k));
  }
  std::vector<double> ones(rows.size(), 1.0), zeros(rows.size(), 0.0);
  QuadraticProgram program{.n = rows.size(), .m = wanted.size()};
  program.hessian_pattern = &hessian;
  program.jacobian_pattern = &jacobian;
  program.hessian = ones;
  program.jacobian = values;
  program.gradient = zeros;
  program.lower.assign(rows.size(), -std::numeric_limits<double>::infinity());
  program.upper.assign(rows.size(), std::numeric_limits<double>::infinity());
  program.row_lower = wanted;
  program.row_upper = wanted;
  QuadraticSolution solution = interior_point_solver(mumps_kkt_factors, {})->solve(program, least_tolerance);
  if (solution.d.size() != rows.size() || !std::ranges::all_of(solution.d, [](double d) { return std::isfinite(d); }))
    return;
  for (std::size_t k = 0; k < rows.size(); ++k) y[rows[k]] += solution.d[k];
}

}  // namespace

std::optional<LinearCertificate> linear_certificate(const Nlp& nlp, std::vector<double> w) {
  if (w.size() != nlp.n()) return {};
  std::optional<LinearPart> part = linear_part(nlp, w);
  if (!part || part->row.empty()) return {};
  std::vector<double> y = least_violation(*part), sum(nlp.n(), 0.0);
  if (y.size() != part->row.size()) return {};
  cancel(nlp, *part, y);
  LinearCertificate found{.weight = std::vector<double>(nlp.m(), 0.0)};
  double widened = 0;  // how fast least - most falls as bounds and limits are widened
  for (std::size_t r = 0; r < y.size(); ++r) {
    double side = y[r] > 0 ? part->row_upper[r] : part->row_lower[r];
    if (!std::isfinite(y[r])) return {};
    if (y[r] == 0 || std::abs(side) > infinite) {
      y[r] = 0;
      continue;
    }
    found.weight[part->row[r]] = y[r];
    found.most += y[r] * side;
    if (!is_equation(nlp.row_role[part->row[r]])) widened += std::abs(y[r]);
  }
  add_transposed_product(part->pattern, part->values, y, sum);
  std::vector<double> added(nlp.n(), 0.0);
  for (std::size_t e = 0; e < part->values.size(); ++e)
    added[static_cast<std::size_t>(part->pattern.col[e])] +=
        std::abs(part->values[e] * y[static_cast<std::size_t>(part->pattern.row[e])]);
  for (std::size_t v = 0; v < sum.size(); ++v) {
    double bound = sum[v] > 0 ? part->lower[v] : part->upper[v];
    bool bounded = std::abs(bound) <= widest;
    if (!bounded && std::abs(sum[v]) > cancelled * added[v]) return {};  // a point far away may hold the rows
    found.least += sum[v] == 0 ? 0 : bounded ? sum[v] * bound : -std::abs(sum[v]) * widest;
    if (bounded) widened += std::abs(sum[v]);
  }
  if (!(found.least > found.most) || widened == 0) return {};
  found.margin = (found.least - found.most) / widened;
  return found;
}

}  // namespace bolza::nlp
