// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/integers.h"

#include <algorithm>

namespace bolza::transcribe {

bool has_whole_controls(const bolza_problem& problem) {
  if (problem.is_static) return false;
  for (std::size_t m = 0; m < problem.n_models; ++m)
    if (std::any_of(problem.models[m]->u, problem.models[m]->u + problem.models[m]->n_u, is_whole)) return true;
  return false;
}

void make_whole(nlp::Nlp& nlp, std::size_t v) {
  nlp.integer.resize(nlp.n(), 0);
  nlp.integer[v] = 1;
}

void make_whole(nlp::Nlp& nlp, std::size_t v, std::int32_t control, double length) {
  make_whole(nlp, v);
  nlp.sequence.resize(nlp.n(), nlp::global);
  nlp.length.resize(nlp.n(), 0);
  nlp.sequence[v] = control;
  nlp.length[v] = length;
}

void add_switching(nlp::Nlp& nlp, const bolza_model& model, const std::vector<std::int32_t>& sequence, double length) {
  for (std::size_t k = 0; k < model.n_switching; ++k) {
    const bolza_switching& from = model.switching[k];
    nlp::SwitchLimits rule{{}, from.dwell / length, from.switches};
    for (std::size_t c = 0; c < from.n_controls; ++c)
      rule.sequences.push_back(sequence[static_cast<std::size_t>(from.controls[c])]);
    if (std::count(rule.sequences.begin(), rule.sequences.end(), nlp::global) == 0) nlp.switching.push_back(std::move(rule));
  }
}

abi::IntegerStatistics integer_statistics(const nlp::IntegerReport& report, double sign, const abi::Solution& solution) {
  double horizon = 0;
  for (const abi::PhaseSolution& phase : solution.phases) horizon = std::max(horizon, phase.final_time - phase.start_time);
  return {.any = report.any,
          .found = report.found,
          .method = report.method,
          .stopped = report.stopped,
          .relaxed = sign * report.relaxed,
          .bound = sign * report.bound,
          .gap = report.gap,
          .nodes = report.nodes,
          .deviation = horizon * report.deviation,
          .deviation_bound = horizon * report.deviation_bound};
}

}  // namespace bolza::transcribe
