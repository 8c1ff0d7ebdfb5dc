// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/integral_guess.h"

#include <algorithm>
#include <cmath>

#include "runtime/nonlinear/model_at.h"

namespace bolza::transcribe {
namespace {

using nonlinear::ModelAt;
constexpr std::size_t steps = 100;

bool reads(const bolza_function* f, std::int32_t column) {
  return f && std::find(f->jac_col, f->jac_col + f->jac_nnz, column) != f->jac_col + f->jac_nnz;
}

/// Is it in second derivatives of the objective or of a point constraint?
bool curves(const bolza_problem& problem, std::size_t phase, std::int32_t state) {
  const bolza_function& f = *problem.point;
  auto is_state = [&](std::int32_t column) {
    if (static_cast<std::size_t>(column) >= f.n_point) return false;
    const bolza_value_at& value = problem.values[column];
    return value.quantity == BOLZA_STATE && value.index == state &&
           problem.places[value.place].phase == static_cast<std::int32_t>(phase);
  };
  return std::any_of(f.hess_row, f.hess_row + f.hess_nnz, is_state) ||
         std::any_of(f.hess_col, f.hess_col + f.hess_nnz, is_state);
}

PhaseValues own_guesses(const bolza_model& m) {
  auto own = [](const bolza_variable* variables, std::size_t n) {
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i) values.push_back(nonlinear::guess_of(variables[i]));
    return values;
  };
  return {own(m.x, m.n_x), own(m.z, m.n_z), own(m.u, m.n_u)};
}

/// The states that are integrals without a guess.
std::vector<std::size_t> integrals_of(const bolza_problem& problem, std::size_t phase, const bolza_model& m) {
  std::vector<std::size_t> found;
  if (!problem.point || !m.rates) return found;
  for (std::size_t i = 0; i < m.n_x; ++i) {
    auto column = static_cast<std::int32_t>(i + 1);
    if (!m.x[i].fixed || m.x[i].has_guess || !curves(problem, phase, static_cast<std::int32_t>(i))) continue;
    if (!reads(m.rates, column) && !reads(m.residuals, column)) found.push_back(i);
  }
  return found;
}

}  // namespace

IntegralGuess::IntegralGuess(const bolza_problem& problem, std::size_t phase, std::span<const double> parameters,
                             const Along& guess) {
  const bolza_model& m = *problem.models[problem.phases[phase].model];
  std::vector<std::size_t> integrals = integrals_of(problem, phase, m);
  if (integrals.empty()) return;
  ModelAt at(problem, m, nonlinear::shared_of(problem, phase, parameters));
  double t0 = at.shared[0], tf = at.shared[1], h = (tf - t0) / steps;
  std::vector<double> rows(m.rates->n_rows), before;
  std::vector<bool> changes(m.n_x, false);
  std::vector<double> first;
  values_.resize(m.n_x);
  for (std::size_t k = 0; k <= steps; ++k) {
    PhaseValues y = guess ? guess(static_cast<double>(k) / steps) : own_guesses(m);
    ModelAt::Point p{t0 + h * static_cast<double>(k), y.x.data(), y.z.data(), y.u.data()};
    if (y.x.size() != m.n_x || y.z.size() != m.n_z || y.u.size() != m.n_u || !at.value(ModelAt::Part::rates, p, rows)) {
      values_.clear();
      return;
    }
    if (k == 0) first = y.x;
    for (std::size_t i : integrals) {
      std::vector<double>& value = values_[i];
      value.push_back(k == 0 ? m.x[i].start : value.back() + h / 2 * (before[i] + rows[i]));
      changes[i] = changes[i] || y.x[i] != first[i];
    }
    before = rows;
  }
  for (std::size_t i : integrals)
    if (changes[i]) values_[i].clear();
}

std::optional<double> IntegralGuess::at(std::size_t state, double share) const {
  if (state >= values_.size() || values_[state].empty()) return {};
  double place = std::clamp(share, 0.0, 1.0) * steps;
  auto k = std::min(static_cast<std::size_t>(place), steps - 1);
  return values_[state][k] + (place - static_cast<double>(k)) * (values_[state][k + 1] - values_[state][k]);
}

}  // namespace bolza::transcribe
