// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/nonsmooth/nonsmooth.h"

#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "runtime/result/restore.h"
#include "workflow/solve/nonsmooth/mode_sequence.h"
#include "workflow/solve/outcome/piece_names.h"

namespace bolza::workflow {
namespace {

constexpr int most_rounds = 4;
constexpr int least_of_round = 50;  ///< iterations that the next round may take in any case

int iterations_of(const SolveOutcome& outcome) {
  int all = 0;
  for (const StageOutcome& stage : outcome.stages) all += stage.iterations;
  return all;
}

std::string with_code(const Diagnostic& d) { return d.message + " [" + std::string(d.code->id) + "]"; }

/// The model with its relations listed.
bool load_listed(const Model& model, Model& listed) {
  LoadRequest request = model.request;
  request.smooth = 0;
  request.modes = ir::ModeSequence{};
  return static_cast<bool>(listed.load(request));
}

/// The times at which a relation changes its side.
std::string changes_of(const ir::ModeSequence& sequence, const std::vector<double>& times, std::size_t relation) {
  std::string text;
  for (std::size_t k = 0; k + 1 < sequence.sides.size(); ++k)
    if (!std::isnan(sequence.times[k]) && sequence.sides[k][relation] != sequence.sides[k + 1][relation])
      text += (text.empty() ? " changes sides at " : ", ") + shown(times[k], 6);
  return text.empty() ? " keeps its side" : text;
}

std::string worse_text(const SolveOutcome& own, const SolveOutcome& outcome) {
  return "its objective is " + shown(own.solution.objective, 6) + ", and " + shown(outcome.solution.objective, 6) +
         " was found before";
}

void take(SolveOutcome& outcome, SolveOutcome own, std::string attempt) {
  own.stages.insert(own.stages.begin(), outcome.stages.begin(), outcome.stages.end());
  own.first_failed = !abi::is_solution(outcome.solution.status) || outcome.smoothed;
  own.smoothed = true;
  own.attempt = std::move(attempt);
  outcome = std::move(own);
}

// ---------------------------------------------------------------- modes

/// Modes of each phase, as they were found.
struct Found {
  SolveOutcome outcome;
  std::vector<result::ResultTable> tables;  ///< [phases] to begin the next round with
  std::vector<double> times;                ///< at which modes follow each other
};

/// Solves in the pieces of one sequence.
bool solve_in_modes(const Model& model, const RunStages& run, const ir::ModeSequence& sequence, Effort effort,
                    const std::vector<result::ResultTable>& from, Found& found, std::string& trouble) {
  Model pieces;
  LoadRequest request = model.request;
  request.smooth = 0;
  request.modes = sequence;
  if (!pieces.load(request) || !pieces.compile({.calls = codegen::Calls::both})) {
    for (const Diagnostic& d : pieces.diagnostics.all())
      if (d.severity == Severity::error && trouble.empty()) trouble = with_code(d);
    return false;
  }
  abi::Solution guess = guess_in_modes(pieces, from);
  SolveOutcome& own = found.outcome;
  if (!run(pieces, &guess, effort, own)) {
    trouble = "the settings do not fit pieces";
    return false;
  }
  tell_without_pieces(pieces, own);
  if (!abi::is_solution(own.solution.status)) {
    trouble = std::to_string(sequence.sides.size()) + " modes: " + abi::name_of(own.solution.status);
    return false;
  }
  found.times = switch_times(pieces, own.solution, model);
  found.tables = tables_without_modes(pieces, own.solution, model);
  own.solution = without_modes(pieces, own.solution, model);
  return true;
}

/// A lower objective, or the same with fewer modes: sides that noise has changed leave pieces of no length.
bool is_better(const SolveOutcome& own, std::size_t modes, const SolveOutcome& best, std::size_t best_modes, bool maximize) {
  double a = own.solution.objective, b = best.solution.objective, gain = maximize ? a - b : b - a;
  return gain > 0 || (modes < best_modes && gain > -1e-6 * std::max(1.0, std::fabs(b)));
}

void by_modes(Model& model, const SolverLibrary& library, const Budget& budget, const RunStages& run, SolveOutcome& outcome,
              bool asked) {
  Model listed;
  if (!load_listed(model, listed)) return;
  bool crosses_jumps = !asked && !outcome.smoothed && has_jumps(model.problem);
  auto fail = [&](const std::string& why) {
    if (asked) outcome.warnings.push_back({WarningKind::modes_failed, "no sequence of modes was solved: " + why});
    else if (crosses_jumps)
      outcome.warnings.push_back({WarningKind::jump_without_modes,
                                  "equations jump where a relation changes sides, and derivatives leave out that the "
                                  "change can move; no sequence of modes was solved: " +
                                      why,
                                  "`--nonsmooth complementarity` is another way"});
  };
  abi::Solution simulated;
  bool solved = abi::is_solution(outcome.solution.status);
  constexpr double seconds = 60, middle = 0.5;
  if (!solved) simulated = library.simulated_guess(model.abi(), budget.part(seconds), nullptr, nullptr, middle);
  const abi::Solution& start = solved ? outcome.solution : simulated;
  auto empty = [](const abi::PhaseSolution& phase) { return phase.trajectories.time.empty(); };
  if (start.phases.empty() || std::ranges::any_of(start.phases, empty)) return fail("no trajectory to begin with");
  std::size_t n_phases = start.phases.size();
  std::vector<result::ResultTable> tables = tables_of(model, start);
  std::optional<Found> best;
  ModesOfTable modes = modes_of(listed, tables), held;
  std::string trouble = modes.trouble;
  if (!asked && !outcome.smoothed && modes.sequence.sides.size() <= n_phases) return;  // nothing changes sides
  Effort effort = asked || !solved
                      ? Effort{}
                      : Effort{.attempts = Attempts::simulated_guess};  // else the solution is there to be bettered
  for (int round = 0; round < most_rounds && modes.trouble.empty(); ++round) {
    Found own;
    trouble.clear();
    if (!solve_in_modes(model, run, modes.sequence, effort, tables, own, trouble)) break;
    std::size_t n = modes.sequence.sides.size();
    if (best && !is_better(own.outcome, n, best->outcome, held.sequence.sides.size(), model.abi().maximize)) break;
    if (!asked) effort.most = least_of_round + 2 * iterations_of(own.outcome);  // a round that takes more leads elsewhere
    best = std::move(own);
    held = modes;
    tables = std::move(best->tables);
    modes = modes_of(listed, tables);
    if (modes.sequence.sides == held.sequence.sides) break;
  }
  if (!best) return fail(trouble);
  if (is_clearly_worse(best->outcome, outcome, model.abi().maximize)) {
    if (crosses_jumps) return;
    return fail(worse_text(best->outcome, outcome) + ": along a change it slides, or another order of modes is better");
  }
  std::size_t n = held.sequence.sides.size();
  take(outcome, std::move(best->outcome),
       "a sequence of " + std::to_string(n) + (n == 1 ? " mode" : " modes") +
           (n_phases > 1 && !model.problem.flat.are_pieces ? " in all phases" : ""));
  if (has_jumps(model.problem)) outcome.border = border_of(listed, tables);
  for (std::size_t r = 0; r < held.relations.size(); ++r)
    outcome.relations.push_back("`" + held.relations[r] + "`" + changes_of(held.sequence, best->times, r));
}

// ---------------------------------------------------------------- complementarity

void by_complementarity(const Model& model, const RunStages& run, SolveOutcome& outcome) {
  auto fail = [&](std::string why) { outcome.warnings.push_back({WarningKind::complementarity_failed, std::move(why)}); };
  std::optional<SolveOutcome> best;
  std::vector<result::ResultTable> table;
  double held = 0;
  if (abi::is_solution(outcome.solution.status)) table.push_back(whole_table(model, outcome.solution));
  for (double slack : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7}) {
    Model relaxed;
    LoadRequest request = model.request;
    request.smooth = 0;
    request.complementarity = slack;
    SolveOutcome own;
    if (!relaxed.load(request) && !best) {
      for (const Diagnostic& d : relaxed.diagnostics.all())
        if (d.severity == Severity::error) return fail("no complementarity: " + with_code(d));
    }
    if (relaxed.diagnostics.errors() > 0 || !relaxed.compile({.calls = codegen::Calls::both})) break;
    abi::Solution guess;
    if (!table.empty()) guess = result::restore(relaxed.abi(), table).solution;
    if (relaxed.abi().n_phases > 1) guess.warm_start = {};  // a small barrier stays on the side of the phases before
    if (!run(relaxed, table.empty() ? nullptr : &guess, Effort{}, own) || !abi::is_solution(own.solution.status)) break;
    table = {whole_table(relaxed, own.solution)};
    abi::Solution plain = result::restore(model.abi(), table).solution;
    plain.status = own.solution.status;
    plain.objective = own.solution.objective;
    plain.statistics = own.solution.statistics;
    plain.log = own.solution.log;
    own.solution = std::move(plain);
    best = std::move(own);
    held = slack;
  }
  if (!best) return fail("complementarity was not solved, not even relaxed by 0.1");
  if (is_clearly_worse(*best, outcome, model.abi().maximize))
    return fail("complementarity led to another solution: " + worse_text(*best, outcome));
  take(outcome, std::move(*best), "complementarity, relaxed by " + shown(held, 2));
  if (held > 1e-6)
    outcome.warnings.push_back({WarningKind::complementarity_relaxed,
                                "complementarity holds to " + shown(held, 2) + " only: with less it was not solved"});
  Model listed;
  if (!load_listed(model, listed)) return;
  for (const ir::ModeRelation& relation : listed.problem.flat.mode_relations)
    outcome.relations.push_back("`" + relation.text + "` is complementarity to " + shown(held, 2));
}

}  // namespace

