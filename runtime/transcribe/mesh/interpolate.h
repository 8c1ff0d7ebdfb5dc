// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "runtime/abi/solution.h"

namespace bolza::transcribe {

enum class Side { left, right };  ///< of a time where a control may jump

/// Quantities of a phase at one time.
struct PhaseValues {
  std::vector<double> x, z, u;
};

/// Evaluates a phase of a solution at a time: by the polynomials of its transcription when the trajectories are those of one
/// of ours, else piecewise linear. Times outside the horizon give the values of its ends. Cost logarithmic in the number of
/// intervals.
class Interpolation {
 public:
  /// The solution must outlive the interpolation.
  explicit Interpolation(const abi::PhaseSolution& phase);
  PhaseValues at(double time, Side side = Side::left) const;

  /// True: by polynomials.
  bool exact() const { return polynomials_ != nullptr; }

 private:
  struct Polynomials;
  PhaseValues linear(double time, Side side) const;
  PhaseValues polynomial(double time, Side side) const;

  const abi::PhaseSolution& phase_;
  std::vector<double> mesh_;  // times
  std::shared_ptr<const Polynomials> polynomials_;
};

}  // namespace bolza::transcribe
