// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "runtime/transcribe/plan/layout.h"

namespace bolza::transcribe {

/// Value of a parameter before solving: what is given, or the guess, the start value, else 0, moved into its bounds.
double guessed(const bolza_variable& parameter);

/// Values or guesses of a phase's t0 and tf among the problem's parameters, tf > t0 and beyond every fixed time of a slot.
Horizon horizon_of(const bolza_problem& problem, std::int32_t phase, const std::vector<double>& parameters);

/// Time slots of a phase that must become mesh points: fixed physical times while t0 or tf is free, and then all others
/// inside too; all of them when `meet`.
std::vector<AffineTime> breakpoints_of(const bolza_problem& problem, std::int32_t phase, const Horizon& horizon, bool meet);

/// Where a slot lies on the mesh; `tau` in [0, 1], a mesh point inside belongs to its left interval (tau = 1).
struct Location {
  std::size_t interval = 0;
  double tau = 0;
  bool at_start = false, at_final = false;
  bool outside = false;  ///< of the horizon: a mistake in the model
};
Location locate(const bolza_problem& problem, std::size_t place, const Mesh& mesh, const Horizon& horizon);

/// A row `v − … − h^e Σ_j weight_j f(interval, j)[state] = 0` that defines a point value by rates.
struct RateRow {
  std::int32_t phase = 0;
  std::size_t interval = 0, state = 0, row = 0;
  bool times_h = false;
  const ExtraPoint* extra = nullptr;  ///< rates at this point instead of the interval's; then one weight
  std::vector<double> weight;         ///< [s]
};

/// Gives every point value its variable; adds variables and rows where the value is not one of the phase's own.
/// An integral that the objective uses linearly has none.
struct ValuePlacer {
  const bolza_problem& problem;
  const Scheme& scheme;
  const std::vector<PhaseLayout>& phases;
  const std::vector<Horizon>& horizons;
  Numbering& numbering;
  std::vector<ConstantBlock>& constants;
  std::vector<RateRow> rate_rows;

  std::size_t place(const bolza_value_at& value);
};

}  // namespace bolza::transcribe
