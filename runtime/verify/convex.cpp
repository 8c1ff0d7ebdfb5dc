// SPDX-License-Identifier: Apache-2.0
#include "runtime/verify/convex.h"

namespace bolza::verify {

namespace {

enum class FirstInput : std::uint8_t { time, value };

bool rows_are_linear(const bolza_function& f, std::size_t first, std::size_t last, FirstInput input) {
  for (std::size_t e = 0; e < f.jac_nnz; ++e) {
    auto row = static_cast<std::size_t>(f.jac_row[e]);
    bool is_time = input == FirstInput::time && f.jac_col[e] == 0 && f.n_point > 0;
    if (row >= first && row < last && !is_time && !(f.jac_constant && f.jac_constant[e])) return false;
  }
  return true;
}

}  // namespace

bool are_linear(const bolza_function* f, std::size_t first, std::size_t last) {
  return !f || first == last || rows_are_linear(*f, first, last, FirstInput::time);
}

bool are_points_linear(const bolza_problem& problem) {
  return !problem.point || rows_are_linear(*problem.point, 0, 1 + problem.n_k, FirstInput::value);
}

namespace {

bool is_linear_model(const bolza_model& m) {
  bool jumps = m.hybrid && (!m.hybrid->is_literal || m.hybrid->n_delays > 0);
  return !jumps && m.n_initial == 0 && are_linear(m.rates, 0, m.n_x) && are_linear(m.residuals, 0, m.n_z + m.n_g);
}

/// Integrands with a weight: linear, or the first one as half the sum of squares of linear residuals.
bool are_convex_integrands(const bolza_model& m, const Eigen::VectorXd& weights) {
  for (std::size_t q = 0; q < m.n_q; ++q) {
    double weight = weights(static_cast<Eigen::Index>(q));
    if (weight == 0 || are_linear(m.rates, m.n_x + q, m.n_x + q + 1)) continue;
    const bolza_function* r = m.integrand_residuals;
    if (q > 0 || weight < 0 || !r || !are_linear(r, 0, r->n_rows)) return false;
  }
  return true;
}

}  // namespace

bool is_convex(const bolza_problem& problem, const std::vector<Eigen::VectorXd>& weights) {
  for (std::size_t p = 0; p < problem.n_phases; ++p) {
    const bolza_phase& phase = problem.phases[p];
    for (std::size_t end : {0, 1})
      if (!problem.parameters[phase.parameter[end]].fixed) return false;
    const bolza_model& model = *problem.models[phase.model];
    for (std::size_t c = 0; c < model.n_u; ++c)
      if (model.u[c].type != 0) return false;
    if (!is_linear_model(model) || !are_convex_integrands(model, weights[p])) return false;
  }
  return are_points_linear(problem);
}

}  // namespace bolza::verify
