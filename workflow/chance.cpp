#include "workflow/chance.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/numbers.h"
#include "runtime/result/restore.h"
#include "workflow/mode_sequence.h"

namespace bolza::workflow {
namespace {

/// What a scenario's constraints weigh.
using Weights = std::map<std::size_t, double>;

/// The scenario of "x <= 1 [scenario = 3]" or "scenario[3].x", from 0 on; none.
std::optional<std::size_t> scenario_of(std::string_view name) {
  for (std::string_view word : {"scenario = ", "scenario["}) {
    std::size_t at = name.find(word);
    if (at == std::string_view::npos) continue;
    std::size_t number = 0;
    for (at += word.size(); at < name.size() && name[at] >= '0' && name[at] <= '9'; ++at)
      number = 10 * number + static_cast<std::size_t>(name[at] - '0');
    if (number > 0) return number - 1;
  }
  return {};
}

void add(Weights& weights, const char* name, double amount) {
  if (!name || amount == 0) return;
  if (auto s = scenario_of(name)) weights[*s] += std::fabs(amount);
}

/// Multipliers of the path constraints over time, of the point constraints, of bounds.
Weights weights_of(const Model& model, const abi::Solution& solution) {
  const bolza_problem& problem = model.abi();
  Weights weights;
  for (std::size_t p = 0; p < solution.phases.size(); ++p) {
    const bolza_model& m = *problem.models[problem.phases[p].model];
    const abi::Trajectories& t = solution.phases[p].trajectories;
    for (std::size_t j = 0; j < t.path_multiplier.size(); ++j) {
      double sum = 0;
      for (std::size_t k = 1; k < t.time.size(); ++k)
        sum += 0.5 * (t.time[k] - t.time[k - 1]) *
               (std::fabs(t.path_multiplier[j][k]) + std::fabs(t.path_multiplier[j][k - 1]));
      add(weights, m.residuals->rows[m.n_z + j].name, sum);
    }
  }
  for (std::size_t k = 0; k < solution.point_multipliers.size(); ++k)
    add(weights, problem.point->rows[1 + k].name, solution.point_multipliers[k]);
  for (const abi::Finding& finding : solution.findings)
    if (finding.kind == abi::Finding::Kind::at_bound && finding.name.find("scenario[") == 0)
      add(weights, finding.name.c_str(), finding.amount);
  return weights;
}

Weights violations_of(const abi::Solution& solution) {
  Weights weights;
  for (const abi::Finding& finding : solution.findings)
    if (finding.kind == abi::Finding::Kind::violated) add(weights, finding.name.c_str(), finding.amount);
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
    Weights weights = solved ? weights_of(*model, best->solution) : violations_of(best->solution);
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
    if (!next->load(load)) return model = std::move(next), model->diagnostics.already_reported();
    if (!next->compile({.calls = codegen::Calls::both}))
      return model = std::move(next), model->diagnostics.already_reported();
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
