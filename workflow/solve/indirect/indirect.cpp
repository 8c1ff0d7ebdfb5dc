// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/indirect/indirect.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "runtime/result/table.h"
#include "workflow/codes.h"
#include "workflow/solve/indirect/given_arcs.h"
#include "workflow/solve/indirect/necessary_conditions.h"
#include "workflow/solve/indirect/solution_of_model.h"

namespace bolza::workflow {
namespace {

/// Whether nothing reads the time, so that H is constant.
bool is_autonomous(passes::OptimalitySystem& system) {
  std::vector<ir::ExprId> read{system.hamiltonian};
  for (const passes::LimitedPath& path : system.paths) read.push_back(path.value);
  return std::ranges::none_of(read, [&](ir::ExprId e) { return system.reads(e, {0}); });
}

double spread_of(const std::vector<NamedValues>& values, const std::string& name) {
  double least = INFINITY, most = -INFINITY;
  for (const NamedValues& arc : values)
    for (double value : arc.at(name)) {
      least = std::min(least, value);
      most = std::max(most, value);
    }
  return most - least;
}

/// A smooth function at t, by the cubic through the four samples around it.
double cubic(const SolverLibrary& library, std::span<const double> time, const std::vector<double>& values, double t) {
  constexpr std::size_t samples = 4;
  if (time.size() < samples) return std::nan("");
  auto after = static_cast<std::size_t>(std::lower_bound(time.begin(), time.end(), t) - time.begin());
  std::size_t first = std::min(after > 2 ? after - 2 : 0, time.size() - samples);
  std::vector<double> weights = library.lagrange_values(time.subspan(first, samples), t);
  double sum = 0;
  for (std::size_t i = 0; i < samples; ++i) sum += weights[i] * values[first + i];
  return sum;
}

/// Two intervals of the mesh on both sides of a time: what is nearer to a switch is not compared.
std::pair<double, double> around(const abi::PhaseSolution& phase, double t) {
  constexpr std::size_t intervals = 2;
  double length = phase.final_time - phase.start_time;
  if (phase.mesh.empty() || !(length > 0)) return {-INFINITY, INFINITY};
  auto after = std::upper_bound(phase.mesh.begin(), phase.mesh.end(), (t - phase.start_time) / length);
  auto right = static_cast<std::size_t>(after - phase.mesh.begin()), left = right > intervals ? right - 1 - intervals : 0;
  right = std::min(right + intervals, phase.mesh.size() - 1);
  return {phase.start_time + phase.mesh[left] * length, phase.start_time + phase.mesh[right] * length};
}

/// The largest difference of the costates of two solutions, relative to their sizes, at the times of the first one that are
/// not near a switch by its mesh.
double difference_of_costates(const IndirectTask& task, const abi::Solution& b, const std::vector<double>& switches) {
  const abi::Solution& a = task.direct;
  result::ResultTable of_a = result::make_table(task.model.abi(), a), of_b = result::make_table(task.model.abi(), b);
  constexpr double noise = 1e-6;  // of the largest costate: less is no number of its own
  double worst = 0, largest = 0;
  for (const std::vector<double>& costate : a.phases[0].trajectories.costate)
    for (double value : costate) largest = std::max(largest, std::fabs(value));
  std::vector<std::pair<double, double>> left_out;
  for (double t : switches) left_out.push_back(around(a.phases[0], t));
  for (const result::ResultVariable& v : of_a.variables) {
    if (v.role != result::Role::costate || v.constant) continue;
    const result::ResultVariable* other = result::find(of_b, v.name);
    double size = 0, difference = 0;
    std::vector<double> values = other ? result::values(of_b, *other) : std::vector<double>();
    for (std::size_t i = 0; other && i < of_a.time.size(); ++i) {
      double value = result::value(of_a, v, i), t = of_a.time[i];
      size = std::max(size, std::fabs(value));
      if (std::ranges::any_of(left_out, [&](const auto& r) { return r.first < t && t < r.second; })) continue;
      difference = std::max(difference, std::fabs(value - cubic(task.library, of_b.time, values, t)));
    }
    if (size > noise * largest) worst = std::max(worst, difference / size);
  }
  return worst;
}

std::vector<ArcOfOptimum> told_arcs(const BoundaryProblem& problem, const ArcStructure& structure,
                                    const abi::Solution& found) {
  std::vector<ArcOfOptimum> out;
  for (std::size_t k = 0; k < found.phases.size(); ++k) {
    std::string text = text_of(problem.system, structure.sequence.arcs[k]);
    for (int order : problem.text.arcs[k].singular_order)
      if (order > 0) text += ", of order " + std::to_string(order);
    for (int order : problem.text.arcs[k].path_orders)
      if (order > 0) text += ", of order " + std::to_string(order);
    out.push_back({found.phases[k].start_time, found.phases[k].final_time, text});
  }
  return out;
}

/// Each arc gets its share of the intervals, and some at least.
void divide_mesh(const BoundaryProblem& problem, transcribe::TranscribeOptions& how) {
  constexpr double least = 8;
  const std::vector<abi::PhaseSolution>& arcs = problem.start.phases;
  double length = arcs.back().final_time - arcs.front().start_time;
  how.phase_fractions.clear();
  for (const abi::PhaseSolution& arc : arcs) {
    double share = (arc.final_time - arc.start_time) / length, n = std::max(std::ceil(how.mesh * share), least);
    std::vector<double>& fractions = how.phase_fractions.emplace_back();
    for (double k = 0; k <= n; ++k) fractions.push_back(k / n);
  }
}

abi::Solution solve_boundary_problem(const IndirectTask& task, BoundaryProblem& problem) {
  transcribe::TranscribeOptions how = task.transcription;
  how.nlp.look_nearby = false;
  how.nlp.relative_gap = 0;
  how.nlp.warm_start = false;
  constexpr double usual_tolerance = 1e-10;  // Newton's last step is quadratic: it costs one, and H shows it
  if (!task.options.has("tol")) how.nlp.tol = usual_tolerance;
  if (how.mesh_fractions.empty()) divide_mesh(problem, how);
  bolza_problem& abi = problem.model->abi();
  if (how.transcription == "multiple-shooting")
    return task.library.solve_multiple_shooting(abi, how, task.shooting, &problem.start);
  return task.library.solve(abi, how, &problem.start);
}

/// The arcs that the direct solution shows have no conditions that could be solved.
abi::Solution not_derived(const Diagnostics& own) {
  abi::Solution out;
  out.status = abi::SolveStatus::failed;
  abi::Finding finding;
  finding.kind = abi::Finding::Kind::conflict;
  finding.text = own.all().front().message + " [" + std::string(own.all().front().code->id) + "]";
  finding.time = std::nan("");
  out.findings.push_back(std::move(finding));
  return out;
}

}  // namespace

Result<IndirectOutcome> solve_indirect(const IndirectTask& task) {
  Diagnostics& diagnostics = task.model.diagnostics;
  auto system = driver::optimality_system(task.model.problem, diagnostics);
  if (!system) return diagnostics.already_reported();
  ArcStructure structure = arcs_of(task.model, *system, task.direct);
  if (task.options.has("arcs")) {
    auto given = with_given_arcs(*system, structure, task.options.text("arcs"), task.options.place("arcs"), diagnostics);
    if (!given) return diagnostics.already_reported();
    structure = *std::move(given);
  }
  bool autonomous = is_autonomous(*system);
  Diagnostics own;
  IndirectOutcome out;
  for (std::size_t k = 0; k < structure.sequence.arcs.size(); ++k)
    out.arcs.push_back({structure.times[k], structure.times[k + 1], text_of(*system, structure.sequence.arcs[k])});
  auto problem = boundary_problem(task.model, *std::move(system), structure, task.direct, own);
  if (!problem) {
    out.solution = not_derived(own);
    return out;
  }
  abi::Solution found = solve_boundary_problem(task, *problem);
  std::vector<NamedValues> values;
  for (std::size_t k = 0; k < found.phases.size(); ++k) values.push_back(values_of_arc(*problem, found, k));
  if (values.empty()) {
    out.solution = std::move(found);
    return out;
  }
  out.solution = solution_of_model(task.model, task.library, *problem, task.direct, found, values);
  out.arcs = told_arcs(*problem, structure, found);
  if (!abi::is_solution(found.status)) {
    std::vector<abi::Finding> why = impossible_junctions(*problem, structure);
    out.solution.findings.insert(out.solution.findings.begin(), why.begin(), why.end());
    return out;
  }
  std::vector<abi::Finding> against = contradictions(*problem, structure, found, values);
  if (!against.empty()) out.solution.status = abi::SolveStatus::failed;
  out.solution.findings.insert(out.solution.findings.end(), against.begin(), against.end());
  if (autonomous) out.solution.log.push_back({"variation of H", spread_of(values, problem->text.hamiltonian)});
  out.solution.log.push_back({"difference of costates from the stage before",
                              difference_of_costates(task, out.solution, structure.times)});
  return out;
}

}  // namespace bolza::workflow
