// SPDX-License-Identifier: Apache-2.0
// Second derivatives for models written in C++: a number type with gradient and Hessian, and the Hessian kernels of a
// HandProblem's rates and residuals.
#pragma once
#include "tests/unit/support/hand_model.h"

namespace bolza::testing {

template <std::size_t N>
struct Jet {
  double v = 0;
  std::array<double, N> d{};
  std::array<double, N * N> h{};
  Jet(double x = 0) : v(x) {}
  Jet chain(double value, double slope, double bend) const {
    Jet out(value);
    for (std::size_t i = 0; i < N; ++i) {
      out.d[i] = slope * d[i];
      for (std::size_t j = 0; j < N; ++j) out.h[i * N + j] = slope * h[i * N + j] + bend * d[i] * d[j];
    }
    return out;
  }
  friend Jet operator+(Jet a, const Jet& b) {
    a.v += b.v;
    for (std::size_t i = 0; i < N; ++i) a.d[i] += b.d[i];
    for (std::size_t i = 0; i < N * N; ++i) a.h[i] += b.h[i];
    return a;
  }
  friend Jet operator-(const Jet& a) { return a.chain(-a.v, -1, 0); }
  friend Jet operator-(const Jet& a, const Jet& b) { return a + -b; }
  friend Jet operator*(const Jet& a, const Jet& b) {
    Jet out(a.v * b.v);
    for (std::size_t i = 0; i < N; ++i) {
      out.d[i] = a.d[i] * b.v + a.v * b.d[i];
      for (std::size_t j = 0; j < N; ++j)
        out.h[i * N + j] = a.h[i * N + j] * b.v + a.v * b.h[i * N + j] + a.d[i] * b.d[j] + b.d[i] * a.d[j];
    }
    return out;
  }
  friend Jet operator/(const Jet& a, const Jet& b) { return a * b.chain(1 / b.v, -1 / (b.v * b.v), 2 / (b.v * b.v * b.v)); }
  friend Jet sin(const Jet& a) { return a.chain(std::sin(a.v), std::cos(a.v), -std::sin(a.v)); }
  friend Jet cos(const Jet& a) { return a.chain(std::cos(a.v), -std::sin(a.v), -std::cos(a.v)); }
  friend Jet exp(const Jet& a) { return a.chain(std::exp(a.v), std::exp(a.v), std::exp(a.v)); }
};

template <std::size_t N>
double value_of(const Jet<N>& x) {
  return x.v;
}

template <class M, class F, std::size_t NW, std::size_t NR>
int second_kernel(const bolza_call* c) {
  constexpr std::size_t n = NW + free_of<M>();
  for (std::size_t i = 0; i < c->n; ++i) {
    using T = Jet<n>;
    std::array<T, NW + 1> w{};
    std::array<T, M::np> p{};
    std::array<T, NR + 1> r{};
    for (std::size_t k = 0; k < NW; ++k) w[k] = T(c->point[k * c->ld + i]), w[k].d[k] = 1;
    for (std::size_t k = 0; k < M::np; ++k) p[k] = T(c->shared[k]);
    for (std::size_t k = 0; k < free_of<M>(); ++k) p[k].d[NW + k] = 1;
    F::template call<M>(w.data(), p.data(), r.data());
    T sum(0);
    for (std::size_t row = 0; row < NR; ++row) sum = sum + T(c->weight[row * c->ld + i]) * r[row];
    std::size_t e = 0;
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b <= a; ++b) c->out[e++ * c->ld + i] = sum.h[a * n + b];
    for (std::size_t a = 0; a < n; ++a) c->out[e++ * c->ld + i] = sum.d[a];
  }
  return 0;
}

/// The Hessian kernel of one function with a dense pattern.
template <class M, class F, std::size_t NW, std::size_t NR>
struct HandHessian {
  std::vector<std::int32_t> row, col;
  bolza_group group{};
  bolza_kernels kernels{};

  explicit HandHessian(bolza_function& f) {
    constexpr std::size_t n = NW + free_of<M>();
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b <= a; ++b)
        row.push_back(static_cast<std::int32_t>(a)), col.push_back(static_cast<std::int32_t>(b));
    group.instances = 1;
    group.points = group.single = second_kernel<M, F, NW, NR>;
    kernels = {.n_out = row.size() + n, .n_groups = 1, .groups = &group};
    f.hess_nnz = row.size(), f.hess_row = row.data(), f.hess_col = col.data();
    f.kernels[BOLZA_HESSIAN] = &kernels;
  }
  HandHessian(const HandHessian&) = delete;
};

/// Of a HandProblem's rates and residuals.
template <class M>
struct HandSecond {
  static constexpr std::size_t nw = HandProblem<M>::nw;
  HandHessian<M, Rates, nw, M::nx + M::nq> rates;
  HandHessian<M, Residuals, nw, M::nz + M::ng> residuals;
  explicit HandSecond(HandProblem<M>& hand) : rates(hand.rates.function), residuals(hand.residuals.function) {}
};

}  // namespace bolza::testing
