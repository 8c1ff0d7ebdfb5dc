// SPDX-License-Identifier: Apache-2.0
// Interpolation of tables of two variables by polynomials on rectangles.
#include "compiler/flatten/tables/table_patches_internal.h"

#include <algorithm>
#include <cmath>

#include "base/expects.h"
#include "compiler/flatten/tables/table_internal.h"

namespace bolza::flatten {
namespace {

using Grid = std::vector<std::vector<double>>;
using Cubic = std::array<double, 4>;

/// q[0], …, q[n-1] with one more linearly extrapolated value at either end; what has one value only is constant.
double beyond(const std::vector<double>& q, std::ptrdiff_t k) {
  auto n = static_cast<std::ptrdiff_t>(q.size());
  if (n == 1) return q[0];
  auto at = [&](std::ptrdiff_t i) { return q[static_cast<std::size_t>(i)]; };
  if (k < 0) return at(0) + static_cast<double>(k) * (at(1) - at(0));
  if (k >= n) return at(n - 1) + static_cast<double>(k - n + 1) * (at(n - 1) - at(n - 2));
  return at(k);
}

/// Akima's weights of the difference quotients before and after knot i; 1 and 1 where nothing tells them apart.
std::array<double, 2> akima_weights(const std::vector<double>& quotients, std::size_t i) {
  auto k = static_cast<std::ptrdiff_t>(i);
  double before = std::fabs(beyond(quotients, k + 1) - beyond(quotients, k));
  double behind = std::fabs(beyond(quotients, k - 1) - beyond(quotients, k - 2));
  if (before == 0 && behind == 0) return {1, 1};
  return {before, behind};
}

std::vector<double> quotients_of(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<double> q;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) q.push_back((y[i + 1] - y[i]) / (x[i + 1] - x[i]));
  return q;
}

Grid transposed(const Grid& g) {
  Grid out(g[0].size(), std::vector<double>(g.size()));
  for (std::size_t i = 0; i < g.size(); ++i)
    for (std::size_t j = 0; j < g[i].size(); ++j) out[j][i] = g[i][j];
  return out;
}

/// Values and partial derivatives at the knots, [i][j].
struct Corners {
  Grid z, zx, zy, zxy;
};

/// Quotients along x of quotients along y, with one more rectangle on every side. [rectangles along y][along x]
Grid mixed_quotients(const std::vector<double>& x, const std::vector<double>& y, const Grid& qy) {
  auto wider = [](const std::vector<double>& q) {
    std::vector<double> out{beyond(q, -1)};
    out.insert(out.end(), q.begin(), q.end());
    out.push_back(beyond(q, static_cast<std::ptrdiff_t>(q.size())));
    return out;
  };
  Grid along_x;  // [along x, wider][rectangles along y]
  for (std::size_t j = 0; j + 1 < y.size(); ++j) {
    std::vector<double> column;
    for (const std::vector<double>& row : qy) column.push_back(row[j]);
    along_x.push_back(wider(quotients_of(x, column)));
  }
  Grid out = transposed(along_x);
  for (std::vector<double>& row : out) row = wider(row);
  return transposed(out);
}

double weighted(const std::array<double, 2>& w, double a, double b) { return (w[0] * a + w[1] * b) / (w[0] + w[1]); }

/// [AKIMA2]: slopes as in one variable; mixed derivatives from the mixed quotients of the four rectangles around a knot.
/// Where one variable has a single knot nothing depends on it.
Corners akima_corners(const std::vector<double>& x, const std::vector<double>& y, const Grid& z) {
  std::size_t n = x.size(), m = y.size();
  const Grid zero(n, std::vector<double>(m, 0.0));
  Corners c{z, zero, zero, zero};
  Grid qx(m), qy(n);  // along x for every column, along y for every row
  const Grid columns = transposed(z);
  for (std::size_t j = 0; j < m; ++j) qx[j] = quotients_of(x, columns[j]);
  for (std::size_t i = 0; i < n; ++i) qy[i] = quotients_of(y, z[i]);
  const Grid mixed = n > 1 && m > 1 ? mixed_quotients(x, y, qy) : Grid{};
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < m; ++j) {
      auto r = static_cast<std::ptrdiff_t>(i), s = static_cast<std::ptrdiff_t>(j);
      std::array<double, 2> wx{1, 1}, wy{1, 1};
      if (n > 1) {
        wx = akima_weights(qx[j], i);
        c.zx[i][j] = weighted(wx, beyond(qx[j], r - 1), beyond(qx[j], r));
      }
      if (m > 1) {
        wy = akima_weights(qy[i], j);
        c.zy[i][j] = weighted(wy, beyond(qy[i], s - 1), beyond(qy[i], s));
      }
      if (mixed.empty()) continue;
      c.zxy[i][j] =
          weighted(wx, weighted(wy, mixed[j][i], mixed[j + 1][i]), weighted(wy, mixed[j][i + 1], mixed[j + 1][i + 1]));
    }
  return c;
}

/// The cubic over [0, h] with these values and slopes.
Cubic hermite(double h, double f0, double f1, double s0, double s1) {
  double d = (f1 - f0) / h;
  return {f0, s0, (3 * d - 2 * s0 - s1) / h, (s0 + s1 - 2 * d) / (h * h)};
}

/// Pieces over the knots: below them, between, above; a piece outside is the tangent of its neighbour, or flat.
/// @param between  the cubic over interval i of its left end
template <class Between>
std::vector<Cubic> with_outside(std::size_t n_knots, double last_length, bool flat, Between between) {
  std::vector<Cubic> out(n_knots + 1);
  for (std::size_t i = 0; i + 1 < n_knots; ++i) out[i + 1] = between(i);
  const Cubic first = out[1], last = out[n_knots - 1];
  double h = last_length;
  out[0] = {first[0], flat ? 0 : first[1], 0, 0};
  out[n_knots] = {last[0] + h * (last[1] + h * (last[2] + h * last[3])),
                  flat ? 0 : last[1] + h * (2 * last[2] + h * 3 * last[3]), 0, 0};
  return out;
}

