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

/// A search for a sequence of modes whose sides its own solution has.
class SequenceSearch {
 public:
  SequenceSearch(const Model& model, const Model& listed, const RunStages& run, bool asked)
      : model_(model),
        listed_(listed),
        run_(run),
        asked_(asked) {}

  const std::optional<Found>& best() const { return best_; }
  const ModesOfTable& modes() const { return held_; }
  const std::string& trouble() const { return trouble_; }

  /// From the sequence that tables show, as long as the solution's own is another and better one.
  void climb(std::vector<result::ResultTable> tables, Effort effort) {
    ModesOfTable modes = modes_of(listed_, tables);
    trouble_ = modes.trouble;
    for (int round = 0; round < most_rounds && modes.trouble.empty(); ++round) {
      if (!accept(modes, effort, tables)) break;
      if (!asked_) effort.most = least_of_round + 2 * iterations_of(best_->outcome);  // one that takes more leads elsewhere
      tables = best_->tables;
      modes = modes_of(listed_, tables);
      if (modes.sequence.sides == held_.sequence.sides) break;
    }
  }

  /// Lets a relation have its other side for a third of a mode: what no derivative leads to.
  void insert(Effort effort, const Budget& budget) {
    constexpr std::size_t most_modes = 4, most_relations = 4;
    std::size_t n = held_.sequence.sides.size(), n_relations = held_.relations.size();
    if (!best_ || n > most_modes || n_relations > most_relations || best_->tables.size() > 1) return;
    if (!held_.sequence.jumps.empty()) return;
    ModesOfTable from = held_;
    std::vector<result::ResultTable> tables = best_->tables;
    from.sequence.times = best_->times;
    for (std::size_t mode = 0; mode < n; ++mode)
      for (std::size_t relation = 0; relation < n_relations; ++relation)
        for (int third = 0; third < 3 && !budget.ended(); ++third)
          accept(with_other_side(from, tables.front(), mode, relation, third), effort, tables);
  }

 private:
  /// Solves in a sequence, and takes what is better than the best.
  bool accept(const ModesOfTable& modes, Effort effort, const std::vector<result::ResultTable>& from) {
    Found own;
    trouble_.clear();
    if (!solve_in_modes(model_, run_, modes.sequence, effort, from, own, trouble_)) return false;
    std::size_t n = modes.sequence.sides.size();
    if (best_ && !is_better(own.outcome, n, best_->outcome, held_.sequence.sides.size(), model_.abi().maximize))
      return false;
    best_ = std::move(own);
    held_ = modes;
    return true;
  }

  static ModesOfTable with_other_side(ModesOfTable modes, const result::ResultTable& table, std::size_t mode,
                                      std::size_t relation, int third) {
    ir::ModeSequence& sequence = modes.sequence;
    double begin = mode == 0 ? table.time.front() : sequence.times[mode - 1];
    double end = mode < sequence.times.size() ? sequence.times[mode] : table.time.back(), length = (end - begin) / 3;
    std::vector<std::int8_t> other = sequence.sides[mode];
    other[relation] = static_cast<std::int8_t>(-other[relation]);
    std::vector<std::vector<std::int8_t>> pieces{other};
    std::vector<double> times;
    if (third > 0) {
      pieces.insert(pieces.begin(), sequence.sides[mode]);
      times.push_back(begin + third * length);
    }
    if (third < 2) {
      pieces.push_back(sequence.sides[mode]);
      times.push_back(begin + (third + 1) * length);
    }
    auto at = static_cast<std::ptrdiff_t>(mode);
    sequence.sides.erase(sequence.sides.begin() + at);
    sequence.sides.insert(sequence.sides.begin() + at, pieces.begin(), pieces.end());
    sequence.times.insert(sequence.times.begin() + at, times.begin(), times.end());
    return modes;
  }

  const Model& model_;
  const Model& listed_;
  const RunStages& run_;
  bool asked_;
  std::optional<Found> best_;
  ModesOfTable held_;
  std::string trouble_ = "no trajectory to begin with";
};

bool has_trajectories(const abi::Solution& solution) {
  auto empty = [](const abi::PhaseSolution& phase) { return phase.trajectories.time.empty(); };
  return !solution.phases.empty() && std::ranges::none_of(solution.phases, empty);
}

/// Sequences of simulations whose controls are at one place between their bounds, until one is solved: at a bound relations
/// of controls have sides that they have nowhere else.
void climb_from_simulations(Model& model, const SolverLibrary& library, const Budget& budget, SequenceSearch& search,
                            Effort effort) {
  constexpr double seconds = 60;
  for (double place : {0.5, 0.0, 1.0}) {
    abi::Solution simulated = library.simulated_guess(model.abi(), budget.part(seconds), nullptr, nullptr, place);
    if (has_trajectories(simulated)) search.climb(tables_of(model, simulated), effort);
    if (search.best() || budget.ended()) return;
  }
}

