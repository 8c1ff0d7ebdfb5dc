// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/several/chance.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <string>

#include "base/numbers.h"
#include "runtime/result/restore.h"
#include "workflow/solve/nonsmooth/mode_sequence.h"

namespace bolza::workflow {
namespace {

/// What a scenario's constraints weigh.
using Weights = std::map<std::size_t, double>;

/// The scenario whose copy a variable is, from 0 on; none: it is shared. Copies are arrays over the scenarios, or in phases
/// variables of their own.
std::optional<std::size_t> scenario_of(const Model& model, ir::VariableId id) {
  const ir::Variable& variable = ir::variable_of(model.problem.flat, id);
  if (variable.of) {
    std::size_t element = id.index() - variable.first.index();
    return scenario_of(model, ir::VariableId(variable.of.index() + element));
  }
  const ir::Variable::NamePart& first = variable.name[0];
  if (first.name == "scenario" && first.dimensions == 1 && variable.dimensions[0] == model.n_scenarios)
    return (id.index() - variable.first.index()) / (variable.size / model.n_scenarios);
  for (std::size_t s = 0; s < model.n_scenarios; ++s)
    if (first.name == "scenario[" + std::to_string(s + 1) + "]") return s;
  return {};
}

/// Which scenario each of the rows from `first` on is of: the one whose copies it depends on; where it depends on none any
/// more, the one that its origin was copied for.
template <typename At>
std::vector<std::optional<std::size_t>> scenarios_of_rows(const Model& model, const bolza_function& f,
                                                          std::span<const ir::RowInfo> rows, std::size_t first, At at) {
  std::vector<std::set<std::size_t>> read(rows.size());
  for (std::size_t e = 0; e < f.jac_nnz; ++e) {
    auto row = static_cast<std::size_t>(f.jac_row[e]);
    if (row < first || row >= first + rows.size()) continue;
    if (std::optional<std::size_t> s = at(static_cast<std::size_t>(f.jac_col[e]))) read[row - first].insert(*s);
  }
  std::vector<std::optional<std::size_t>> out(rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto& iterators = model.problem.flat.origins[rows[r].origin].iterators;
    if (read[r].size() == 1) out[r] = *read[r].begin();
    else if (read[r].empty() && !iterators.empty() && iterators.back().first == "scenario")
      out[r] = static_cast<std::size_t>(iterators.back().second) - 1;
  }
  return out;
}

/// Which scenario the variables and rows of a problem are of.
class Whose {
 public:
  explicit Whose(const Model& model) : model_(model), models_(ir::models_of(model.problem)) {
    const bolza_problem& problem = model.abi();
    for (std::size_t k = 0; k < models_.size(); ++k) {
      const ir::Problem& m = *models_[k];
      const bolza_function& f = *problem.models[problem.phases[k].model]->residuals;
      of_residuals_.push_back(scenarios_of_rows(model, f, m.residual_rows, 0, [&](std::size_t c) {
        return c < f.n_point ? of_point(m, c) : variable(m.shared[c - f.n_point]);
      }));
    }
    const ir::Problem& p = model.problem;
    const bolza_function& f = *problem.point;
    of_constraints_ = scenarios_of_rows(model, f, p.point_rows, 1, [&](std::size_t c) {
      return c < f.n_point ? of_value(p.values[c]) : variable(p.shared[c - f.n_point]);
    });
  }

  std::optional<std::size_t> residual(std::size_t phase, std::size_t row) const { return of_residuals_[phase][row]; }
  std::optional<std::size_t> constraint(std::size_t row) const { return of_constraints_[row]; }
  std::optional<std::size_t> variable(ir::VariableId id) const { return scenario_of(model_, id); }

  /// Of what a finding is about: a row or a variable by its name and place.
  std::optional<std::size_t> of(const abi::Finding& finding) const {
    auto is = [&](const char* name, const bolza_source& source) {
      return name && finding.name == name && finding.line == source.line && finding.column == source.column;
    };
    const bolza_problem& problem = model_.abi();
    for (std::size_t k = 0; k < of_constraints_.size(); ++k)
      if (is(problem.point->rows[1 + k].name, problem.point->rows[1 + k].source)) return of_constraints_[k];
    for (std::size_t p = 0; p < models_.size(); ++p) {
      const bolza_model& m = *problem.models[problem.phases[p].model];
      for (std::size_t r = 0; r < of_residuals_[p].size(); ++r)
        if (is(m.residuals->rows[r].name, m.residuals->rows[r].source)) return of_residuals_[p][r];
      for (std::size_t k = 0; k < m.n_x; ++k)
        if (is(m.x[k].name, m.x[k].source)) return variable(models_[p]->x[k]);
      for (std::size_t k = 0; k < m.n_z; ++k)
        if (is(m.z[k].name, m.z[k].source)) return variable(models_[p]->z[k]);
    }
    return {};
  }

