// SPDX-License-Identifier: Apache-2.0
// Interpolation of tables by piecewise cubic polynomials.
#include "compiler/flatten/tables/table_pieces_internal.h"

#include <algorithm>
#include <cmath>

#include "base/expects.h"
#include "compiler/flatten/tables/table_internal.h"

namespace bolza::flatten {
namespace {

/// Akima's slope between two pairs of difference quotients; `modified`: weights of makima.
double akima_slope(double d1, double d2, double d3, double d4, bool modified) {
  double left = std::fabs(d2 - d1), right = std::fabs(d4 - d3);
  if (modified) {
    left += 0.5 * std::fabs(d2 + d1);
    right += 0.5 * std::fabs(d4 + d3);
  }
  double sum = left + right;
  if (sum == 0) return modified ? 0 : 0.5 * (d2 + d3);
  return d2 + left / sum * (d3 - d2);
}

std::vector<double> akima_slopes(const std::vector<double>& quotients, bool modified) {
  std::size_t n = quotients.size() + 1;
  std::vector<double> d(n + 3);  // two more quotients at either end
  std::copy(quotients.begin(), quotients.end(), d.begin() + 2);
  d[1] = 2 * d[2] - d[3];
  d[0] = 3 * d[2] - 2 * d[3];
  d[n + 1] = 2 * d[n] - d[n - 1];
  d[n + 2] = 3 * d[n] - 2 * d[n - 1];
  std::vector<double> slopes(n);
  for (std::size_t i = 0; i < n; ++i) slopes[i] = akima_slope(d[i], d[i + 1], d[i + 2], d[i + 3], modified);
  return slopes;
}

double steffen_slope(double h1, double h2, double d1, double d2) {
  double slope = (d1 * h2 + d2 * h1) / (h1 + h2), least = std::min(std::fabs(d1), std::fabs(d2));
  return std::fabs(slope) > 2 * least ? std::copysign(2 * least, d1) : slope;
}

double fritsch_butland_slope(double h1, double h2, double d1, double d2) {
  return 3 * (h1 + h2) / ((h1 + 2 * h2) / d1 + (h2 + 2 * h1) / d2);
}

std::vector<double> monotone_slopes(const std::vector<double>& x, const std::vector<double>& quotients, bool steffen) {
  std::size_t n = x.size();
  std::vector<double> slopes(n);
  slopes.front() = quotients.front();
  slopes.back() = quotients.back();
  for (std::size_t i = 1; i + 1 < n; ++i) {
    double d1 = quotients[i - 1], d2 = quotients[i], h1 = x[i] - x[i - 1], h2 = x[i + 1] - x[i];
    if (d1 * d2 > 0) slopes[i] = steffen ? steffen_slope(h1, h2, d1, d2) : fritsch_butland_slope(h1, h2, d1, d2);
  }
  return slopes;
}

/// PCHIP's slope at an end, from the two intervals next to it, the outer one first.
double pchip_end(double h1, double h2, double d1, double d2) {
  double slope = ((2 * h1 + h2) * d1 - h1 * d2) / (h1 + h2);
  if (slope * d1 <= 0) return 0;
  return d1 * d2 <= 0 && std::fabs(slope) > 3 * std::fabs(d1) ? 3 * d1 : slope;
}

std::vector<double> pchip_slopes(const std::vector<double>& x, const std::vector<double>& quotients) {
  std::vector<double> slopes = monotone_slopes(x, quotients, false);
  std::size_t n = x.size();
  auto h = [&](std::size_t i) { return x[i + 1] - x[i]; };
  slopes.front() = pchip_end(h(0), h(1), quotients[0], quotients[1]);
  slopes.back() = pchip_end(h(n - 2), h(n - 3), quotients[n - 2], quotients[n - 3]);
  return slopes;
}

/// Of the natural cubic spline: its second derivatives M solve a tridiagonal system, M = 0 at the ends.
std::vector<double> natural_slopes(const std::vector<double>& x, const std::vector<double>& quotients) {
  std::size_t n = x.size();
  auto h = [&](std::size_t i) { return x[i + 1] - x[i]; };
  std::vector<double> M(n, 0.0), factor(n, 0.0);
  for (std::size_t i = 1; i + 1 < n; ++i) {  // elimination
    double pivot = 2 * (h(i - 1) + h(i)) - h(i - 1) * factor[i - 1];
    factor[i] = h(i) / pivot;
    M[i] = (6 * (quotients[i] - quotients[i - 1]) - h(i - 1) * M[i - 1]) / pivot;
  }
  for (std::size_t i = n - 2; i > 0; --i) M[i] -= factor[i] * M[i + 1];
  std::vector<double> slopes(n);
  for (std::size_t i = 0; i + 1 < n; ++i) slopes[i] = quotients[i] - h(i) * (2 * M[i] + M[i + 1]) / 6;
  slopes[n - 1] = quotients[n - 2] + h(n - 2) * (M[n - 2] + 2 * M[n - 1]) / 6;
  return slopes;
}

std::vector<double> slopes_of(const std::vector<double>& x, const std::vector<double>& quotients, Interpolation method) {
  switch (method) {
    case Interpolation::akima:
    case Interpolation::makima:
      return akima_slopes(quotients, method == Interpolation::makima);
    case Interpolation::fritsch_butland:
    case Interpolation::steffen:
      return monotone_slopes(x, quotients, method == Interpolation::steffen);
    case Interpolation::cubic:
      return natural_slopes(x, quotients);
    case Interpolation::pchip:
      return pchip_slopes(x, quotients);
    case Interpolation::linear:
    case Interpolation::constant:
      break;
  }
  return {};
}

void set_piece(Pieces& out, std::size_t k, double base, double value, double slope = 0, double second = 0,
               double third = 0) {
  out.bases[k] = base;
  out.coefficients[0][k] = value;
  out.coefficients[1][k] = slope;
  out.coefficients[2][k] = second;
  out.coefficients[3][k] = third;
}

}  // namespace

Pieces interpolate(const std::vector<double>& x, const std::vector<double>& y, Interpolation method, Extrapolation outside) {
  std::size_t n = x.size();
  expects(n > 0 && y.size() == n, "a table has as many values as abscissas");
  Pieces out;
  out.knots = x;
  out.steps = method == Interpolation::constant;
  out.bases.resize(n + 1);
  for (auto& c : out.coefficients) c.resize(n + 1);
  std::vector<double> quotients;
  for (std::size_t i = 0; i + 1 < n; ++i) quotients.push_back(x[i + 1] > x[i] ? (y[i + 1] - y[i]) / (x[i + 1] - x[i]) : 0);
  bool straight = method == Interpolation::linear || method == Interpolation::constant || n < 3;
  std::vector<double> slopes = straight ? std::vector<double>() : slopes_of(x, quotients, method);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    double h = x[i + 1] - x[i], d = quotients[i];
    if (method == Interpolation::constant || h <= 0) set_piece(out, i + 1, x[i], y[i]);
    else if (straight) set_piece(out, i + 1, x[i], y[i], d);
    else
      set_piece(out, i + 1, x[i], y[i], slopes[i], (3 * d - 2 * slopes[i] - slopes[i + 1]) / h,
                (slopes[i] + slopes[i + 1] - 2 * d) / (h * h));
  }
  bool flat = n == 1 || outside != Extrapolation::last_two;
  set_piece(out, 0, x.front(), y.front(), flat ? 0 : straight ? quotients.front() : slopes.front());
  set_piece(out, n, x.back(), y.back(), flat ? 0 : straight ? quotients.back() : slopes.back());
  return out;
}

