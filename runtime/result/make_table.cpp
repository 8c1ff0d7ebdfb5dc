// SPDX-License-Identifier: Apache-2.0
// From a solution to a table: the model's own variables first, then what the method adds (costates, multipliers), then
// constants.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <unordered_set>

#include "base/expects.h"
#include "base/numbers.h"
#include "runtime/abi/aligned.h"
#include "runtime/abi/evaluate.h"
#include "runtime/result/table.h"

namespace bolza::result {
namespace {

std::string text(const char* s) { return s ? s : ""; }

struct Builder {
  const bolza_problem& problem;
  const bolza_model& model;
  const abi::Trajectories& trajectories;
  const std::vector<double>& shared;
  ResultTable table;
  std::unordered_set<std::string> names;
  std::vector<std::size_t> point_column;  // column of point row k, npos when the solution lacks it
  std::vector<std::size_t> rate_column;
  std::vector<bool> at_events;             // entries of shared that events change: no parameters
  std::vector<std::size_t> shared_column;  // of entries that hold a discrete value; npos: one value for all times
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

  std::size_t times() const { return trajectories.time.size(); }

  std::size_t add_column(std::vector<double> data) {
    table.columns.push_back(std::move(data));
    return table.columns.size() - 1;
  }

  void add(ResultVariable v) {
    if (names.insert(v.name).second) table.variables.push_back(std::move(v));
  }

  void add_group(const bolza_variable* variables, std::size_t n, const std::vector<std::vector<double>>& data, Role role) {
    for (std::size_t i = 0; i < n; ++i) {
      bool there = i < data.size() && data[i].size() == times();
      point_column.push_back(there ? add_column(data[i]) : npos);
      if (!there) continue;
      const bolza_variable& v = variables[i];
      add({text(v.name), text(v.unit), text(v.description), role, false, 0, point_column.back(), 1, v.min, v.max});
    }
  }

  void mark_entries() {
    at_events.assign(shared.size(), false);
    if (!model.hybrid) return;
    const bolza_hybrid& h = *model.hybrid;
    auto mark = [&](std::int32_t entry) {
      if (entry >= 0) at_events[static_cast<std::size_t>(entry)] = true;
    };
    mark(h.initial);
    mark(h.terminal);
    for (std::size_t k = 0; k < h.n_m; ++k) {
      mark(h.discrete[k].now);
      mark(h.discrete[k].before);
    }
    for (std::size_t k = 0; k < h.n_previous; ++k) mark(h.previous[k].before);
    for (std::size_t k = 0; k < h.n_samples; ++k) mark(h.samples[k].entry);
  }

  void add_discrete() {
    shared_column.assign(shared.size(), npos);
    mark_entries();
    const bolza_hybrid* hybrid = model.hybrid;
    for (std::size_t k = 0; hybrid && k < hybrid->n_m && k < trajectories.discrete.size(); ++k) {
      if (trajectories.discrete[k].size() != times()) continue;
      const bolza_discrete& d = hybrid->discrete[k];
      std::size_t column = add_column(trajectories.discrete[k]);
      shared_column[static_cast<std::size_t>(d.now)] = column;
      if (d.before >= 0) shared_column[static_cast<std::size_t>(d.before)] = column;  // between events both are the same
    }
  }

  // The first time after `begin` at which some discrete value is another.
  std::size_t same_discrete_until(std::size_t begin) const {
    std::size_t end = times();
    for (std::size_t column : shared_column)
      if (column != npos)
        for (std::size_t i = begin + 1; i < end; ++i)
          if (table.columns[column][i] != table.columns[column][begin]) end = i;
    return end;
  }

  // Rows of a function at all times, or nothing when it cannot be evaluated.
  std::vector<std::vector<double>> evaluate(bolza_function* function) {
    if (!function || !function->n_rows || !abi::ensure(problem, *function, BOLZA_VALUE)) return {};
    if (std::find(point_column.begin(), point_column.end(), npos) != point_column.end()) return {};
    std::vector<std::vector<double>> rows(function->n_rows, std::vector<double>(times()));
    std::vector<double> values = shared;
    for (std::size_t begin = 0, end = 0; begin < times(); begin = end) {
      end = same_discrete_until(begin);
      for (std::size_t k = 0; k < values.size(); ++k)
        if (shared_column[k] != npos) values[k] = table.columns[shared_column[k]][begin];
      evaluate_between(*function, begin, end, values, rows);
    }
    return rows;
  }

