// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/estimate/fit.h"

namespace bolza::estimate {

/// How the measurements of an experiment are fitted first: those of the first 1/2^halvings of its time.
struct Windows {
  std::size_t halvings = 4;
  bool always = false;  ///< else only where a fit to all of them fails at its start, or explains less than half of them
};

/// What part of the measurements' deviations from their means (each observable's on its scale) a fit leaves, from 0: all is
/// explained. NaN where they do not differ.
double unexplained_share(const Estimation& estimation, const Likelihood& at);

/// Interrupted, or out of time.
bool was_cut_short(nlp::Status status);

/// A fit to all measurements that starts from fits to the first of them: to the first 1/2^halvings of the time of every
/// experiment, then to twice as much, and so on. Over long times the likelihood of what oscillates, or runs away from
/// nearby trajectories, has many minima; over short times it has one, near which each longer window starts. A window with
/// fewer measurements than parameters, or without simulation, is left out. Steady states count in the last one only.
/// Cost  halvings + 1 fits, of which the last one takes half of the time.
/// Errors  as those of `fit`; a window that is interrupted or out of time: its status, without a likelihood.
Fit fit_in_growing_windows(const bolza_problem& problem, const Estimation& estimation, const EstimatorOptions& options,
                           const FitOptions& fit_options, std::span<const double> start, std::size_t halvings);

}  // namespace bolza::estimate
