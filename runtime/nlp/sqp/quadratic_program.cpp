// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/sqp/quadratic_program.h"

#include <numeric>

namespace bolza::nlp {

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void add_product(const Pattern& pattern, std::span<const double> values, std::span<const double> x, std::span<double> y) {
  for (std::size_t k = 0; k < pattern.size(); ++k)
    y[static_cast<std::size_t>(pattern.row[k])] += values[k] * x[static_cast<std::size_t>(pattern.col[k])];
}

void add_transposed_product(const Pattern& pattern, std::span<const double> values, std::span<const double> x,
                            std::span<double> y) {
  for (std::size_t k = 0; k < pattern.size(); ++k)
    y[static_cast<std::size_t>(pattern.col[k])] += values[k] * x[static_cast<std::size_t>(pattern.row[k])];
}

void add_symmetric_product(const Pattern& pattern, std::span<const double> values, std::span<const double> x,
                           std::span<double> y) {
  for (std::size_t k = 0; k < pattern.size(); ++k) {
    auto r = static_cast<std::size_t>(pattern.row[k]), c = static_cast<std::size_t>(pattern.col[k]);
    y[r] += values[k] * x[c];
    if (r != c) y[c] += values[k] * x[r];
  }
}

}  // namespace bolza::nlp