void by_modes(Model& model, const SolverLibrary& library, const Budget& budget, const RunStages& run, SolveOutcome& outcome,
              bool asked) {
  Model listed;
  if (!load_listed(model, listed)) return;
  bool solved = abi::is_solution(outcome.solution.status);
  bool crosses_jumps = solved && !asked && !outcome.smoothed && has_jumps(model.problem);
  auto fail = [&](const std::string& why) {
    if (asked) outcome.warnings.push_back({WarningKind::modes_failed, "no sequence of modes was solved: " + why});
    else if (crosses_jumps)
      outcome.warnings.push_back({WarningKind::jump_without_modes,
                                  "equations jump where a relation changes sides, and derivatives leave out that the "
                                  "change can move; no sequence of modes was solved: " +
                                      why,
                                  "`--nonsmooth complementarity` is another way"});
  };
  SequenceSearch search(model, listed, run, asked);
  std::size_t n_phases = outcome.solution.phases.size();
  Effort effort = asked ? Effort{} : Effort{.attempts = Attempts::simulated_guess};
  if (solved) {
    std::vector<result::ResultTable> tables = tables_of(model, outcome.solution);
    if (!asked && !outcome.smoothed && modes_of(listed, tables).sequence.sides.size() <= n_phases) return;  // none changes
    search.climb(std::move(tables), effort);
  } else {
    climb_from_simulations(model, library, budget, search, effort);
    search.insert(effort, budget);
  }
  if (!search.best()) return fail(search.trouble());
  Found best = *search.best();
  ModesOfTable held = search.modes();
  if (is_clearly_worse(best.outcome, outcome, model.abi().maximize)) {
    if (crosses_jumps) return;
    return fail(worse_text(best.outcome, outcome) + ": along a change it slides, or another order of modes is better");
  }
  std::size_t n = held.sequence.sides.size();
  take(outcome, std::move(best.outcome),
       "a sequence of " + std::to_string(n) + (n == 1 ? " mode" : " modes") +
           (n_phases > 1 && !model.problem.flat.are_pieces ? " in all phases" : ""));
  if (has_jumps(model.problem)) outcome.border = border_of(listed, best.tables);
  for (std::size_t r = 0; r < held.relations.size(); ++r)
    outcome.relations.push_back("`" + held.relations[r] + "`" + changes_of(held.sequence, best.times, r));
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

/// Whether equations jump by what no derivative tells, so that a feasible point may be on the other side.
bool may_hide_a_solution(const Model& model, const SolveOutcome& outcome) {
  using enum abi::SolveStatus;
  abi::SolveStatus status = outcome.solution.status;
  bool stalled = status == infeasible || status == iteration_limit || status == failed;
  return stalled && !outcome.solution.statistics.is_proven && !outcome.solution.integers.any && has_jumps(model.problem);
}

}  // namespace

bool is_clearly_worse(const SolveOutcome& own, const SolveOutcome& outcome, bool maximize) {
  if (!abi::is_solution(outcome.solution.status)) return false;
  double before = outcome.solution.objective, loss = own.solution.objective - before;
  return (maximize ? -loss : loss) > 1e-2 * std::max(1e-3, std::fabs(before));
}

bool goes_on_without_kinks(Nonsmooth how, const Model& model, const SolveOutcome& outcome) {
  if (model.request.smooth > 0 || model.problem.is_static) return false;
  if (how == Nonsmooth::modes || how == Nonsmooth::complementarity) return true;
  if (how != Nonsmooth::automatic) return false;
  if (!abi::is_solution(outcome.solution.status)) return may_hide_a_solution(model, outcome);
  bool coarse = outcome.accuracy.known && outcome.accuracy.error > default_accuracy && has_kinks(model.problem);
  return outcome.smoothed || coarse || (!outcome.solution.integers.any && has_jumps(model.problem));
}

void solve_nonsmooth(Nonsmooth how, Model& model, const SolverLibrary& library, const Budget& budget, const RunStages& run,
                     SolveOutcome& outcome) {
  if (!goes_on_without_kinks(how, model, outcome)) return;
  if (how == Nonsmooth::complementarity) by_complementarity(model, run, outcome);
  else by_modes(model, library, budget, run, outcome, how == Nonsmooth::modes);
}

}  // namespace bolza::workflow