 private:
  std::optional<std::size_t> of_point(const ir::Problem& m, std::size_t position) const {
    if (position == 0) return {};
    for (const std::vector<ir::VariableId>* list : {&m.x, &m.z, &m.u}) {
      if (position <= list->size()) return variable((*list)[position - 1]);
      position -= list->size();
    }
    return {};
  }
  std::optional<std::size_t> of_value(const ir::PointValue& value) const {
    if (value.quantity == ir::PointQuantity::integral) return {};
    const ir::Problem& m = *models_[model_.problem.places[value.place].phase];
    const std::vector<ir::VariableId>& list = value.quantity == ir::PointQuantity::algebraic ? m.z
                                              : value.quantity == ir::PointQuantity::control ? m.u
                                                                                             : m.x;
    return variable(list[value.index]);
  }

  const Model& model_;
  std::vector<const ir::Problem*> models_;
  std::vector<std::vector<std::optional<std::size_t>>> of_residuals_;  ///< [phases][n_z + n_g]
  std::vector<std::optional<std::size_t>> of_constraints_;             ///< [n_k]
};

void add(Weights& weights, std::optional<std::size_t> scenario, double amount) {
  if (scenario && amount != 0) weights[*scenario] += std::fabs(amount);
}

/// Multipliers of the path constraints over time, of the point constraints, of bounds: of each interval where they are
/// known, else the largest.
Weights weights_of(const Model& model, const abi::Solution& solution) {
  const bolza_problem& problem = model.abi();
  const Whose whose(model);
  std::vector<const ir::Problem*> models = ir::models_of(model.problem);
  Weights weights;
  bool of_intervals = true;
  for (std::size_t p = 0; p < solution.phases.size(); ++p) {
    const bolza_model& m = *problem.models[problem.phases[p].model];
    const abi::Trajectories& t = solution.phases[p].trajectories;
    for (std::size_t j = 0; j < t.path_multiplier.size(); ++j) {
      double sum = 0;
      for (std::size_t k = 1; k < t.time.size(); ++k)
        sum += 0.5 * (t.time[k] - t.time[k - 1]) *
               (std::fabs(t.path_multiplier[j][k]) + std::fabs(t.path_multiplier[j][k - 1]));
      add(weights, whose.residual(p, m.n_z + j), sum);
    }
    const std::vector<std::vector<double>>& bounds = solution.phases[p].interval_multiplier;
    of_intervals = of_intervals && !bounds.empty();
    for (std::size_t j = 0; j < std::min(bounds.size(), m.n_x + m.n_z); ++j) {
      ir::VariableId id = j < m.n_x ? models[p]->x[j] : models[p]->z[j - m.n_x];
      add(weights, whose.variable(id), std::accumulate(bounds[j].begin(), bounds[j].end(), 0.0));
    }
  }
  for (std::size_t k = 0; k < solution.point_multipliers.size(); ++k)
    add(weights, whose.constraint(k), solution.point_multipliers[k]);
  for (const abi::Finding& finding : solution.findings)
    if (finding.kind == abi::Finding::Kind::at_bound && !of_intervals) add(weights, whose.of(finding), finding.amount);
  return weights;
}

Weights violations_of(const Model& model, const abi::Solution& solution) {
  const Whose whose(model);
  Weights weights;
  for (const abi::Finding& finding : solution.findings)
    if (finding.kind == abi::Finding::Kind::violated) add(weights, whose.of(finding), finding.amount);
  return weights;
}

}  // namespace

Result<SolveOutcome> solve_with_chance(std::unique_ptr<Model>& model, const SolveRequest& request) {
  Result<SolveOutcome> best = solve(*model, request);
  if (!best) return best;
  constexpr double unfelt = 1e-6;  // of the largest weight: a barrier leaves so much on constraints that are not active
  double left = 1 - model->request.scenarios.chance, largest = 0;
  while (true) {
    bool solved = abi::is_solution(best->solution.status);
    Weights weights = solved ? weights_of(*model, best->solution) : violations_of(*model, best->solution);
    Result<ir::ScenarioTable> table = read_scenarios(model->request.scenarios, model->sources, model->diagnostics);
    if (!table) return model->diagnostics.already_reported();
    std::optional<std::size_t> heaviest;
    for (auto [s, weight] : weights) {
      largest = std::max(largest, weight);
      bool may_go = table->weights[s] <= left + 1e-12 && !model->request.scenarios.excused.contains(s);
      if (may_go && (!heaviest || weight > weights[*heaviest])) heaviest = s;
    }
    if (!heaviest || weights[*heaviest] <= unfelt * largest) return best;
    LoadRequest load = model->request;
    load.scenarios.excused.insert(*heaviest);
    auto next = std::make_unique<Model>();
    if (!next->load(load)) {
      model = std::move(next);
      return model->diagnostics.already_reported();
    }
    if (!next->compile({.calls = codegen::Calls::both})) {
      model = std::move(next);
      return model->diagnostics.already_reported();
    }
    std::vector<result::ResultTable> from{whole_table(*model, best->solution)};
    abi::Solution guess = result::restore(next->abi(), from).solution;
    SolveRequest again = request;
    again.guess = solved ? &guess : nullptr;
    Result<SolveOutcome> own = solve(*next, again);
    if (own && solved && !abi::is_solution(own->solution.status)) return solve(*model, request);  // what was found stays
    model = std::move(next);
    if (!own) return own;
    left -= table->weights[*heaviest];
    best = std::move(own);
  }
}

}  // namespace bolza::workflow
