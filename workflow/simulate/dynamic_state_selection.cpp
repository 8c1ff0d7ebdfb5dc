// SPDX-License-Identifier: Apache-2.0
#include "workflow/simulate/dynamic_state_selection.h"

#include <algorithm>
#include <cmath>

#include "compiler/codegen/compile.h"
#include "workflow/nonfinite.h"

namespace bolza::workflow {
namespace {

constexpr std::size_t most_runs = 10000;
constexpr double early = 0.05;  ///< as choices are judged when they are made (passes::ColumnChoice::tolerance)

using Point = std::map<std::string, double, std::less<>>;

/// The simulation in the form in which results are written.
abi::Solution as_solution(const bolza_problem& problem, const integrate::SimulateOptions& options,
                          const integrate::Simulation& simulation) {
  abi::Solution solution;
  for (std::size_t k = 0; k < problem.n_parameters; ++k) {
    const bolza_variable& p = problem.parameters[k];
    solution.parameters.push_back(p.fixed || !p.has_guess ? p.start : p.guess);
  }
  if (options.start) solution.parameters[0] = *options.start;
  if (options.final) solution.parameters[1] = *options.final;
  solution.status = simulation.report.finished() ? abi::SolveStatus::solved : abi::SolveStatus::failed;
  abi::PhaseSolution phase;
  phase.start_time = solution.parameters[0];
  phase.final_time = solution.parameters[1];
  phase.trajectories = simulation.trajectories;
  solution.phases.push_back(std::move(phase));
  return solution;
}

Point last_values(const result::ResultTable& table) {
  Point point;
  std::size_t last = table.time.size() - 1;
  point["time"] = table.time[last];
  for (const result::ResultVariable& v : table.variables)
    point[v.name] = v.constant ? v.value : result::value(table, v, last);
  return point;
}

std::vector<double> values_of(const bolza_variable* variables, std::size_t n, const Point& point) {
  std::vector<double> values;
  for (std::size_t k = 0; k < n; ++k) {
    auto at = point.find(variables[k].name);
    values.push_back(at == point.end() ? variables[k].guess : at->second);
  }
  return values;
}

bool can_choose_again(const Model& model) {
  const auto& choices = model.problem.structure.choices;
  return std::any_of(choices.begin(), choices.end(), [](const ir::StateChoice& c) { return !c.is_constant; });
}

/// Is it a failure that another choice of states may get over?
bool may_be_singular(integrate::SimulateStatus status) {
  using enum integrate::SimulateStatus;
  return status == singular_states || status == error_test || status == convergence;
}

std::vector<std::string> state_names(const Model& model) {
  std::vector<std::string> names;
  for (ir::VariableId x : model.problem.x) names.push_back(ir::name_of(model.problem.flat, x));
  return names;
}

/// Models with their choices of states.
class Choices {
 public:
  explicit Choices(Model& first) : first_(first) { known_[state_names(first)] = &first; }

  /// The model with states that are good at the point; null when that is the present one, or when it cannot be made.
  Model* at(const Point& point, const Model& present) {
    auto fresh = std::make_unique<Model>();
    LoadRequest request = first_.request;
    request.point = point;
    if (!fresh->load(request)) return nullptr;
    auto [known, is_new] = known_.try_emplace(state_names(*fresh), fresh.get());
    if (!is_new) return known->second == &present ? nullptr : known->second;
    if (!fresh->compile({.calls = codegen::Calls::one})) return nullptr;
    made_.push_back(std::move(fresh));
    return known->second;
  }

