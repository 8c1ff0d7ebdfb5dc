// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/indirect/indirect.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <span>

#include "runtime/result/table.h"
#include "workflow/codes.h"
#include "workflow/solve/indirect/continuation.h"
#include "workflow/solve/indirect/given_arcs.h"
#include "workflow/solve/indirect/necessary_conditions.h"
#include "workflow/solve/indirect/passing_arcs.h"
#include "workflow/solve/indirect/solution_of_model.h"
#include "workflow/solve/outcome/choices.h"

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

/// The largest difference of the costates of the direct solution and another, relative to their sizes, at times of the
/// direct one that are not near a switch by its mesh.
double difference_of_costates(const IndirectTask& task, const abi::Solution& other, const std::vector<ArcOfOptimum>& arcs) {
  constexpr double noise = 1e-6;  // of the largest costate: less is no number of its own
  double worst = 0, largest = 0;
  for (const abi::PhaseSolution& phase : task.direct.phases)
    for (const std::vector<double>& costate : phase.trajectories.costate)
      for (double value : costate) largest = std::max(largest, std::fabs(value));
  for (std::size_t p = 0; p < task.direct.phases.size(); ++p) {
    result::ResultTable a = result::make_table(task.model.abi(), task.direct, p);
    result::ResultTable b = result::make_table(task.model.abi(), other, p);
    std::vector<std::pair<double, double>> left_out;
    for (const ArcOfOptimum& arc : arcs)
      for (double t : {arc.from, arc.to}) left_out.push_back(around(task.direct.phases[p], t));
    for (const result::ResultVariable& v : a.variables) {
      const result::ResultVariable* same = result::find(b, v.name);
      if (v.role != result::Role::costate || v.constant || !same) continue;
      std::vector<double> values = result::values(b, *same);
      double size = 0, difference = 0;
      for (std::size_t i = 0; i < a.time.size(); ++i) {
        double value = result::value(a, v, i), t = a.time[i];
        size = std::max(size, std::fabs(value));
        if (std::ranges::any_of(left_out, [&](const auto& r) { return r.first < t && t < r.second; })) continue;
        difference = std::max(difference, std::fabs(value - cubic(task.library, b.time, values, t)));
      }
      if (size > noise * largest) worst = std::max(worst, difference / size);
    }
  }
  return worst;
}

std::string orders_of(const passes::OptimalitySystem& system, const passes::ArcOfText& arc, std::size_t phase) {
  std::string text;
  const passes::SlotRange& u = system.phases[phase].u;
  for (std::size_t j = u.first; j < u.first + u.n; ++j)
    if (int order = arc.singular_order[j]; order > 0) text += ", of order " + std::to_string(order);
  for (std::size_t c = 0; c < arc.paths.size(); ++c)
    if (int order = arc.path_orders[c]; order > 0 && system.paths[arc.paths[c].first.path].phase == phase)
      text += ", of order " + std::to_string(order);
  return text;
}

