// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "runtime/abi/bolza.h"
#include "tests/unit/transcribe/jet.h"

namespace bolza::testing {

inline constexpr double inf = std::numeric_limits<double>::infinity();

/// A bolza_function from a generic lambda `f(point, shared, rows)` without captures: patterns are found at random points,
/// derivatives are exact. n_point rows of point, `global` + `fixed` entries of shared, `rows` rows.
template <auto f, std::size_t n_point, std::size_t global, std::size_t fixed, std::size_t rows>
struct Kernel {
  static constexpr std::size_t n_in = n_point + global, n_shared = global + fixed;
  using J = Jet<n_in>;
  struct Patterns {
    std::vector<std::int32_t> jac_row, jac_col, hess_row, hess_col, grad_col;
    std::vector<std::uint8_t> jac_constant;
  };
  inline static Patterns p;  // of this one function, written once by `make`

  static std::size_t at(std::size_t r, std::size_t c) { return r * (r + 1) / 2 + c; }

  static void jets(const double* point, std::size_t ld, const double* shared, J* out) {
    J in[n_point == 0 ? 1 : n_point], s[n_shared == 0 ? 1 : n_shared];
    for (std::size_t c = 0; c < n_point; ++c) in[c] = J::input(point[c * ld], c);
    for (std::size_t k = 0; k < n_shared; ++k) s[k] = k < global ? J::input(shared[k], n_point + k) : J(shared[k]);
    f(in, s, out);
  }
  static int value(const bolza_call* call) {
    bool finite = true;
    for (std::size_t i = 0; i < call->n; ++i) {
      double in[n_point == 0 ? 1 : n_point], out[rows];
      for (std::size_t c = 0; c < n_point; ++c) in[c] = call->point[c * call->ld + i];
      f(in, call->shared, out);
      for (std::size_t r = 0; r < rows; ++r) finite = finite && std::isfinite(call->out[r * call->ld + i] = out[r]);
    }
    return finite ? 0 : BOLZA_NONFINITE;
  }
  static int jacobian(const bolza_call* call) {
    bool finite = true;
    for (std::size_t i = 0; i < call->n; ++i) {
      J out[rows];
      jets(call->point + i, call->ld, call->shared, out);
      for (std::size_t r = 0; r < rows; ++r) finite = finite && std::isfinite(call->out[r * call->ld + i] = out[r].v);
      for (std::size_t e = 0; e < p.jac_row.size(); ++e)
        finite = finite && std::isfinite(call->out[(rows + e) * call->ld + i] =
                                             out[p.jac_row[e]].d[static_cast<std::size_t>(p.jac_col[e])]);
    }
    return finite ? 0 : BOLZA_NONFINITE;
  }
  static int hessian(const bolza_call* call) {
    bool finite = true;
    std::size_t nh = p.hess_row.size();
    for (std::size_t i = 0; i < call->n; ++i) {
      J out[rows];
      jets(call->point + i, call->ld, call->shared, out);
      for (std::size_t e = 0; e < nh + p.grad_col.size(); ++e) {
        double sum = 0;
        for (std::size_t r = 0; r < rows; ++r)
          sum += call->weight[r * call->ld + i] *
                 (e < nh ? out[r].h[at(static_cast<std::size_t>(p.hess_row[e]), static_cast<std::size_t>(p.hess_col[e]))]
                         : out[r].d[static_cast<std::size_t>(p.grad_col[e - nh])]);
        finite = finite && std::isfinite(call->out[e * call->ld + i] = sum);
      }
    }
    return finite ? 0 : BOLZA_NONFINITE;
  }

