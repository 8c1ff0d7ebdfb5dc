// SPDX-License-Identifier: Apache-2.0
// Models written in C++ for tests of the runtime: M gives its functions as templates over the number type, the kernels and
// exact dense Jacobians (by dual numbers) follow. No compiler is involved.
//
//   struct Decay : NoFunctions {
//     static constexpr std::size_t np = 3, nv = 1;  // np: t0, tf, parameters; nv point values, nk constraints, nr residuals
//     template <class T>
//     static void rates(const T* w, const T* p, T* r) { r[0] = -p[2] * w[1]; }  // w: t, x, z, u
//     template <class T>
//     static void point(const T* v, const T*, T* r) { r[0] = v[0]; }  // v: point values
//   };
#pragma once
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "runtime/abi/bolza.h"

namespace bolza::testing {

inline constexpr double inf = std::numeric_limits<double>::infinity();

template <std::size_t N>
struct Dual {
  double v = 0;
  std::array<double, N> d{};
  Dual(double x = 0) : v(x) {}
  static Dual seed(double x, std::size_t k) {
    Dual out(x);
    out.d[k] = 1;
    return out;
  }
  Dual chain(double value, double slope) const {
    Dual out(value);
    for (std::size_t k = 0; k < N; ++k) out.d[k] = slope * d[k];
    return out;
  }
  friend Dual operator-(const Dual& a) { return a.chain(-a.v, -1); }
  friend Dual operator+(Dual a, const Dual& b) {
    a.v += b.v;
    for (std::size_t k = 0; k < N; ++k) a.d[k] += b.d[k];
    return a;
  }
  friend Dual operator-(Dual a, const Dual& b) {
    a.v -= b.v;
    for (std::size_t k = 0; k < N; ++k) a.d[k] -= b.d[k];
    return a;
  }
  friend Dual operator*(const Dual& a, const Dual& b) {
    Dual out(a.v * b.v);
    for (std::size_t k = 0; k < N; ++k) out.d[k] = a.d[k] * b.v + a.v * b.d[k];
    return out;
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    Dual out(a.v / b.v);
    for (std::size_t k = 0; k < N; ++k) out.d[k] = (a.d[k] - out.v * b.d[k]) / b.v;
    return out;
  }
  friend Dual sin(const Dual& a) { return a.chain(std::sin(a.v), std::cos(a.v)); }
  friend Dual cos(const Dual& a) { return a.chain(std::cos(a.v), -std::sin(a.v)); }
  friend Dual exp(const Dual& a) { return a.chain(std::exp(a.v), std::exp(a.v)); }
  friend Dual sqrt(const Dual& a) { return a.chain(std::sqrt(a.v), 0.5 / std::sqrt(a.v)); }
};

/// A model without anything: M derives from it and replaces what it has.
struct NoFunctions {
  static constexpr std::size_t nx = 1, nz = 0, nu = 0, nq = 0, ng = 0, ni = 0, nv = 0, nk = 0, nr = 0;
  template <class T>
  static void rates(const T*, const T*, T*) {}
  template <class T>
  static void residuals(const T*, const T*, T*) {}
  template <class T>
  static void initial(const T*, const T*, T*) {}
  template <class T>
  static void point(const T*, const T*, T*) {}
};

// Which of M's functions, as a type.
struct Rates {
  template <class M, class T>
  static void call(const T* w, const T* p, T* r) {
    M::rates(w, p, r);
  }
};
struct Residuals {
  template <class M, class T>
  static void call(const T* w, const T* p, T* r) {
    M::residuals(w, p, r);
  }
};
struct Initial {
  template <class M, class T>
  static void call(const T* w, const T* p, T* r) {
    M::initial(w, p, r);
  }
};
struct PointRows {
  template <class M, class T>
  static void call(const T* w, const T* p, T* r) {
    M::point(w, p, r);
  }
};

/// Shared values by which M is differentiated: all, or the first M::n_free.
template <class M>
constexpr std::size_t free_of() {
  if constexpr (requires { M::n_free; }) return M::n_free;
  else return M::np;
}

/// Shared values of a function: memories are no business of points.
template <class M, class F>
constexpr std::size_t shared_of() {
  return std::is_same_v<F, PointRows> ? free_of<M>() : M::np;
}

template <class M, class F, std::size_t NW, std::size_t NR, bool derivatives>
int kernel(const bolza_call* c) {
  using std::isfinite;
  constexpr std::size_t n = NW + free_of<M>();
  int status = 0;
  for (std::size_t i = 0; i < c->n; ++i) {
    using T = std::conditional_t<derivatives, Dual<n>, double>;
    std::array<T, NW + 1> w{};
    std::array<T, M::np> p{};
    std::array<T, NR + 1> r{};
    for (std::size_t k = 0; k < NW; ++k) {
      if constexpr (derivatives) w[k] = T::seed(c->point[k * c->ld + i], k);
      else w[k] = c->point[k * c->ld + i];
    }
    for (std::size_t k = 0; k < shared_of<M, F>(); ++k) {
      p[k] = c->shared[k];
      if constexpr (derivatives)
        if (k < free_of<M>()) p[k].d[NW + k] = 1;
    }
    F::template call<M>(w.data(), p.data(), r.data());
    for (std::size_t row = 0; row < NR; ++row) {
      if constexpr (derivatives) {
        c->out[row * c->ld + i] = r[row].v;
        for (std::size_t k = 0; k < n; ++k) c->out[(NR + row * n + k) * c->ld + i] = r[row].d[k];
        if (!isfinite(r[row].v)) status = BOLZA_NONFINITE;
      } else {
        c->out[row * c->ld + i] = r[row];
        if (!isfinite(r[row])) status = BOLZA_NONFINITE;
      }
    }
  }
  return status;
}

/// A function with dense patterns.
template <class M, class F, std::size_t NW, std::size_t NR>
struct HandFunction {
  std::vector<std::int32_t> row, col, grad;
  std::vector<std::uint8_t> constant;
  std::vector<std::string> names;
  std::vector<bolza_row> rows;
  bolza_group value_group{}, jacobian_group{};
  bolza_kernels value{}, jacobian{};
  bolza_function function{};

