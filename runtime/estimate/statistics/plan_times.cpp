// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/statistics/plan_times.h"

#include <algorithm>
#include <cmath>

namespace bolza::estimate {
namespace {

// Parameters that count, and dθ/d ln p of them.
struct Columns {
  std::vector<Eigen::Index> free;
  Eigen::VectorXd step;
};

Columns columns_of(const Estimation& estimation, std::span<const double> theta, std::span<const std::uint8_t> counts) {
  Columns out;
  std::vector<double> steps;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    if (!counts[i]) continue;
    double p = from_scale(theta[i], estimation.parameters[i].scale);
    out.free.push_back(static_cast<Eigen::Index>(i));
    steps.push_back(p == 0 ? 1 : p / slope_of(p, estimation.parameters[i].scale));
  }
  out.step = Eigen::Map<Eigen::VectorXd>(steps.data(), static_cast<Eigen::Index>(steps.size()));
  return out;
}

// Sensitivities of all measured observables at the k-th time of a curve, over standard deviations.
Eigen::MatrixXd rows_at(const ExperimentCurves& one, Eigen::Index k, const Estimation& estimation, const Columns& columns) {
  Eigen::MatrixXd rows(static_cast<Eigen::Index>(one.observables.size()), columns.step.size());
  for (std::size_t i = 0; i < one.observables.size(); ++i) {
    std::size_t o = one.observables[i];
    double y = one.curves.value(k, static_cast<Eigen::Index>(o)), sigma = one.curves.sigma(k, static_cast<Eigen::Index>(o));
    double size = sigma * slope_of(y, estimation.observables[o].scale);
    rows.row(static_cast<Eigen::Index>(i)) = one.curves.derivative[o].row(k)(columns.free) / size;
  }
  return rows * columns.step.asDiagonal();
}

// Information of the measurements that there are, scaled to as many times as are planned.
Eigen::MatrixXd present(const Estimation& estimation, const EstimateResult& result, const Columns& columns,
                        std::size_t count) {
  Eigen::MatrixXd rows = result.fit.at.jacobian(Eigen::all, columns.free) * columns.step.asDiagonal();
  std::size_t times = 0;
  for (const Experiment& e : estimation.experiments) {
    std::vector<double> distinct;
    for (const Measurement& m : e.measurements) distinct.push_back(m.time);
    std::sort(distinct.begin(), distinct.end());
    times += static_cast<std::size_t>(std::unique(distinct.begin(), distinct.end()) - distinct.begin());
  }
  return rows.transpose() * rows * (static_cast<double>(count) / static_cast<double>(std::max<std::size_t>(times, 1)));
}

}  // namespace

std::optional<TimePlan> plan_times(const Estimation& estimation, const EstimateResult& result,
                                   std::span<const std::uint8_t> counts, std::size_t count, Criterion criterion) {
  Columns columns = columns_of(estimation, result.fit.theta, counts);
  DesignProblem problem{.criterion = criterion};
  std::vector<PlannedTime> when;
  for (const ExperimentCurves& one : result.curves) {
    if (one.curves.derivative.empty()) continue;
    for (std::size_t k = 0; k < one.curves.time.size(); ++k) {
      Eigen::MatrixXd rows = rows_at(one, static_cast<Eigen::Index>(k), estimation, columns);
      if (!rows.allFinite()) continue;
      problem.candidates.push_back(std::move(rows));
      when.push_back({one.experiment, one.curves.time[k]});
    }
  }
  if (count == 0 || problem.candidates.size() < count || columns.free.empty()) return std::nullopt;
  Design design = best_subset(problem, count);
  TimePlan plan{.criterion = criterion, .candidates = when.size(), .value = design.value};
  for (std::size_t i : design.chosen) plan.times.push_back(when[i]);
  if (result.fit.at.jacobian.rows() > 0)
    plan.per_time_now = criterion_of(present(estimation, result, columns, count), criterion);
  return plan;
}

}  // namespace bolza::estimate
