// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/events/indicators.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bolza::integrate {

Indicators::Indicators(nonlinear::ModelAt& model, double rtol) : model_(model), hybrid_(model.model().hybrid), rtol_(rtol) {
  std::size_t n = hybrid_ ? hybrid_->n_indicators : 0;
  raw_.resize(n), side_.assign(n, 1), width_.assign(n, 0), largest_.assign(n, 0);
  last_.assign(n, -std::numeric_limits<double>::infinity()), least_.assign(n, 0);
  owner_.assign(n, hybrid_ ? hybrid_->n_m : 0), ahead_.assign(n, 0), time_only_.assign(n, 0);
  for (std::size_t i = 0; hybrid_ && i < hybrid_->n_m; ++i) {
    const bolza_discrete& d = hybrid_->discrete[i];
    if (d.indicator < 0) continue;
    std::size_t rows = d.role == BOLZA_DISCRETE_PART ? 2 : 1;
    for (std::size_t k = 0; k < rows; ++k) {
      owner_[static_cast<std::size_t>(d.indicator) + k] = i;
      time_only_[static_cast<std::size_t>(d.indicator) + k] = d.time_only;
    }
  }
}

bool Indicators::raw(const nonlinear::ModelAt::Point& point) {
  return raw_.empty() || model_.value(nonlinear::ModelAt::Part::indicators, point, raw_);
}

bool Indicators::begin(const nonlinear::ModelAt::Point& point) {
  if (!raw(point)) return false;
  for (std::size_t k = 0; k < raw_.size(); ++k) {
    largest_[k] = std::max(largest_[k], std::fabs(raw_[k]));
    width_[k] = std::max({1e-4 * rtol_ * largest_[k], least_[k], 1e-15});
    side_[k] = 1;
    if (owner_[k] >= hybrid_->n_m) continue;
    const bolza_discrete& d = hybrid_->discrete[owner_[k]];
    bool is_true = model_.shared[static_cast<std::size_t>(d.now)] > 0.5;
    if (d.role == BOLZA_DISCRETE_RELATION) side_[k] = is_true == (d.positive_is_true != 0) ? 1 : -1;
  }
  return true;
}

bool Indicators::values(const nonlinear::ModelAt::Point& point, std::span<double> g) {
  if (!raw(point)) return false;
  for (std::size_t k = 0; k < raw_.size(); ++k) {
    largest_[k] = std::max(largest_[k], std::fabs(raw_[k]));
    g[k] = ahead_[k] ? 1.0 : raw_[k] + side_[k] * width_[k];
  }
  return true;
}

void Indicators::crossed(std::size_t row, const nonlinear::ModelAt::Point& point, double soon) {
  bool again = point.t - last_[row] <= soon;
  last_[row] = point.t;
  constexpr double factor = 10;
  least_[row] = again ? std::min(factor * width_[row], allowed_error(row, point)) : 0;
}

/// What an indicator moves by when every variable has the error that the integration allows it.
double Indicators::allowed_error(std::size_t row, const nonlinear::ModelAt::Point& point) {
  if (!model_.jacobian(nonlinear::ModelAt::Part::indicators, point, {}, derivative_)) return 0;
  const bolza_model& m = model_.model();
  double error = 0;
  for (std::size_t e = 0; e < derivative_.value.size(); ++e) {
    auto column = static_cast<std::size_t>(derivative_.col[e]);
    if (static_cast<std::size_t>(derivative_.row[e]) != row || column == 0 || column > m.n_x + m.n_z) continue;
    bool is_state = column <= m.n_x;
    const bolza_variable& v = is_state ? m.x[column - 1] : m.z[column - 1 - m.n_x];
    double value = is_state ? point.x[column - 1] : point.z[column - 1 - m.n_x];
    error += std::fabs(derivative_.value[e]) * rtol_ * std::max(std::fabs(value), nonlinear::size_of(v));
  }
  return std::isfinite(error) ? error : 0;
}

bool Indicators::leaves_at_zero(std::size_t row) const {
  if (owner_[row] >= hybrid_->n_m) return false;
  const bolza_discrete& d = hybrid_->discrete[owner_[row]];
  if (d.role == BOLZA_DISCRETE_PART)
    return static_cast<std::int32_t>(row) != d.indicator;  // x < m + 1 ends at zero, x >= m does not
  bool is_true = model_.shared[static_cast<std::size_t>(d.now)] > 0.5;
  return is_true != (d.closed != 0);  // remembered false and closed: true at zero; remembered true and open: false at zero
}

}  // namespace bolza::integrate