  explicit HandFunction(const char* name) {
    constexpr std::size_t n = NW + free_of<M>();
    for (std::size_t r = 0; r < NR; ++r)
      for (std::size_t k = 0; k < n; ++k)
        row.push_back(static_cast<std::int32_t>(r)), col.push_back(static_cast<std::int32_t>(k));
    for (std::size_t k = 0; k < n; ++k) grad.push_back(static_cast<std::int32_t>(k));
    constant.assign(row.size(), 0);
    for (std::size_t r = 0; r < NR; ++r) names.push_back(std::string(name) + " row " + std::to_string(r + 1));
    for (std::size_t r = 0; r < NR; ++r)
      rows.push_back({names[r].c_str(), {"hand.mop", static_cast<std::int32_t>(10 + r), 3}, 0, 0});
    value_group.instances = jacobian_group.instances = 1;
    value_group.points = value_group.single = kernel<M, F, NW, NR, false>;
    jacobian_group.points = jacobian_group.single = kernel<M, F, NW, NR, true>;
    value = {.n_out = NR, .n_groups = 1, .groups = &value_group};
    jacobian = {.n_out = NR + row.size(), .n_groups = 1, .groups = &jacobian_group};
    function = {.name = name,
                .n_point = NW,
                .n_shared = shared_of<M, F>(),
                .n_global = free_of<M>(),
                .n_rows = NR,
                .rows = rows.data(),
                .jac_nnz = row.size(),
                .jac_row = row.data(),
                .jac_col = col.data(),
                .jac_constant = constant.data(),
                .grad_nnz = grad.size(),
                .grad_col = grad.data()};
    function.kernels[BOLZA_VALUE] = &value;
    function.kernels[BOLZA_JACOBIAN] = &jacobian;
  }
  HandFunction(const HandFunction&) = delete;
};

/// One model, one phase. Fill in starts, bounds, places and values after construction; names are x1…, z1…, u1…, p1….
template <class M>
struct HandProblem {
  static constexpr std::size_t nw = 1 + M::nx + M::nz + M::nu;
  HandFunction<M, Rates, nw, M::nx + M::nq> rates{"rates"};
  HandFunction<M, Residuals, nw, M::nz + M::ng> residuals{"residuals"};
  HandFunction<M, Initial, nw, M::ni> initial{"initial"};
  HandFunction<M, PointRows, M::nv, 1 + M::nk + M::nr> point{"point"};
  std::vector<std::string> names;
  std::vector<bolza_variable> x, z, u, parameters;
  std::vector<double> shared;
  std::vector<std::int32_t> parameter_of;
  std::vector<bolza_place> places;
  std::vector<bolza_value_at> values;
  bolza_model model{};
  bolza_model* models[1];
  bolza_phase phase{};
  bolza_problem problem{};

