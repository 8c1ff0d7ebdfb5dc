// SPDX-License-Identifier: Apache-2.0
#include "runtime/result/restore.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include "base/expects.h"
#include "runtime/result/phases.h"

namespace bolza::result {
namespace {

using Index = std::unordered_map<std::string, const ResultVariable*>;

Index index_of(const ResultTable& table) {
  Index index;
  for (const ResultVariable& v : table.variables) index.emplace(v.name, &v);
  return index;
}

const ResultVariable* look_up(const Index& index, const std::string& name) {
  auto at = index.find(name);
  return at == index.end() ? nullptr : at->second;
}

double fallback(const bolza_variable& v) {
  double x = v.has_guess ? v.guess : v.start;
  return std::isfinite(x) ? std::clamp(x, v.min, v.max) : 0;
}

std::vector<std::vector<double>> rows_of(const ResultTable& table, const Index& index, const bolza_variable* variables,
                                         std::size_t n, std::vector<std::string>& missing) {
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < n; ++i) {
    const ResultVariable* found = look_up(index, variables[i].name);
    if (!found) missing.push_back(variables[i].name);
    rows.push_back(found ? values(table, *found) : std::vector<double>(table.time.size(), fallback(variables[i])));
  }
  return rows;
}

// All rows, or none when one is not in the table.
std::vector<std::vector<double>> all_or_none(const ResultTable& table, const Index& index,
                                             const std::vector<std::string>& names) {
  std::vector<std::vector<double>> rows;
  for (const std::string& name : names) {
    const ResultVariable* found = look_up(index, name);
    if (!found) return {};
    rows.push_back(values(table, *found));
  }
  return rows;
}

abi::PhaseSolution restore_phase(const bolza_model& model, const ResultTable& table, std::vector<std::string>& missing) {
  Index index = index_of(table);
  abi::PhaseSolution phase;
  abi::Trajectories& t = phase.trajectories;
  t.time = table.time;
  phase.start_time = table.time.front();
  phase.final_time = table.time.back();
  phase.mesh = table.mesh;
  phase.transcription = "file";
  t.x = rows_of(table, index, model.x, model.n_x, missing);
  t.z = rows_of(table, index, model.z, model.n_z, missing);
  t.u = rows_of(table, index, model.u, model.n_u, missing);
  std::vector<std::string> rates, costates, multipliers;
  for (std::size_t i = 0; i < model.n_x; ++i) {
    rates.push_back("der(" + std::string(model.x[i].name) + ")");
    costates.push_back("costate(" + std::string(model.x[i].name) + ")");
  }
  for (std::size_t j = 0; j < model.n_g && model.residuals && model.residuals->rows; ++j)
    multipliers.push_back("multiplier(" + std::string(model.residuals->rows[model.n_z + j].name) + ")");
  t.rate = all_or_none(table, index, rates);
  t.costate = all_or_none(table, index, costates);
  t.path_multiplier = all_or_none(table, index, multipliers);
  return phase;
}

/// The mesh of one phase out of those of all, each from 0 to 1; empty where there are not as many.
std::vector<double> mesh_of(const std::vector<double>& all, std::size_t phase, std::size_t n_phases) {
  std::vector<std::vector<double>> meshes;
  for (double fraction : all) {
    if (meshes.empty() || fraction <= meshes.back().back()) meshes.emplace_back();
    meshes.back().push_back(fraction);
  }
  return meshes.size() == n_phases ? meshes[phase] : std::vector<double>();
}

/// `control` stands once, or once for each phase.
void metadata_into(const ResultTable& table, std::size_t number, abi::PhaseSolution& phase) {
  std::size_t controls = 0;
  for (const auto& [key, text] : table.metadata) {
    if (key == "transcription") phase.transcription = text;
    if (key == "points") std::from_chars(text.data(), text.data() + text.size(), phase.points);
    if (key == "control" && controls++ <= number) phase.control_constant = text == "constant";
  }
}

std::vector<std::string> variables_of(const bolza_model& model) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model.n_x; ++i) names.emplace_back(model.x[i].name);
  for (std::size_t i = 0; i < model.n_z; ++i) names.emplace_back(model.z[i].name);
  for (std::size_t i = 0; i < model.n_u; ++i) names.emplace_back(model.u[i].name);
  return names;
}

/// The rows of a phase; where the file knows no phases, those between the phase's times, under its names.
ResultTable of_phase(const bolza_problem& problem, const bolza_phase& phase, const std::vector<double>& parameters,
                     const ResultTable& whole) {
  std::vector<std::string> names = variables_of(*problem.models[phase.model]);
  auto known = [&](const std::string& name) { return find(whole, name) != nullptr; };
  auto known_without = [&](const std::string& name) { return known(without_phase(name, phase.name)); };
  if (std::any_of(names.begin(), names.end(), known) || std::none_of(names.begin(), names.end(), known_without))
    return rows_with(whole, names);
  auto time = [&](std::size_t end) { return parameters[static_cast<std::size_t>(phase.parameter[end])]; };
  return as_phase(whole, phase.name, time(0), time(1));
}

