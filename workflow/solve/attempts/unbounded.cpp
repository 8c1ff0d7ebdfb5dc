// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/attempts/unbounded.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace bolza::workflow {
namespace {

/// What is fixed at the start stays where it is.
bool is_fixed_at_start(const bolza_model& model, std::size_t state) { return model.x[state].fixed != 0; }

/// Whether it is a state, whose start is what runs away.
bool is_state(const bolza_problem& problem, const bolza_variable& v) {
  for (std::size_t k = 0; k < problem.n_models; ++k)
    if (const bolza_model& m = *problem.models[k]; &v >= m.x && &v < m.x + m.n_x) return true;
  return false;
}

/// Does a phase end before it starts? Integrals over it have the wrong sign, and fall without end where nothing else does.
bool runs_backwards(const abi::Solution& solution) {
  return std::any_of(solution.phases.begin(), solution.phases.end(),
                     [](const abi::PhaseSolution& phase) { return phase.final_time < phase.start_time; });
}

/// The largest of what is known of its size.
double usual_size(const bolza_variable& v, double size) {
  return std::max({size, v.has_nominal ? std::abs(v.nominal) : 0.0, v.has_guess ? std::abs(v.guess) : 0.0,
                   v.has_start ? std::abs(v.start) : 0.0});
}

}  // namespace

double divisor_of(const std::vector<double>& sizes, std::size_t k) { return k < sizes.size() ? sizes[k] : 1; }

bool is_far_out(const bolza_variable& v, double value, double size, double times) {
  bool open = value > 0 ? std::isinf(v.max) : std::isinf(v.min);
  return open && std::abs(value) > times * usual_size(v, size);
}

const bolza_variable* runaway(const bolza_problem& problem, const abi::Solution& solution) {
  constexpr double beyond = 1e7, held = 1e-6;
  if (runs_backwards(solution)) return nullptr;
  bool improves = problem.maximize ? solution.objective > beyond : solution.objective < -beyond;
  if (!improves || solution.statistics.primal_infeasibility > held * std::abs(solution.objective)) return nullptr;
  const bolza_variable* worst = nullptr;
  double most = beyond;
  auto look = [&](const bolza_variable& v, double value, double size) {
    if (!is_far_out(v, value, size, most)) return;
    most = std::abs(value) / usual_size(v, size);
    worst = &v;
  };
  for (std::size_t k = 0; k < problem.n_parameters && k < solution.parameters.size(); ++k)
    if (!problem.parameters[k].fixed)
      look(problem.parameters[k], solution.parameters[k], divisor_of(solution.parameter_scale, k));
  for (std::size_t p = 0; p < solution.phases.size() && !worst; ++p) {
    const bolza_model& m = *problem.models[problem.phases[p].model];
    const abi::Trajectories& y = solution.phases[p].trajectories;
    for (std::size_t c = 0; c < m.n_u && c < y.u.size(); ++c)
      for (double value : y.u[c]) look(m.u[c], value, divisor_of(solution.phases[p].u_size, c));
    for (std::size_t i = 0; i < m.n_x && i < y.x.size() && !y.x[i].empty(); ++i)
      if (!is_fixed_at_start(m, i)) look(m.x[i], y.x[i].front(), divisor_of(solution.phases[p].x_size, i));
  }
  return worst;
}

abi::Finding unbounded(const bolza_problem& problem, const bolza_variable& v) {
  abi::Finding finding;
  finding.kind = abi::Finding::Kind::unbounded;
  finding.name = v.name ? v.name : "";
  if (v.source.file) finding.file = v.source.file;
  finding.line = v.source.line;
  finding.column = v.source.column;
  finding.time = std::nan("");
  std::string name = "`" + finding.name + "`";
  std::string remedy = is_state(problem, v) ? "; nothing says where " + name +
                                                  " starts: `start` with `fixed = true` does, alone it is a guess"
                                            : "; give " + name + " bounds (min, max), or check the sign of the objective";
  finding.text = "the objective improves without end as " + name +
                 (problem.maximize ? " grows: the problem is unbounded above" : " grows: the problem is unbounded below") +
                 remedy;
  return finding;
}

}  // namespace bolza::workflow
