// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/indirect/solve_in_arcs.h"

#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "runtime/result/phases.h"
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

bool is_held(ControlArc arc) { return arc == ControlArc::lower || arc == ControlArc::upper; }

/// A piece of a phase along which each of its controls has one arc.
struct ControlPiece {
  std::size_t phase = 0;
  std::vector<ControlArc> controls;  ///< [controls of the phase]
  double begin = 0, end = 0;

  double length() const { return end - begin; }
  bool is_singular() const { return std::ranges::find(controls, ControlArc::singular) != controls.end(); }
};

/// Adds a piece; one that goes on as the piece before does is joined to it.
void append(std::vector<ControlPiece>& pieces, ControlPiece piece) {
  bool goes_on = !pieces.empty() && pieces.back().phase == piece.phase && pieces.back().controls == piece.controls;
  if (goes_on) pieces.back().end = piece.end;
  else pieces.push_back(std::move(piece));
}

/// The arcs phase by phase. Limits that are active do not divide them: they stay inequalities.
std::vector<ControlPiece> pieces_of(const passes::OptimalitySystem& system, const ArcStructure& found,
                                    const abi::Solution& solution) {
  std::vector<ControlPiece> out;
  for (std::size_t p = 0; p < system.phases.size(); ++p) {
    const abi::PhaseSolution& phase = solution.phases[p];
    auto time = [&](std::size_t k) {
      double t = found.times[k];
      return system.is_in_phases() ? phase.start_time + t * (phase.final_time - phase.start_time) : t;
    };
    for (std::size_t k = 0; k < found.sequence.arcs.size(); ++k)
      append(out, {p, part_of(system, found.sequence.arcs[k], p).controls, time(k), time(k + 1)});
  }
  return out;
}

/// By phases of the problem.
std::vector<double> lengths_of_phases(const std::vector<ControlPiece>& pieces) {
  std::vector<double> lengths(pieces.back().phase + 1, 0.0);
  for (const ControlPiece& piece : pieces) lengths[piece.phase] += piece.length();
  return lengths;
}

/// The pieces with the times of their solution, without those that have no length.
std::vector<ControlPiece> without_empty(std::vector<ControlPiece> pieces, const abi::Solution& solution) {
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    pieces[k].begin = solution.phases[k].start_time;
    pieces[k].end = solution.phases[k].final_time;
  }
  std::vector<double> lengths = lengths_of_phases(pieces);
  std::vector<ControlPiece> rest;
  for (ControlPiece& piece : pieces) {
    double length = lengths[piece.phase];
    if (length <= 0 || piece.length() > no_length * length) append(rest, std::move(piece));
  }
  return rest;
}

