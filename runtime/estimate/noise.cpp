// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/noise.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "runtime/estimate/estimator.h"

namespace bolza::estimate {

NoiseTerm noise_term(const Observable& observable, double simulated, double sigma, double measured, double rounded) {
  NoiseTerm t;
  double r = (simulated - to_scale(measured, observable.scale)) / sigma;
  double rho = 0, psi = 0;  // loss and its slope by r
  t.residual = r;
  t.information = 1 / (sigma * sigma);
  if (observable.noise == Noise::laplace) {
    bool inside = std::abs(r) < rounded;
    rho = inside ? 0.5 * (r * r / rounded + rounded) : std::abs(r);
    psi = inside ? r / rounded : r > 0 ? 1 : r < 0 ? -1 : 0;
    if (rounded > 0) t.information /= std::max(std::abs(r), rounded);
    t.value = std::log(2 * sigma);
    t.sigma_information = 1 / (sigma * sigma);
  } else {
    bool linear = observable.huber > 0 && std::abs(r) > observable.huber;
    rho = linear ? observable.huber * (std::abs(r) - 0.5 * observable.huber) : 0.5 * r * r;
    psi = linear ? std::copysign(observable.huber, r) : r;
    if (linear) t.information *= observable.huber / std::abs(r);
    t.value = std::log(sigma) + 0.5 * std::log(2 * std::numbers::pi);
    t.sigma_information = 2 / (sigma * sigma);
  }
  t.value += rho;
  if (observable.scale != Scale::lin) t.value += std::log(measured);
  if (observable.scale == Scale::log10) t.value += std::log(std::numbers::ln10);
  t.by_simulated = psi / sigma;
  t.by_sigma = (1 - psi * r) / sigma;
  return t;
}

double OpenNoise::likeliest() const {
  double told = freedom > 0 ? squares / freedom : 0;
  double most = std::max(told, resolution);
  return most > 0 ? most : variance;
}

double value_at_own_noise(const Likelihood& at) {
  constexpr double equal = 1e4;  // variances: a hundred times
  const OpenNoise& o = at.open;
  if (!(o.weight > 0)) return at.value;
  double variance = (o.freedom > 0 ? o.squares / o.freedom : 0) + equal * o.resolution;
  if (!(variance > 0)) return at.value;
  return at.value + 0.5 * o.weight * std::log(variance / o.variance) + 0.5 * o.squares * (1 / variance - 1 / o.variance);
}

}  // namespace bolza::estimate
