// SPDX-License-Identifier: Apache-2.0
// What single and multiple shooting write as a solution.
#pragma once
#include <functional>

#include "runtime/integrate/simulate/simulate.h"
#include "runtime/nlp/nlp.h"
#include "runtime/transcribe/shooting/nodes_internal.h"

namespace bolza::transcribe {

/// Where the two differ.
struct ShootingWriter {
  const char* transcription = "";
  /// Trajectories at `options.output_times`; inputs and parameters are set.
  std::function<abi::Trajectories(ShootingPhase& phase, integrate::SimulateOptions options)> simulate;
  /// λ at samples (descending fractions) and the start of every segment [segments][(samples + 1) × n_x], or empty.
  std::function<std::vector<std::vector<double>>(std::size_t phase, std::span<const double> lambda,
                                                 std::span<const double> samples)>
      costates;
};

/// For a simulation with the controls and parameters of w; its output times are still to be set.
integrate::SimulateOptions simulate_options(const ShootingNodes& nodes, const ShootingPhase& phase,
                                            std::span<const double> w);

/// Settings that cannot be taken.
abi::Solution refused_shooting(const char* method, const std::string& reason);

/// The solution of a report, in the units and signs of docs/notation.md; `functions` are those of the nodes' NLP.
abi::Solution shooting_solution(ShootingNodes& nodes, nlp::Functions& functions, nlp::Report& report,
                                const ShootingWriter& writer);

}  // namespace bolza::transcribe