  HandProblem() {
    names.reserve(M::nx + M::nz + M::nu + M::np);
    add(x, "x", M::nx), add(z, "z", M::nz), add(u, "u", M::nu), add(parameters, "p", M::np);
    for (auto& v : x) v.fixed = 1;
    names[names.size() - M::np] = "startTime", names[names.size() - M::np + 1] = "finalTime";
    for (std::size_t k = 0; k < M::np; ++k)
      parameters[k].name = names[names.size() - M::np + k].c_str(), parameters[k].fixed = 1;
    shared.assign(M::np, 0);
    for (std::size_t k = 0; k < M::np; ++k) parameter_of.push_back(static_cast<std::int32_t>(k));
    places = {{0, 1, 0, 0}, {0, 0, 1, 0}};
  }
  HandProblem(const HandProblem&) = delete;

  void parameter(std::size_t k, double value, bool fixed = true, double low = -inf, double high = inf) {
    parameters[k].start = value, parameters[k].guess = value, parameters[k].fixed = fixed, parameters[k].min = low,
    parameters[k].max = high;
    shared[k] = value;
  }
  void horizon(double t0, double tf) { parameter(0, t0), parameter(1, tf); }

  /// Call when everything is filled in; again after changes.
  bolza_problem& build() {
    model = {.name = "Hand",
             .n_x = M::nx,
             .n_z = M::nz,
             .n_u = M::nu,
             .n_q = M::nq,
             .n_g = M::ng,
             .n_initial = M::ni,
             .n_shared = M::np,
             .n_global = M::np,
             .x = x.data(),
             .z = z.data(),
             .u = u.data(),
             .shared = parameters.data(),
             .shared_values = shared.data(),
             .rates = &rates.function,
             .residuals = M::nz + M::ng ? &residuals.function : nullptr,
             .initial = M::ni ? &initial.function : nullptr};
    models[0] = &model;
    phase = {"", 0, shared.data(), parameter_of.data()};
    problem = {.version = BOLZA_ABI_VERSION,
               .name = "Hand",
               .n_models = 1,
               .n_phases = 1,
               .n_parameters = M::np,
               .n_places = places.size(),
               .n_values = values.size(),
               .models = models,
               .phases = &phase,
               .parameters = parameters.data(),
               .places = places.data(),
               .values = values.data(),
               .point = &point.function,
               .n_k = M::nk,
               .n_r = M::nr,
               .is_optimization = 1};
    return problem;
  }

 private:
  void add(std::vector<bolza_variable>& list, const char* letter, std::size_t n) {
    for (std::size_t k = 0; k < n; ++k) {
      names.push_back(letter + std::to_string(k + 1));
      bolza_variable v{};
      v.name = names.back().c_str(), v.unit = "", v.description = "";
      v.source = {"hand.mop", static_cast<std::int32_t>(k + 1), 1};
      v.min = -inf, v.max = inf, v.nominal = 1;
      list.push_back(v);
    }
  }
};

}  // namespace bolza::testing
