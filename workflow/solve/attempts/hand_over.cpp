// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/attempts/hand_over.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace bolza::workflow {
namespace {

constexpr std::array<std::pair<const char*, bool HandOver::*>, 5> parts{{{"states", &HandOver::states},
                                                                         {"controls", &HandOver::controls},
                                                                         {"costates", &HandOver::costates},
                                                                         {"multipliers", &HandOver::multipliers},
                                                                         {"active-sets", &HandOver::active_sets}}};

double own_guess_of(const bolza_variable& v) {
  double value = v.has_guess ? v.guess : v.has_start || v.fixed ? v.start : v.guess;
  return std::isfinite(value) ? std::clamp(value, v.min, v.max) : 0;
}

void forget(const bolza_variable* variables, std::vector<std::vector<double>>& rows) {
  for (std::size_t k = 0; k < rows.size(); ++k) std::fill(rows[k].begin(), rows[k].end(), own_guess_of(variables[k]));
}

void forget_bounds(abi::PhaseMultipliers& of) {
  for (auto* list : {&of.x, &of.z, &of.u, &of.algebraic, &of.path})
    for (abi::SpreadMultiplier& multiplier : *list) multiplier = {};
}

}  // namespace

HandOver hand_over_of(const driver::Options& options) {
  std::string list = "," + options.text("hand-over") + ",";
  HandOver out;
  for (const auto& [name, part] : parts)
    out.*part = list == ",all," || list.find("," + std::string(name) + ",") != std::string::npos;
  return out;
}

abi::Solution handed_over(const bolza_problem& problem, const abi::Solution& solution, const HandOver& what) {
  abi::Solution out = solution;
  bool whole = what.costates && what.multipliers && what.active_sets;
  if (!what.states || !what.controls || !whole) out.warm_start = {};
  if (!what.multipliers) {
    std::fill(out.point_multipliers.begin(), out.point_multipliers.end(), 0.0);
    std::fill(out.parameter_multipliers.begin(), out.parameter_multipliers.end(), 0.0);
  }
  if (!what.states) out.parameters.clear();
  for (std::size_t p = 0; p < out.phases.size(); ++p) {
    const bolza_model& m = *problem.models[problem.phases[p].model];
    abi::PhaseSolution& phase = out.phases[p];
    if (!what.states || !what.controls) phase.transcription.clear();  // what is left is no polynomial of a method
    if (!what.states) {
      forget(m.x, phase.trajectories.x);
      forget(m.z, phase.trajectories.z);
    }
    if (!what.controls) forget(m.u, phase.trajectories.u);
    if (!what.costates) phase.trajectories.costate.clear();
    if (!what.multipliers) forget_bounds(phase.multipliers);
  }
  return out;
}

bool has_costates(const bolza_problem& problem, const abi::Solution& solution) {
  if (problem.is_static || solution.phases.size() != problem.n_phases) return false;
  for (std::size_t p = 0; p < problem.n_phases; ++p) {
    const bolza_model& m = *problem.models[problem.phases[p].model];
    const abi::PhaseSolution& phase = solution.phases[p];
    bool delays = m.hybrid && m.hybrid->n_delays > 0;
    if (delays || phase.trajectories.costate.size() != m.n_x || phase.multipliers.x.size() != m.n_x) return false;
  }
  return true;
}

double barrier_of_hand_over(const HandOver& what) {
  constexpr double near = 1e-6, cold = 0.1;  // IPOPT's own is the latter
  return what.active_sets && what.multipliers ? near : cold;
}

std::string text_of(const HandOver& what) {
  std::string text;
  for (const auto& [name, part] : parts) {
    std::string word(name);
    std::replace(word.begin(), word.end(), '-', ' ');
    if (what.*part) text += (text.empty() ? "" : ", ") + word;
  }
  return text.empty() ? nothing_handed_over : text;
}

}  // namespace bolza::workflow