  void evaluate_between(const bolza_function& function, std::size_t begin, std::size_t end,
                        const std::vector<double>& values, std::vector<std::vector<double>>& rows) {
    std::size_t n = end - begin, ld = abi::padded(n);
    abi::AlignedDoubles point(function.n_point * ld), out(function.kernels[BOLZA_VALUE]->n_out * ld);
    for (std::size_t r = 0; r < function.n_point; ++r)
      std::copy_n(table.columns[point_column[r]].begin() + static_cast<std::ptrdiff_t>(begin), n, point.data() + r * ld);
    abi::evaluate(function, BOLZA_VALUE,
                  {.n = n, .ld = ld, .point = point.data(), .shared = values.data(), .out = out.data()});
    for (std::size_t r = 0; r < rows.size(); ++r)
      std::copy_n(out.data() + r * ld, n, rows[r].begin() + static_cast<std::ptrdiff_t>(begin));
  }

  void add_rates() {
    std::vector<std::vector<double>> rates = trajectories.rate;
    if (rates.size() != model.n_x) rates = evaluate(model.rates);
    for (std::size_t i = 0; i < model.n_x && i < rates.size(); ++i) rate_column.push_back(add_column(rates[i]));
  }

  void name_rates() {
    for (std::size_t i = 0; i < rate_column.size(); ++i) {
      const bolza_variable& v = model.x[i];
      std::string unit = text(v.unit);
      if (!unit.empty()) unit = unit == "1" ? "1/s" : unit + "/s";
      add({"der(" + text(v.name) + ")", unit, "derivative of " + text(v.name), Role::rate, false, 0, rate_column[i], 1});
    }
  }

  void add_series(const bolza_output& output, Role role, std::size_t column) {
    ResultVariable v{text(output.name), text(output.unit), text(output.description), role, false, 0, column, 1};
    if (output.offset == 0 && std::fabs(output.sign) == 1) {
      v.sign = output.sign;
    } else {
      std::vector<double> data = table.columns[column];
      for (double& d : data) d = output.sign * d + output.offset;
      v.column = add_column(std::move(data));
    }
    add(std::move(v));
  }

  void add_results() {
    std::vector<std::vector<double>> rows;
    bool evaluated = false;
    std::vector<std::size_t> column_of_row;
    for (std::size_t i = 0; i < model.n_outputs; ++i) {
      const bolza_output& output = model.results[i];
      std::size_t k = static_cast<std::size_t>(output.index);
      if (output.kind == 3) {
        if (k < shared.size() && shared_column[k] != npos) add_series(output, Role::discrete, shared_column[k]);
        else if (k < shared.size() && !at_events[k]) add_constant(output, shared[k]);
      } else if (output.kind == 2) {
        if (k < rate_column.size()) add_series(output, Role::rate, rate_column[k]);
      } else if (output.kind == 0) {
        if (k < point_column.size() && point_column[k] != npos) add_series(output, Role::auxiliary, point_column[k]);
      } else {
        if (!evaluated) {
          rows = evaluate(model.outputs);
          evaluated = true;
          for (auto& row : rows) column_of_row.push_back(add_column(std::move(row)));
        }
        if (k < column_of_row.size()) add_series(output, Role::auxiliary, column_of_row[k]);
      }
    }
  }

  void add_constant(const bolza_output& output, double x) {
    add({text(output.name), text(output.unit), text(output.description), Role::parameter, true,
         output.sign * x + output.offset, 0, 1});
  }

  void add_costates() {
    for (std::size_t i = 0; i < model.n_x && i < trajectories.costate.size(); ++i)
      if (trajectories.costate[i].size() == times())
        add({"costate(" + text(model.x[i].name) + ")", "", "costate of " + text(model.x[i].name), Role::costate, false, 0,
             add_column(trajectories.costate[i]), 1});
  }

  /// @param phase  its name, "" where there is one
  void add_hamiltonian(const std::string& phase) {
    std::string name = phase.empty() ? "hamiltonian" : phase + ".hamiltonian";
    if (trajectories.hamiltonian.size() == times() && times() > 0 && !names.count(name))
      add({name, "", "Hamiltonian", Role::costate, false, 0, add_column(trajectories.hamiltonian), 1});
  }

  void add_multipliers() {
    for (std::size_t j = 0; j < model.n_g && j < trajectories.path_multiplier.size(); ++j) {
      if (trajectories.path_multiplier[j].size() != times()) continue;
      const bolza_row* rows = model.residuals ? model.residuals->rows : nullptr;
      std::string row = rows ? text(rows[model.n_z + j].name) : "path constraint " + std::to_string(j + 1);
      std::string name = "multiplier(" + row + ")";
      for (int n = 2; names.count(name); ++n) name = "multiplier(" + row + ")#" + std::to_string(n);
      add({name, "", "multiplier of the path constraint " + row, Role::multiplier, false, 0,
           add_column(trajectories.path_multiplier[j]), 1});
    }
  }

