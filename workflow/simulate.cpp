#include "workflow/simulate.h"

#include <charconv>
#include <cmath>

#include "compiler/codegen/compile.h"
#include "runtime/result/file.h"
#include "workflow/codes.h"
#include "workflow/report.h"
#include "workflow/simulate_failure.h"
#include "workflow/solver.h"

namespace bolza::workflow {
namespace {

double seconds_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

std::string number(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

/// The model's inputs as piecewise linear functions of a table's time.
Result<integrate::Inputs> read_inputs(Model& model, const std::string& path, double start, double stop) {
  auto table = result::read_result(path, model.diagnostics);
  if (!table) return model.diagnostics.already_reported();
  const bolza_model& m = *model.abi().models[0];
  std::vector<std::vector<double>> u(m.n_u);
  for (std::size_t k = 0; k < m.n_u; ++k) {
    const result::Variable* v = result::find(*table, m.u[k].name);
    if (!v) return model.diagnostics.error(input_missing, {}, {path, m.u[k].name});
    u[k] = result::values(*table, *v);
  }
  integrate::Inputs inputs;
  const std::vector<double>& time = table->time;
  auto hold = [&](double from, double to, std::size_t row) {
    integrate::InputPiece piece{from, to, {from}, {}};
    for (const std::vector<double>& values : u) piece.values.push_back({values[row]});
    inputs.pieces.push_back(std::move(piece));
  };
  if (start < time.front()) hold(start, std::min(stop, time.front()), 0);
  for (std::size_t i = 0; i + 1 < time.size(); ++i) {  // a time that stands twice makes a jump
    double from = std::max(start, time[i]), to = std::min(stop, time[i + 1]);
    if (!(from < to)) continue;
    integrate::InputPiece piece{from, to, {time[i], time[i + 1]}, {}};
    for (const std::vector<double>& values : u) piece.values.push_back({values[i], values[i + 1]});
    inputs.pieces.push_back(std::move(piece));
  }
  if (stop > time.back()) hold(std::max(start, time.back()), stop, time.size() - 1);
  return inputs;
}

std::vector<double> output_times(double start, double stop, double step) {
  std::vector<double> times;
  if (step <= 0) return times;
  auto n = static_cast<std::size_t>(std::ceil((stop - start) / step - 1e-9));
  for (std::size_t k = 0; k < n; ++k) times.push_back(start + step * static_cast<double>(k));
  times.push_back(stop);
  return times;
}

/// The simulation in the form in which results are written.
abi::Solution as_solution(const Model& model, const SimulateOutcome& outcome, integrate::Simulation& simulation) {
  abi::Solution solution;
  const bolza_problem& problem = model.abi();
  for (std::size_t k = 0; k < problem.n_parameters; ++k) {
    const bolza_variable& p = problem.parameters[k];
    solution.parameters.push_back(p.fixed || !p.has_guess ? p.start : p.guess);
  }
  solution.status = outcome.report.finished() ? abi::SolveStatus::solved : abi::SolveStatus::failed;
  abi::PhaseSolution phase;
  phase.start_time = outcome.start, phase.final_time = outcome.stop;
  phase.trajectories = std::move(simulation.trajectories);
  solution.phases.push_back(std::move(phase));
  return solution;
}

Result<Done> write(Model& model, const SimulateRequest& request, const abi::Solution& solution, SimulateOutcome& outcome) {
  result::ResultTable table = result::make_table(model.abi(), solution, 0);
  std::string path = request.output.empty() ? file_stem(model.class_name) + ".mat" : request.output;
  if (!result::write_result(table, path, model.diagnostics)) return model.diagnostics.already_reported();
  outcome.result = path;
  if (!request.csv.empty()) {
    if (!result::write_result(table, request.csv, model.diagnostics)) return model.diagnostics.already_reported();
    outcome.csv = request.csv;
  }
  if (table.time.empty()) return Done{};
  for (const result::Variable& v : table.variables)
    if (!v.constant && (v.role == result::Role::state || v.role == result::Role::algebraic || v.role == result::Role::auxiliary))
      outcome.final.emplace_back(v.name, result::value(table, v, table.time.size() - 1));
  return Done{};
}

}  // namespace

Result<SimulateOutcome> simulate(Model& model, const SimulateRequest& request) {
  driver::Options options = model.annotated;
  options.merge(request.options);
  auto library = solver_library(model.diagnostics);
  if (!library) return model.diagnostics.already_reported();
  if (!check_names(options, **library, model.diagnostics)) return model.diagnostics.already_reported();
  SimulateOutcome outcome;
  auto began = std::chrono::steady_clock::now();
  if (!model.compile({.single = true})) return model.diagnostics.already_reported();
  const double* shared = model.abi().models[0]->shared_values;
  outcome.start = request.start.value_or(shared[0]), outcome.stop = request.stop.value_or(shared[1]);
  if (!(outcome.stop > outcome.start)) return model.diagnostics.error(empty_horizon, {}, {number(outcome.start), number(outcome.stop)});
  integrate::SimulateOptions simulate;
  if (options.has("integrator")) simulate.method = options.text("integrator");
  simulate.start = outcome.start, simulate.final = outcome.stop;
  simulate.rtol = options.has("rtol") ? options.number("rtol") : options.has("tol") ? options.number("tol") : 1e-6;
  simulate.output_times = output_times(outcome.start, outcome.stop, request.step);
  simulate.interrupt = request.interrupt;
  if (request.progress) simulate.progress = [&](double t) { request.progress(t, outcome.stop); };
  if (!request.input_file.empty()) {
    auto inputs = read_inputs(model, request.input_file, outcome.start, outcome.stop);
    if (!inputs) return model.diagnostics.already_reported();
    simulate.inputs = *std::move(inputs);
  }
  integrate::Simulation simulation = (*library)->simulate(model.abi(), 0, simulate);
  outcome.report = simulation.report;
  outcome.status = (*library)->name_of(outcome.report.status);
  outcome.seconds_compile = seconds_since(began) - simulation.report.seconds;
  report_failure(model, outcome.report);
  if (outcome.report.status == integrate::SimulateStatus::bad_method) return model.diagnostics.already_reported();
  abi::Solution solution = as_solution(model, outcome, simulation);
  if (!write(model, request, solution, outcome)) return model.diagnostics.already_reported();
  outcome.seconds_total = seconds_since(model.began);
  return outcome;
}

}  // namespace bolza::workflow