/// The arcs as they are told, phase by phase: stretches in which all of them are the same in a phase are one there.
std::vector<ArcOfOptimum> told_arcs(const passes::OptimalitySystem& system, const ArcStructure& structure,
                                    const std::function<double(std::size_t phase, std::size_t arc)>& time,
                                    const passes::OptimalityText* text) {
  std::vector<ArcOfOptimum> out;
  std::size_t n = structure.sequence.arcs.size();
  for (std::size_t p = 0; p < system.phases.size(); ++p)
    for (std::size_t k = 0, end = 0; k < n; k = end) {
      passes::OptimalityArc part = part_of(system, structure.sequence.arcs[k], p);
      for (end = k + 1; end < n && part_of(system, structure.sequence.arcs[end], p) == part;) ++end;
      out.push_back(
          {time(p, k), time(p, end), text_of(system, part, p) + (text ? orders_of(system, text->arcs[k], p) : "")});
      if (out.back().text.empty()) out.back().text = "no control";
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

/// How the conditions are solved, again and again along a branch.
class ConditionsSolver {
 public:
  ConditionsSolver(const IndirectTask& task, const BoundaryProblem& problem) : task_(task), how_(task.transcription) {
    how_.nlp.look_nearby = false;
    how_.nlp.relative_gap = 0;
    how_.nlp.warm_start = false;
    constexpr double usual_tolerance = 1e-10;  // Newton's last step is quadratic: it costs one, and H shows it
    if (!task.options.has("tol")) how_.nlp.tol = usual_tolerance;
    if (how_.mesh_fractions.empty()) divide_mesh(problem, how_);
  }

  abi::Solution solve(bolza_problem& abi, const abi::Solution& start) const {
    if (shooting_of(how_.transcription) == Shooting::multiple)
      return task_.library.solve_multiple_shooting(abi, how_, task_.shooting, &start);
    return task_.library.solve(abi, how_, &start);
  }

 private:
  const IndirectTask& task_;
  transcribe::TranscribeOptions how_;
};

std::vector<NamedValues> values_of_arcs(const BoundaryProblem& problem, const abi::Solution& found) {
  std::vector<NamedValues> values;
  for (std::size_t k = 0; k < found.phases.size(); ++k) values.push_back(values_of_arc(problem, found, k));
  return values;
}

/// Solves the conditions at the first value of the parameter, and along the branch from there.
abi::Solution solve_branch(const IndirectTask& task, const Continuation& continuation, const ArcStructure& structure,
                           BoundaryProblem& problem, SolutionBranch& branch) {
  ConditionsSolver solver(task, problem);
  auto look = [&](const abi::Solution& solution) {
    std::vector<NamedValues> values = values_of_arcs(problem, solution);
    std::vector<abi::Finding> against = contradictions(problem, structure, solution, values);
    return PointOnBranch{objective_of(task.model, problem, slots_of_ends(problem, solution, values), values),
                         norm_of(problem, values), against.empty() ? "" : against.front().text};
  };
  FollowedBranch followed = follow_branch(
      problem, continuation, [&](bolza_problem& abi, const abi::Solution& start) { return solver.solve(abi, start); }, look);
  branch = std::move(followed.branch);
  return std::move(followed.last);
}

/// Nothing acts on limits: they are looked at afterwards.
ArcStructure without_arcs(ArcStructure structure) {
  structure.sequence.arcs.resize(1);
  structure.sequence.arcs[0].active.clear();
  structure.times = {structure.times.front(), structure.times.back()};
  return structure;
}

/// The parameter that a branch is followed in, as what varies without a costate.
Result<std::optional<Continuation>> continued(const IndirectTask& task, passes::OptimalitySystem& system) {
  if (!task.options.has("continue")) return std::optional<Continuation>();
  std::optional<Continuation> read = read_continuation(task.options.text("continue"));
  Diagnostics& diagnostics = task.model.diagnostics;
  if (!read) return diagnostics.error(bad_continuation, task.options.place("continue"), {"it is not `k=0.1..10`"});
  auto found = std::ranges::find_if(system.parameters, [&](const auto& p) { return system.names[p.p] == read->parameter; });
  if (found == system.parameters.end())
    return diagnostics.error(bad_continuation, task.options.place("continue"),
                             {"`" + read->parameter + "` is no parameter of the model that can vary"});
  system.continued = *found;
  system.range[found->p] = std::minmax(read->from, read->to);
  system.parameters.erase(found);
  return read;
}

/// There is nothing to start from.
abi::Solution not_started() {
  abi::Solution out;
  out.status = abi::SolveStatus::failed;
  abi::Finding finding;
  finding.kind = abi::Finding::Kind::conflict;
  finding.text = "the model could not be simulated with its controls in the middle of their bounds";
  finding.time = std::nan("");
  out.findings.push_back(std::move(finding));
  return out;
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

bool has_costates(const abi::Solution& solution) {
  return !solution.phases.empty() && !solution.phases[0].trajectories.costate.empty();
}

/// The conditions of one sequence of arcs.
/// @param others  arcs that ∂H/∂u asks for in the place of these, where it does
IndirectOutcome solve_for(const IndirectTask& task, passes::OptimalitySystem system, const ArcStructure& structure,
                          const std::optional<Continuation>& continuation, std::optional<ArcStructure>& others) {
  bool autonomous = is_autonomous(system);
  Diagnostics own;
  IndirectOutcome out;
  out.arcs = told_arcs(
      system, structure,
      [&](std::size_t p, std::size_t k) {
        const abi::PhaseSolution& phase = task.direct.phases[p];
        double t = structure.times[k];
        return system.is_in_phases() ? phase.start_time + t * (phase.final_time - phase.start_time) : t;
      },
      nullptr);
  auto problem = boundary_problem(task.model, std::move(system), structure, task.direct, own);
  if (!problem) {
    out.solution = not_derived(own);
    return out;
  }
  abi::Solution found = continuation ? solve_branch(task, *continuation, structure, *problem, out.branch)
                                     : ConditionsSolver(task, *problem).solve(problem->model->abi(), problem->start);
  std::vector<NamedValues> values = values_of_arcs(*problem, found);
  auto is_empty = [](const NamedValues& arc) { return arc.at(time_of_arc).empty(); };
  if (values.empty() || std::ranges::any_of(values, is_empty)) {
    found.phases.clear();  // those of the conditions are none of the model
    out.solution = std::move(found);
    return out;
  }
  out.solution = solution_of_model(task.model, task.library, *problem, task.direct, found, values);
  std::vector<double> ends = slots_of_ends(*problem, found, values);
  out.arcs = told_arcs(
      problem->system, structure,
      [&](std::size_t p, std::size_t k) {
        double t = k < found.phases.size() ? found.phases[k].start_time : found.phases.back().final_time;
        return time_in(*problem, ends, p, t);
      },
      &problem->text);
  if (!abi::is_solution(found.status)) {
    std::vector<abi::Finding> why = impossible_junctions(*problem, structure);
    out.solution.findings.insert(out.solution.findings.begin(), why.begin(), why.end());
    return out;
  }
  out.has_roots = true;
  std::vector<abi::Finding> against = contradictions(*problem, structure, found, values);
  if (!against.empty() && !continuation) others = with_passing_arcs(*problem, structure, values);
  if (!against.empty()) out.solution.status = abi::SolveStatus::failed;
  out.solution.findings.insert(out.solution.findings.end(), against.begin(), against.end());
  if (autonomous && !problem->text.costates.empty())
    out.solution.log.push_back({"variation of H", spread_of(values, problem->text.hamiltonian)});
  return out;
}

}  // namespace

Result<IndirectOutcome> solve_indirect(const IndirectTask& task) {
  Diagnostics& diagnostics = task.model.diagnostics;
  auto system = driver::optimality_system(task.model.problem, diagnostics);
  if (!system) return diagnostics.already_reported();
  if (task.direct.phases.empty()) {
    IndirectOutcome out;
    out.solution = not_started();
    return out;
  }
  auto continuation = continued(task, *system);
  if (!continuation) return diagnostics.already_reported();
  ArcStructure structure = arcs_of(task.model, *system, task.direct);
  bool drawn = chosen(task.options, "costates", costate_starts) == CostateStart::random && !task.options.has("arcs");
  if (drawn) structure.sequence.arcs = driver::whole_horizon(task.model.problem).arcs;
  if (system->u.empty() || drawn) structure = without_arcs(std::move(structure));
  if (task.options.has("arcs")) {
    auto given = with_given_arcs(*system, structure, task.options.text("arcs"), task.options.place("arcs"), diagnostics);
    if (!given) return diagnostics.already_reported();
    structure = *std::move(given);
  }
  std::optional<ArcStructure> others;
  IndirectOutcome out = solve_for(task, *system, structure, *continuation, others);
  if (others) {
    IndirectTask again{task.model, task.library, task.options, task.transcription, task.shooting, out.solution};
    std::optional<ArcStructure> ignored;
    IndirectOutcome better = solve_for(again, *std::move(system), *others, *continuation, ignored);
    better.solution.statistics.iterations += out.solution.statistics.iterations;
    if (abi::is_solution(better.solution.status)) out = std::move(better);
  }
  if (out.has_roots && has_costates(out.solution) && !*continuation)
    out.solution.log.push_back(
        {"difference of costates from the stage before", difference_of_costates(task, out.solution, out.arcs)});
  return out;
}

}  // namespace bolza::workflow
