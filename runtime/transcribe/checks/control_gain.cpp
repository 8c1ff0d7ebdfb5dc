// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/checks/control_gain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace bolza::transcribe {
namespace {

using Part = nonlinear::ModelAt::Part;
constexpr double at_limit = 1e-6;        ///< of the distance of two limits
constexpr double limits_hold = 1e-9;     ///< of the size of a limit: what counts as no violation
constexpr int halvings = 20;             ///< towards a path constraint
constexpr double probe = 1e-3;           ///< of the size of a control: for slope and curvature of H
constexpr double no_limit_at = 3;        ///< sizes that a control without a bound is moved by at most
constexpr double rounding_of_H = 1e-12;  ///< of |H|
constexpr double as_predicted = 0.2;     ///< of the gain of a parabola
constexpr int golden_steps = 24;

}  // namespace

ControlGain::ControlGain(Hamiltonian& hamiltonian, std::vector<double> size, std::vector<char> held)
    : hamiltonian_(hamiltonian),
      model_(hamiltonian.model()),
      size_(std::move(size)),
      held_(std::move(held)),
      rates_(model_.n_x + model_.n_q),
      rows_(model_.n_z + model_.n_g) {
  std::vector<std::array<bool, 2>> reads(model_.n_g, {false, false});
  for (std::size_t b = 0; b < model_.n_z; ++b)
    possible_ = possible_ && !std::isfinite(model_.z[b].min) && !std::isfinite(model_.z[b].max);
  for (std::size_t e = 0; model_.n_g > 0 && e < model_.residuals->jac_nnz; ++e) {
    auto row = static_cast<std::size_t>(model_.residuals->jac_row[e]), n = 1 + model_.n_x + model_.n_z;
    if (row >= model_.n_z) reads[row - model_.n_z][static_cast<std::size_t>(model_.residuals->jac_col[e]) >= n] = true;
  }
  for (const auto& [others, controls] : reads) {
    possible_ = possible_ && !(others && controls);
    limited_ = limited_ || controls;
  }
}

double ControlGain::value(const std::vector<double>& u) {
  if (!hamiltonian_.rates_with(at_->t, *at_->values, u, rates_)) return INFINITY;
  double h = hamiltonian_.value(at_->costate, rates_);
  return std::isfinite(h) ? h : INFINITY;
}

/// The largest amount by which a path constraint of controls does not hold, as a share of its size.
double ControlGain::violation(const std::vector<double>& u) {
  if (!limited_) return 0;
  const PhaseValues& v = *at_->values;
  if (!hamiltonian_.reduced().at().value(Part::residuals, {at_->t, v.x.data(), v.z.data(), u.data()}, rows_))
    return INFINITY;
  double worst = 0;
  for (std::size_t g = model_.n_z; g < rows_.size(); ++g) {
    double lower = model_.residuals->rows[g].lower, upper = model_.residuals->rows[g].upper;
    if (!std::isfinite(rows_[g])) return INFINITY;
    if (std::isfinite(lower)) worst = std::max(worst, (lower - rows_[g]) / std::max(1.0, std::abs(lower)));
    if (std::isfinite(upper)) worst = std::max(worst, (rows_[g] - upper) / std::max(1.0, std::abs(upper)));
  }
  return worst;
}

/// How far control c may be moved towards a value before a limit that held no longer does.
double ControlGain::reachable(std::vector<double>& u, std::size_t c, double target) {
  double own = u[c], allowed = own_violation_ + limits_hold;
  auto holds = [&](double to) {
    u[c] = to;
    bool held = violation(u) <= allowed;
    u[c] = own;
    return held;
  };
  if (!limited_ || holds(target)) return target;
  double within = own, beyond = target;
  for (int k = 0; k < halvings; ++k) {
    double middle = 0.5 * (within + beyond);
    (holds(middle) ? within : beyond) = middle;
  }
  return within;
}

/// What ends control c on one side.
ControlGain::End ControlGain::end_of(std::vector<double>& u, std::size_t c, bool upper) {
  double bound = upper ? model_.u[c].max : model_.u[c].min;
  if (std::isfinite(bound)) return {reachable(u, c, bound), false};
  double far = u[c] + (upper ? 1 : -1) * no_limit_at * size_[c], at = reachable(u, c, far);
  return {at, at == far};
}

/// The least of a function that falls from `own` towards an end, by the golden section; infinite where it falls on to an
/// open end.
double ControlGain::least_towards(const Along& H, double own, const End& end) const {
  constexpr double golden = 0.6180339887498949;
  double a = own, b = end.at, c = b - golden * (b - a), d = a + golden * (b - a);
  double at_c = H(c), at_d = H(d);
  for (int k = 0; k < golden_steps; ++k)
    if (at_c < at_d) {
      b = d;
      d = c;
      at_d = at_c;
      c = b - golden * (b - a);
      at_c = H(c);
    } else {
      a = c;
      c = d;
      at_c = at_d;
      d = a + golden * (b - a);
      at_d = H(d);
    }
  bool at_end = std::abs(end.at - d) < 1e-3 * std::abs(end.at - own);
  return at_end && end.open ? INFINITY : std::min(at_c, at_d);
}

/// The least H between two ends where it falls from the present value: that of a parabola where H is one, else by a search.
double ControlGain::least_between(const Along& H, double own, double size, const End& low, const End& high) {
  double here = at_->here, step = probe * std::min(size, high.at - low.at);
  double up = own + step <= high.at ? H(own + step) : INFINITY, down = own - step >= low.at ? H(own - step) : INFINITY;
  double side = std::min(up, down);
  if (!(side < here - rounding_of_H * std::abs(here))) return here;
  double slope = (up - down) / (2 * step), curvature = (up - 2 * here + down) / (step * step);
  if (std::isfinite(curvature) && curvature > 0) {
    double to = std::clamp(own - slope / curvature, low.at, high.at), by = to - own;
    bool falls_on = (low.open && to == low.at) || (high.open && to == high.at);
    if (falls_on) return here;
    double predicted = slope * by + 0.5 * curvature * by * by, h = H(to);
    if (std::abs(h - here - predicted) <= -as_predicted * predicted) return std::min(h, side);
  }
  return std::min(here, least_towards(H, own, up < down ? high : low));
}

ControlGain::Gain ControlGain::gain(const Point& at, const std::vector<double>& controls) {
  at_ = &at;
  own_violation_ = violation(controls);
  Gain sum;
  std::vector<double> u = controls;
  for (std::size_t c = 0; c < model_.n_u; ++c) {
    if (held_[c]) continue;
    double own = u[c], least = at.here;
    End low = end_of(u, c, false), high = end_of(u, c, true);
    if (!(low.at < high.at)) continue;
    auto H = [&](double to) {
      u[c] = to;
      double h = value(u);
      u[c] = own;
      return h;
    };
    for (const End& end : {low, high})
      if (!low.open && !high.open && std::abs(end.at - own) > at_limit * (high.at - low.at))
        least = std::min(least, H(end.at));
    sum.at_ends += at.here - least;
    sum.between += std::max(0.0, least - least_between(H, own, size_[c], low, high));
  }
  return sum;
}

}  // namespace bolza::transcribe
