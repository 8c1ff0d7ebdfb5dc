// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/nonsmooth/ways.h"

#include "workflow/solve/nonsmooth/nonsmooth.h"

namespace bolza::workflow {
namespace {

constexpr int first_with_kinks = 150;      ///< iterations of an attempt that kinks may hold up
constexpr int integrated_with_kinks = 40;  ///< the same where intervals are integrated: more than what is smooth takes
constexpr int from_smooth = 50;            ///< of one that begins at a smooth solution

bool is_solved(const SolveOutcome& outcome) { return abi::is_solution(outcome.solution.status); }

/// Whether smooth functions or modes come before other attempts.
bool kinks_come_first(const WaysTask& task) {
  if (task.how == Nonsmooth::written || task.model.problem.is_static) return false;
  const ir::Problem& problem = task.model.problem;
  bool kinks = has_kinks(problem) || !kinked_tables(problem).empty();
  if (task.how != Nonsmooth::automatic) return kinks || (task.how == Nonsmooth::smooth && has_norms(problem));
  return !task.whole && kinks && !has_free_switch(problem);
}

class Ways {
 public:
  Ways(const WaysTask& task, SolveOutcome& outcome) : task_(task), outcome_(outcome), put_off_(kinks_come_first(task)) {}

  Result<Done> solve() {
    Attempts few = automatic_ ? Attempts::simulated_guess : Attempts::none;
    if (!task_.run(task_.model, nullptr, put_off_ ? first_of_kinks(few) : Effort{}, outcome_)) return reported();
    failed_ = outcome_.solution;
    smooth(automatic_ && put_off_ ? few : Attempts::all);
    if (!is_solved(outcome_) && may_go_on()) {
      if (!task_.rest(failed_, outcome_)) return reported();
      put_off_ = false;
      if (automatic_ && !is_solved(outcome_)) smooth(Attempts::all);
    }
    without_kinks();
    if (!write_again()) return reported();
    bool is_smooth = outcome_.smoothed && outcome_.relations.empty();
    bool tables_alone =
        !has_kinks(task_.model.problem) && !has_norms(task_.model.problem);  // nothing else moves their points
    if (is_smooth && automatic_ && !tables_alone && may_go_on() && !replace_smooth()) return reported();
    is_smooth = outcome_.smoothed && outcome_.relations.empty();
    if (is_smooth && width_ > 0 && !task_.budget.ended()) refine_smoothed(task_.model, task_.run, width_, outcome_);
    return Done{};
  }

 private:
  Reported reported() const { return task_.model.diagnostics.already_reported(); }

  /// What the problem as it is written gets before smooth functions and modes.
  Effort first_of_kinks(Attempts few) const {
    if (!automatic_) return {few};
    if (task_.integrated) return {Attempts::none, integrated_with_kinks};
    return {few, first_with_kinks};
  }

  /// Whether there are attempts at the problem as it is written that were put off.
  bool may_go_on() const { return task_.retry && put_off_ && !task_.budget.ended(); }

  void smooth(Attempts of_each) {
    if (task_.retry && task_.how != Nonsmooth::written && !task_.budget.ended())
      width_ = solve_smoothed(task_.model, task_.run, task_.how == Nonsmooth::smooth, {of_each}, outcome_);
  }

  void without_kinks() {
    bool more = is_solved(outcome_) && goes_on_without_kinks(task_.how, task_.model, outcome_);
    if (!task_.budget.ended()) solve_nonsmooth(task_.how, task_.model, task_.library, task_.budget, task_.run, outcome_);
    if (more && task_.budget.ended() && !outcome_.stopped)
      outcome_.stopped = Stopped{task_.how == Nonsmooth::complementarity ? solution_by_complementarity : solution_in_modes};
  }

  /// From a smooth solution the problem is often solved as it is written: the kink was where the first attempt began.
  Result<Done> write_again() {
    bool is_smooth = outcome_.smoothed && outcome_.relations.empty() && is_solved(outcome_);
    bool may_be_solved = !has_free_switch(task_.model.problem) && !has_jumps(task_.model.problem);
    if (!is_smooth || !automatic_ || !task_.retry || !may_be_solved || task_.budget.ended()) return Done{};
    SolveOutcome own;
    if (!task_.run(task_.model, &outcome_.solution, {Attempts::none, from_smooth}, own)) return reported();
    own.stages.insert(own.stages.begin(), outcome_.stages.begin(), outcome_.stages.end());
    bool better =
        own.solution.status == abi::SolveStatus::solved && !is_clearly_worse(own, outcome_, task_.model.abi().maximize);
    if (!better) return Done{};
    own.first_failed = outcome_.first_failed;
    own.attempt = outcome_.attempt + ", then as they are written";
    outcome_ = std::move(own);
    return Done{};
  }

  /// A smooth solution is one of another problem: the other attempts at the one that was asked for.
  Result<Done> replace_smooth() {
    SolveOutcome own;
    if (!task_.rest(failed_, own)) return reported();
    bool better = is_solved(own) && !is_clearly_worse(own, outcome_, task_.model.abi().maximize);
    SolveOutcome& kept = better ? own : outcome_;
    SolveOutcome& other = better ? outcome_ : own;
    kept.stages.insert(kept.stages.end() - 1, other.stages.begin(), other.stages.end());  // the last one is what was kept
    if (better) outcome_ = std::move(own);
    return Done{};
  }

  const WaysTask& task_;
  SolveOutcome& outcome_;
  bool put_off_;      ///< most attempts at the problem as it is written
  double width_ = 0;  ///< of smooth functions
  bool automatic_ = task_.how == Nonsmooth::automatic;
  abi::Solution failed_;  ///< of the first attempt
};

}  // namespace

Result<Done> solve_in_ways(const WaysTask& task, SolveOutcome& outcome) { return Ways(task, outcome).solve(); }

}  // namespace bolza::workflow
