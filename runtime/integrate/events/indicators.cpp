// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/events/indicators.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace bolza::integrate {

namespace {

constexpr double undecided_to = 2e4;  // widths: beyond that nothing may leave a relation as it is
constexpr double coarsest = 1e-15, roundings = 4 * std::numeric_limits<double>::epsilon();

}  // namespace

Indicators::Indicators(nonlinear::ModelAt& model, double rtol, const VariableSizes& sizes)
    : model_(model),
      hybrid_(model.model().hybrid),
      rtol_(rtol),
      sizes_(sizes) {
  std::size_t n = hybrid_ ? hybrid_->n_indicators : 0;
  raw_.resize(n);
  side_.assign(n, 1);
  width_.assign(n, 0);
  largest_.assign(n, 0);
  last_.assign(n, -std::numeric_limits<double>::infinity());
  least_.assign(n, 0);
  wider_.assign(n, 0);
  farthest_.assign(n, std::numeric_limits<double>::infinity());
  floor_.assign(n, std::nan(""));
  owner_.assign(n, hybrid_ ? hybrid_->n_m : 0);
  ahead_.assign(n, 0);
  time_only_.assign(n, 0);
  curved_.assign(n, 0);
  timed_.assign(n, 0);
  algebraic_.assign(n, 0);
  for (std::size_t i = 0; hybrid_ && i < hybrid_->n_m; ++i) {
    const bolza_discrete& d = hybrid_->discrete[i];
    if (d.indicator < 0) continue;
    std::size_t rows = d.role == BOLZA_DISCRETE_PART ? 2 : 1;
    for (std::size_t k = 0; k < rows; ++k) {
      owner_[static_cast<std::size_t>(d.indicator) + k] = i;
      time_only_[static_cast<std::size_t>(d.indicator) + k] = d.time_only;
    }
  }
  find_curved();
}

void Indicators::find_curved() {
  const bolza_function* f = hybrid_ ? hybrid_->indicators : nullptr;
  for (std::size_t e = 0; f && e < f->jac_nnz; ++e) {
    auto row = static_cast<std::size_t>(f->jac_row[e]);
    if (f->jac_constant && !f->jac_constant[e]) curved_[row] = 1;
    auto column = static_cast<std::size_t>(f->jac_col[e]), n_x = model_.model().n_x;
    if (column == 0) timed_[row] = 1;
    if (column > n_x && column <= n_x + model_.model().n_z) algebraic_[row] = 1;
  }
}

bool Indicators::raw(const nonlinear::ModelAt::Point& point) {
  return raw_.empty() || model_.value(nonlinear::ModelAt::Part::indicators, point, raw_);
}

bool Indicators::begin(const nonlinear::ModelAt::Point& point) {
  if (!raw(point)) return false;
  contradicted_.reset();
  for (std::size_t k = 0; k < raw_.size(); ++k) {
    largest_[k] = std::max(largest_[k], std::fabs(raw_[k]));
    double width = std::max(1e-4 * rtol_ * largest_[k], least_[k]);
    if (width < coarsest && std::isnan(floor_[k])) {
      double rounding = change_of(k, point, roundings);
      floor_[k] = rounding > 0 ? std::min(coarsest, rounding) : coarsest;  // 0: it reads time alone
    }
    width_[k] = std::max(width, width < coarsest ? floor_[k] : 0);
    side_[k] = 1;
    wider_[k] = 0;
    if (owner_[k] >= hybrid_->n_m) continue;
    const bolza_discrete& d = hybrid_->discrete[owner_[k]];
    bool is_true = model_.shared[static_cast<std::size_t>(d.now)] > 0.5;
    if (d.role != BOLZA_DISCRETE_RELATION) continue;
    side_[k] = is_true == (d.positive_is_true != 0) ? 1 : -1;
    double beyond = -side_[k] * raw_[k], limit = undecided_to * std::max(width_[k], narrowest(k));
    if (beyond >= width_[k]) wider_[k] = limit;
    if (beyond >= 2 * limit && !time_only_[k]) contradicted_ = k;  // time is exact: an event may be at its very value
  }
  return true;
}

