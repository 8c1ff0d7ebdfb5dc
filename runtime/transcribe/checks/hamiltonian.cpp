// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/checks/hamiltonian.h"

#include <algorithm>
#include <cmath>

#include "runtime/abi/evaluate.h"
#include "runtime/transcribe/point_slopes.h"

namespace bolza::transcribe {

using Part = nonlinear::ModelAt::Part;

Hamiltonian::Hamiltonian(bolza_problem& problem, std::size_t phase, const abi::Solution& solution)
    : model_(*problem.models[problem.phases[phase].model]),
      reduced_(problem, model_),
      weights_(model_.n_q, 0) {
  reduced_.at().shared = nonlinear::shared_of(problem, phase, solution.parameters);
  bolza_function& f = *problem.point;
  if (!abi::ensure(problem, f, BOLZA_JACOBIAN)) {
    weights_.assign(model_.n_q, 1);
    known_ = model_.n_q == 0;
    return;
  }
  std::vector<double> slope = point_slopes(problem, solution.parameters);
  for (std::size_t e = 0; e < f.jac_nnz; ++e) {
    auto column = static_cast<std::size_t>(f.jac_col[e]);
    if (f.jac_row[e] != 0 || column >= problem.n_values || problem.values[column].quantity != BOLZA_INTEGRAL ||
        static_cast<std::size_t>(problem.values[column].place) != phase)
      continue;
    bool constant = f.jac_constant && f.jac_constant[e];
    known_ = known_ && constant;
    weights_[static_cast<std::size_t>(problem.values[column].index)] +=
        constant ? (problem.maximize ? -1 : 1) * slope[e] : 1;
  }
}

bool Hamiltonian::rates_at(double t, const PhaseValues& v, std::span<double> rows) {
  return reduced_.at().value(Part::rates, {t, v.x.data(), v.z.data(), v.u.data()}, rows);
}

bool Hamiltonian::rates_with(double t, const PhaseValues& v, const std::vector<double>& u, std::span<double> rows) {
  if (model_.n_z > 0) {
    reduced_.anchor(v.z);
    if (!reduced_.move_to(t, v.x, u)) return false;
  }
  const std::vector<double>& z = model_.n_z > 0 ? reduced_.z() : v.z;
  return reduced_.at().value(Part::rates, {t, v.x.data(), z.data(), u.data()}, rows);
}

double Hamiltonian::value(std::span<const double> costate, std::span<const double> rows) const {
  double sum = 0;
  for (std::size_t a = 0; a < model_.n_x; ++a) sum += costate[a] * rows[a];
  for (std::size_t q = 0; q < weights_.size(); ++q) sum += weights_[q] * rows[model_.n_x + q];
  return sum;
}

void add_hamiltonian(bolza_problem& problem, abi::Solution& solution) {
  auto at = [](const std::vector<std::vector<double>>& rows, std::size_t k) {
    std::vector<double> values;
    for (const std::vector<double>& row : rows) values.push_back(row[k]);
    return values;
  };
  for (std::size_t p = 0; p < problem.n_phases && p < solution.phases.size(); ++p) {
    const bolza_model& model = *problem.models[problem.phases[p].model];
    abi::Trajectories& y = solution.phases[p].trajectories;
    y.hamiltonian.clear();
    if (model.n_x == 0 || y.costate.size() != model.n_x || (model.hybrid && model.hybrid->n_delays > 0)) continue;
    if (y.x.size() != model.n_x || y.z.size() != model.n_z || y.u.size() != model.n_u) continue;
    Hamiltonian hamiltonian(problem, p, solution);
    if (!hamiltonian.known()) continue;
    std::vector<double> rows(model.n_x + model.n_q);
    for (std::size_t k = 0; k < y.time.size(); ++k) {
      double h = NAN;
      if (hamiltonian.rates_at(y.time[k], {at(y.x, k), at(y.z, k), at(y.u, k)}, rows))
        h = hamiltonian.value(at(y.costate, k), rows);
      y.hamiltonian.push_back(h);
    }
    if (!std::all_of(y.hamiltonian.begin(), y.hamiltonian.end(), [](double h) { return std::isfinite(h); }))
      y.hamiltonian.clear();
  }
}

}  // namespace bolza::transcribe
