// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/indirect/side_by_side.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bolza::workflow {
namespace {

constexpr double same_share = 1e-9;  ///< of a horizon: shares that differ by less are one

using Rows = std::vector<std::vector<double>>;

void sort_out(std::vector<double>& shares) {
  std::ranges::sort(shares);
  auto close = [](double a, double b) { return b - a < same_share; };
  shares.erase(std::unique(shares.begin(), shares.end(), close), shares.end());
}

double share_of(const abi::PhaseSolution& phase, double t) {
  double length = phase.final_time - phase.start_time;
  return length > 0 ? std::clamp((t - phase.start_time) / length, 0.0, 1.0) : 0;
}

/// Rows of a phase at shares of it; where a value jumps, that before.
void append(const abi::PhaseSolution& phase, const Rows& rows, const std::vector<double>& shares, Rows& out) {
  const std::vector<double>& time = phase.trajectories.time;
  double length = phase.final_time - phase.start_time, room = same_share * std::fabs(length);
  for (const std::vector<double>& row : rows) {
    std::vector<double>& to = out.emplace_back();
    for (double share : shares) {
      double t = phase.start_time + share * length;
      auto after = static_cast<std::size_t>(std::lower_bound(time.begin(), time.end(), t - room) - time.begin());
      std::size_t k = std::min(after, time.size() - 1), before = k > 0 ? k - 1 : 0;
      double gap = time[k] - time[before];
      double weight = k == before || time[k] <= t + room || !(gap > 0) ? 1 : (t - time[before]) / gap;
      to.push_back(weight * row[k] + (1 - weight) * row[before]);
    }
  }
}

/// The sums over intervals of what bounds and constraints weigh, all x, then all z, then all constraints.
Rows sums_of_multipliers(const passes::OptimalitySystem& system, const abi::Solution& solution) {
  Rows of_x, of_z, of_paths;
  for (std::size_t p = 0; p < solution.phases.size(); ++p) {
    const Rows& all = solution.phases[p].interval_multiplier;
    std::size_t n_x = system.phases[p].x.n, n_z = system.phases[p].z.n;
    if (all.size() < n_x + n_z) return {};
    for (std::size_t r = 0; r < all.size(); ++r) {
      Rows& to = r < n_x ? of_x : r < n_x + n_z ? of_z : of_paths;
      to.push_back({std::accumulate(all[r].begin(), all[r].end(), 0.0)});
    }
  }
  for (Rows* more : {&of_z, &of_paths}) of_x.insert(of_x.end(), more->begin(), more->end());
  return of_x;
}

}  // namespace

std::vector<double> shares_of_times(const abi::Solution& solution) {
  std::vector<double> shares{0, 1};
  for (const abi::PhaseSolution& phase : solution.phases)
    for (double t : phase.trajectories.time) shares.push_back(share_of(phase, t));
  sort_out(shares);
  return shares;
}

abi::Solution phases_side_by_side(const passes::OptimalitySystem& system, const abi::Solution& solution) {
  abi::Solution out;
  out.objective = solution.objective;
  out.parameters = solution.parameters;
  out.parameter_scale = solution.parameter_scale;
  out.point_multipliers = solution.point_multipliers;
  abi::PhaseSolution& whole = out.phases.emplace_back();
  whole.final_time = 1;
  whole.mesh = {0, 1};
  for (const abi::PhaseSolution& phase : solution.phases)
    whole.mesh.insert(whole.mesh.end(), phase.mesh.begin(), phase.mesh.end());
  sort_out(whole.mesh);
  abi::Trajectories& y = whole.trajectories;
  y.time = shares_of_times(solution);
  bool has_costates = std::ranges::none_of(solution.phases, [](const abi::PhaseSolution& phase) {
    return phase.trajectories.costate.size() != phase.trajectories.x.size();
  });
  for (const abi::PhaseSolution& phase : solution.phases) {
    append(phase, phase.trajectories.x, y.time, y.x);
    append(phase, phase.trajectories.z, y.time, y.z);
    append(phase, phase.trajectories.u, y.time, y.u);
    if (has_costates) append(phase, phase.trajectories.costate, y.time, y.costate);
  }
  whole.interval_multiplier = sums_of_multipliers(system, solution);
  return out;
}

}  // namespace bolza::workflow
