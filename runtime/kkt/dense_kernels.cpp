// SPDX-License-Identifier: Apache-2.0
#include "runtime/kkt/dense_kernels.h"

#include "runtime/kkt/processors.h"

namespace bolza::kkt {
namespace {

/// y -= a u + b v
[[gnu::always_inline]] inline void subtract_two(double* __restrict y, const double* __restrict u, double a,
                                                const double* __restrict v, double b, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) y[i] -= a * u[i] + b * v[i];
}
[[gnu::always_inline]] inline void subtract_one(double* __restrict y, const double* __restrict u, double a,
                                                std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) y[i] -= a * u[i];
}

[[gnu::always_inline]] inline void single_body(double* a, std::size_t n, std::size_t k, const double* u) {
  const double* l = a + k * n;
  for (std::size_t j = k + 1; j < n; ++j)
    if (l[j] != 0) subtract_one(a + j * n + j, u + j, l[j], n - j);
}
[[gnu::always_inline]] inline void pair_body(double* a, std::size_t n, std::size_t k, const double* u, const double* v) {
  const double* l = a + k * n;
  const double* r = l + n;
  for (std::size_t j = k + 2; j < n; ++j)
    if (l[j] != 0 || r[j] != 0) subtract_two(a + j * n + j, u + j, l[j], v + j, r[j], n - j);
}
[[gnu::always_inline]] inline void product_body(const double* a, const double* b, double* c, std::size_t rows, std::size_t p,
                                                std::size_t q) {
  for (std::size_t j = 0; j < q; ++j)
    for (std::size_t i = 0; i < p; ++i) {
      double sum = 0;
      const double* __restrict x = a + i * rows;
      const double* __restrict y = b + j * rows;
      for (std::size_t k = 0; k < rows; ++k) sum += x[k] * y[k];
      c[j * p + i] += sum;
    }
}

BOLZA_TARGET_AVX2 void single_avx2(double* a, std::size_t n, std::size_t k, const double* u) { single_body(a, n, k, u); }
BOLZA_TARGET_AVX2 void pair_avx2(double* a, std::size_t n, std::size_t k, const double* u, const double* v) {
  pair_body(a, n, k, u, v);
}

}  // namespace

void subtract_single(double* a, std::size_t n, std::size_t k, std::vector<double>& work) {
  double* column = a + k * n;
  work.assign(column, column + n);
  double inverse = column[k];
  for (std::size_t i = k + 1; i < n; ++i) column[i] *= inverse;
  if (this_processor() == Processor::any) single_body(a, n, k, work.data());
  else single_avx2(a, n, k, work.data());
}

void subtract_pair(double* a, std::size_t n, std::size_t k, std::vector<double>& work) {
  double* l = a + k * n;
  double* r = l + n;
  work.assign(l, r + n);
  const double* u = work.data();
  const double* v = u + n;
  double p = l[k], q = l[k + 1], s = r[k + 1];
  for (std::size_t i = k + 2; i < n; ++i) {
    l[i] = p * u[i] + q * v[i];
    r[i] = q * u[i] + s * v[i];
  }
  if (this_processor() == Processor::any) pair_body(a, n, k, u, v);
  else pair_avx2(a, n, k, u, v);
}

void add_product(const double* a, const double* b, double* c, std::size_t rows, std::size_t p, std::size_t q) {
  product_body(a, b, c, rows, p, q);
}

}  // namespace bolza::kkt
