// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/indirect/solve_in_arcs.h"

#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "workflow/solve/indirect/arc_structure.h"
#include "workflow/solve/indirect/given_arcs.h"
#include "workflow/solve/nonsmooth/mode_sequence.h"
#include "workflow/solve/outcome/piece_names.h"

namespace bolza::workflow {
namespace {

using passes::ControlArc;

constexpr double no_length = 1e-6;     ///< of the horizon: an arc that is not longer is none
constexpr double wrong_sign = 1e-3;    ///< of the largest multiplier of a held control: less is left by the mesh
constexpr std::size_t least_mesh = 8;  ///< intervals of an arc

constexpr std::size_t least_steps = 50;

bool is_singular(const passes::OptimalityArc& arc) {
  return std::ranges::find(arc.controls, ControlArc::singular) != arc.controls.end();
}
bool is_held(ControlArc arc) { return arc == ControlArc::lower || arc == ControlArc::upper; }

/// Limits that are active do not divide arcs: they stay inequalities.
ArcStructure of_controls(const ArcStructure& found) {
  ArcStructure out;
  out.times.push_back(found.times.front());
  for (std::size_t k = 0; k < found.sequence.arcs.size(); ++k) {
    passes::OptimalityArc arc{.controls = found.sequence.arcs[k].controls};
    if (!out.sequence.arcs.empty() && out.sequence.arcs.back() == arc) continue;
    if (!out.sequence.arcs.empty()) out.times.push_back(found.times[k]);
    out.sequence.arcs.push_back(std::move(arc));
  }
  out.times.push_back(found.times.back());
  return out;
}

/// Without arcs that have no length; none of them: nothing was changed.
bool drop_empty_arcs(ArcStructure& structure, const abi::Solution& solution) {
  double horizon = solution.phases.back().final_time - solution.phases.front().start_time;
  ArcStructure rest;
  for (std::size_t k = 0; k < solution.phases.size(); ++k) {
    const abi::PhaseSolution& piece = solution.phases[k];
    if (piece.final_time - piece.start_time <= no_length * horizon) continue;
    rest.sequence.arcs.push_back(structure.sequence.arcs[k]);
    rest.times.push_back(piece.start_time);
  }
  if (rest.sequence.arcs.size() == structure.sequence.arcs.size() || rest.sequence.arcs.empty()) return false;
  rest.times.front() = solution.phases.front().start_time;
  rest.times.push_back(solution.phases.back().final_time);
  structure = of_controls(rest);
  return true;
}

/// One attempt with a sequence of arcs.
class PiecesOfArcs {
 public:
  PiecesOfArcs(const ArcsTask& task, const passes::OptimalitySystem& system, const ArcStructure& structure)
      : task_(task),
        system_(system),
        structure_(structure) {}

  /// "": solved; else why not.
  std::string solve(const std::vector<result::ResultTable>& from) {
    LoadRequest request = task_.model.request;
    request.modes = sequence();
    request.held = held();
    if (!pieces_.load(request) || !pieces_.compile({.calls = codegen::Calls::both})) return first_error();
    abi::Solution guess = guess_in_modes(pieces_, from);
    if (!task_.run(pieces_, guess, mesh(), outcome)) return first_error();
    tell_without_pieces(pieces_, outcome);
    return abi::is_solution(outcome.solution.status)
               ? ""
               : std::string("they were not solved: ") + abi::name_of(outcome.solution.status);
  }

  /// "": the multipliers of controls that are held have the signs that they need.
  std::string wrong_multiplier() const {
    for (std::size_t j = 0; j < system_.u.size(); ++j) {
      double largest = 0;
      Wrong worst;
      for (std::size_t k = 0; k < outcome.solution.phases.size(); ++k) look_at(k, j, largest, worst);
      if (worst.amount <= wrong_sign * largest) continue;
      bool lower = structure_.sequence.arcs[worst.arc].controls[j] == ControlArc::lower;
      return "in arc " + std::to_string(worst.arc + 1) + " `" + system_.names[system_.u[j]] + "` was taken at its " +
             (lower ? "lower" : "upper") +
             " bound, and the multiplier of that has the wrong sign at t = " + shown(worst.time, 4);
    }
    return {};
  }

