// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/natural_horizon.h"

#include <algorithm>
#include <cmath>

#include "runtime/transcribe/collocation/scales.h"

namespace bolza::transcribe {

double natural_horizon(bolza_problem& problem) {
  if (problem.is_static || problem.n_phases != 1) return 0;
  TranscribeOptions options;
  options.transcription = "implicit-euler";
  options.mesh = 1;
  options.nlp.hessian = nlp::Hessian::lbfgs;
  abi::Finding error;
  std::unique_ptr<Transcription> t = transcribe(problem, options, nullptr, error);
  if (!t) return 0;
  std::vector<PhaseSizes> sizes = known_sizes(*t, nullptr);
  std::vector<double> changes(sizes.front().x.size(), 0);
  for (const EndLimits& end : end_limits(*t)) {
    if (end.block->quantity != QuantityKind::state) continue;
    auto a = static_cast<std::size_t>(end.block->index);
    double change = std::max({0.0, end.lower - end.start, end.start - end.upper});
    if (std::isfinite(change)) changes[a] = std::max(changes[a], change);
    if (end.lower == end.upper && std::isfinite(end.lower))
      sizes.front().x[a] = std::max(sizes.front().x[a], std::abs(end.lower));
  }
  return measure_horizon(*t, 0, std::move(sizes.front()), changes);
}

}  // namespace bolza::transcribe
