// SPDX-License-Identifier: Apache-2.0
// Finer grids of controls, and where controls switch on them.
#include <algorithm>
#include <cmath>

#include "runtime/transcribe/mesh/interpolate.h"
#include "runtime/transcribe/shooting/control_error_internal.h"

namespace bolza::transcribe {
namespace {

using Vector = std::vector<double>;

constexpr double next_to_a_bound = 1e-3;  ///< of the range of a control

/// Which bound a value is at: -1, 1, or 0 for none of two finite ones.
int side_of(const bolza_variable& control, double value) {
  double range = control.max - control.min;
  if (!std::isfinite(range) || !(range > 0)) return 0;
  return value < control.min + next_to_a_bound * range ? -1 : value > control.max - next_to_a_bound * range ? 1 : 0;
}

/// Points inside every interval: one in the middle; where a line leads from a bound to the opposite one two, as the line
/// from the bound to the middle and on is as good as the whole.
std::vector<Vector> grids_of_phase(const abi::PhaseSolution& phase, const bolza_model& model) {
  std::vector<Vector> grids;
  Interpolation along(phase);
  double length = phase.final_time - phase.start_time;
  for (std::size_t i = 0; i < phase.control_grid.size(); ++i) {
    auto side_at = [&](double at) { return side_of(model.u[i], along.at(phase.start_time + at * length).u[i]); };
    Vector& fine = grids.emplace_back();
    for (std::size_t k = 0; k + 1 < phase.control_grid[i].size(); ++k) {
      double left = phase.control_grid[i][k], right = phase.control_grid[i][k + 1];
      bool leads_across = !phase.control_constant && side_at(left) * side_at(right) < 0;
      fine.push_back(left);
      if (leads_across) fine.insert(fine.end(), {left + (right - left) / 3, right - (right - left) / 3});
      else fine.push_back(0.5 * (left + right));
    }
    fine.push_back(1);
  }
  return grids;
}

template <class Share>
void mark_switch(const ShootingPhase& phase, const Vector& fine, std::size_t last, std::size_t k, int side,
                 const Share& share_at, std::vector<ControlInterval>& out) {
  double from = phase.linear ? fine[last] : fine[last + 1], to = fine[k], integral = 0;
  for (std::size_t j = last; j < k; ++j) {
    if (phase.linear) integral += 0.5 * (share_at(j) + share_at(j + 1)) * (fine[j + 1] - fine[j]);
    else if (j > last) integral += share_at(j) * (fine[j + 1] - fine[j]);
  }
  double at = side > 0 ? to - integral : from + integral;
  for (ControlInterval& interval : out) {
    if (interval.end <= from - near_fraction || interval.begin >= to + near_fraction) continue;
    interval.switches = true;
    if (at > interval.begin && at < interval.end) interval.switch_at = at;
  }
}

}  // namespace

std::vector<std::vector<Vector>> finer_grids(const bolza_problem& problem, const abi::Solution& solution) {
  std::vector<std::vector<Vector>> all;
  for (std::size_t p = 0; p < solution.phases.size(); ++p)
    all.push_back(grids_of_phase(solution.phases[p], *problem.models[problem.phases[p].model]));
  return all;
}

std::size_t place_of_fraction(const Vector& fractions, double at) {
  auto next = std::ranges::lower_bound(fractions, at - near_fraction);
  return next != fractions.end() && *next <= at + near_fraction ? static_cast<std::size_t>(next - fractions.begin())
                                                                : fractions.size();
}

Vector mesh_fractions(const ShootingNodes& nodes, const ShootingPhase& phase) {
  double t0 = nodes.nlp.start[phase.parameter(0)], tf = nodes.nlp.start[phase.parameter(1)];
  Vector out;
  for (const AffineTime& point : phase.mesh.point) out.push_back(tf > t0 ? (point.at(t0, tf) - t0) / (tf - t0) : 0);
  return out;
}

void take_controls(const ShootingNodes& nodes, const abi::Solution& solution, const std::vector<Vector>& fractions,
                   Vector& point) {
  for (const ShootingPhase& phase : nodes.phases) {
    const abi::PhaseSolution& old = solution.phases[phase.number];
    Interpolation along(old);
    auto at = [&](double fraction, std::size_t i) {
      return along.at(old.start_time + fraction * (old.final_time - old.start_time)).u[i];
    };
    for (std::size_t i = 0; i < phase.n_given; ++i)
      for (std::size_t k = 0; k < phase.grid_variable[i].size(); ++k) {
        double here = fractions[phase.number][phase.grid[i][k]];
        auto next = std::ranges::upper_bound(old.mesh, here + near_fraction);
        if (!phase.linear) here = 0.5 * (*(next - 1) + *std::min(next, old.mesh.end() - 1));
        point[phase.grid_variable[i][k]] = at(here, i);
      }
  }
}

void mark_switches(const ShootingPhase& phase, std::size_t i, const Vector& fine, std::span<const double> w,
                   std::vector<ControlInterval>& out) {
  const bolza_variable& control = phase.model->u[i];
  const std::vector<std::size_t>& v = phase.grid_variable[i];
  auto share_at = [&](std::size_t k) { return std::clamp((w[v[k]] - control.min) / (control.max - control.min), 0.0, 1.0); };
  constexpr std::size_t longest = 4;  // values between the bounds
  int before = 0;
  std::size_t last = 0;
  for (std::size_t k = 0; k < v.size(); ++k) {
    int side = side_of(control, w[v[k]]);
    if (side == 0) continue;
    if (before == -side && k - last <= longest + 1) mark_switch(phase, fine, last, k, side, share_at, out);
    before = side;
    last = k;
  }
}

ShootingOptions by_own_equations(ShootingOptions shooting) {
  if (shooting.written) {
    shooting.integrator.clear();
    shooting.idas = false;
  }
  shooting.written = nullptr;
  shooting.path_constraints = PathConstraints::sampled;
  shooting.tighten = false;
  shooting.samples.clear();
  return shooting;
}

ShootingOptions to_a_hundredth(ShootingOptions shooting, double rtol) {
  constexpr double finer = 0.01, finest = 1e-12, of_uniform_steps = 1e-9;  // whose accuracy no tolerance tells
  const integrate::Method* method = integrate::find_method(shooting.integrator);
  if (method && (!method->automatic || shooting.fixed_step > 0)) rtol = std::min(rtol, of_uniform_steps);
  shooting.integrator.clear();
  shooting.fixed_step = 0;
  shooting.method_options = {};
  shooting.rtol = std::max(finest, finer * rtol);
  return shooting;
}

void find_largest(const ShootingNodes& nodes, const abi::Solution& solution, ControlError& error) {
  for (std::size_t p = 0; p < error.interval.size(); ++p)
    for (std::size_t i = 0; i < error.interval[p].size(); ++i)
      for (const ControlInterval& interval : error.interval[p][i]) {
        if (interval.share <= error.largest) continue;
        const abi::PhaseSolution& phase = solution.phases[p];
        const char* name = nodes.phases[p].model->u[i].name;
        error.largest = interval.share;
        error.name = name ? name : "";
        error.time = phase.start_time + 0.5 * (interval.begin + interval.end) * (phase.final_time - phase.start_time);
      }
}

}  // namespace bolza::transcribe
