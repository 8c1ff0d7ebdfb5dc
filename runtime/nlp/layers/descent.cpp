// SPDX-License-Identifier: Apache-2.0
// A stationary point next to which there is a better one is left: the engine begins again from that.
#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/nlp/layer.h"
#include "runtime/nlp/linear_algebra.h"
#include "runtime/nlp/solve.h"

namespace bolza::nlp {
namespace {

constexpr int most_descents = 3;
constexpr double same = 1e-6;  ///< relative difference of two solutions of one tolerance

std::optional<Report> leave_what_is_no_minimum(const SolveTask& task, LayerRows below) {
  Report report = walk(task, below);
  SolveTask on = task;
  for (int round = 0; round < most_descents && is_solution(report.status) && !report.better_nearby.empty(); ++round) {
    on.start = {.w = std::exchange(report.better_nearby, {})};
    on.options.max_iterations = std::max(1, task.options.max_iterations - report.iterations);
    Report lower = walk(on, below);
    report.iterations += lower.iterations;
    add(report.linear_algebra, lower.linear_algebra);
    report.seconds_evaluation += lower.seconds_evaluation;
    report.regularized += lower.regularized;
    double gain = report.objective - lower.objective;
    bool is_lower =
        is_solution(lower.status) && gain > same * std::max(std::abs(report.objective), std::abs(lower.objective));
    if (!is_lower) {
      report.is_saddle = true;  // the better point is the proof
      break;
    }
    lower.iterations = report.iterations;
    lower.first_objective = report.first_objective;
    lower.seconds_evaluation = report.seconds_evaluation;
    lower.regularized = report.regularized;
    report = std::move(lower);
  }
  report.better_nearby.clear();
  return report;
}

}  // namespace

extern const LayerRow descent_layer;
const LayerRow descent_layer{.name = "descent", .answer = leave_what_is_no_minimum};

}  // namespace bolza::nlp
