// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/checks/control_jump.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "runtime/linalg/lagrange.h"

namespace bolza::transcribe {
namespace {

constexpr double of_range = 0.1;      ///< of what the control takes along the horizon: less is no jump
constexpr double of_neighbour = 0.2;  ///< of the jump: what the control may change by within the intervals beside

/// IntervalSamples of an interval, as fractions of it.
struct IntervalSamples {
  std::size_t first = 0, last = 0;  ///< [first, last)
  std::vector<double> place;
};

IntervalSamples interval_samples(const abi::PhaseSolution& phase, std::size_t interval) {
  const std::vector<double>& time = phase.trajectories.time;
  double length = phase.final_time - phase.start_time;
  double left = phase.start_time + length * phase.mesh[interval],
         right = phase.start_time + length * phase.mesh[interval + 1];
  double rounding = 1e-9 * (right - left);
  auto after = [&](double t) {
    return static_cast<std::size_t>(std::upper_bound(time.begin(), time.end(), t + rounding) - time.begin());
  };
  IntervalSamples out{after(left), after(right), {}};
  for (std::size_t k = out.first; k < out.last; ++k) out.place.push_back((time[k] - left) / (right - left));
  return out;
}

double spread_of(std::span<const double> values) {
  auto [least, most] = std::ranges::minmax_element(values);
  return *most - *least;
}

}  // namespace

std::optional<double> control_jump(const abi::PhaseSolution& phase, std::size_t interval) {
  if (interval == 0 || interval + 2 >= phase.mesh.size()) return {};
  IntervalSamples before = interval_samples(phase, interval - 1), in = interval_samples(phase, interval),
                  behind = interval_samples(phase, interval + 1);
  if (before.place.size() < 2 || in.place.size() < 2 || behind.place.size() < 2) return {};
  std::vector<double> weights = linalg::lagrange_integrals(in.place, 1);
  std::optional<double> place;
  double largest = of_range;
  for (const std::vector<double>& u : phase.trajectories.u) {
    std::span<const double> all(u);
    double left = u[before.last - 1], right = u[behind.first], jump = right - left, range = spread_of(all);
    double beside = std::max(spread_of(all.subspan(before.first, before.last - before.first)),
                             spread_of(all.subspan(behind.first, behind.last - behind.first)));
    if (!(std::abs(jump) > largest * range) || beside > of_neighbour * std::abs(jump)) continue;
    double mean = std::inner_product(weights.begin(), weights.end(), u.begin() + static_cast<std::ptrdiff_t>(in.first), 0.0);
    largest = std::abs(jump) / range;
    place = std::clamp((right - mean) / jump, 0.0, 1.0);
  }
  return place;
}

}  // namespace bolza::transcribe