 private:
  Model& first_;
  std::vector<std::unique_ptr<Model>> made_;
  std::map<std::vector<std::string>, Model*> known_;
};

void add_counters(integrate::SimulateReport& to, const integrate::SimulateReport& from) {
  to.steps += from.steps;
  to.evaluations += from.evaluations;
  to.jacobians += from.jacobians;
  to.factorisations += from.factorisations;
  to.newton_iterations += from.newton_iterations;
  to.error_failures += from.error_failures;
  to.convergence_failures += from.convergence_failures;
  to.restarts += from.restarts;
  to.state_events += from.state_events;
  to.time_events += from.time_events;
  to.seconds += from.seconds;
  to.warnings.insert(to.warnings.begin(), from.warnings.begin(), from.warnings.end());
}

/// The values of a point as those with which a run begins.
void start_at(integrate::SimulateOptions& options, const Point& point, const bolza_model& model) {
  options.start = point.at("time");
  options.x = values_of(model.x, model.n_x, point);
  options.z = values_of(model.z, model.n_z, point);
  options.discrete.clear();
  for (std::size_t k = 0; model.hybrid && k < model.hybrid->n_m; ++k)
    options.discrete.push_back(values_of(&model.hybrid->discrete[k].variable, 1, point)[0]);
}

/// The present options, continued from a point.
void continue_from(integrate::SimulateOptions& options, const Point& point, const bolza_model& model) {
  start_at(options, point, model);
  double t = point.at("time");
  std::erase_if(options.output_times, [&](double time) { return time <= t; });
  if (options.inputs)
    std::erase_if(options.inputs->pieces, [&](const integrate::InputPiece& piece) { return piece.end <= t; });
}

/// Loops of functions that an interrupt ended leave no number: it is the interrupt that stopped the simulation.
void note_interrupt(integrate::SimulateReport& report, const integrate::SimulateOptions& options) {
  if (!options.budget.ended() || report.finished()) return;
  using enum integrate::SimulateStatus;
  report.status = options.budget.over() ? time_limit : interrupted;
  report.finding = {};
  report.message.clear();
}

/// Where implicit equations may start: a consistent point of the explicit form, in which hidden constraints stand in the
/// open and most algebraics follow from others. The simulation failed when there is none.
SelectionRun start_of_explicit(const Model& model, const SolverLibrary& library, integrate::SimulateOptions options) {
  Model form;
  LoadRequest request = model.request;
  request.form = passes::Form::explicit_rates;
  SelectionRun run;
  if (!form.load(request) || !form.compile({.calls = codegen::Calls::one})) {
    run.simulation.report.status = integrate::SimulateStatus::bad_method;
    run.simulation.report.message = "it starts from the explicit form, which cannot be made: `bolza check` says why";
    return run;
  }
  if (!options.start) options.start = form.abi().models[0]->shared_values[0];
  options.final = options.start;
  options.intervals = 0;
  options.method.clear();
  options.output_times.clear();
  run.simulation = library.simulate(form.abi(), 0, options);
  note_interrupt(run.simulation.report, options);
  explain(run.simulation.report.finding, form, &run.simulation.report.message);
  run.table = result::make_table(form.abi(), as_solution(form.abi(), options, run.simulation), 0);
  return run;
}

}  // namespace

Result<std::vector<SelectionRun>> simulate_selecting_states(Model& model, const SolverLibrary& library,
                                                            integrate::SimulateOptions options) {
  Choices choices(model);
  Model* present = &model;
  std::vector<SelectionRun> runs;
  integrate::SimulateReport total;
  options.watch_states = can_choose_again(model);
  options.state_margin = early;
  if (const bolza_model& m = *model.abi().models[0]; model.is_implicit) {
    SelectionRun begin = start_of_explicit(model, library, options);
    if (begin.simulation.report.finished()) start_at(options, last_values(begin.table), m);
    else if (m.index > 1) {
      runs.push_back(std::move(begin));
      return runs;
    }
  }
  while (true) {
    SelectionRun run{library.simulate(present->abi(), 0, options), {}};
    note_interrupt(run.simulation.report, options);
    run.table = result::make_table(present->abi(), as_solution(present->abi(), options, run.simulation), 0);
    explain(run.simulation.report.finding, *present, &run.simulation.report.message);
    add_counters(run.simulation.report, total);
    total = run.simulation.report;
    bool moved = runs.empty() ||
                 options.start.value_or(-INFINITY) < run.simulation.report.time;  // the first may fail where it begins
    bool goes_on =
        may_be_singular(run.simulation.report.status) && moved && !run.table.time.empty() && can_choose_again(model);
    runs.push_back(std::move(run));
    if (!goes_on || runs.size() >= most_runs) break;
    Point point = last_values(runs.back().table);
    Model* other = choices.at(point, *present);
    bool watched = options.watch_states;
    if (!other && !watched) break;
    options.watch_states = other != nullptr;  // nothing better: the integrator may still get through
    if (other) present = other;
    continue_from(options, point, *present->abi().models[0]);
  }
  return runs;
}

result::ResultTable joined(std::vector<SelectionRun>& runs) {
  if (runs.size() == 1) return std::move(runs[0].table);
  const result::ResultTable& first = runs[0].table;
  result::ResultTable all;
  all.name = first.name;
  all.metadata = first.metadata;
  std::vector<std::size_t> begin(runs.size(), 0);  // a run begins where the one before it ended: that time is there already
  for (std::size_t l = 0; l < runs.size(); ++l) {
    const std::vector<double>& time = runs[l].table.time;
    while (l > 0 && begin[l] < time.size() && !all.time.empty() && time[begin[l]] <= all.time.back()) ++begin[l];
    all.time.insert(all.time.end(), time.begin() + static_cast<std::ptrdiff_t>(begin[l]), time.end());
  }
  for (const result::ResultVariable& v : first.variables) {
    result::ResultVariable whole = v;
    whole.sign = 1;
    if (!v.constant) {
      std::vector<double> column;
      for (std::size_t l = 0; l < runs.size(); ++l) {
        const result::ResultVariable* part = result::find(runs[l].table, v.name);
        for (std::size_t k = begin[l]; k < runs[l].table.time.size(); ++k)
          column.push_back(part ? (part->constant ? part->value : result::value(runs[l].table, *part, k)) : std::nan(""));
      }
      all.columns.push_back(std::move(column));
      whole.column = all.columns.size() - 1;
    }
    all.variables.push_back(std::move(whole));
  }
  return all;
}

}  // namespace bolza::workflow
