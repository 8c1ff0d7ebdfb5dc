// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/events/locate.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bolza::integrate {
namespace {

// Where a step is looked at: finer at its start, where an indicator may leave the width around zero that an event left it in
// and come back within a long step.
constexpr double shares[] = {1.0 / 4096, 1.0 / 1024, 1.0 / 256, 1.0 / 64, 1.0 / 16, 0.25, 0.5, 0.75, 1};

// The component that changes its sign most steeply; npos when none does.
constexpr std::size_t none = static_cast<std::size_t>(-1);
std::size_t steepest(std::span<const double> left, std::span<const double> right) {
  std::size_t row = none;
  double largest = -1;
  for (std::size_t k = 0; k < left.size(); ++k) {
    if (left[k] == 0 || std::signbit(left[k]) == std::signbit(right[k])) continue;
    double share = std::fabs(right[k] / (right[k] - left[k]));
    if (share > largest) largest = share, row = k;
  }
  return row;
}

}  // namespace

Located locate_root(const std::function<bool(double t, std::span<double> g)>& at, double a, double b, std::vector<double>& g,
                    std::span<const double> look) {
  std::vector<double> left = g, right(g.size()), middle(g.size());
  double begin = a;
  for (double share : look.empty() ? std::span<const double>(shares) : look) {
    double end = share < 1 ? a + share * (b - a) : b;
    if (!at(end, right)) return {.finite = false, .t = begin};
    std::size_t row = steepest(left, right);
    if (row == none) {
      begin = end, left = right;
      continue;
    }
    double lo = begin, hi = end,
           tolerance = 8 * std::numeric_limits<double>::epsilon() * std::max(std::fabs(a), std::fabs(b));
    double weight = 1;  // Illinois: damps the end that stays
    int side = 0;
    for (int k = 0; k < 200 && hi - lo > tolerance; ++k) {
      double gl = left[row], gr = right[row];
      if (side > 0) gl *= weight;
      if (side < 0) gr *= weight;
      double t = k % 4 == 3 ? 0.5 * (lo + hi) : hi - (hi - lo) * gr / (gr - gl);
      t = std::clamp(t, lo + 0.25 * tolerance, hi - 0.25 * tolerance);
      if (!(t > lo && t < hi)) t = 0.5 * (lo + hi);
      if (!at(t, middle)) return {.finite = false, .t = lo};
      std::size_t next = steepest(left, middle);
      if (next != none) {
        hi = t, right = middle, row = next;
        weight = side > 0 ? weight * 0.5 : 0.5, side = 1;
      } else {
        lo = t, left = middle;
        row = steepest(left, right);
        if (row == none) break;  // cannot be: a change between lo and hi stays
        weight = side < 0 ? weight * 0.5 : 0.5, side = -1;
      }
    }
    g = right;
    return {.found = true, .t = hi, .row = row == none ? 0 : row};
  }
  g = right;
  return {.t = b};
}

}  // namespace bolza::integrate