bool Indicators::values(const nonlinear::ModelAt::Point& point, std::span<double> g) {
  if (!raw(point)) return false;
  for (std::size_t k = 0; k < raw_.size(); ++k) {
    largest_[k] = std::max(largest_[k], std::fabs(raw_[k]));
    farthest_[k] = std::max(farthest_[k], std::fabs(raw_[k]));
    g[k] = ahead_[k] ? 1.0 : raw_[k] + side_[k] * std::max(width_[k], wider_[k]);
  }
  return true;
}

bool Indicators::crossed(std::size_t row, const nonlinear::ModelAt::Point& point, double soon) {
  bool again = point.t - last_[row] <= soon;
  last_[row] = point.t;
  constexpr double factor = 10;
  double error = change_of(row, point, rtol_);
  least_[row] = again ? std::min(factor * width_[row], error) : 0;
  return std::exchange(farthest_[row], 0) <= 10 * std::max(error, width_[row]);
}

std::optional<double> Indicators::slope(std::size_t row, const nonlinear::ModelAt::Point& point,
                                        std::span<const double> rates) {
  if (!is_relation(row) || time_only_[row] || algebraic_[row]) return {};
  if (!model_.jacobian(nonlinear::ModelAt::Part::indicators, point, {}, derivative_)) return {};
  double slope = 0;
  for (std::size_t e = 0; e < derivative_.value.size(); ++e) {
    auto column = static_cast<std::size_t>(derivative_.col[e]);
    if (static_cast<std::size_t>(derivative_.row[e]) != row) continue;
    if (column > model_.model().n_x) return {};  // inputs
    slope += derivative_.value[e] * (column == 0 ? 1 : rates[column - 1]);
  }
  return slope;
}

bool Indicators::turns_back(std::size_t row, const nonlinear::ModelAt::Point& point, std::span<const double> rates) {
  constexpr double near = 3e4;  // widths: what moves a threshold away at its event does not turn back
  if (!raw(point) || std::fabs(raw_[row]) > near * width_[row]) return false;
  std::optional<double> moves = slope(row, point, rates);
  if (!moves) return false;
  const bolza_discrete& d = hybrid_->discrete[owner_[row]];
  bool is_true = model_.shared[static_cast<std::size_t>(d.now)] > 0.5;
  double side = is_true == (d.positive_is_true != 0) ? 1 : -1;
  return side * *moves < 0;
}

bool Indicators::is_rounding(std::size_t row, const nonlinear::ModelAt::Point& point, std::span<const double> rates) {
  std::optional<double> moves = slope(row, point, rates);
  if (!moves || !(side_[row] * *moves > 0) || wider_[row] > 0) return false;
  wider_[row] = undecided_to * std::max(width_[row], narrowest(row));
  return true;
}

/// What an indicator moves by when every variable is wrong by a share of its size or value, as rounding and the integration
/// leave them.
double Indicators::change_of(std::size_t row, const nonlinear::ModelAt::Point& point, double share) {
  if (!model_.jacobian(nonlinear::ModelAt::Part::indicators, point, {}, derivative_)) return 0;
  const bolza_model& m = model_.model();
  double error = 0;
  for (std::size_t e = 0; e < derivative_.value.size(); ++e) {
    auto column = static_cast<std::size_t>(derivative_.col[e]);
    if (static_cast<std::size_t>(derivative_.row[e]) != row || column == 0 || column > m.n_x + m.n_z) continue;
    bool is_state = column <= m.n_x;
    std::size_t own = is_state ? column - 1 : column - 1 - m.n_x;
    double value = is_state ? point.x[own] : point.z[own], size = is_state ? sizes_.of_state(own) : sizes_.of_algebraic(own);
    error += std::fabs(derivative_.value[e]) * share * std::max(std::fabs(value), size);
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

bool Indicators::is_relation(std::size_t row) const {
  return owner_[row] < hybrid_->n_m && hybrid_->discrete[owner_[row]].role == BOLZA_DISCRETE_RELATION;
}

bool Indicators::holds(std::size_t row, double g) const {
  const bolza_discrete& d = hybrid_->discrete[owner_[row]];
  return g == 0 ? d.closed != 0 : (g > 0) == (d.positive_is_true != 0);
}

}  // namespace bolza::integrate
