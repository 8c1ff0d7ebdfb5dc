// SPDX-License-Identifier: Apache-2.0
#include "workflow/simulate/simulate.h"

#include <charconv>
#include <cmath>
#include <filesystem>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/numbers.h"
#include "compiler/codegen/compile.h"
#include "runtime/integrate/codes.h"
#include "runtime/result/file.h"
#include "workflow/codes.h"
#include "workflow/file_stem.h"
#include "workflow/nonfinite_result.h"
#include "workflow/simulate/dynamic_state_selection.h"
#include "workflow/simulate/simulation_page.h"
#include "workflow/simulate_failure.h"
#include "workflow/solve/method/solver.h"

namespace bolza::workflow {
namespace {

/// "u [m]" in a table next to the model's `input Real u(unit = "m")`. One without a unit fits any.
Result<Done> check_unit(const bolza_variable& u, const result::ResultVariable& column, Diagnostics& diagnostics) {
  std::string unit = u.unit ? u.unit : "";
  if (unit.empty() || column.unit.empty() || unit == column.unit) return Done{};
  return diagnostics.error(unit_differs, {}, {u.name, column.unit, u.name, unit},
                           {{{}, "the column's numbers have to be in `" + unit + "`"}});
}

Reported no_value(const std::string& path, const std::string& input, double time, Diagnostics& diagnostics) {
  return diagnostics.error(table_malformed, {},
                           {"`" + path + "` has no value of the input `" + input + "` at " + shown(time)});
}

/// The model's inputs as piecewise linear functions of a table's time.
Result<integrate::Inputs> read_inputs(Model& model, const std::string& path, double start, double stop) {
  auto table = result::read_result(path, model.sources, model.diagnostics);
  if (!table) return model.diagnostics.already_reported();
  const bolza_model& m = *model.abi().models[0];
  std::vector<std::vector<double>> u(m.n_u - (m.hybrid ? m.hybrid->n_delays : 0));  // the last ones are delayed values
  for (std::size_t k = 0; k < u.size(); ++k) {
    const result::ResultVariable* v = result::find(*table, m.u[k].name);
    if (!v) return model.diagnostics.error(input_missing, {}, {path, m.u[k].name});
    if (!path.ends_with(".mat") && !check_unit(m.u[k], *v, model.diagnostics)) return model.diagnostics.already_reported();
    bool has_gaps = v->constant && table->time.size() > 1;  // a value in the first row alone, as parameters of results have
    if (!path.ends_with(".mat") && has_gaps) return no_value(path, m.u[k].name, table->time[1], model.diagnostics);
    u[k] = result::values(*table, *v);
    for (std::size_t i = 0; i < u[k].size(); ++i)
      if (!std::isfinite(u[k][i])) return no_value(path, m.u[k].name, table->time[i], model.diagnostics);
  }
  integrate::Inputs inputs;
  const std::vector<double>& time = table->time;
  auto hold = [&](double from, double to, std::size_t row) {
    integrate::InputPiece piece{from, to, {from}, {}};
    for (const std::vector<double>& values : u) piece.values.push_back({values[row]});
    inputs.pieces.push_back(std::move(piece));
  };
  double slack = 1e-9 * std::max(stop - start, std::max(std::fabs(start), std::fabs(stop)));
  if (start < time.front() - slack || stop > time.back() + slack)
    model.diagnostics.warning(integrate::input_short, {},
                              {path, shown(time.front()), shown(time.back()), shown(start), shown(stop)});
  if (start < time.front()) hold(start, std::min(stop, time.front()), 0);
  for (std::size_t i = 0; i + 1 < time.size(); ++i) {  // a time that stands twice makes a jump
    double from = std::max(start, time[i]), to = std::min(stop, time[i + 1]);
    bool has_moment = start == stop && from == to && time[i] < time[i + 1];
    if (!(from < to) && !has_moment) continue;
    if (has_moment) inputs.pieces.clear();  // the one that begins then is right
    integrate::InputPiece piece{from, to, {time[i], time[i + 1]}, {}};
    for (const std::vector<double>& values : u) piece.values.push_back({values[i], values[i + 1]});
    inputs.pieces.push_back(std::move(piece));
  }
  if (stop > time.back() || inputs.pieces.empty()) hold(std::max(start, time.back()), stop, time.size() - 1);
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

/// Before they are made: what the output times would take is not more than the trajectory may.
Result<Done> check_outputs(Model& model, double start, double stop, double step, double most_megabytes) {
  if (!(step > 0)) return Done{};
  const bolza_model& m = *model.abi().models[0];
  std::size_t columns = 1 + 2 * m.n_x + m.n_z + m.n_u + m.n_outputs;
  double times = (stop - start) / step, megabytes = 8e-6 * times * static_cast<double>(columns);
  if (megabytes <= most_megabytes) return Done{};
  return model.diagnostics.error(too_many_outputs, {},
                                 {shown(times), std::to_string(columns), shown(megabytes), shown(most_megabytes)});
}

void choose_start(const std::string& word, integrate::SimulateOptions& options) {
  using nonlinear::StartSolver;
  if (word == "kinsol") options.start_options.solver = StartSolver::kinsol;
  if (word == "newton") options.start_options.solver = StartSolver::newton;
  if (word == "ipopt") options.start_options.solver = StartSolver::optimiser;
  if (word == "idas") options.start_mode = integrate::StartMode::from_states;
  if (word == "idas-steady") options.start_mode = integrate::StartMode::at_rest;
}

std::vector<std::pair<std::string, double>> final_values_of(const result::ResultTable& table) {
  std::vector<std::pair<std::string, double>> values;
  for (const result::ResultVariable& v : table.variables)
    if (!table.time.empty() && !v.constant && result::is_simulated(v.role))
      values.emplace_back(v.name, result::value(table, v, table.time.size() - 1));
  return values;
}

Result<Done> write(Model& model, const SimulateRequest& request, const result::ResultTable& table,
                   SimulateOutcome& outcome) {
  Writing writing;
  std::string path = request.output.empty() ? file_stem(model.class_name) + ".mat" : request.output;
  if (!result::write_result(table, path, model.diagnostics)) return model.diagnostics.already_reported();
  outcome.result = path;
  if (!request.csv.empty()) {
    if (!result::write_result(table, request.csv, model.diagnostics)) return model.diagnostics.already_reported();
    outcome.csv = request.csv;
  }
  if (request.report.empty()) return Done{};
  outcome.page = request.report;
  return result::write_file(request.report, simulation_page(model.class_name, outcome, table), model.diagnostics);
}

/// Inputs keep their start where no file has their values.
std::vector<std::pair<std::string, double>> held_inputs(const Model& model) {
  const bolza_model& m = *model.abi().models[0];
  std::vector<std::pair<std::string, double>> held;
  for (std::size_t k = 0; k < m.n_u && k < model.problem.u.size(); ++k)
    if (ir::variable_of(model.problem.flat, model.problem.u[k]).kind == ir::VariableKind::input)
      held.emplace_back(m.u[k].name, m.u[k].start);
  return held;
}

}  // namespace

Result<SimulateOutcome> simulate(Model& model, const SimulateRequest& request) {
  driver::Options options = model.annotated;
  options.merge(request.options);
  auto library = solver_library(model.diagnostics);
  if (!library) return model.diagnostics.already_reported();
  if (!check_names(options, **library, model.diagnostics)) return model.diagnostics.already_reported();
  SimulateOutcome outcome;
  auto began = Clock::now();
  if (!model.compile({.calls = codegen::Calls::one})) return model.diagnostics.already_reported();
  const double* shared = model.abi().models[0]->shared_values;
  outcome.start = request.start.value_or(shared[0]);
  outcome.stop = request.stop.value_or(shared[1]);
  if (!(outcome.stop >= outcome.start))
    return model.diagnostics.error(empty_horizon, {}, {exact_text(outcome.start), exact_text(outcome.stop)});
  integrate::SimulateOptions simulate;
  if (options.has("integrator")) simulate.method = options.text("integrator");
  choose_start(options.text("initialization"), simulate);
  simulate.start = outcome.start;
  simulate.final = outcome.stop;
  simulate.rtol = options.has("rtol") ? options.number("rtol") : options.has("tol") ? options.number("tol") : 1e-6;
  simulate.measures_sizes = simulate.looks_ahead = true;
  constexpr double usual_megabytes = 1000;
  double most = request.max_result > 0 ? request.max_result : usual_megabytes;
  if (!check_outputs(model, outcome.start, outcome.stop, request.step, most)) return model.diagnostics.already_reported();
  simulate.output_times = output_times(outcome.start, outcome.stop, request.step);
  simulate.budget = request.budget;
  simulate.act = act_of(model);
  if (request.progress) simulate.progress = [&](double t) { request.progress(t, outcome.stop); };
  if (!request.input_file.empty()) {
    auto inputs = read_inputs(model, request.input_file, outcome.start, outcome.stop);
    if (!inputs) return model.diagnostics.already_reported();
    simulate.inputs = *std::move(inputs);
  } else {
    outcome.held = held_inputs(model);
  }
  for (const auto& [name, value] : request.method_options)
    if (!set_method_option(simulate.method_options, name, value, **library, model.diagnostics))
      return model.diagnostics.already_reported();
  std::error_code ignored;
  std::filesystem::path folder = std::filesystem::current_path(ignored);  // a model may change it
  auto runs = simulate_selecting_states(model, **library, simulate);
  std::filesystem::current_path(folder, ignored);
  if (!runs) return model.diagnostics.already_reported();
  outcome.report = runs->back().simulation.report;
  outcome.choices = runs->size();
  outcome.status = (*library)->name_of(outcome.report.status);
  outcome.seconds_compile = seconds_since(began) - outcome.report.seconds;
  report_messages(model, outcome.report);
  report_failure(model, outcome.report);
  if (outcome.report.status == integrate::SimulateStatus::bad_method) return model.diagnostics.already_reported();
  result::ResultTable table = joined(*runs);
  outcome.final = final_values_of(table);
  if (request.files && !write(model, request, table, outcome)) return model.diagnostics.already_reported();
  if (outcome.report.finished() && report_nonfinite_value(model, table)) {
    outcome.report.status = integrate::SimulateStatus::nonfinite;
    outcome.status = (*library)->name_of(outcome.report.status);
  }
  outcome.table = std::move(table);
  outcome.seconds_total = seconds_since(model.began);
  return outcome;
}

}  // namespace bolza::workflow