bool is_clearly_worse(const SolveOutcome& own, const SolveOutcome& outcome, bool maximize) {
  if (!abi::is_solution(outcome.solution.status)) return false;
  double before = outcome.solution.objective, loss = own.solution.objective - before;
  return (maximize ? -loss : loss) > 1e-2 * std::max(1e-3, std::fabs(before));
}

bool goes_on_without_kinks(const std::string& how, const Model& model, const SolveOutcome& outcome) {
  if (model.request.smooth > 0 || model.problem.is_static) return false;
  if (how == "modes" || how == "complementarity") return true;
  if (how != "auto" || !abi::is_solution(outcome.solution.status)) return false;
  bool coarse = outcome.accuracy.known && outcome.accuracy.error > default_accuracy && has_kinks(model.problem);
  return outcome.smoothed || coarse || (!outcome.solution.integers.any && has_jumps(model.problem));
}

void solve_nonsmooth(const std::string& how, Model& model, const SolverLibrary& library, const Budget& budget,
                     const RunStages& run, SolveOutcome& outcome) {
  if (!goes_on_without_kinks(how, model, outcome)) return;
  if (how == "complementarity") by_complementarity(model, run, outcome);
  else by_modes(model, library, budget, run, outcome, how == "modes");
}

}  // namespace bolza::workflow
