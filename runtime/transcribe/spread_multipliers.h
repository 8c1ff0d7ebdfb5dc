// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "runtime/abi/solution.h"

namespace bolza::transcribe {

/// A part of the horizon of a phase, in fractions 0 … 1; `from` = `to`: a time.
struct Stretch {
  double from = 0, to = 0;
};

/// Variables or rows of a nonlinear program that stand for one quantity along the horizon, each with its stretch.
struct AlongHorizon {
  std::vector<std::size_t> number;
  std::vector<Stretch> stretch;

  void add(std::size_t which, Stretch of) {
    number.push_back(which);
    stretch.push_back(of);
  }
};

/// The stretches whose borders are half way between neighbouring places.    Requires  places that do not descend.
std::vector<Stretch> half_way(std::span<const double> places);

/// The entries of `values` along the horizon, zeros left out.
abi::SpreadMultiplier spread(const AlongHorizon& along, std::span<const double> values);

/// What of a multiplier falls on each of these stretches: sums are kept where they cover the horizon. An amount at one time
/// goes to the empty stretch there, else to one that contains the time. Cost  (amounts + stretches) · log.
std::vector<double> gather(const abi::SpreadMultiplier& multiplier, std::span<const Stretch> stretches);
/// The same into the entries of `to`.
void gather(const abi::SpreadMultiplier& multiplier, const AlongHorizon& along, std::vector<double>& to);

/// The costates of a phase at fractions of its horizon, linear between the times of its trajectories.
class CostateCurves {
 public:
  /// The solution must outlive it.
  explicit CostateCurves(const abi::PhaseSolution& phase);
  /// λ of a state; left: before a jump there.
  double at(std::size_t state, double fraction, bool left) const;

 private:
  const abi::PhaseSolution& phase_;
};

/// Whether all phases of a solution have costates and multipliers for a problem's phases: enough to start another method's.
bool has_multipliers(const bolza_problem& problem, const abi::Solution& solution);

}  // namespace bolza::transcribe
