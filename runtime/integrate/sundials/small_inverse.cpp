// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/sundials/small_inverse.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace bolza::integrate {
namespace {

template <std::size_t N>
bool invert_fixed(const double* A, double* inverse) {
  std::array<std::array<double, 2 * N>, N> rows{};  // (A, 1)
  for (std::size_t i = 0; i < N; ++i) {
    for (std::size_t j = 0; j < N; ++j) rows[i][j] = A[j * N + i];
    rows[i][N + i] = 1;
  }
  for (std::size_t k = 0; k < N; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < N; ++i)
      if (!(std::fabs(rows[i][k]) <= std::fabs(rows[pivot][k]))) pivot = i;
    if (!(std::fabs(rows[pivot][k]) > 0)) return false;
    if (pivot != k) std::swap(rows[k], rows[pivot]);
    double by = 1 / rows[k][k];
    for (std::size_t j = 0; j < 2 * N; ++j) rows[k][j] *= by;
    for (std::size_t i = 0; i < N; ++i) {
      double factor = rows[i][k];
      if (i == k || factor == 0) continue;
      for (std::size_t j = 0; j < 2 * N; ++j) rows[i][j] -= factor * rows[k][j];
    }
  }
  double sum = 0;
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = 0; j < N; ++j) {
      inverse[j * N + i] = rows[i][N + j];
      sum += 0 * rows[i][N + j];
    }
  return sum == 0;
}

template <std::size_t N>
void multiply_fixed(const double* M, const double* b, double* x) {
  std::array<double, N> sum{};
  for (std::size_t j = 0; j < N; ++j)
    for (std::size_t i = 0; i < N; ++i) sum[i] += M[j * N + i] * b[j];
  std::copy(sum.begin(), sum.end(), x);
}

template <std::size_t... N>
constexpr std::array<bool (*)(const double*, double*), sizeof...(N)> inverters(std::index_sequence<N...>) {
  return {invert_fixed<N + 1>...};
}
template <std::size_t... N>
constexpr std::array<void (*)(const double*, const double*, double*), sizeof...(N)> multipliers(std::index_sequence<N...>) {
  return {multiply_fixed<N + 1>...};
}
constexpr auto invert_of = inverters(std::make_index_sequence<most_inverted>());
constexpr auto multiply_of = multipliers(std::make_index_sequence<most_inverted>());

}  // namespace

bool invert(std::size_t n, const double* A, double* inverse) { return n == 0 || invert_of[n - 1](A, inverse); }

void multiply(std::size_t n, const double* M, const double* b, double* x) {
  if (n > 0) multiply_of[n - 1](M, b, x);
}

}  // namespace bolza::integrate
