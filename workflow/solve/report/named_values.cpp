// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/report/named_values.h"

#include <algorithm>
#include <cmath>

#include "runtime/result/phases.h"
#include "workflow/solve/outcome/piece_names.h"

namespace bolza::workflow {
namespace {

/// Where the phases follow each other, what all of them have is there under its own name, too, with its value at the end.
void add_values_of_last_phase(const bolza_problem& problem, const abi::Solution& solution,
                              std::map<std::string, double>& values) {
  std::size_t n = solution.phases.size();
  for (std::size_t k = 1; k < n; ++k) {
    double end = solution.phases[k - 1].final_time;
    if (std::abs(solution.phases[k].start_time - end) > 1e-6 * std::max(1.0, std::abs(end))) return;
  }
  std::map<std::string, double> own;
  for (const auto& [name, value] : values) {
    std::string plain = result::without_phase(name, problem.phases[n - 1].name);
    bool in_all = !plain.empty() && !values.contains(plain);
    for (std::size_t k = 0; in_all && k + 1 < n; ++k) in_all = values.contains(problem.phases[k].name + ("." + plain));
    if (in_all) own[plain] = value;
  }
  for (const auto& [name, value] : own) values[name] = value;
}

}  // namespace

std::map<std::string, double> parameters_of(const Model& model, const abi::Solution& solution) {
  const bolza_problem& problem = model.abi();
  std::map<std::string, double> out;
  for (std::size_t k = problem.n_phases > 1 ? 0 : 2; k < problem.n_parameters && k < solution.parameters.size(); ++k)
    if (!problem.parameters[k].fixed && !is_of_piece(model, problem.parameters[k].name))
      out[problem.parameters[k].name] = solution.parameters[k];
  return out;
}

std::map<std::string, double> final_values(const bolza_problem& problem, const abi::Solution& solution) {
  std::map<std::string, double> out;
  for (std::size_t k = 0; k < solution.phases.size(); ++k) {
    const bolza_model& model = *problem.models[problem.phases[k].model];
    const abi::Trajectories& t = solution.phases[k].trajectories;
    auto put = [&](const bolza_variable* variables, std::size_t n, const std::vector<std::vector<double>>& columns) {
      for (std::size_t i = 0; i < n && i < columns.size(); ++i)
        if (!columns[i].empty()) out[variables[i].name] = columns[i].back();
    };
    put(model.x, model.n_x, t.x);
    put(model.z, model.n_z, t.z);
    put(model.u, model.n_u, t.u);
  }
  if (solution.phases.size() > 1) add_values_of_last_phase(problem, solution, out);
  return out;
}

}  // namespace bolza::workflow
