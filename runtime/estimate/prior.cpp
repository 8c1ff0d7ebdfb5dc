// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/prior.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/numbers.h"
#include "runtime/estimate/distributions.h"

namespace bolza::estimate {
namespace {

using PriorKind = Prior::Kind;

bool is_of_logarithm(const Prior& p) {
  return !p.on_scale && (p.kind == PriorKind::log_normal || p.kind == PriorKind::log_laplace || p.kind == PriorKind::log_uniform);
}

/// −log density of what is distributed, and its derivatives.
PriorTerm density_at(const Prior& p, double y) {
  double r = (y - p.location) / p.width, w = p.width;
  switch (p.kind) {
    case PriorKind::none:
    case PriorKind::uniform:
    case PriorKind::log_uniform:
      return {};
    case PriorKind::normal:
    case PriorKind::log_normal:
      return {0.5 * r * r + std::log(w * std::sqrt(2 * std::numbers::pi)), r / w, 1 / (w * w)};
    case PriorKind::laplace:
    case PriorKind::log_laplace:
      return {std::abs(r) + std::log(2 * w), (r > 0 ? 1 : r < 0 ? -1 : 0) / w, 0};
    case PriorKind::cauchy: {
      double d = 1 + r * r;
      return {std::log(std::numbers::pi * w * d), 2 * r / (d * w), 2 * (1 - r * r) / (d * d * w * w)};
    }
    case PriorKind::gamma: {
      double power = p.location - 1;
      if (y < 0) return {infinity, 0, 0};
      double of_power = power == 0 ? 0 : power * std::log(y);
      return {y / w - of_power + std::lgamma(p.location) + p.location * std::log(w), 1 / w - (power == 0 ? 0 : power / y),
              power == 0 ? 0 : power / (y * y)};
    }
    case PriorKind::rayleigh:
      if (!(y > 0)) return {infinity, 0, 0};
      return {0.5 * (y / w) * (y / w) - std::log(y / w) + std::log(w), y / (w * w) - 1 / y, 1 / (y * y) + 1 / (w * w)};
  }
  return {};
}

enum class Tail : std::uint8_t { below, above };

/// The probability of less than y, or of more.
double tail_of(const Prior& p, double y, Tail tail) {
  bool above = tail == Tail::above;
  if (std::isinf(y)) return (y > 0) != above ? 1 : 0;
  double r = (above ? -1 : 1) * (y - p.location) / p.width;
  switch (p.kind) {
    case PriorKind::none:
    case PriorKind::uniform:
    case PriorKind::log_uniform: {
      double share = std::clamp((y - p.location) / (p.width - p.location), 0.0, 1.0);
      return above ? 1 - share : share;
    }
    case PriorKind::normal:
    case PriorKind::log_normal:
      return 0.5 * std::erfc(-r / std::numbers::sqrt2);
    case PriorKind::laplace:
    case PriorKind::log_laplace:
      return r < 0 ? 0.5 * std::exp(r) : 1 - 0.5 * std::exp(-r);
    case PriorKind::cauchy:
      return std::atan2(1, -r) / std::numbers::pi;
    case PriorKind::gamma: {
      double x = std::max(y, 0.0) / p.width;
      return above ? gamma_upper(p.location, x) : gamma_lower(p.location, x);
    }
    case PriorKind::rayleigh: {
      double x = std::max(y, 0.0) / p.width, exponent = -0.5 * x * x;
      return above ? std::exp(exponent) : -std::expm1(exponent);
    }
  }
  return 0;
}

}  // namespace

double probability_between(const Parameter& parameter, double lower, double upper) {
  Prior p = parameter.prior;
  auto of = [&](double bound) {
    if (p.on_scale) return bound > 0 || parameter.scale == Scale::lin ? to_scale(bound, parameter.scale) : -infinity;
    if (is_of_logarithm(p)) return bound > 0 ? std::log(bound) : -infinity;
    return bound;
  };
  double from = of(lower), to = of(upper);
  if (p.kind == PriorKind::log_uniform) {
    p.location = std::log(p.location);
    p.width = std::log(p.width);
  }
  if (tail_of(p, from, Tail::below) > 0.5)  // the smaller tails have more digits
    return tail_of(p, from, Tail::above) - tail_of(p, to, Tail::above);
  return tail_of(p, to, Tail::below) - tail_of(p, from, Tail::below);
}

PriorTerm prior_term(const Parameter& parameter, double theta) {
  const Prior& p = parameter.prior;
  if (p.kind == PriorKind::none) return {};
  bool of_logarithm = is_of_logarithm(p);
  double y = theta, slope = 1;  // what is distributed, and its slope by θ
  if (!p.on_scale) {
    double value = from_scale(theta, parameter.scale), by = slope_of(value, parameter.scale);
    y = of_logarithm ? std::log(value) : value;
    slope = of_logarithm ? by / value : by;
  }
  PriorTerm t = density_at(p, y);
  t.slope *= slope;
  t.curvature = std::max(t.curvature, 0.0) * slope * slope;
  if (of_logarithm) {  // the density of the parameter itself
    t.value += y;
    t.slope += slope;
  }
  if (!p.is_truncated) return t;
  double mass = probability_between(parameter, parameter.lower, parameter.upper);
  bool is_flat = p.kind == PriorKind::uniform || p.kind == PriorKind::log_uniform;
  double range = p.kind == PriorKind::uniform ? p.width - p.location : is_flat ? std::log(p.width / p.location) : 1;
  t.value += mass > 0 ? std::log(mass * range) : std::nan("");
  return t;
}

}  // namespace bolza::estimate