  /// The solution as one of the model, and when one arc follows another.
  void translate() {
    std::vector<ArcOfOptimum> arcs;
    for (std::size_t k = 0; k < outcome.solution.phases.size(); ++k)
      arcs.push_back({outcome.solution.phases[k].start_time, outcome.solution.phases[k].final_time,
                      text_of(system_, structure_.sequence.arcs[k])});
    outcome.solution = without_modes(pieces_, outcome.solution, task_.model);
    outcome.arcs = std::move(arcs);
  }

  std::vector<result::ResultTable> tables() const { return tables_without_modes(pieces_, outcome.solution, task_.model); }

  SolveOutcome outcome;

 private:
  struct Wrong {
    std::size_t arc = 0;
    double amount = 0, time = 0;
  };

  ir::ModeSequence sequence() const {
    ir::ModeSequence out;
    out.times.assign(structure_.times.begin() + 1, structure_.times.end() - 1);
    out.sides.resize(structure_.sequence.arcs.size());
    return out;
  }

  passes::HeldControls held() const {
    passes::HeldControls out;
    for (const passes::OptimalityArc& arc : structure_.sequence.arcs) {
      std::map<std::string, double>& values = out.emplace_back();
      for (std::size_t j = 0; j < arc.controls.size(); ++j)
        if (is_held(arc.controls[j]))
          values[system_.names[system_.u[j]]] = arc.controls[j] == ControlArc::lower ? system_.u_min[j] : system_.u_max[j];
    }
    return out;
  }

  /// Intervals of the mesh by the lengths of arcs, more for steps.
  std::vector<MeshOfArc> mesh() const {
    std::vector<MeshOfArc> out;
    double horizon = structure_.times.back() - structure_.times.front();
    for (std::size_t k = 0; k < structure_.sequence.arcs.size(); ++k) {
      double share = (structure_.times[k + 1] - structure_.times[k]) / horizon;
      auto intervals = static_cast<std::size_t>(std::ceil(static_cast<double>(task_.intervals) * share));
      bool steps = is_singular(structure_.sequence.arcs[k]);
      out.push_back({std::max(intervals, steps ? least_steps : least_mesh), steps});
    }
    return out;
  }

  std::string first_error() const {
    for (const Diagnostic& d : pieces_.diagnostics.all())
      if (d.severity == Severity::error) return d.message + " [" + std::string(d.code->id) + "]";
    return "the settings do not fit pieces of the horizon";
  }

  /// The multipliers of a control that is held, as means of the intervals of the mesh.
  void look_at(std::size_t k, std::size_t j, double& largest, Wrong& worst) const {
    const abi::PhaseSolution& piece = outcome.solution.phases[k];
    ControlArc arc = structure_.sequence.arcs[k].controls[j];
    if (j >= piece.multipliers.u.size() || !is_held(arc)) return;
    const abi::SpreadMultiplier& all = piece.multipliers.u[j];
    double length = piece.final_time - piece.start_time;
    for (std::size_t i = 0; i + 1 < piece.mesh.size(); ++i) {
      double sum = 0, begin = piece.mesh[i], end = piece.mesh[i + 1];
      for (std::size_t m = 0; m < all.amount.size(); ++m) {
        double centre = 0.5 * (all.from[m] + all.to[m]);
        if (centre > begin && centre <= end) sum += all.amount[m];
      }
      double mean = sum / ((end - begin) * length), against = arc == ControlArc::upper ? -mean : mean;
      largest = std::max(largest, std::fabs(mean));
      if (against > worst.amount) worst = {k, against, piece.start_time + begin * length};
    }
  }

  const ArcsTask& task_;
  const passes::OptimalitySystem& system_;
  const ArcStructure& structure_;
  Model pieces_;
};

/// Looks for a sequence of arcs that holds.
class SearchForArcs {
 public:
  SearchForArcs(const ArcsTask& task, passes::OptimalitySystem& system, SolveOutcome& outcome)
      : task_(task),
        system_(system),
        outcome_(outcome) {}

