// SPDX-License-Identifier: Apache-2.0
// The directions of a reduced gradient.
#include <algorithm>

#include "base/numbers.h"
#include "runtime/transcribe/gradient/reduced_gradient_internal.h"

namespace bolza::transcribe {
namespace {

std::string at_time(const std::string& name, double t) { return name + "(" + shown(t) + ")"; }

}  // namespace

Directions::Directions(Shooting& shooting) : shooting_(shooting) {
  const bolza_problem& problem = shooting.problem;
  for (const Link& link : shooting.nodes().links) linked_.insert(link.variable);
  for (std::size_t i = 0; i < problem.n_parameters; ++i)
    if (!problem.parameters[i].fixed && !linked_.contains(i)) add(i, problem.parameters[i].name, problem.parameters[i].name);
  for (std::size_t r = 0; r < shooting.rows.size(); ++r)
    if (shooting.rows[r].kind == ShootingRow::Kind::point) determining_rows.push_back(r);
  for (std::size_t v : linked_) determined.push_back(v);
  for (const ShootingPhase& phase : shooting.phases) {
    add_initial_values(phase);
    for (std::size_t k = 0; k < phase.N() + phase.linear; ++k)
      for (std::size_t i = 0; i < phase.model->n_u; ++i) {
        auto at = std::lower_bound(phase.grid[i].begin(), phase.grid[i].end(), k);
        if (at == phase.grid[i].end() || *at != k) continue;
        std::size_t variable = phase.grid_variable[i][static_cast<std::size_t>(at - phase.grid[i].begin())];
        add(variable, at_time(phase.model->u[i].name, time_of(phase, k)), phase.model->u[i].name);
      }
  }
}

std::string Directions::keep(const std::vector<std::string>& names, const std::vector<std::string>& without) {
  auto is_left_out = [&](const GradientDirection& d) {
    return std::find(without.begin(), without.end(), d.of) != without.end();
  };
  for (std::size_t k = list.size(); k-- > 0;)
    if (is_left_out(list[k])) {
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(k));
      variables.erase(variables.begin() + static_cast<std::ptrdiff_t>(k));
    }
  if (names.empty()) return {};
  auto belongs = [](const std::string& of, const std::string& name) {  // an element of an array, too
    return of == name || of.starts_with(name + "[");
  };
  for (const std::string& name : names)
    if (std::none_of(list.begin(), list.end(), [&](const GradientDirection& d) { return belongs(d.of, name); })) return name;
  std::vector<GradientDirection> kept;
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < list.size(); ++k)
    if (std::any_of(names.begin(), names.end(), [&](const std::string& name) { return belongs(list[k].of, name); })) {
      kept.push_back(list[k]);
      places.push_back(variables[k]);
    }
  list = std::move(kept);
  variables = std::move(places);
  return {};
}

double Directions::time_of(const ShootingPhase& phase, std::size_t k) const {
  const std::vector<double>& w = shooting_.nlp.start;
  return phase.mesh.point[k].at(w[phase.parameter(0)], w[phase.parameter(1)]);
}

void Directions::add(std::size_t variable, std::string name, std::string of) {
  list.push_back({std::move(name), std::move(of), shooting_.nlp.start[variable]});
  variables.push_back(variable);
}

void Directions::add_initial_values(const ShootingPhase& phase) {
  const bolza_model& m = *phase.model;
  std::size_t loose = 0;
  for (std::size_t i = 0; i < m.n_x; ++i) loose += !m.x[i].fixed && !linked_.contains(phase.first_x0 + i);
  bool square = m.n_initial > 0 && m.n_initial == loose;
  for (std::size_t i = 0; i < m.n_x; ++i) {
    std::size_t variable = phase.first_x0 + i;
    if (linked_.contains(variable)) continue;
    if (square && !m.x[i].fixed) determined.push_back(variable);
    else add(variable, at_time(m.x[i].name, time_of(phase, 0)), m.x[i].name);
  }
  if (!square) return;
  for (std::size_t r = 0; r < shooting_.rows.size(); ++r)
    if (shooting_.rows[r].kind == ShootingRow::Kind::node &&
        shooting_.rows[r].function.what == NodeFunction::What::initial &&
        shooting_.rows[r].function.site.phase == phase.number)
      determining_rows.push_back(r);
}

}  // namespace bolza::transcribe
