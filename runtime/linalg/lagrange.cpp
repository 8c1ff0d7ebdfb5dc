// SPDX-License-Identifier: Apache-2.0
#include "runtime/linalg/lagrange.h"

#include "runtime/linalg/collocation_points.h"

namespace bolza::linalg {

std::vector<double> lagrange_values(std::span<const double> nodes, double t) {
  std::vector<double> values(nodes.size(), 1);
  for (std::size_t r = 0; r < nodes.size(); ++r)
    for (std::size_t k = 0; k < nodes.size(); ++k)
      if (k != r) values[r] *= (t - nodes[k]) / (nodes[r] - nodes[k]);
  return values;
}

std::vector<double> lagrange_slopes(std::span<const double> nodes, double t) {
  std::vector<double> slopes(nodes.size(), 0);
  for (std::size_t r = 0; r < nodes.size(); ++r)
    for (std::size_t m = 0; m < nodes.size(); ++m) {
      if (m == r) continue;
      double term = 1 / (nodes[r] - nodes[m]);
      for (std::size_t k = 0; k < nodes.size(); ++k)
        if (k != r && k != m) term *= (t - nodes[k]) / (nodes[r] - nodes[k]);
      slopes[r] += term;
    }
  return slopes;
}

std::vector<double> lagrange_integrals(std::span<const double> nodes, double t) {
  std::size_t n = nodes.size() / 2 + 1;  // a Gauss rule exact to degree nodes.size() - 1 at least
  std::vector<double> points = gauss_points(n), weights = gauss_weights(n);
  std::vector<double> integrals(nodes.size(), 0);
  for (std::size_t q = 0; q < n; ++q) {
    std::vector<double> values = lagrange_values(nodes, t * points[q]);
    for (std::size_t r = 0; r < nodes.size(); ++r) integrals[r] += t * weights[q] * values[r];
  }
  return integrals;
}

}  // namespace bolza::linalg