  void search(ArcStructure structure) {
    constexpr int most_rounds = 4;
    structure = of_controls(structure);
    std::vector<result::ResultTable> from = tables_of(task_.model, outcome_.solution);
    for (int round = 0; round < most_rounds; ++round) {
      if (!has_held(structure) || structure.sequence.arcs.size() == 1) return tell_only(structure);
      if (task_.budget.ended()) return fail("time was over");
      PiecesOfArcs pieces(task_, system_, structure);
      if (std::string why = pieces.solve(from); !why.empty()) return fail(why);
      std::string wrong = pieces.wrong_multiplier();
      ArcStructure rest = structure;
      if (drop_empty_arcs(rest, pieces.outcome.solution)) {
        from = pieces.tables();
        structure = std::move(rest);
        continue;
      }
      if (!wrong.empty()) return fail(wrong);
      pieces.translate();
      if (std::string worse = worse_text(pieces.outcome, structure); !worse.empty()) return fail(worse);
      return take(std::move(pieces.outcome));
    }
    fail("arcs vanish one after the other");
  }

 private:
  static bool has_held(const ArcStructure& structure) {
    return std::ranges::any_of(structure.sequence.arcs,
                               [](const auto& arc) { return std::ranges::any_of(arc.controls, is_held); });
  }

  /// There is nothing to be held, or no switch: the solution is what it is.
  void tell_only(const ArcStructure& structure) {
    for (std::size_t k = 0; k < structure.sequence.arcs.size(); ++k)
      outcome_.arcs.push_back({structure.times[k], structure.times[k + 1], text_of(system_, structure.sequence.arcs[k])});
  }

  void fail(const std::string& why) {
    outcome_.warnings.push_back({WarningKind::structure_failed,
                                 "the arcs of the controls do not hold, and the solution is the one without them: " + why,
                                 "`--arcs` says others, a finer mesh may show others"});
  }

  /// Beyond what the meshes are known to leave. Polynomials that swing on a singular arc give more than there is, and no
  /// estimate tells how much: there the objective may be worse by a hundredth.
  std::string worse_text(const SolveOutcome& own, const ArcStructure& structure) const {
    bool singular = std::ranges::any_of(structure.sequence.arcs, is_singular);
    double rounding = singular ? 1e-2 : 1e-6;
    double before = outcome_.solution.objective, now = own.solution.objective;
    double loss = task_.model.abi().maximize ? before - now : now - before;
    double room = outcome_.accuracy.objective_error + own.accuracy.objective_error +
                  rounding * std::max(std::fabs(before), std::fabs(now));
    if (loss <= room) return {};
    return "the objective is " + shown(now, 8) + ", and " + shown(before, 8) + " without them";
  }

  void take(SolveOutcome own) {
    for (StageOutcome& stage : own.stages) stage.handed_over = "states, controls";
    own.stages.insert(own.stages.begin(), outcome_.stages.begin(), outcome_.stages.end());
    own.starts = outcome_.starts;
    own.looked = outcome_.looked;
    own.optima = outcome_.optima;
    own.other = outcome_.other;
    own.moves_on = outcome_.moves_on;
    own.attempt = outcome_.attempt;
    own.first_failed = outcome_.first_failed;
    outcome_ = std::move(own);
  }

  const ArcsTask& task_;
  passes::OptimalitySystem& system_;
  SolveOutcome& outcome_;
};

}  // namespace

Result<Done> solve_in_arcs(const ArcsTask& task, Diagnostics& diagnostics, SolveOutcome& outcome) {
  Diagnostics own;
  auto system = driver::optimality_system(task.model.problem, own);
  if (!system) {
    outcome.warnings.push_back({WarningKind::structure_failed, "no arcs can be told: " + own.all().front().message, "", ""});
    return Done{};
  }
  if (system->is_in_phases()) {
    outcome.warnings.push_back(
        {WarningKind::structure_failed, "arcs of controls are not looked for in a problem with phases", "", ""});
    return Done{};
  }
  ArcStructure structure = arcs_of(task.model, *system, outcome.solution);
  if (task.options.has("arcs")) {
    auto given = with_given_arcs(*system, structure, task.options.text("arcs"), task.options.place("arcs"), diagnostics);
    if (!given) return diagnostics.already_reported();
    structure = *std::move(given);
  }
  SearchForArcs(task, *system, outcome).search(std::move(structure));
  return Done{};
}

}  // namespace bolza::workflow
