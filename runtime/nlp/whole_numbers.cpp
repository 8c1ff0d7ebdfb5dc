// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/whole_numbers.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/clock.h"
#include "runtime/nlp/branch_and_bound.h"
#include "runtime/nlp/solve.h"

namespace bolza::nlp {
namespace {

/// Whether variables that take whole numbers only have them. The best point that a search saw before it was stopped may be
/// one that it had not looked at as such.
bool is_whole(const Nlp& nlp, const std::vector<double>& w) {
  constexpr double near = 1e-6;
  for (std::size_t v = 0; v < nlp.integer.size() && v < w.size(); ++v)
    if (nlp.integer[v] && std::abs(w[v] - std::round(w[v])) > near) return false;
  return true;
}

}  // namespace

bool has_integers(const Nlp& nlp) {
  return std::any_of(nlp.integer.begin(), nlp.integer.end(), [](std::uint8_t whole) { return whole != 0; });
}

bool seeks_whole_numbers(const SolveTask& task) {
  return task.options.integers != IntegerMethod::relax && has_integers(*task.nlp);
}

EngineOptions continuous_part(const EngineOptions& options) {
  EngineOptions out = options;
  out.engine = "ipopt";
  out.integers = IntegerMethod::relax;
  const Engine& ipopt = *find_engine(out.engine);
  std::erase_if(out.engine_options,
                [&](const auto& option) { return !check_option(ipopt, option.first, option.second).empty(); });
  return out;
}

Report search_with_engine(const SolveTask& task, LayerRows below) {
  const Nlp& nlp = *task.nlp;
  const EngineOptions& options = task.options;
  EngineOptions continuous = continuous_part(options);
  Report root = solve(nlp, continuous, &task.start);
  root.integers = {.any = true, .relaxed = root.objective, .bound = root.objective};
  if (!is_solution(root.status)) return root;
  SolveTask own{.nlp = &nlp, .engine = task.engine, .options = options, .start = root.iterate};
  own.options.warm_start = false;
  own.options.relative_gap = 0;
  Report found = walk(std::move(own), below);
  IntegerReport told = found.integers;
  told.any = true;
  told.relaxed = root.objective;
  if (told.found || is_whole(nlp, found.iterate.w)) {
    Report exact = solve_fixed(nlp, continuous, found.iterate);
    exact.iterations += found.iterations;
    exact.seconds_evaluation += found.seconds_evaluation;
    exact.message = found.message;
    if (is_solution(exact.status)) {
      exact.status = found.status;
      found = std::move(exact);
      told.found = true;
    }
  }
  told.bound = std::clamp(told.bound, std::min(root.objective, found.objective), found.objective);
  told.gap = told.found ? found.objective - told.bound : INFINITY;
  found.integers = told;
  found.iterations += root.iterations;
  found.seconds_evaluation += root.seconds_evaluation;
  return found;
}

}  // namespace bolza::nlp
