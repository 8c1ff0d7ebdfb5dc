// Taylor coefficients for models written in C++: truncated series as a number type, by recurrences of their own, and the
// Taylor kernels of a HandProblem's rates and residuals.
#pragma once
#include "tests/unit/support/hand_model.h"

namespace bolza::testing {

/// c_0 … c_{n−1}, every operation from scratch: slow and plain.
template <class T>
struct Truncated {
  static constexpr std::size_t most = 24;
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

/// Of a HandProblem's rates and residuals.
template <class M>
struct HandSeries {
  static constexpr std::size_t nw = HandProblem<M>::nw;
  HandTaylor<M, Rates, nw, M::nx + M::nq> rates;
  HandTaylor<M, Residuals, nw, M::nz + M::ng> residuals;
  explicit HandSeries(HandProblem<M>& hand) : rates(hand.rates.function), residuals(hand.residuals.function) {}
};

}  // namespace bolza::testing