/// The same in one variable from values and slopes at its knots; a single knot: constant.
std::vector<Cubic> pieces_of(const std::vector<double>& x, const std::vector<double>& f, const std::vector<double>& slope,
                             bool straight, bool flat) {
  if (x.size() == 1) return {{f[0], 0, 0, 0}, {f[0], 0, 0, 0}};
  return with_outside(x.size(), x.back() - x[x.size() - 2], flat, [&](std::size_t i) -> Cubic {
    double h = x[i + 1] - x[i];
    if (straight) return {f[i], (f[i + 1] - f[i]) / h, 0, 0};
    return hermite(h, f[i], f[i + 1], slope[i], slope[i + 1]);
  });
}

/// Half the width of the parabola at a knot.
double half_width(const std::vector<double>& x, std::size_t k, double share) {
  double left = k == 0 ? x[1] - x[0] : x[k] - x[k - 1], right = k + 1 == x.size() ? left : x[k + 1] - x[k];
  return std::min(share, 0.5) * std::min(left, right);
}

std::vector<double> rounded_knots(const std::vector<double>& x, double share) {
  std::vector<double> knots;
  for (std::size_t k = 0; k < x.size(); ++k)
    for (double side : {-1.0, 1.0}) knots.push_back(x[k] + side * half_width(x, k, share));
  return knots;
}

/// Lines joined by parabolas over `rounded_knots`: as rounded() has them, but with the same knots for all values.
std::vector<Cubic> rounded_pieces(const std::vector<double>& x, const std::vector<double>& f, bool flat, double share) {
  std::size_t n = x.size();
  auto slope = [&](std::size_t piece) {
    std::size_t i = std::clamp<std::size_t>(piece, 1, n - 1) - 1;
    return flat && (piece == 0 || piece == n) ? 0 : (f[i + 1] - f[i]) / (x[i + 1] - x[i]);
  };
  std::vector<Cubic> out{{f[0] - slope(0) * half_width(x, 0, share), slope(0), 0, 0}};
  for (std::size_t k = 0; k < n; ++k) {
    double w = half_width(x, k, share), before = slope(k), after = slope(k + 1);
    out.push_back({f[k] - before * w, before, (after - before) / (4 * w), 0});
    out.push_back({f[k] + after * w, after, 0, 0});
  }
  return out;
}

}  // namespace

Patches interpolate(const std::vector<double>& x, const std::vector<double>& y, const Grid& z, Interpolation method,
                    Extrapolation outside, double rounding) {
  expects(z.size() == x.size() && z[0].size() == y.size(), "a table has a value for every pair of abscissas");
  bool straight = method == Interpolation::linear, flat = outside != Extrapolation::last_two;
  bool is_round = straight && rounding > 0 && x.size() > 1 && y.size() > 1;
  Patches out{{is_round ? rounded_knots(x, rounding) : x, is_round ? rounded_knots(y, rounding) : y}, {}, {}};
  std::size_t n = out.knots[0].size() + 1, m = out.knots[1].size() + 1;
  for (std::size_t v = 0; v < 2; ++v) {
    const std::vector<double>& knots = out.knots[v];
    out.bases[v].push_back(knots.front());
    out.bases[v].insert(out.bases[v].end(), knots.begin(), knots.end());
  }
  auto pieces_along = [&](const std::vector<double>& knots, const std::vector<double>& f, const std::vector<double>& slope) {
    return is_round ? rounded_pieces(knots, f, flat, rounding) : pieces_of(knots, f, slope, straight, flat);
  };
  for (auto& row : out.coefficients)
    for (auto& c : row) c.resize(n * m);
  const Corners corners = straight ? Corners{z, z, z, z} : akima_corners(x, y, z);  // straight: slopes are not looked at
  // First along x at every knot of y: of the values, and of their slopes along y. Then each coefficient along y.
  const Grid values = transposed(corners.z), zx = transposed(corners.zx), zy = transposed(corners.zy),
             zxy = transposed(corners.zxy);
  std::vector<std::vector<Cubic>> along(y.size()), slopes(y.size());  // [knots of y][pieces of x]
  for (std::size_t j = 0; j < y.size(); ++j) {
    along[j] = pieces_along(x, values[j], zx[j]);
    slopes[j] = pieces_along(x, zy[j], zxy[j]);
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < 4; ++k) {
      std::vector<double> f, s;
      for (std::size_t j = 0; j < y.size(); ++j) {
        f.push_back(along[j][i][k]);
        s.push_back(slopes[j][i][k]);
      }
      std::vector<Cubic> across = pieces_along(y, f, s);
      for (std::size_t j = 0; j < m; ++j)
        for (std::size_t l = 0; l < 4; ++l) out.coefficients[k][l][i * m + j] = across[j][l];
    }
  return out;
}

Patches differentiate(const Patches& patches, std::size_t by) {
  Patches out = patches;
  for (std::size_t k = 0; k < 4; ++k)
    for (std::size_t l = 0; l < 4; ++l) {
      std::vector<double>& to = out.coefficients[k][l];
      std::size_t power = (by == 0 ? k : l) + 1;
      if (power > 3) {
        std::fill(to.begin(), to.end(), 0.0);
        continue;
      }
      const std::vector<double>& from = by == 0 ? patches.coefficients[k + 1][l] : patches.coefficients[k][l + 1];
      for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<double>(power) * from[i];
    }
  return out;
}

}  // namespace bolza::flatten