/// One attempt with a sequence of arcs.
class PiecesOfArcs {
 public:
  PiecesOfArcs(const ArcsTask& task, const passes::OptimalitySystem& system, const std::vector<ControlPiece>& arcs)
      : task_(task),
        system_(system),
        arcs_(arcs) {}

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
    for (std::size_t p = 0; p < system_.phases.size(); ++p)
      for (std::size_t j = 0; j < system_.phases[p].u.n; ++j) {
        double largest = 0;
        Wrong worst;
        for (std::size_t k = 0; k < arcs_.size(); ++k)
          if (arcs_[k].phase == p) look_at(k, j, largest, worst);
        if (worst.amount <= wrong_sign * largest) continue;
        bool lower = arcs_[worst.arc].controls[j] == ControlArc::lower;
        return "in arc " + std::to_string(worst.arc + 1) + " `" + name_of(p, j) + "` was taken at its " +
               (lower ? "lower" : "upper") +
               " bound, and the multiplier of that has the wrong sign at t = " + shown(worst.time, 4);
      }
    return {};
  }

  /// The solution as one of the model, and when one arc follows another.
  void translate() {
    std::vector<ArcOfOptimum> arcs;
    for (std::size_t k = 0; k < arcs_.size(); ++k)
      arcs.push_back({outcome.solution.phases[k].start_time, outcome.solution.phases[k].final_time,
                      text_of(system_, {.controls = arcs_[k].controls}, arcs_[k].phase)});
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
    for (std::size_t k = 1; k < arcs_.size(); ++k)
      out.times.push_back(arcs_[k].phase == arcs_[k - 1].phase ? arcs_[k].begin : NAN);
    out.sides.resize(arcs_.size());
    return out;
  }

  passes::HeldControls held() const {
    passes::HeldControls out;
    for (const ControlPiece& piece : arcs_) {
      std::map<std::string, double>& values = out.emplace_back();
      for (std::size_t j = 0; j < piece.controls.size(); ++j) {
        std::size_t u = system_.phases[piece.phase].u.first + j;
        if (is_held(piece.controls[j]))
          values[name_of(piece.phase, j)] = piece.controls[j] == ControlArc::lower ? system_.u_min[u] : system_.u_max[u];
      }
    }
    return out;
  }

  /// As the model has it: pieces between its own times are not its words.
  std::string name_of(std::size_t phase, std::size_t j) const {
    const std::string& name = system_.names[system_.u[system_.phases[phase].u.first + j]];
    return is_of_piece(task_.model, name) ? result::without_phase(name, system_.phases[phase].name) : name;
  }

  /// Intervals of the mesh of each phase by the lengths of arcs, more for steps.
  std::vector<MeshOfArc> mesh() const {
    std::vector<MeshOfArc> out;
    std::vector<double> lengths = lengths_of_phases(arcs_);
    for (const ControlPiece& piece : arcs_) {
      double length = lengths[piece.phase], share = length > 0 ? piece.length() / length : 1;
      auto intervals = static_cast<std::size_t>(std::ceil(static_cast<double>(task_.intervals) * share));
      bool steps = piece.is_singular();
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
    ControlArc arc = arcs_[k].controls[j];
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
  const std::vector<ControlPiece>& arcs_;
  Model pieces_;
};

/// Looks for a sequence of arcs that holds.
class SearchForArcs {
 public:
  SearchForArcs(const ArcsTask& task, passes::OptimalitySystem& system, SolveOutcome& outcome)
      : task_(task),
        system_(system),
        outcome_(outcome) {}

  void search(const ArcStructure& structure) {
    constexpr int most_rounds = 4;
    std::vector<ControlPiece> arcs = pieces_of(system_, structure, outcome_.solution);
    std::vector<result::ResultTable> from = tables_of(task_.model, outcome_.solution);
    for (int round = 0; round < most_rounds; ++round) {
      bool as_solved = round == 0 && !task_.options.has("arcs") && arcs.size() == system_.phases.size();
      if (!has_held(arcs) || as_solved) return tell_only(arcs);
      if (task_.budget.ended()) return fail("time was over");
      PiecesOfArcs pieces(task_, system_, arcs);
      if (std::string why = pieces.solve(from); !why.empty()) return fail(why);
      std::string wrong = pieces.wrong_multiplier();
      if (std::vector<ControlPiece> rest = without_empty(arcs, pieces.outcome.solution); rest.size() < arcs.size()) {
        from = pieces.tables();
        arcs = std::move(rest);
        continue;
      }
      if (!wrong.empty()) return fail(wrong);
      pieces.translate();
      if (std::string worse = worse_text(pieces.outcome, arcs); !worse.empty()) return fail(worse);
      return take(std::move(pieces.outcome));
    }
    fail("arcs vanish one after the other");
  }

 private:
  static bool has_held(const std::vector<ControlPiece>& arcs) {
    return std::ranges::any_of(arcs, [](const auto& arc) { return std::ranges::any_of(arc.controls, is_held); });
  }

  /// There is nothing to be held, or no switch: the solution is what it is.
  void tell_only(const std::vector<ControlPiece>& arcs) {
    for (const ControlPiece& arc : arcs)
      outcome_.arcs.push_back({arc.begin, arc.end, text_of(system_, {.controls = arc.controls}, arc.phase)});
  }

  void fail(const std::string& why) {
    outcome_.warnings.push_back({WarningKind::structure_failed,
                                 "the arcs of the controls do not hold, and the solution is the one without them: " + why,
                                 "`--arcs` says others, a finer mesh may show others"});
  }

  /// Beyond what the meshes are known to leave. Polynomials that swing on a singular arc give more than there is, and no
  /// estimate tells how much: there, and on a mesh that nobody looked at, the objective may be worse by a hundredth.
  std::string worse_text(const SolveOutcome& own, const std::vector<ControlPiece>& arcs) const {
    bool is_rough = !outcome_.accuracy.known || std::ranges::any_of(arcs, &ControlPiece::is_singular);
    double rounding = is_rough ? 1e-2 : 1e-6;
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
    outcome.warnings.push_back(
        {WarningKind::structure_failed, "no arcs can be distinguished: " + own.all().front().message, "", ""});
    return Done{};
  }
  ArcStructure structure = arcs_of(task.model, *system, outcome.solution);
  if (task.options.has("arcs")) {
    auto given = with_given_arcs(*system, structure, task.options.text("arcs"), task.options.place("arcs"), diagnostics);
    if (!given) return diagnostics.already_reported();
    structure = *std::move(given);
  }
  SearchForArcs(task, *system, outcome).search(structure);
  return Done{};
}

}  // namespace bolza::workflow