Pieces rounded(const Pieces& lines, double share, bool ends) {
  std::size_t n = lines.knots.size();
  Pieces out;
  auto add = [&](double base, double value, double slope, double second) {
    out.bases.push_back(base);
    out.coefficients[0].push_back(value);
    out.coefficients[1].push_back(slope);
    out.coefficients[2].push_back(second);
    out.coefficients[3].push_back(0);
  };
  auto at = [&](std::size_t piece, double u) {
    return lines.coefficients[0][piece] + lines.coefficients[1][piece] * (u - lines.bases[piece]);
  };
  add(lines.bases[0], lines.coefficients[0][0], lines.coefficients[1][0], 0);
  for (std::size_t k = 0; k < n; ++k) {
    double knot = lines.knots[k], before = lines.coefficients[1][k], after = lines.coefficients[1][k + 1];
    bool is_end = k == 0 || k + 1 == n;
    double left = k == 0 ? lines.knots[1] - knot : knot - lines.knots[k - 1];
    double right = k + 1 == n ? left : lines.knots[k + 1] - knot;
    double width = before == after || (is_end && !ends) ? 0 : std::min(share, 0.5) * std::min(left, right);
    if (width > 0) {
      out.knots.push_back(knot - width);
      add(knot - width, at(k, knot - width), before, (after - before) / (4 * width));
    }
    out.knots.push_back(knot + width);
    add(knot + width, at(k + 1, knot + width), after, 0);
  }
  return out;
}

Pieces differentiate(const Pieces& pieces) {
  Pieces out = pieces;
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < out.bases.size(); ++i)
      out.coefficients[k][i] = static_cast<double>(k + 1) * pieces.coefficients[k + 1][i];
  std::fill(out.coefficients[3].begin(), out.coefficients[3].end(), 0.0);
  return out;
}

}  // namespace bolza::flatten
