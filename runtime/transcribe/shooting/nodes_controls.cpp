// SPDX-License-Identifier: Apache-2.0
// Controls of shooting on their own grids, and the mesh that has the points of all of them.
#include <algorithm>
#include <cmath>

#include "runtime/transcribe/integers.h"
#include "runtime/transcribe/mesh_choice.h"
#include "runtime/transcribe/plan/point_values.h"
#include "runtime/transcribe/shooting/delayed_values.h"
#include "runtime/transcribe/shooting/nodes_internal.h"

namespace bolza::transcribe {
namespace {

/// Puts mesh points at these places of every interval. Gives back the points of each.
std::vector<std::vector<AffineTime>> cut_intervals(Mesh& mesh, const std::vector<double>& places, const Horizon& horizon) {
  std::vector<std::vector<AffineTime>> intervals;
  std::vector<AffineTime> all;
  for (std::size_t k = 0; k < mesh.intervals(); ++k) {
    std::vector<AffineTime>& points = intervals.emplace_back();
    for (double place : places) points.push_back(between(mesh.point[k], mesh.point[k + 1], place));
    all.insert(all.end(), points.begin(), points.end());
  }
  insert(mesh, all, horizon);
  return intervals;
}

}  // namespace

// The mesh as it was asked for; the points of the grids, which it gets where it has them not; and samples, relative to the
// horizon, which are points of no grid.
void ShootingNodes::set_mesh(ShootingPhase& phase, const TranscribeOptions& transcription, const Horizon& horizon) {
  std::vector<AffineTime> breaks = breakpoints_of(problem, static_cast<std::int32_t>(phase.number), horizon, true);
  MeshChoice choice = mesh_choice(transcription, phase.number, problem.phases[phase.number].name);
  const DelayReading& delays = delays_[phase.number];
  std::vector<double> fractions(choice.fractions.begin(), choice.fractions.end());
  add_delay_breakpoints(delays, horizon, choice.intervals, breaks);
  if (!delays.delays.empty()) fractions = shifted_fractions(delays, horizon, choice.intervals, fractions);
  Mesh base = make_mesh(horizon, choice.intervals, fractions, breaks);
  std::vector<std::vector<AffineTime>> grids;
  for (std::size_t i = 0; i < phase.n_given; ++i) {
    std::span<const double> points = control_points(transcription, phase.number, i);
    std::uint32_t own = control_intervals(transcription, phase.model->u[i].name);
    if (!points.empty()) grids.push_back(make_mesh(horizon, 1, points, breaks).point);
    else grids.push_back(own ? make_mesh(horizon, own, {}, breaks).point : base.point);
  }
  phase.mesh = std::move(base);
  for (const auto& grid : grids) insert(phase.mesh, grid, horizon);
  std::vector<std::vector<AffineTime>> smooth;
  if (reads_algebraics(delays, *phase.model)) smooth = cut_intervals(phase.mesh, places_of_delayed_inputs(), horizon);
  if (phase.number < options.samples.size()) insert_fractions(phase.mesh, options.samples[phase.number], horizon);
  for (const auto& grid : grids) phase.grid.push_back(places_in(phase.mesh, grid, horizon));
  for (const auto& points : smooth) phase.smooth.push_back(places_in(phase.mesh, points, horizon));
}

bool ShootingPhase::jumps_at(std::size_t node) const {
  return !linear && std::any_of(grid.begin(), grid.end(), [&](const std::vector<std::size_t>& points) {
    return std::binary_search(points.begin(), points.end(), node);
  });
}

void ShootingNodes::add_controls(ShootingPhase& phase, std::size_t node) {
  for (std::size_t i = 0; i < phase.n_given; ++i) {
    if (!std::binary_search(phase.grid[i].begin(), phase.grid[i].end(), node)) continue;
    if (node == phase.N() && !phase.linear) continue;
    const bolza_variable& v = phase.model->u[i];
    phase.grid_variable[i].push_back(nlp.n());
    add_variable(nonlinear::guess_of(v), v.min, v.max, nonlinear::size_of(v), nlp::VariableRole::control,
                 static_cast<std::int32_t>(std::min(node, phase.N() - 1)));
  }
}

// Every grid has the breakpoints of the horizon, so points inside a block move alike and shares stay when the horizon moves.
void ShootingNodes::set_control_values(ShootingPhase& phase, const std::vector<double>& parameters) {
  std::size_t n_u = phase.model->n_u;
  auto time = [&](std::size_t node) {
    return phase.mesh.point[node].at(parameters[phase.parameter(0)], parameters[phase.parameter(1)]);
  };
  phase.control_value.resize(phase.sides() * phase.N() * n_u);
  phase.reach.assign(phase.N(), phase.first_x0 + phase.model->n_x);
  for (std::size_t i = 0; i < phase.n_given; ++i) {
    const std::vector<std::size_t>&points = phase.grid[i], &variable = phase.grid_variable[i];
    for (std::size_t k = 0, block = 0; k < phase.N(); ++k) {
      if (points[block + 1] <= k) ++block;
      std::size_t low = variable[block], high = variable[block + phase.linear];
      double begin = time(points[block]), length = time(points[block + 1]) - begin;
      for (std::size_t side = 0; side < phase.sides(); ++side) {
        double place = phase.input_places.empty() ? static_cast<double>(side) : phase.input_places[side];
        double at = place == 0 ? time(k) : place == 1 ? time(k + 1) : (1 - place) * time(k) + place * time(k + 1);
        double share = !phase.linear || (place == 0 && k == points[block]) ? 0
                       : place == 1 && k + 1 == points[block + 1]          ? 1
                       : length > 0                                        ? (at - begin) / length
                                                                           : 0.5;
        phase.control_value[(phase.sides() * k + side) * n_u + i] = {low, high, share};
      }
      phase.reach[k] = std::max(phase.reach[k], high + 1);
    }
  }
  std::size_t n_delays = n_u - phase.n_given;
  for (std::size_t k = 0; k < phase.N(); ++k)
    for (std::size_t c = 0; c < phase.sides() * n_delays; ++c) {
      std::size_t side = c / n_delays, variable = phase.delayed_value[k * phase.sides() * n_delays + c];
      phase.control_value[(phase.sides() * k + side) * n_u + phase.n_given + c % n_delays] = {variable, variable, 0};
      phase.reach[k] = std::max(phase.reach[k], variable + 1);
    }
  for (std::size_t k = 1; k < phase.N(); ++k) phase.reach[k] = std::max(phase.reach[k], phase.reach[k - 1]);
}

ControlMap ShootingNodes::controls_at(const ShootingPhase& phase, std::size_t segment, SegmentPart part) {
  bool both_sides = part == SegmentPart::whole;
  std::size_t n_u = phase.model->n_u, sides = both_sides ? phase.values_of_input() : 1;
  ControlMap map;
  auto add = [&](std::size_t variable) {
    auto at = std::find(map.variable.begin(), map.variable.end(), variable);
    if (at == map.variable.end()) at = map.variable.insert(at, variable);
    return static_cast<Eigen::Index>(at - map.variable.begin());
  };
  for (bool high : {false, true})
    for (std::size_t i = 0; i < n_u; ++i) {
      const ControlValue& c = phase.control(segment, i, both_sides ? SegmentPart::begin : part);
      if (both_sides || (high ? c.share > 0 : c.share < 1)) add(high ? c.high : c.low);
    }
  for (std::size_t side = 1; side < sides; ++side)
    for (std::size_t i = phase.n_given; i < n_u; ++i) add(phase.control_at(segment, i, side).low);
  map.by = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(sides * n_u), static_cast<Eigen::Index>(map.variable.size()));
  for (std::size_t side = 0; side < sides; ++side)
    for (std::size_t i = 0; i < n_u; ++i) {
      const ControlValue& c = both_sides ? phase.control_at(segment, i, side) : phase.control(segment, i, part);
      auto row = static_cast<Eigen::Index>(side * n_u + i);
      if (c.share < 1) map.by(row, add(c.low)) += 1 - c.share;
      if (c.share > 0) map.by(row, add(c.high)) += c.share;
    }
  return map;
}

// Free parameters and controls that take whole numbers only.
void ShootingNodes::mark_integers() {
  for (std::size_t p = 0; p < problem.n_parameters; ++p)
    if (is_whole(problem.parameters[p]) && !problem.parameters[p].fixed) make_whole(nlp, p);
  std::int32_t controls = 0;
  for (const ShootingPhase& phase : phases) {
    Horizon horizon = horizon_of(problem, static_cast<std::int32_t>(phase.number), nlp.start);
    std::vector<std::int32_t> sequence(phase.model->n_u, nlp::global);
    for (std::size_t i = 0; i < phase.n_given; ++i) {
      if (!is_whole(phase.model->u[i])) continue;
      sequence[i] = controls;
      for (std::size_t block = 0; block < phase.grid_variable[i].size(); ++block) {
        double share = 0;
        for (std::size_t k = phase.grid[i][block]; k < phase.grid[i][block + 1]; ++k)
          share += share_of_horizon(phase.mesh, k, horizon);
        make_whole(nlp, phase.grid_variable[i][block], controls, share);
      }
      ++controls;
    }
    add_switching(nlp, *phase.model, sequence, horizon.tf - horizon.t0);
  }
}

}  // namespace bolza::transcribe
