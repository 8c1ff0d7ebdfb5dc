// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/outcome/verdict.h"

#include <algorithm>
#include <cmath>

namespace bolza::workflow {
namespace {

const char* say(abi::SolveStatus status) {
  switch (status) {
    case abi::SolveStatus::solved:
      return "solved";
    case abi::SolveStatus::acceptable:
      return "solved to the looser acceptable tolerance only";
    case abi::SolveStatus::infeasible:
      return "infeasible: no feasible point was found; that is no proof";
    case abi::SolveStatus::iteration_limit:
      return "not solved: the iteration limit was reached";
    case abi::SolveStatus::time_limit:
      return "not solved: the time limit was reached";
    case abi::SolveStatus::diverging:
      return "not solved: the iterates diverge, the problem may be unbounded";
    case abi::SolveStatus::unbounded:
      return "unbounded";
    case abi::SolveStatus::evaluation_error:
      return "not solved: a value is not finite";
    case abi::SolveStatus::interrupted:
      return "interrupted: what follows is the last iterate";
    case abi::SolveStatus::failed:
    case abi::SolveStatus::refused:
      return "not solved";
  }
  return "not solved";
}

}  // namespace

Verdict verdict_of(abi::SolveStatus status, bool has_warnings) {
  switch (status) {
    case abi::SolveStatus::solved:
      return has_warnings ? Verdict::solved_with_warnings : Verdict::solved;
    case abi::SolveStatus::interrupted:
      return Verdict::interrupted;
    case abi::SolveStatus::refused:
      return Verdict::refused;
    default:
      return Verdict::not_solved;
  }
}

Verdict verdict_of(const SolveOutcome& outcome) { return verdict_of(outcome.solution.status, !outcome.warnings.empty()); }

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::solved:
      return "solved";
    case Verdict::solved_with_warnings:
      return "solved_with_warnings";
    case Verdict::not_solved:
      return "not_solved";
    case Verdict::interrupted:
      return "interrupted";
    case Verdict::refused:
      return "refused";
  }
  return "not_solved";
}

std::size_t LookedFrom::optima() const {
  constexpr double same = 1e-4;
  std::vector<double> sorted = ends;
  std::sort(sorted.begin(), sorted.end());
  std::size_t count = sorted.empty() ? 0 : 1;
  for (std::size_t k = 1; k < sorted.size(); ++k)
    count += sorted[k] - sorted[k - 1] > same * std::max(1.0, std::abs(sorted[k]));
  return count + coarse.objectives.size();
}

std::string text_of_search(const SolveOutcome& outcome) {
  bool was_asked_for = outcome.starts > 0;
  if (was_asked_for || outcome.solution.integers.any || !abi::is_solution(outcome.solution.status)) return "";
  const LookedFrom& looked = outcome.looked;
  if (looked.is_convex) return "the problem is convex: there are no others";
  int starts = looked.starts + looked.coarse.starts;
  if (starts < 2) return "one start; other optima were not looked for";
  std::string text = "the best of " + std::to_string(starts) + " starts";
  if (looked.coarse.starts > 0)
    text += ", " + std::to_string(looked.coarse.starts) + " of them on " + std::to_string(looked.coarse.intervals) +
            " intervals";
  std::size_t optima = looked.optima();
  return text + ", which ended at " + std::to_string(optima) + (optima == 1 ? " optimum" : " optima");
}

std::string text_of_verdict(const SolveOutcome& outcome) {
  bool warned = verdict_of(outcome) == Verdict::solved_with_warnings;
  std::string text = warned ? "solved, with warnings" : say(outcome.solution.status);
  if (outcome.solution.status == abi::SolveStatus::infeasible && outcome.solution.statistics.is_proven)
    text = "infeasible: no point satisfies the constraints";
  if (const auto& stopped = outcome.stopped)
    text += "; " + stopped->what + " was stopped" + (stopped->by_time ? " by the time limit" : "");
  return text;
}

}  // namespace bolza::workflow
