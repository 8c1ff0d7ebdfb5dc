// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "runtime/transcribe/collocation/transcription.h"

namespace bolza::transcribe {

/// Sizes of the quantities of a phase; 0: nothing is known.
struct PhaseSizes {
  std::vector<double> x, z, u;
  std::vector<double> p;  ///< [n_parameters] of free parameters; not_measured: fixed ones, and times
};

inline constexpr double not_measured = -1;

/// Fills sizes that are 0 from those that are known, by the terms of the equations: with |∂f_a/∂y_k| s_k for what a variable
/// of size s_k adds to the derivative of state a, its rate is as large as the largest such term, as |f_a| itself, and as
/// s_a / T; no unknown, a free parameter among them, makes a term that is larger, and an unknown state is as large as its
/// rate over the horizon T, or over the time 1 / |∂f_a/∂x_a| where that is shorter. Algebraic equations and path constraints
/// count in the same way, with their limits as terms. Multiplying a variable by any number multiplies its size by the same.
/// @param sizes  nominal values, start values, guesses, bounds, end values; changed in place
/// Errors  none: what is not found stays 0, values that are not finite are left out.     Cost  up to three
/// Jacobians of the model at one point each, none where nothing is unknown.
void measure_sizes(const Transcription& t, std::size_t phase, PhaseSizes& sizes);

/// The length of a phase's horizon, to a quarter of a decade: the least in which the rates, as large as their terms, change
/// every state by what is asked of it. So 20,000 s for 84,000 km at 0.2 m/s² from rest, in any units.
/// @param sizes    as in measure_sizes, before anything was measured
/// @param changes  [n_x] 0: nothing is asked of the state
/// Errors  0: nothing is asked, no length is enough, or every one is, as where controls have no size.     Cost  as above.
double measure_horizon(const Transcription& t, std::size_t phase, PhaseSizes sizes, const std::vector<double>& changes);

}  // namespace bolza::transcribe
