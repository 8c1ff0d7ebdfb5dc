// SPDX-License-Identifier: Apache-2.0
#include "runtime/verify/point_terms.h"

#include <algorithm>
#include <cmath>

namespace bolza::verify {
namespace {

double value_of(const bolza_problem& problem, const abi::Solution& solution, const bolza_value_at& value,
                const std::vector<std::unique_ptr<StoredPhase>>& phases, const std::vector<Eigen::VectorXd>& integrals) {
  auto index = static_cast<Eigen::Index>(value.index);
  if (value.quantity == BOLZA_INTEGRAL) return integrals[static_cast<std::size_t>(value.place)](index);
  const bolza_place& place = problem.places[value.place];
  const StoredPhase& phase = *phases[static_cast<std::size_t>(place.phase)];
  double time = time_of(problem, solution, place);
  bool at_start = time <= phase.stored.start_time;
  Eigen::VectorXd point = phase.point_at(time, /*left=*/!at_start);
  switch (value.quantity) {
    case BOLZA_STATE:
      return point(1 + index);
    case BOLZA_ALGEBRAIC:
      return point(1 + phase.nx() + index);
    case BOLZA_CONTROL:
      return point(1 + phase.nx() + phase.nz() + index);
    case BOLZA_RATE:
      return phase.rates.at(point)(index, 0);
    case BOLZA_INTEGRAL:
      break;
  }
  return NAN;
}

}  // namespace

double size_of_point_row(const bolza_problem& problem, const PointTerms& point, std::size_t row) {
  const bolza_row& limits = problem.point->rows[1 + row];
  double size = std::abs(point.rows(1 + static_cast<Eigen::Index>(row)));
  for (double limit : {limits.lower, limits.upper})
    if (std::isfinite(limit)) size = std::max(size, std::abs(limit));
  for (Eigen::Index v = 0; v < point.values.size() && size < 1; ++v)
    size = std::max(size, std::min(1.0, std::abs(point.values(v))));
  return std::max(size, least_size);
}

double size_of_parameter(const bolza_variable& parameter, double value) {
  return std::max({std::abs(value), parameter.has_nominal ? std::abs(parameter.nominal) : 0, least_size});
}

double time_of(const bolza_problem& problem, const abi::Solution& solution, const bolza_place& place) {
  const bolza_phase& phase = problem.phases[place.phase];
  double start = solution.parameters[static_cast<std::size_t>(phase.parameter[0])];
  double final = solution.parameters[static_cast<std::size_t>(phase.parameter[1])];
  return place.on_start * start + place.on_final * final + place.offset;
}

PointTerms point_terms(const bolza_problem& problem, const abi::Solution& solution,
                       const std::vector<std::unique_ptr<StoredPhase>>& phases,
                       const std::vector<Eigen::VectorXd>& integrals) {
  PointTerms out;
  std::vector<double> shared = solution.parameters;
  for (std::size_t k = problem.n_parameters; k < problem.point->n_shared; ++k)
    shared.push_back(problem.point_data[k - problem.n_parameters]);
  FunctionValues point(problem, problem.point, std::move(shared));
  if (!point.possible()) return out;
  out.values.resize(static_cast<Eigen::Index>(problem.n_values));
  for (std::size_t k = 0; k < problem.n_values; ++k)
    out.values(static_cast<Eigen::Index>(k)) = value_of(problem, solution, problem.values[k], phases, integrals);
  out.rows = point.at(out.values).col(0);
  Eigen::VectorXd weight = Eigen::VectorXd::Zero(out.rows.size());
  weight(0) = problem.maximize ? -1 : 1;
  for (std::size_t k = 0; k < problem.n_k && k < solution.point_multipliers.size(); ++k)
    weight(1 + static_cast<Eigen::Index>(k)) = solution.point_multipliers[k];
  out.slopes.resize(out.rows.size(), out.values.size());
  for (Eigen::Index v = 0; v < out.values.size(); ++v)
    out.slopes.col(v) = point.slope(out.values, v, std::abs(out.values(v))).col(0);
  out.by_value = out.slopes.transpose() * weight;
  out.by_parameter.resize(static_cast<Eigen::Index>(problem.n_parameters));
  for (std::size_t p = 0; p < problem.n_parameters; ++p)
    out.by_parameter(static_cast<Eigen::Index>(p)) = weight.dot(point.slope_by_shared(out.values, p).col(0));
  out.possible = out.rows.allFinite() && out.by_value.allFinite();
  return out;
}

}  // namespace bolza::verify
