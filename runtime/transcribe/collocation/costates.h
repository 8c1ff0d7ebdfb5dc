// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/transcribe/collocation/transcription.h"

namespace bolza::transcribe {

/// Costates of one phase.
struct Costates {
  /// [n_x][N + 1] λ(t_i+): derivative by the state at mesh point i of the Lagrangian's terms in intervals ≥ i; 0 at the end.
  std::vector<std::vector<double>> after;
  /// [n_x][N + 1] derivative by the state at mesh point i of the terms of point values there: λ(t_i-) = after + jump, λ(tf)
  /// = jump.
  std::vector<std::vector<double>> jump;
  /// [n_x × s][N] at collocation points: −Σ_d μ_d A_dj / b_j.
  std::vector<std::vector<double>> inside;
};

/// Needs gradient and Jacobian at the iterate, which must be where the evaluator stands. Empty when they are not finite.
std::vector<Costates> costates_of(Transcription& t, const nlp::Iterate& iterate);

}  // namespace bolza::transcribe
