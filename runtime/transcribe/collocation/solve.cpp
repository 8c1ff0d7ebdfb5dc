// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/solve.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/clock.h"
#include "runtime/nlp/centred.h"
#include "runtime/nlp/solve.h"
#include "runtime/transcribe/collocation/bounds.h"
#include "runtime/transcribe/collocation/carried_multipliers.h"
#include "runtime/transcribe/collocation/extract.h"
#include "runtime/transcribe/collocation/limits.h"
#include "runtime/transcribe/collocation/scales.h"
#include "runtime/transcribe/collocation/solution_diagnostics.h"
#include "runtime/transcribe/collocation/transcription.h"
#include "runtime/transcribe/collocation/transfer.h"
#include "runtime/transcribe/collocation/unwrap_angles.h"
#include "runtime/transcribe/integers.h"
#include "runtime/transcribe/linear_algebra.h"
#include "runtime/transcribe/status.h"

namespace bolza::transcribe {
namespace {

/// What identifies the numbering of an NLP: a start with multipliers fits only its own.
std::uint64_t signature_of(const nlp::Nlp& nlp) {
  std::uint64_t hash = 1469598103934665603ull;
  auto mix = [&](std::uint64_t v) { hash = (hash ^ v) * 1099511628211ull; };
  mix(nlp.n());
  mix(nlp.m());
  mix(nlp.jacobian.size());
  for (nlp::VariableRole role : nlp.role) mix(static_cast<std::uint64_t>(role));
  for (nlp::RowRole role : nlp.row_role) mix(static_cast<std::uint64_t>(role));
  return hash;
}

void fill_statistics(abi::Solution& solution, const nlp::Nlp& nlp, const nlp::Report& report) {
  abi::Statistics& s = solution.statistics;
  for (std::size_t v = 0; v < nlp.n(); ++v) s.variables += nlp.lower[v] < nlp.upper[v];
  s.constraints = nlp.m();
  s.jacobian_nonzeros = nlp.jacobian.size();
  s.hessian_nonzeros = nlp.hessian.size();
  s.iterations = report.iterations;
  s.seconds_evaluation = report.seconds_evaluation;
  s.primal_infeasibility = report.primal_infeasibility;
  s.dual_infeasibility = report.dual_infeasibility;
  s.complementarity = report.complementarity;
  s.scaled = {report.scaled.primal, report.scaled.dual, report.scaled.complementarity};
  s.gap = report.gap;
  s.regularization = report.regularization;
  s.regularized = report.regularized;
  s.is_saddle = report.is_saddle;
  s.passed_better = report.passed_better;
  s.is_proven = report.is_proven;
  s.objective_scale = nlp.objective_scale;
  s.first_objective = report.first_objective;
}

void add(std::vector<abi::Finding>& to, std::vector<abi::Finding> more) {
  std::move(more.begin(), more.end(), std::back_inserter(to));
}

void find(Transcription& t, const nlp::Report& report, const TranscribeOptions& options, const NonfiniteReport& nonfinite,
          abi::Solution& solution) {
  bool solved = report.status == nlp::Status::solved || report.status == nlp::Status::acceptable;
  if (report.status == nlp::Status::evaluation_error && nonfinite.seen) {
    std::string explanation = options.explain ? options.explain(options.explain_context, nonfinite) : "";
    solution.findings.push_back(describe(t, nonfinite, explanation));
  }
  if (!solved) {
    if (report.status == nlp::Status::bad_option || report.status == nlp::Status::failed)
      solution.findings.push_back(said_by_engine(report));
    add(solution.findings, violations(t, report.iterate, 1e-6));
  }
  add(solution.findings, t.remarks);
  if (solved) add(solution.findings, active(t, report.iterate, 1e-6));
}

abi::Solution refused(abi::Finding error) {
  abi::Solution solution;
  solution.status = abi::SolveStatus::refused;
  solution.findings.push_back(std::move(error));
  return solution;
}

/// What a solve leaves to be done.
struct LeftToDo {
  bool missed = false;    ///< the solution has to be solved on: with sizes taken from it, or as its angles were unwrapped
  bool windowed = false;  ///< sought delays were looked for in windows
  std::string beyond;     ///< the parameter of one that may be outside, empty: none
};

abi::Solution solve_once(bolza_problem& problem, const TranscribeOptions& options, const abi::Solution* guess,
                         NonfiniteReport& nonfinite, LeftToDo& left) {
  auto begin = Clock::now();
  abi::Finding error;
  error.time = std::numeric_limits<double>::quiet_NaN();
  std::unique_ptr<Transcription> t = transcribe(problem, options, guess, error);
  if (!t) return refused(std::move(error));
  if (!options.let_go.empty()) let_go(*t, options.let_go);
  if (options.widened > 0) widen(*t, options.widened);
  nlp::Iterate start = start_of(*t, guess, options.nlp);
  nlp::Report report = nlp::solve(t->nlp, options.nlp, &start);
  nonfinite = t->evaluator->nonfinite();
  if (report.iterate.w.empty()) report.iterate.w = t->nlp.start;
  bool unwrapped = !problem.is_static && unwrap_angles(*t, report.iterate.w);
  abi::Solution solution = extract(*t, report.iterate);
  solution.status = status_of(report.status);
  fill_statistics(solution, t->nlp, report);
  log_linear_algebra(options.nlp, report, solution);
  solution.integers = integer_statistics(report.integers, t->sign, solution);
  solution.warm_start = {signature_of(t->nlp), report.iterate.lambda, report.iterate.z_lower, report.iterate.z_upper};
  find(*t, report, options, nonfinite, solution);
  bool goes_on = abi::is_solution(solution.status) && !solution.integers.any;
  left.missed = goes_on && (unwrapped || sizes_missed(*t, report.iterate.w));
  left.windowed = !t->delay_windows.empty();
  const DelayWindow* window = goes_on ? window_left(t->delay_windows, report.iterate.w) : nullptr;
  const char* sought = window ? problem.parameters[window->parameter].name : "";
  left.beyond = sought ? sought : "a parameter";
  solution.statistics.seconds_total = seconds_since(begin);
  options.tell(solution);
  return solution;
}

/// What is left of the options for a solve that goes on from a solution.
TranscribeOptions going_on(TranscribeOptions options, const abi::Solution& from) {
  constexpr double barrier = 1e-6;
  constexpr int least_iterations = 50;
  options.perturbation = 0;
  options.lines_to_end = false;
  options.nlp.warm_start = true;
  options.nlp.barrier = barrier;
  options.nlp.max_iterations = std::max(least_iterations, options.nlp.max_iterations - from.statistics.iterations);
  return options;
}

/// Adds what was spent on a solve before.
void add_effort(abi::Solution& to, const abi::Solution& before) {
  to.statistics.iterations += before.statistics.iterations;
  to.statistics.regularized += before.statistics.regularized;
  to.statistics.seconds_evaluation += before.statistics.seconds_evaluation;
  to.statistics.seconds_total += before.statistics.seconds_total;
  carry_linear_algebra(before, to);
}

bool may_go_on(const abi::Solution& solution) {
  return solution.status != abi::SolveStatus::interrupted && solution.status != abi::SolveStatus::time_limit &&
         solution.status != abi::SolveStatus::refused;
}

/// Moves the windows of sought delays until these are inside; where that leads to nothing they have all their room. Where
/// that fails, too, a solution that was found at a side of its window is given back, and says so in its log.
abi::Solution solve_in_windows(bolza_problem& problem, const TranscribeOptions& options, const abi::Solution* guess,
                               NonfiniteReport& nonfinite, LeftToDo& left) {
  constexpr int most_moves = 30;
  abi::Solution solution = solve_once(problem, options, guess, nonfinite, left);
  std::optional<abi::Solution> at_side;
  std::string sought;
  auto keep = [&] {
    if (!left.beyond.empty()) {
      at_side = solution;
      sought = left.beyond;
    }
  };
  keep();
  for (int move = 0; !left.beyond.empty() && move < most_moves; ++move) {
    abi::Solution on = solve_once(problem, going_on(options, solution), &solution, nonfinite, left);
    add_effort(on, solution);
    solution = std::move(on);
    keep();
  }
  if (!left.windowed || (abi::is_solution(solution.status) && left.beyond.empty())) return solution;
  if (may_go_on(solution)) {
    TranscribeOptions wide = going_on(options, solution);
    wide.nlp.warm_start = false;
    abi::Solution found = solve_once(problem, wide, at_side ? &*at_side : guess, nonfinite, left);
    add_effort(found, solution);
    solution = std::move(found);
  }
  if (!at_side || abi::is_solution(solution.status) || solution.status == abi::SolveStatus::interrupted) return solution;
  at_side->statistics.iterations = 0;
  at_side->statistics.regularized = 0;
  at_side->statistics.seconds_evaluation = at_side->statistics.seconds_total = 0;
  add_effort(*at_side, solution);
  at_side->log.push_back({delay_at_side_log, 1, "of `" + sought + "`"});
  left.missed = false;
  return std::move(*at_side);
}

}  // namespace

nlp::Iterate start_of(Transcription& t, const abi::Solution* guess, const nlp::EngineOptions& options) {
  const nlp::Nlp& nlp = t.nlp;
  nlp::Iterate start{nlp.start, {}, {}, {}};
  if (!options.warm_start || !guess) return start;
  if (guess->warm_start.signature == signature_of(nlp))
    return {nlp.start, guess->warm_start.rows, guess->warm_start.lower, guess->warm_start.upper};
  nlp::Iterate same_method = transfer_multipliers(t, *guess);
  if (!same_method.lambda.empty()) {
    same_method.w = nlp.start;
    return same_method;
  }
  nlp::Iterate carried = carried_multipliers(t, *guess);
  if (carried.w.empty()) return start;
  return nlp::centred_for(options, nlp, std::move(carried));
}

abi::Solution solve(bolza_problem& problem, const TranscribeOptions& options, const abi::Solution* guess,
                    NonfiniteReport& nonfinite) {
  LeftToDo left, still_left;
  abi::Solution solution = solve_in_windows(problem, options, guess, nonfinite, left);
  if (!left.missed) return solution;
  abi::Solution on = solve_once(problem, going_on(options, solution), &solution, nonfinite, still_left);
  add_effort(on, solution);
  on.parameter_scale = solution.parameter_scale;  // compared with which a parameter may have run away
  if (abi::is_solution(on.status)) return on;
  solution.statistics.iterations = on.statistics.iterations;
  return solution;
}

abi::Solution solve(bolza_problem& problem, const TranscribeOptions& options, const abi::Solution* guess) {
  NonfiniteReport nonfinite;
  return solve(problem, options, guess, nonfinite);
}

}  // namespace bolza::transcribe