  static void find_patterns(const double* shared_values) {
    if (!p.grad_col.empty()) return;
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(0.3, 1.7);
    std::vector<double> first;
    std::vector<std::uint8_t> jac(rows * n_in, 0), moving(rows * n_in, 0), hess(n_in * (n_in + 1) / 2, 0);
    for (int sample = 0; sample < 6; ++sample) {
      double point[n_point == 0 ? 1 : n_point], shared[n_shared == 0 ? 1 : n_shared];
      for (std::size_t c = 0; c < n_point; ++c) point[c] = uniform(random);
      for (std::size_t k = 0; k < n_shared; ++k)
        shared[k] = k < global || !shared_values ? uniform(random) : shared_values[k];
      J out[rows];
      jets(point, 1, shared, out);
      for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < n_in; ++c) {
          if (out[r].d[c] != 0) jac[r * n_in + c] = 1;
          if (sample == 0) first.push_back(out[r].d[c]);
          else if (first[r * n_in + c] != out[r].d[c]) moving[r * n_in + c] = 1;
        }
        for (std::size_t k = 0; k < hess.size(); ++k)
          if (out[r].h[k] != 0) hess[k] = 1;
      }
    }
    std::vector<std::uint8_t> column(n_in, 0);
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < n_in; ++c)
        if (jac[r * n_in + c]) {
          p.jac_row.push_back(static_cast<std::int32_t>(r)), p.jac_col.push_back(static_cast<std::int32_t>(c));
          p.jac_constant.push_back(!moving[r * n_in + c]);
          column[c] = 1;
        }
    for (std::size_t r = 0; r < n_in; ++r)
      for (std::size_t c = 0; c <= r; ++c)
        if (hess[at(r, c)])
          p.hess_row.push_back(static_cast<std::int32_t>(r)), p.hess_col.push_back(static_cast<std::int32_t>(c));
    for (std::size_t c = 0; c < n_in; ++c)
      if (column[c]) p.grad_col.push_back(static_cast<std::int32_t>(c));
  }
};

/// A bolza_problem built by hand. Addresses are stable; everything lives as long as the object.
class HandProblem {
 public:
  bolza_problem problem{};

  HandProblem() { problem.version = BOLZA_ABI_VERSION, problem.name = "hand"; }
  HandProblem(const HandProblem&) = delete;
  HandProblem& operator=(const HandProblem&) = delete;

  static bolza_variable variable(const char* name, double min = -inf, double max = inf) {
    bolza_variable v{};
    v.name = name, v.unit = "", v.description = "";
    v.source = {"hand.mop", 1, 1};
    v.min = min, v.max = max, v.nominal = 1;
    return v;
  }
  static bolza_variable guessed(const char* name, double guess, double min = -inf, double max = inf) {
    bolza_variable v = variable(name, min, max);
    v.guess = guess, v.has_guess = 1;
    return v;
  }
  static bolza_variable started(const char* name, double start, double min = -inf, double max = inf) {
    bolza_variable v = variable(name, min, max);
    v.start = start, v.has_start = 1, v.fixed = 1;
    return v;
  }

  template <auto f, std::size_t n_point, std::size_t global, std::size_t fixed, std::size_t rows>
  bolza_function* function(const char* name, const double* shared_values = nullptr, std::vector<bolza_row> row_texts = {}) {
    using K = Kernel<f, n_point, global, fixed, rows>;
    K::find_patterns(shared_values);
    bolza_function& g = functions_.emplace_back();
    g = {};
    g.name = name, g.n_point = n_point, g.n_shared = global + fixed, g.n_global = global, g.n_rows = rows;
    if (row_texts.empty()) row_texts.assign(rows, bolza_row{name, {"hand.mop", 7, 3}, 0, 0});
    g.rows = rows_.emplace_back(std::move(row_texts)).data();
    g.jac_nnz = K::p.jac_row.size(), g.jac_row = K::p.jac_row.data(), g.jac_col = K::p.jac_col.data(),
    g.jac_constant = K::p.jac_constant.data();
    g.hess_nnz = K::p.hess_row.size(), g.hess_row = K::p.hess_row.data(), g.hess_col = K::p.hess_col.data();
    g.grad_nnz = K::p.grad_col.size(), g.grad_col = K::p.grad_col.data();
    g.kernels[BOLZA_VALUE] = kernels(K::value, rows);
    g.kernels[BOLZA_JACOBIAN] = kernels(K::jacobian, rows + g.jac_nnz);
    g.kernels[BOLZA_HESSIAN] = kernels(K::hessian, g.hess_nnz + g.grad_nnz);
    return &g;
  }