/// The names of those that no table has.
std::vector<std::string> restore_parameters(const bolza_problem& problem, std::span<const ResultTable> tables,
                                            abi::Solution& solution) {
  std::vector<std::string> missing;
  std::vector<Index> indices;
  for (const ResultTable& table : tables) indices.push_back(index_of(table));
  for (std::size_t i = 0; i < problem.n_parameters; ++i) {
    const bolza_variable& p = problem.parameters[i];
    const ResultVariable* found = nullptr;
    std::size_t k = 0;
    for (; k < tables.size() && !found; ++k) found = look_up(indices[k], p.name ? p.name : "");
    bool time = p.name && (std::string_view(p.name) == "startTime" || std::string_view(p.name) == "finalTime");
    double x = p.fixed ? p.start : found ? value(tables[k - 1], *found, 0) : fallback(p);
    if (!p.fixed && !found && time && tables.size() == 1)
      x = p.name[0] == 's' ? tables[0].time.front() : tables[0].time.back();
    else if (!p.fixed && !found) missing.push_back(p.name ? p.name : "");
    solution.parameters.push_back(x);
  }
  return missing;
}

using Kind = MultiplierAmount::Kind;

/// The list that a kind along the horizon belongs to; null for others.
std::vector<abi::SpreadMultiplier>* list_of(Kind kind, abi::PhaseMultipliers& m) {
  switch (kind) {
    case Kind::state:
      return &m.x;
    case Kind::algebraic:
      return &m.z;
    case Kind::control:
      return &m.u;
    case Kind::equation:
      return &m.algebraic;
    case Kind::path:
      return &m.path;
    case Kind::initial:
    case Kind::point:
    case Kind::parameter:
      break;
  }
  return nullptr;
}

void put(std::vector<double>& list, std::size_t index, double amount) {
  if (index < list.size()) list[index] = amount;
}

void put_amount(const MultiplierAmount& m, abi::Solution& solution) {
  if (m.phase >= solution.phases.size()) return;
  abi::PhaseMultipliers& of_phase = solution.phases[m.phase].multipliers;
  if (m.kind == Kind::initial) return put(of_phase.initial, m.index, m.amount);
  if (m.kind == Kind::point) return put(solution.point_multipliers, m.index, m.amount);
  if (m.kind == Kind::parameter) return put(solution.parameter_multipliers, m.index, m.amount);
  std::vector<abi::SpreadMultiplier>* list = list_of(m.kind, of_phase);
  if (!list || m.index >= list->size()) return;
  (*list)[m.index].from.push_back(m.from);
  (*list)[m.index].to.push_back(m.to);
  (*list)[m.index].amount.push_back(m.amount);
}

/// Empty lists of the sizes that the problem has: what is not in the file is zero.
void size_multipliers(const bolza_problem& problem, abi::Solution& solution) {
  solution.point_multipliers.assign(problem.n_k, 0);
  solution.parameter_multipliers.assign(problem.n_parameters, 0);
  for (std::size_t k = 0; k < solution.phases.size(); ++k) {
    const bolza_model& model = *problem.models[problem.phases[k].model];
    abi::PhaseMultipliers& m = solution.phases[k].multipliers;
    m = {};
    m.x.resize(model.n_x);
    m.z.resize(model.n_z);
    m.u.resize(model.n_u);
    m.algebraic.resize(model.n_z);
    m.path.resize(model.n_g);
    m.initial.assign(model.n_initial, 0);
  }
}

}  // namespace

void restore_multipliers(const bolza_problem& problem, const ResultTable& table, abi::Solution& solution) {
  solution.objective = std::nan("");
  bool all = false;
  for (const auto& [key, text] : table.metadata) {
    if (key == "objective") std::from_chars(text.data(), text.data() + text.size(), solution.objective);
    all = all || (key == "multipliers" && text == "all");
  }
  if (!all) return;
  size_multipliers(problem, solution);
  for (const MultiplierAmount& amount : table.multipliers) put_amount(amount, solution);
}

Restored restore(const bolza_problem& problem, std::span<const ResultTable> tables) {
  expects(!tables.empty(), "a solution is restored from a table");
  Restored out;
  out.solution.status = abi::SolveStatus::solved;
  std::vector<std::string> missing = restore_parameters(problem, tables, out.solution);
  for (std::size_t k = 0; k < problem.n_phases; ++k) {
    const bolza_phase& phase = problem.phases[k];
    const ResultTable& whole = tables[std::min(k, tables.size() - 1)];
    expects(!whole.time.empty(), "a table has times");
    const ResultTable& table = problem.n_phases > 1 ? of_phase(problem, phase, out.solution.parameters, whole) : whole;
    out.solution.phases.push_back(restore_phase(*problem.models[phase.model], table, out.missing));
    if (tables.size() == 1) out.solution.phases.back().mesh = mesh_of(table.mesh, k, problem.n_phases);
    metadata_into(table, k, out.solution.phases.back());
    if (k == 0) out.solution.warm_start = table.warm_start;
  }
  out.missing.insert(out.missing.end(), missing.begin(), missing.end());
  return out;
}

}  // namespace bolza::result
