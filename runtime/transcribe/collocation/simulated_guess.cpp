// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/simulated_guess.h"

#include <algorithm>
#include <cmath>

#include "runtime/integrate/simulate/simulate.h"
#include "runtime/nonlinear/initialise.h"
#include "runtime/nonlinear/model_at.h"
#include "runtime/transcribe/collocation/guess.h"
#include "runtime/transcribe/collocation/linked_starts.h"
#include "runtime/transcribe/plan/point_values.h"
#include "runtime/transcribe/sizes_as_nominals.h"

namespace bolza::transcribe {
namespace {

double guessed_control(const bolza_variable& v, double place) {
  if (v.has_guess) return v.guess;
  if (v.has_start) return v.start;
  if (std::isfinite(v.min) && std::isfinite(v.max)) return v.min + place * (v.max - v.min);
  return std::min(std::max(0.0, v.min), v.max);
}

double guessed_start(const bolza_variable& v) {
  double value = v.has_start && v.fixed ? v.start : v.has_guess ? v.guess : v.has_start ? v.start : 0;
  return std::isfinite(value) ? std::min(std::max(value, v.min), v.max) : 0;
}

/// Whether a value is farther outside its bounds than they are apart (or than their size, where there is one only).
bool far_outside(const bolza_variable& v, double value) {
  double width = std::isfinite(v.min) && std::isfinite(v.max)
                     ? v.max - v.min
                     : 10 * (nonlinear::size_of(v) + std::abs(std::isfinite(v.min) ? v.min : v.max));
  return !std::isfinite(value) || value < v.min - width || value > v.max + width;
}

/// The controls of a guess by straight lines between some of its times; those without a guess of their own are constant.
integrate::Inputs inputs_along(const bolza_model& m, const abi::Trajectories& y, const std::vector<double>& constant) {
  constexpr std::size_t most = 50;
  std::size_t step = std::max<std::size_t>(1, y.time.size() / most);
  std::vector<double> time;
  std::vector<std::vector<double>> u(m.n_u);
  for (std::size_t k = 0; k < y.time.size(); k = k + 1 < y.time.size() ? std::min(k + step, y.time.size() - 1) : k + 1) {
    time.push_back(y.time[k]);
    for (std::size_t c = 0; c < m.n_u; ++c) u[c].push_back(m.u[c].has_guess ? y.u[c][k] : constant[c]);
  }
  return integrate::linear_inputs(time.front(), time.back(), time, u);
}

/// How many of the trajectory's times are of use.
std::size_t useful(const bolza_model& m, const abi::Trajectories& y) {
  for (std::size_t k = 0; k < y.time.size(); ++k)
    for (std::size_t a = 0; a < m.n_x && a < y.x.size(); ++a) {
      bool bounded = std::isfinite(m.x[a].min) || std::isfinite(m.x[a].max);
      if (bounded ? far_outside(m.x[a], y.x[a][k]) : !(std::abs(y.x[a][k]) < 1e12 * nonlinear::size_of(m.x[a]))) return k;
    }
  return y.time.size();
}

/// What initial equations say of the start, as that the loops of a mechanism are closed; where it has no solution near x, z
/// these stay.
void start_consistently(const bolza_problem& problem, std::size_t phase, double t0, const std::vector<double>& parameters,
                        const std::vector<double>& u, std::vector<double>& x, std::vector<double>& z) {
  const bolza_model& m = *problem.models[problem.phases[phase].model];
  nonlinear::ModelAt at(problem, m, nonlinear::shared_of(problem, phase, parameters));
  nonlinear::InitialPoint point = nonlinear::initialise(at, t0, u, x, z);
  if (!point.converged()) return;
  x = std::move(point.x);
  z = std::move(point.z);
}

void hold_to_end(abi::Trajectories& y, std::size_t count, double end) {
  y.time.resize(count);
  bool early = y.time.back() < end;
  if (early) y.time.push_back(end);
  for (auto* rows : {&y.x, &y.z, &y.u})
    for (std::vector<double>& row : *rows) {
      row.resize(count);
      if (early) row.push_back(row.back());
    }
  y.rate.clear();
  y.discrete.clear();
  y.costate.clear();
  y.path_multiplier.clear();
}

}  // namespace

abi::Solution simulated_guess(bolza_problem& problem, const Budget& budget, const abi::Solution* own,
                              const abi::Solution* sized, double place) {
  abi::Solution guess;
  bool times_alone = own && own->phases.empty() && own->parameters.size() == problem.n_parameters;
  guess.parameters = times_alone ? own->parameters : guessed_parameters(problem, nullptr);
  for (std::size_t p = 0; p < problem.n_phases; ++p) {
    const bolza_model& m = *problem.models[problem.phases[p].model];
    Horizon h = horizon_of(problem, static_cast<std::int32_t>(p), guess.parameters);
    std::vector<double> u, x, z;
    for (std::size_t c = 0; c < m.n_u; ++c) u.push_back(guessed_control(m.u[c], place));
    for (std::size_t a = 0; a < m.n_x; ++a) x.push_back(guessed_start(m.x[a]));
    follow_links(problem, p, guess.phases, guess.parameters, x);
    for (std::size_t a = 0; a < m.n_x; ++a) x[a] = std::min(std::max(x[a], m.x[a].min), m.x[a].max);
    for (std::size_t b = 0; b < m.n_z; ++b) z.push_back(guessed_start(m.z[b]));
    if (m.n_initial > 0) start_consistently(problem, p, h.t0, guess.parameters, u, x, z);
    integrate::SimulateOptions options;
    options.start = h.t0;
    options.final = h.tf;
    options.rtol = 1e-4;
    options.intervals = 200;
    options.max_steps = 20000;
    options.budget = budget;
    options.parameters = guess.parameters;
    options.parameters[static_cast<std::size_t>(problem.phases[p].parameter[0])] = h.t0;
    options.parameters[static_cast<std::size_t>(problem.phases[p].parameter[1])] = h.tf;
    options.inputs = own && p < own->phases.size() ? inputs_along(m, own->phases[p].trajectories, u)
                                                   : integrate::constant_inputs(h.t0, h.tf, u);
    options.x = x;
    options.z = z;
    abi::PhaseSolution phase;
    phase.start_time = h.t0;
    phase.final_time = h.tf;
    SizesAsNominals nominals(problem, p, sized && p < sized->phases.size() ? sized->phases[p] : phase);
    phase.trajectories = integrate::simulate(problem, p, options).trajectories;
    abi::Trajectories& y = phase.trajectories;
    std::size_t count = useful(m, y);
    if (count == 0) continue;
    hold_to_end(y, count, h.tf);
    guess.phases.push_back(std::move(phase));
  }
  if (guess.phases.size() < problem.n_phases) guess.phases.clear();
  return guess;
}

}  // namespace bolza::transcribe
