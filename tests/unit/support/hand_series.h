// SPDX-License-Identifier: Apache-2.0
// Taylor coefficients for models written in C++: truncated series as a number type, by recurrences of their own, and the
// Taylor kernels of a HandProblem's rates and residuals.
#pragma once
#include "tests/unit/support/hand_second.h"

namespace bolza::testing {

/// c_0 … c_{n−1}, every operation from scratch: slow and plain.
template <class T, std::size_t most = 24>
struct Truncated {
  std::array<T, most> c{};
  Truncated(double x = 0) { c[0] = T(x); }

  friend Truncated operator+(Truncated a, const Truncated& b) {
    for (std::size_t k = 0; k < most; ++k) a.c[k] = a.c[k] + b.c[k];
    return a;
  }
  friend Truncated operator-(const Truncated& a) { return Truncated(0.0) - a; }
  friend Truncated operator-(Truncated a, const Truncated& b) {
    for (std::size_t k = 0; k < most; ++k) a.c[k] = a.c[k] - b.c[k];
    return a;
  }
  friend Truncated operator*(const Truncated& a, const Truncated& b) {
    Truncated out;
    for (std::size_t k = 0; k < most; ++k)
      for (std::size_t j = 0; j <= k; ++j) out.c[k] = out.c[k] + a.c[j] * b.c[k - j];
    return out;
  }
  friend Truncated operator/(const Truncated& a, const Truncated& b) {
    Truncated out;
    for (std::size_t k = 0; k < most; ++k) {
      T left = a.c[k];
      for (std::size_t j = 0; j < k; ++j) left = left - out.c[j] * b.c[k - j];
      out.c[k] = left / b.c[0];
    }
    return out;
  }
  /// sin and cos together.
  friend std::pair<Truncated, Truncated> both(const Truncated& a) {
    using std::cos, std::sin;
    Truncated s, c;
    s.c[0] = sin(a.c[0]), c.c[0] = cos(a.c[0]);
    for (std::size_t k = 1; k < most; ++k)
      for (std::size_t j = 1; j <= k; ++j) {
        T share = T(static_cast<double>(j) / static_cast<double>(k)) * a.c[j];
        s.c[k] = s.c[k] + share * c.c[k - j], c.c[k] = c.c[k] - share * s.c[k - j];
      }
    return {s, c};
  }
  friend Truncated sin(const Truncated& a) { return both(a).first; }
  friend Truncated cos(const Truncated& a) { return both(a).second; }
};

template <class M, class F, std::size_t NW, std::size_t NR, bool derivatives>
int series_kernel(const bolza_call* call) {
  constexpr std::size_t n = NW + M::np;
  using S = std::conditional_t<derivatives, Dual<n>, double>;
  using T = Truncated<S>;
  std::size_t last = call->n - 1;
  std::array<T, NW + 1> w{};
  std::array<T, M::np> p{};
  std::array<T, NR + 1> r{};
  for (std::size_t row = 0; row < NW; ++row) {
    for (std::size_t k = 0; k <= last; ++k) w[row].c[k] = S(call->point[row * call->ld + k]);
    if constexpr (derivatives) w[row].c[0] = S::seed(call->point[row * call->ld], row);
  }
  for (std::size_t k = 0; k < M::np; ++k) {
    p[k] = T(call->shared[k]);
    if constexpr (derivatives) p[k].c[0] = S::seed(call->shared[k], NW + k);
  }
  F::template call<M>(w.data(), p.data(), r.data());
  for (std::size_t row = 0; row < NR; ++row) {
    if constexpr (derivatives) {
      call->out[row * call->ld + last] = r[row].c[last].v;
      // the derivative of coefficient k by coefficient 0 of an argument is coefficient k of the Jacobian
      for (std::size_t k = 0; k < n; ++k) call->out[(NR + row * n + k) * call->ld + last] = r[row].c[last].d[k];
    } else {
      call->out[row * call->ld + last] = r[row].c[last];
    }
  }
  return 0;
}

template <class M, class F, std::size_t NW, std::size_t NR>
struct HandTaylor {
  bolza_group value_group{}, jacobian_group{};
  bolza_kernels value{}, jacobian{};

