// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/attempts/free_starts.h"

#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "workflow/codes.h"
#include "workflow/simulate_failure.h"

namespace bolza::workflow {
namespace {

/// Whether the state's value at the start of the horizon is in a point constraint or in the objective, or there are initial
/// equations: then something is said about it.
bool is_stated_at_start(const bolza_problem& problem, const bolza_model& m, std::size_t state) {
  if (m.initial && m.initial->n_rows > 0) return true;
  return std::any_of(problem.values, problem.values + problem.n_values, [&](const bolza_value_at& v) {
    if (v.quantity != BOLZA_STATE || static_cast<std::size_t>(v.index) != state) return false;
    const bolza_place& place = problem.places[v.place];
    return place.on_start == 1 && place.on_final == 0 && place.offset == 0;
  });
}

/// "tank[2].level[3]" without its indices.
std::string without_indices(std::string_view element) {
  std::string name;
  int depth = 0;
  for (char c : element) {
    if (c == '[') ++depth;
    if (depth == 0) name += c;
    if (c == ']') --depth;
  }
  return name;
}

/// Whether the model says itself that a start value is none to hold: `fixed = false`, `free = true`.
bool is_meant_free(const ir::FlatModel& flat, const std::string& name) {
  return std::any_of(flat.variables.begin(), flat.variables.end(), [&](const ir::Variable& v) {
    std::string own;
    for (const ir::Variable::NamePart& part : v.name) own += (own.empty() ? "" : ".") + part.name;
    return own == name && (v.free || !v.fixed.empty());
  });
}

}  // namespace

void warn_of_free_starts(Model& model, const abi::Solution& solution) {
  constexpr double moved = 1e-3, rounding = 1e-9;
  const bolza_problem& problem = model.abi();
  if (problem.is_static || problem.n_phases != 1 || solution.phases.empty()) return;
  const bolza_model& m = *problem.models[problem.phases[0].model];
  const abi::Trajectories& y = solution.phases[0].trajectories;
  std::string last;
  for (std::size_t a = 0; a < m.n_x && a < y.x.size(); ++a) {
    const bolza_variable& v = m.x[a];
    if (v.fixed || !v.has_start || v.has_guess || y.x[a].empty() || is_stated_at_start(problem, m, a)) continue;
    double value = y.x[a].front(), larger = std::max(std::abs(value), std::abs(v.start));
    std::string name = v.name ? v.name : "", array = without_indices(name);
    if (!(std::abs(value - v.start) > moved * larger) || array == last || is_meant_free(model.problem.flat, array)) continue;
    last = array;
    abi::Finding place;
    if (v.source.file) place.file = v.source.file;
    place.line = v.source.line;
    place.column = v.source.column;
    std::string found = shown(std::abs(value) > rounding * larger ? value : 0, 3);
    model.diagnostics.warning(start_not_held, span_of(model, place), {name, shown(v.start, 3), found});
  }
}

}  // namespace bolza::workflow
