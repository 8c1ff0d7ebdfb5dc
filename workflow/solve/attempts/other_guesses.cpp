// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/attempts/other_guesses.h"

#include <algorithm>
#include <cmath>

namespace bolza::workflow {
namespace {

using Kind = OtherGuess::Kind;

double within(const bolza_variable& v, double value) { return std::min(std::max(value, v.min), v.max); }

/// The middle of finite bounds, else zero.
double middle(const bolza_variable& v) {
  return std::isfinite(v.min) && std::isfinite(v.max) ? 0.5 * (v.min + v.max) : within(v, 0);
}

void stretch(const bolza_variable& v, double about, double factor, std::vector<double>& values) {
  for (double& value : values) value = within(v, about + factor * (value - about));
}

void change(const bolza_model& m, const OtherGuess& how, abi::Trajectories& y) {
  bool mirrored = how.kind == Kind::mirrored;
  double factor = mirrored ? -1 : how.factor;
  for (std::size_t a = 0; a < m.n_x && a < y.x.size(); ++a)
    if (!y.x[a].empty()) stretch(m.x[a], mirrored ? 0 : y.x[a].front(), factor, y.x[a]);
  for (std::size_t c = 0; c < m.n_u && c < y.u.size(); ++c) stretch(m.u[c], middle(m.u[c]), factor, y.u[c]);
}

bool is_end_of_a_phase(const bolza_problem& problem, std::size_t parameter) {
  for (std::size_t p = 0; p < problem.n_phases; ++p)
    for (std::size_t end : {0, 1})
      if (problem.phases[p].parameter[end] == static_cast<std::int32_t>(parameter)) return true;
  return false;
}

bool may_be_placed(const bolza_variable& v) {
  return !v.fixed && std::isfinite(v.min) && std::isfinite(v.max) && v.min < v.max;
}

/// Along the logarithm where the bounds are far apart.
double between(const bolza_variable& v, double place) {
  constexpr double far = 100;  // times
  if (v.min > 0 && v.max > far * v.min) return v.min * std::pow(v.max / v.min, place);
  return v.min + place * (v.max - v.min);
}

/// False: the end stays where it is. In a problem of one phase.
bool move_end(const bolza_problem& problem, double final, abi::Solution& guess) {
  auto number = static_cast<std::size_t>(problem.phases[0].parameter[1]);
  const bolza_variable& end = problem.parameters[number];
  abi::PhaseSolution& phase = guess.phases[0];
  double length = phase.final_time - phase.start_time;
  final = within(end, final);
  if (end.fixed || !(length > 0) || !(final > phase.start_time) || final == phase.final_time) return false;
  double share = (final - phase.start_time) / length;
  for (double& t : phase.trajectories.time) t = phase.start_time + (t - phase.start_time) * share;
  guess.parameters[number] = phase.final_time = final;
  return true;
}

/// False: there are none with two bounds. Places of parameters that follow each other are far apart.
bool place_parameters(const bolza_problem& problem, double place, abi::Solution& guess) {
  constexpr double golden = 0.6180339887498949;
  bool any = false;
  for (std::size_t k = 0; k < problem.n_parameters && k < guess.parameters.size(); ++k) {
    if (!may_be_placed(problem.parameters[k]) || is_end_of_a_phase(problem, k)) continue;
    guess.parameters[k] = between(problem.parameters[k], place);
    place = std::fmod(place + golden, 1.0);
    any = true;
  }
  const bolza_variable& end = problem.parameters[problem.phases[0].parameter[1]];
  if (guess.phases.size() == 1 && may_be_placed(end)) any = move_end(problem, between(end, place), guess) || any;
  return any;
}

bool mirror_parameters(const bolza_problem& problem, std::vector<double>& values) {
  bool any = false;
  for (std::size_t k = 0; k < problem.n_parameters && k < values.size(); ++k) {
    const bolza_variable& v = problem.parameters[k];
    if (!may_be_placed(v) || is_end_of_a_phase(problem, k)) continue;
    values[k] = v.min + v.max - values[k];
    any = true;
  }
  return any;
}

/// Whether trajectories are more than what parameters lead to.
bool have_a_choice(const bolza_problem& problem) {
  for (std::size_t p = 0; p < problem.n_phases; ++p) {
    const bolza_model& m = *problem.models[problem.phases[p].model];
    if (m.n_u > 0 || !std::all_of(m.x, m.x + m.n_x, [](const bolza_variable& v) { return v.fixed; })) return true;
  }
  return false;
}

/// False: nothing is different.
bool change(const bolza_problem& problem, const OtherGuess& how, abi::Solution& guess) {
  if (how.kind == Kind::placed) return place_parameters(problem, how.factor, guess);
  if (how.kind == Kind::lasting) {
    if (guess.phases.size() != 1) return false;
    double start = guess.phases[0].start_time;
    return move_end(problem, start + how.factor * (guess.phases[0].final_time - start), guess);
  }
  bool mirrored = how.kind == Kind::mirrored && mirror_parameters(problem, guess.parameters);
  if (!have_a_choice(problem)) return mirrored;
  for (std::size_t p = 0; p < guess.phases.size(); ++p)
    change(*problem.models[problem.phases[p].model], how, guess.phases[p].trajectories);
  return true;
}

}  // namespace

abi::Solution made_of(const bolza_problem& problem, const abi::Solution& solution, const OtherGuess& how) {
  abi::Solution guess;
  guess.parameters = solution.parameters;
  for (const abi::PhaseSolution& from : solution.phases) {
    abi::PhaseSolution phase;
    phase.start_time = from.start_time;
    phase.final_time = from.final_time;
    phase.trajectories.time = from.trajectories.time;
    phase.trajectories.x = from.trajectories.x;
    phase.trajectories.z = from.trajectories.z;
    phase.trajectories.u = from.trajectories.u;
    guess.phases.push_back(std::move(phase));
  }
  if (guess.phases.empty() || !change(problem, how, guess)) guess.phases.clear();
  return guess;
}

}  // namespace bolza::workflow