  void add_parameters() {
    for (std::size_t i = 0; model.shared && i < model.n_shared; ++i) {
      const bolza_variable& v = model.shared[i];
      if (v.name && *v.name && !at_events[i])
        add({v.name, text(v.unit), text(v.description), Role::parameter, true, shared[i], 0, 1});
    }
  }
};

}  // namespace

namespace {

using Amount = MultiplierAmount;

void add_spread(const std::vector<abi::SpreadMultiplier>& list, std::size_t phase, Amount::Kind kind,
                std::vector<Amount>& out) {
  for (std::size_t i = 0; i < list.size(); ++i)
    for (std::size_t k = 0; k < list[i].amount.size(); ++k)
      if (list[i].amount[k] != 0) out.push_back({phase, kind, i, list[i].from[k], list[i].to[k], list[i].amount[k]});
}

void add_plain(const std::vector<double>& list, std::size_t phase, Amount::Kind kind, std::vector<Amount>& out) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i] != 0) out.push_back({phase, kind, i, 0, 0, list[i]});
}

std::vector<Amount> amounts_of(const abi::Solution& solution, std::size_t phase) {
  std::vector<Amount> out;
  const abi::PhaseMultipliers& m = solution.phases[phase].multipliers;
  add_spread(m.x, phase, Amount::Kind::state, out);
  add_spread(m.z, phase, Amount::Kind::algebraic, out);
  add_spread(m.u, phase, Amount::Kind::control, out);
  add_spread(m.algebraic, phase, Amount::Kind::equation, out);
  add_spread(m.path, phase, Amount::Kind::path, out);
  add_plain(m.initial, phase, Amount::Kind::initial, out);
  if (phase > 0) return out;
  add_plain(solution.point_multipliers, phase, Amount::Kind::point, out);
  add_plain(solution.parameter_multipliers, phase, Amount::Kind::parameter, out);
  return out;
}

}  // namespace

std::vector<double> shared_values(const bolza_problem& problem, const abi::Solution& solution, std::size_t phase) {
  expects(phase < problem.n_phases, "the phase exists");
  const bolza_phase& p = problem.phases[phase];
  const bolza_model& model = *problem.models[p.model];
  std::vector<double> shared;
  const double* data = p.shared_values ? p.shared_values : model.shared_values;
  if (data) shared.assign(data, data + model.n_shared);
  shared.resize(model.n_shared);
  for (std::size_t i = 0; i < model.n_global; ++i) {
    std::size_t k = static_cast<std::size_t>(p.parameter[i]);
    if (k < solution.parameters.size()) shared[i] = solution.parameters[k];
  }
  return shared;
}

ResultTable make_table(const bolza_problem& problem, const abi::Solution& solution, std::size_t phase) {
  expects(phase < solution.phases.size(), "the solution has the phase");
  const bolza_model& model = *problem.models[problem.phases[phase].model];
  std::vector<double> shared = shared_values(problem, solution, phase);
  const abi::PhaseSolution& solved = solution.phases[phase];
  Builder b{problem, model, solved.trajectories, shared, {}, {}, {}, {}, {}, {}};
  b.table.name = text(model.name ? model.name : problem.name);
  b.table.time = solved.trajectories.time;
  b.table.mesh = solved.mesh;
  if (phase == 0) b.table.warm_start = solution.warm_start;
  b.table.multipliers = amounts_of(solution, phase);
  b.names.insert("time");
  b.point_column.push_back(b.add_column(b.table.time));
  b.add_group(model.x, model.n_x, solved.trajectories.x, Role::state);
  b.add_group(model.z, model.n_z, solved.trajectories.z, Role::algebraic);
  b.add_group(model.u, model.n_u, solved.trajectories.u, Role::control);
  b.add_discrete();
  b.add_rates();
  b.add_results();
  b.name_rates();
  b.add_costates();
  b.add_hamiltonian(problem.n_phases > 1 ? text(problem.phases[phase].name) : "");
  b.add_multipliers();
  b.add_parameters();
  b.table.metadata = {{"status", abi::name_of(solution.status)},
                      {"objective", shown(solution.objective, 17)},
                      {"transcription", solved.transcription},
                      {"points", std::to_string(solved.points)},
                      {"control", solved.control_constant ? "constant" : "collocated"}};
  const abi::PhaseMultipliers& multipliers = solved.multipliers;
  if (multipliers.x.size() == model.n_x && multipliers.u.size() == model.n_u && multipliers.path.size() == model.n_g)
    b.table.metadata.emplace_back("multipliers", "all");
  return std::move(b.table);
}

}  // namespace bolza::result
