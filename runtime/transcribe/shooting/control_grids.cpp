// SPDX-License-Identifier: Apache-2.0
// Which intervals of the grids of controls are cut, and where.
#include <algorithm>
#include <cmath>

#include "runtime/transcribe/shooting/control_error.h"

namespace bolza::transcribe {
namespace {

constexpr double shortest = 1e-6;   ///< interval, as a share of the horizon
constexpr double left_over = 0.25;  ///< of what is allowed: the intervals that are not cut may add so much
constexpr double nearest_switch = 1.0 / 64,
                 farthest_switch =
                     0.25;  ///< half of a linear control's interval round a switch, as shares of the one that is cut

/// An interval that is to be cut.
struct Cut {
  std::size_t phase, control, interval;
  double share;
};

/// The intervals whose shares are largest, until the others add no more than this.
std::vector<Cut> worst_intervals(const ControlError& error, double rest) {
  std::vector<Cut> all;
  double sum = 0;
  for (std::size_t p = 0; p < error.interval.size(); ++p)
    for (std::size_t i = 0; i < error.interval[p].size(); ++i)
      for (std::size_t k = 0; k < error.interval[p][i].size(); ++k) {
        all.push_back({p, i, k, error.interval[p][i][k].share});
        sum += all.back().share;
      }
  std::ranges::stable_sort(all, std::ranges::greater(), &Cut::share);
  std::size_t n = 0;
  for (; n < all.size() && sum > rest; ++n) sum -= all[n].share;
  all.resize(n);
  return all;
}

/// Where an interval is cut, for a share that is to become `aim`.
std::vector<double> points_of(const ControlInterval& interval, double aim, bool linear) {
  double length = interval.end - interval.begin;
  if (interval.switches && std::isfinite(interval.switch_at)) {
    if (!linear) return {interval.switch_at};
    double half = length * std::clamp(0.5 * std::sqrt(aim / interval.share), nearest_switch, farthest_switch);
    return {interval.switch_at - half, interval.switch_at + half};
  }
  double parts = std::clamp(std::ceil(std::pow(interval.share / aim, linear ? 0.25 : 0.5)), 2.0, 4.0);
  std::vector<double> points;
  for (double part = 1; part < parts; ++part) points.push_back(interval.begin + length * part / parts);
  return points;
}

}  // namespace

std::vector<std::vector<std::vector<double>>> refined_controls(const ControlError& error, const abi::Solution& solution,
                                                               double allowed, std::size_t most) {
  std::vector<std::vector<std::vector<double>>> grids;
  std::vector<std::size_t> count;
  std::size_t total = 0;
  for (const abi::PhaseSolution& phase : solution.phases) {
    grids.push_back(phase.control_grid);
    count.push_back(0);
    for (const std::vector<double>& grid : phase.control_grid) count.back() += grid.size() - 1;
    total += count.back();
  }
  double aim = left_over * allowed / static_cast<double>(std::max<std::size_t>(1, total));
  for (const Cut& cut : worst_intervals(error, left_over * allowed)) {
    const ControlInterval& interval = error.interval[cut.phase][cut.control][cut.interval];
    for (double at : points_of(interval, aim, !solution.phases[cut.phase].control_constant)) {
      bool fits = at > interval.begin + shortest && at < interval.end - shortest;
      if (!fits || count[cut.phase] >= most) continue;
      std::vector<double>& grid = grids[cut.phase][cut.control];
      grid.insert(std::ranges::upper_bound(grid, at), at);
      ++count[cut.phase];
    }
  }
  return grids;
}

}  // namespace bolza::transcribe
