// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/spread_multipliers.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bolza::transcribe {
namespace {

constexpr double one_time = 1e-9;  ///< fractions that differ by less are the same

bool is_time(const Stretch& s) { return s.to - s.from < one_time; }

/// The stretch that takes what acts at one time.
std::size_t place_of(double time, std::span<const Stretch> stretches) {
  std::size_t found = stretches.size();
  for (std::size_t k = 0; k < stretches.size(); ++k) {
    const Stretch& s = stretches[k];
    if (time < s.from - one_time || time > s.to + one_time) continue;
    if (is_time(s)) return k;
    if (found == stretches.size()) found = k;
  }
  return found;
}

}  // namespace

std::vector<Stretch> half_way(std::span<const double> places) {
  std::vector<Stretch> out;
  for (std::size_t k = 0; k < places.size(); ++k)
    out.push_back(
        {k == 0 ? 0 : 0.5 * (places[k - 1] + places[k]), k + 1 == places.size() ? 1 : 0.5 * (places[k] + places[k + 1])});
  return out;
}

abi::SpreadMultiplier spread(const AlongHorizon& along, std::span<const double> values) {
  abi::SpreadMultiplier out;
  for (std::size_t k = 0; k < along.number.size(); ++k) {
    double amount = values[along.number[k]];
    if (amount == 0) continue;
    out.from.push_back(along.stretch[k].from);
    out.to.push_back(along.stretch[k].to);
    out.amount.push_back(amount);
  }
  return out;
}

std::vector<double> gather(const abi::SpreadMultiplier& multiplier, std::span<const Stretch> stretches) {
  std::vector<double> out(stretches.size(), 0);
  std::vector<std::size_t> wide, order(multiplier.amount.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return multiplier.from[a] < multiplier.from[b]; });
  for (std::size_t k : order) {
    if (multiplier.to[k] - multiplier.from[k] >= one_time) wide.push_back(k);
    else if (std::size_t at = place_of(multiplier.from[k], stretches); at < out.size()) out[at] += multiplier.amount[k];
  }
  for (std::size_t s = 0; s < stretches.size(); ++s) {
    auto ends_before = [&](std::size_t k, double time) { return multiplier.to[k] <= time; };
    auto at = std::lower_bound(wide.begin(), wide.end(), stretches[s].from, ends_before);
    for (; at != wide.end() && multiplier.from[*at] < stretches[s].to; ++at) {
      double length = multiplier.to[*at] - multiplier.from[*at];
      double common = std::min(multiplier.to[*at], stretches[s].to) - std::max(multiplier.from[*at], stretches[s].from);
      out[s] += multiplier.amount[*at] * std::max(common, 0.0) / length;
    }
  }
  return out;
}

void gather(const abi::SpreadMultiplier& multiplier, const AlongHorizon& along, std::vector<double>& to) {
  std::vector<double> amount = gather(multiplier, along.stretch);
  for (std::size_t k = 0; k < amount.size(); ++k) to[along.number[k]] = amount[k];
}

CostateCurves::CostateCurves(const abi::PhaseSolution& phase) : phase_(phase) {}

double CostateCurves::at(std::size_t state, double fraction, bool left) const {
  const std::vector<double>& time = phase_.trajectories.time;
  const std::vector<double>& value = phase_.trajectories.costate[state];
  double length = time.back() - time.front(), t = time.front() + fraction * length, room = one_time * std::abs(length);
  auto after =
      left ? std::lower_bound(time.begin(), time.end(), t - room) : std::upper_bound(time.begin(), time.end(), t + room);
  auto k = static_cast<std::size_t>(after - time.begin());
  if (left && k < time.size() && std::abs(time[k] - t) <= room) return value[k];
  if (!left && k > 0 && std::abs(time[k - 1] - t) <= room) return value[k - 1];
  if (k == 0) return value.front();
  if (k == time.size()) return value.back();
  double share = (t - time[k - 1]) / (time[k] - time[k - 1]);
  return (1 - share) * value[k - 1] + share * value[k];
}

bool has_multipliers(const bolza_problem& problem, const abi::Solution& solution) {
  if (problem.is_static || solution.phases.size() != problem.n_phases || solution.point_multipliers.size() != problem.n_k ||
      solution.parameter_multipliers.size() != problem.n_parameters)
    return false;
  for (std::size_t p = 0; p < problem.n_phases; ++p) {
    const bolza_model& m = *problem.models[problem.phases[p].model];
    const abi::PhaseSolution& phase = solution.phases[p];
    const abi::PhaseMultipliers& of = phase.multipliers;
    if ((m.hybrid && m.hybrid->n_delays > 0) || phase.trajectories.time.empty() ||
        phase.trajectories.costate.size() != m.n_x || of.x.size() != m.n_x || of.z.size() != m.n_z || of.u.size() != m.n_u ||
        of.algebraic.size() != m.n_z || of.path.size() != m.n_g || of.initial.size() != m.n_initial)
      return false;
    for (const std::vector<double>& costate : phase.trajectories.costate)
      if (costate.size() != phase.trajectories.time.size() ||
          !std::all_of(costate.begin(), costate.end(), [](double v) { return std::isfinite(v); }))
        return false;
  }
  return true;
}

}  // namespace bolza::transcribe