  explicit HandTaylor(bolza_function& f) {
    value_group.instances = jacobian_group.instances = 1;
    value_group.points = value_group.single = series_kernel<M, F, NW, NR, false>;
    jacobian_group.points = jacobian_group.single = series_kernel<M, F, NW, NR, true>;
    value = {.n_out = NR, .n_groups = 1, .groups = &value_group};
    jacobian = {.n_out = NR + f.jac_nnz, .n_groups = 1, .groups = &jacobian_group};
    f.kernels[BOLZA_TAYLOR] = &value, f.kernels[BOLZA_TAYLOR_JACOBIAN] = &jacobian;
  }
  HandTaylor(const HandTaylor&) = delete;
};

/// Σ_r weight_r ∇² row_r, weights series too.
template <class M, class F, std::size_t NW, std::size_t NR>
int series_hessian_kernel(const bolza_call* call) {
  constexpr std::size_t n = NW + M::np, most = 12;
  using T = Truncated<Jet<n>, most>;
  std::size_t last = call->n - 1;
  std::array<T, NW + 1> w{};
  std::array<T, M::np> p{};
  std::array<T, NR + 1> r{};
  for (std::size_t row = 0; row < NW; ++row) {
    for (std::size_t k = 0; k <= last; ++k) w[row].c[k] = Jet<n>(call->point[row * call->ld + k]);
    w[row].c[0].d[row] = 1;
  }
  for (std::size_t k = 0; k < M::np; ++k) p[k] = T(call->shared[k]), p[k].c[0].d[NW + k] = 1;
  F::template call<M>(w.data(), p.data(), r.data());
  Jet<n> sum(0);
  for (std::size_t row = 0; row < NR; ++row)
    for (std::size_t k = 0; k <= last; ++k) sum = sum + Jet<n>(call->weight[row * call->ld + k]) * r[row].c[last - k];
  std::size_t e = 0;
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b <= a; ++b) call->out[e++ * call->ld + last] = sum.h[a * n + b];
  for (std::size_t a = 0; a < n; ++a) call->out[e++ * call->ld + last] = sum.d[a];
  return 0;
}

/// Of a HandProblem's rates and residuals whose Hessian kernels HandSecond has made.
template <class M>
struct HandSecondSeries {
  static constexpr std::size_t nw = HandProblem<M>::nw;
  bolza_group rates_group{}, residuals_group{};
  bolza_kernels rates{}, residuals{};
  explicit HandSecondSeries(HandProblem<M>& hand) {
    rates_group.instances = residuals_group.instances = 1;
    rates_group.points = series_hessian_kernel<M, Rates, nw, M::nx + M::nq>;
    residuals_group.points = series_hessian_kernel<M, Residuals, nw, M::nz + M::ng>;
    std::size_t n_out = (nw + M::np) * (nw + M::np + 3) / 2;
    rates = {.n_out = n_out, .n_groups = 1, .groups = &rates_group};
    residuals = {.n_out = n_out, .n_groups = 1, .groups = &residuals_group};
    hand.rates.function.kernels[BOLZA_TAYLOR_HESSIAN] = &rates;
    hand.residuals.function.kernels[BOLZA_TAYLOR_HESSIAN] = &residuals;
  }
  HandSecondSeries(const HandSecondSeries&) = delete;
};

/// Of a HandProblem's rates and residuals.
template <class M>
struct HandSeries {
  static constexpr std::size_t nw = HandProblem<M>::nw;
  HandTaylor<M, Rates, nw, M::nx + M::nq> rates;
  HandTaylor<M, Residuals, nw, M::nz + M::ng> residuals;
  explicit HandSeries(HandProblem<M>& hand) : rates(hand.rates.function), residuals(hand.residuals.function) {}
};

}  // namespace bolza::testing
