// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/attempts/timed_guess.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "compiler/ir/interpret.h"

namespace bolza::workflow {
namespace {

constexpr int intervals = 1000;

/// The row of a trajectory by straight lines, held beyond its ends.
double between(const std::vector<double>& time, const std::vector<double>& row, double t) {
  auto after = std::lower_bound(time.begin(), time.end(), t);
  if (after == time.end()) return row.back();
  std::size_t k = static_cast<std::size_t>(after - time.begin());
  if (k == 0 || time[k] == time[k - 1]) return row[k];
  return row[k - 1] + (t - time[k - 1]) / (time[k] - time[k - 1]) * (row[k] - row[k - 1]);
}

/// Rows of `from` on other times; constant at the variables' own guesses where it has none.
std::vector<std::vector<double>> rows_on(const std::vector<double>& time, const bolza_variable* variables, std::size_t n,
                                         const abi::Trajectories& from, const std::vector<std::vector<double>>& given) {
  std::vector<std::vector<double>> rows;
  for (std::size_t k = 0; k < n; ++k) {
    const bolza_variable& v = variables[k];
    rows.emplace_back();
    for (double t : time)
      rows.back().push_back(k < given.size()              ? between(from.time, given[k], t)
                            : v.has_guess || !v.has_start ? v.guess
                                                          : v.start);
  }
  return rows;
}

/// Values of all guesses at a time. [rows]
std::vector<double> values_at(const ir::Problem& problem, const ir::Expressions& expressions, double time,
                              const std::vector<double>& shared) {
  const ir::Function& f = problem.guesses;
  std::vector<double> values(f.section.n_rows, 0.0), slots, data, out;
  for (const ir::Group& group : f.section.groups)
    for (std::uint32_t i = 0; i < group.n; ++i) {
      slots.clear();
      data.clear();
      for (const ir::Column& column : group.slots) {
        std::uint32_t position = column[i].index();
        slots.push_back(position < f.n_point ? time : shared[position - f.n_point]);  // of the point: time alone
      }
      for (const ir::DataColumn& column : group.data) data.push_back(column[i]);
      out = ir::evaluate(expressions, group.roots, {.slots = slots, .data = data});
      for (std::size_t r = 0; r < out.size(); ++r) values[group.rows[r][i].index()] += out[r];
    }
  return values;
}

std::vector<double>& row_of(const bolza_model& m, abi::Trajectories& y, std::uint32_t position) {
  std::size_t k = position - 1;  // time is 0
  if (k < m.n_x) return y.x[k];
  return k < m.n_x + m.n_z ? y.z[k - m.n_x] : y.u[k - m.n_x - m.n_z];
}

/// The guess of one phase, with the guesses of `p` in it.
void guess_phase(const bolza_problem& problem, const ir::Problem& p, const ir::Expressions& expressions, std::size_t number,
                 abi::Solution& guess) {
  std::vector<double> shared = p.shared_values;
  const bolza_phase& phase = problem.phases[number];
  for (std::size_t g = 0; g < p.n_global; ++g) shared[g] = guess.parameters[static_cast<std::size_t>(phase.parameter[g])];
  const bolza_model& m = *problem.models[phase.model];
  double t0 = shared[0], tf = shared[1];
  abi::Trajectories& y = guess.phases[number].trajectories;
  std::set<double> times(y.time.begin(), y.time.end());
  for (int k = 0; k <= intervals; ++k) times.insert(t0 + (tf - t0) * k / intervals);
  abi::Trajectories all;
  all.time.assign(times.begin(), times.end());
  all.x = rows_on(all.time, m.x, m.n_x, y, y.x);
  all.z = rows_on(all.time, m.z, m.n_z, y, y.z);
  all.u = rows_on(all.time, m.u, m.n_u, y, y.u);
  for (std::size_t k = 0; k < all.time.size(); ++k) {
    std::vector<double> values = values_at(p, expressions, all.time[k], shared);
    for (std::size_t r = 0; r < values.size(); ++r) {
      const ir::GuessTarget& of = p.guess_targets[r];
      if (std::isfinite(values[r])) row_of(m, all, of.position)[k] = of.sign * (values[r] - of.offset);
    }
  }
  y = std::move(all);
  guess.phases[number].start_time = t0;
  guess.phases[number].final_time = tf;
}

}  // namespace

abi::Solution timed_guess(Model& model, const SolverLibrary& library, bool with_data) {
  const ir::Problem& p = model.problem;
  std::vector<const ir::Problem*> models = ir::models_of(p);
  abi::Solution guess;
  bool any = std::any_of(models.begin(), models.end(), [](const ir::Problem* m) { return !m->guess_targets.empty(); });
  if (!any || p.is_static) return guess;
  bolza_problem& problem = model.abi();
  if (with_data) guess = library.data_guess(problem);
  if (guess.phases.empty()) {
    guess.parameters = library.guessed_parameters(problem, nullptr);
    guess.phases.resize(problem.n_phases);
  }
  for (std::size_t k = 0; k < models.size(); ++k) guess_phase(problem, *models[k], p.flat.expressions, k, guess);
  return guess;
}

}  // namespace bolza::workflow