  struct Variables {
    std::vector<bolza_variable> x, z, u, shared;
  };
  /// n_q, n_g and n_initial follow from the functions. `shared_values` after the globals are the fixed ones.
  bolza_model& model(Variables variables, bolza_function* rates, bolza_function* residuals = nullptr,
                     bolza_function* initial = nullptr, bolza_function* integrand_residuals = nullptr,
                     std::vector<double> shared_values = {0, 1}) {
    Variables& v = variables_.emplace_back(std::move(variables));
    const std::vector<double>& values = doubles_.emplace_back(std::move(shared_values));
    bolza_model& m = models_.emplace_back();
    m = {};
    m.name = "model";
    m.n_x = v.x.size(), m.n_z = v.z.size(), m.n_u = v.u.size();
    m.n_q = rates ? rates->n_rows - m.n_x : 0;
    m.n_g = residuals ? residuals->n_rows - m.n_z : 0;
    m.n_initial = initial ? initial->n_rows : 0;
    const bolza_function* any = rates ? rates : residuals;
    m.n_shared = any->n_shared, m.n_global = any->n_global;
    m.x = v.x.data(), m.z = v.z.data(), m.u = v.u.data(), m.shared = v.shared.data();
    m.shared_values = values.data();
    m.rates = rates, m.residuals = residuals, m.initial = initial, m.integrand_residuals = integrand_residuals;
    model_list_.push_back(&m);
    problem.models = model_list_.data(), problem.n_models = model_list_.size();
    return m;
  }
  void phase(std::size_t model, std::vector<std::int32_t> parameter) {
    bolza_phase p{};
    p.name = "phase", p.model = model;
    p.shared_values = models_[model].shared_values;
    p.parameter = ints_.emplace_back(std::move(parameter)).data();
    phases_.push_back(p);
    problem.phases = phases_.data(), problem.n_phases = phases_.size();
  }
  void parameters(std::vector<bolza_variable> list) {
    parameters_ = std::move(list);
    problem.parameters = parameters_.data(), problem.n_parameters = parameters_.size();
  }
  bolza_variable& parameter(std::size_t k) { return parameters_[k]; }
  bolza_variable& state(std::size_t model, std::size_t k) { return variables_[model].x[k]; }
  bolza_variable& control(std::size_t model, std::size_t k) { return variables_[model].u[k]; }
  std::int32_t place(std::int32_t phase, double on_start, double on_final, double offset = 0) {
    places_.push_back({phase, on_start, on_final, offset});
    problem.places = places_.data(), problem.n_places = places_.size();
    return static_cast<std::int32_t>(places_.size()) - 1;
  }
  void value(bolza_quantity quantity, std::int32_t place, std::int32_t index) {
    values_.push_back({quantity, place, index});
    problem.values = values_.data(), problem.n_values = values_.size();
  }
  void point(bolza_function* f, std::size_t n_k, std::size_t n_r = 0, std::vector<double> data = {}) {
    problem.point = f, problem.n_k = n_k, problem.n_r = n_r;
    problem.point_data = doubles_.emplace_back(std::move(data)).data();
  }

 private:
  const bolza_kernels* kernels(bolza_kernel k, std::size_t n_out) {
    bolza_group& g = groups_.emplace_back();
    g = {};
    g.instances = 1, g.points = k;
    bolza_kernels& all = kernels_.emplace_back();
    all = {};
    all.n_out = n_out, all.n_groups = 1, all.groups = &g;
    return &all;
  }
  std::deque<bolza_function> functions_;
  std::deque<bolza_kernels> kernels_;
  std::deque<bolza_group> groups_;
  std::deque<std::vector<bolza_row>> rows_;
  std::deque<std::vector<double>> doubles_;
  std::deque<std::vector<std::int32_t>> ints_;
  std::deque<Variables> variables_;
  std::deque<bolza_model> models_;
  std::vector<bolza_model*> model_list_;
  std::vector<bolza_phase> phases_;
  std::vector<bolza_variable> parameters_;
  std::vector<bolza_place> places_;
  std::vector<bolza_value_at> values_;
};

/// A given parameter (fixed) and a free one.
inline bolza_variable given(const char* name, double value) { return HandProblem::started(name, value); }

}  // namespace bolza::testing
