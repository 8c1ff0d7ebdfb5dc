// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "runtime/abi/bolza.h"
#include "runtime/transcribe/mesh/interpolate.h"

namespace bolza::transcribe {

/// Values, along a guess, of states that are integrals of what is guessed: those that start at a given value, that no
/// equation reads, and that the objective or end constraints read, but not linearly. Held at that value, as states without a
/// guess are, a quotient by one or its logarithm may have no value, and nothing to descend along.
class IntegralGuess {
 public:
  /// States, algebraics and controls at a share of the horizon.
  using Along = std::function<PhaseValues(double share)>;

  /// @param parameters  [n_parameters] of the problem, with t0 and tf among them
  /// @param guess       none: what each variable says itself, at all times
  /// Cost  a hundred evaluations of the rates where there is such a state, else linear in the patterns of derivatives.
  IntegralGuess(const bolza_problem& problem, std::size_t phase, std::span<const double> parameters, const Along& guess);

  /// Nothing for other states, for those that have a guess or change along the one that there is, and where rates have no
  /// value.
  std::optional<double> at(std::size_t state, double share) const;

 private:
  std::vector<std::vector<double>> values_;  ///< [states][grid] of equal steps; empty: nothing is known
};

}  // namespace bolza::transcribe
