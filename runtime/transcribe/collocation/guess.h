// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "runtime/transcribe/collocation/transcription.h"

namespace bolza::transcribe {

/// Free, with neither a guess nor a start value.
bool is_unguessed(const bolza_variable& v);

/// The problem's parameters to start from: those of the guess when it has them, else values and guesses of the problem,
/// within bounds.
std::vector<double> guessed_parameters(const bolza_problem& problem, const abi::Solution* guess);

/// Fills nlp.start: parameters; trajectories from the guess (at the same fraction of the horizon), else each variable's
/// guess or start value; then point values and running sums from their rows. Evaluates the constraints once.
void set_start(Transcription& t, const abi::Solution* guess);

/// Values that linear or quadrature rows define, from those rows at the rest of the start: point values, extrapolated
/// controls, running sums. Evaluates the constraints once.
void fill_definitions(Transcription& t);

/// A guess that runs straight from one set of values to another: for every phase, states, algebraics and controls at t0 and
/// tf. Empty vectors leave the quantity to the problem's guesses.
struct Straight {
  std::vector<double> x0, x1, z0, z1, u0, u1;
};
abi::Solution straight_guess(const bolza_problem& problem, const std::vector<Straight>& phases);

}  // namespace bolza::transcribe
