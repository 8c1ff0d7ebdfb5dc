// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/conflict.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/clock.h"
#include "runtime/transcribe/collocation/limits.h"
#include "runtime/transcribe/collocation/solve.h"

namespace bolza::transcribe {
namespace {

constexpr std::size_t most_limits = 24;
constexpr std::uint32_t intervals = 10;
constexpr int iterations = 200;
constexpr double tolerance = 1e-6;

/// What is left of the options where only the constraints matter.
TranscribeOptions of_feasibility(const TranscribeOptions& options) {
  TranscribeOptions coarse;
  coarse.mesh = std::min(options.mesh, intervals);
  coarse.nlp.tol = tolerance;
  coarse.nlp.max_iterations = iterations;
  coarse.nlp.integers = nlp::IntegerMethod::relax;
  coarse.nlp.budget = options.nlp.budget;
  coarse.nlp.engine_options.emplace_back("obj_scaling_factor", "1e-6");
  return coarse;
}

class DeletionFilter {
 public:
  DeletionFilter(bolza_problem& problem, const TranscribeOptions& options, const abi::Solution* guess)
      : problem_(problem),
        options_(of_feasibility(options)),
        guess_(guess) {}

  std::vector<Limit> run() {
    abi::Finding error;
    std::unique_ptr<Transcription> t = transcribe(problem_, options_, guess_, error);
    if (!t) return {};
    std::vector<Limit> all = limits_of(*t), kept;
    t.reset();
    if (all.empty() || all.size() > most_limits || is_feasible() || !known_) return {};
    options_.let_go = all;
    if (!is_feasible()) return {};
    options_.let_go.clear();
    for (const Limit& limit : all) {
      options_.let_go.push_back(limit);
      bool needed = is_feasible();
      if (!known_) return {};
      if (needed) {
        options_.let_go.pop_back();
        kept.push_back(limit);
      }
    }
    return kept;
  }

 private:
  bool is_feasible() {
    abi::SolveStatus status = solve(problem_, options_, guess_).status;
    known_ = !options_.nlp.budget.over() && (abi::is_solution(status) || status == abi::SolveStatus::infeasible);
    return abi::is_solution(status);
  }

  bolza_problem& problem_;
  TranscribeOptions options_;
  const abi::Solution* guess_;
  bool known_ = true;
};

}  // namespace

std::vector<Limit> find_conflict(bolza_problem& problem, const TranscribeOptions& options, const abi::Solution* guess) {
  return DeletionFilter(problem, options, guess).run();
}

}  // namespace bolza::transcribe
