// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "runtime/transcribe/checks/hamiltonian.h"

namespace bolza::transcribe {

/// What the Hamiltonian at one point would gain by other values of the controls, moved one at a time within what their
/// bounds and path constraints of controls alone leave them: to the ends of that, and to where H is least between, be it a
/// smooth minimum or a kink such as that of |u| at zero. A polynomial through collocation points has neither switches nor
/// corners inside its interval.
class ControlGain {
 public:
  /// @param size  of the controls [n_u]     @param held  [n_u] 1: is not moved
  ControlGain(Hamiltonian& hamiltonian, std::vector<double> size, std::vector<char> held);

  struct Point {
    double t;
    const PhaseValues* values;        ///< whose z belong to them
    std::span<const double> costate;  ///< [n_x]
    double here;                      ///< H with the controls u
  };
  struct Gain {
    double at_ends = 0;  ///< by the better end of what each control may be
    double between = 0;  ///< by how much more at the least between them
  };
  /// Whether each control has limits of its own: algebraics have no bounds, and path constraints read controls or other
  /// variables, not both.
  bool possible() const { return possible_; }
  /// By how much H is less, summed over the controls; never negative.     Errors  none: where H has no value nothing is
  /// gained. Cost  four evaluations of rates for each control; thirty more where H has a slope that does not end in a
  /// parabola, six where a path constraint is in the way.
  Gain gain(const Point& at, const std::vector<double>& u);

 private:
  double value(const std::vector<double>& u);
  double violation(const std::vector<double>& u);
  struct End {
    double at;
    bool open;  ///< nothing ends the control there
  };
  using Along = std::function<double(double)>;  ///< H by one control
  double reachable(std::vector<double>& u, std::size_t c, double target);
  End end_of(std::vector<double>& u, std::size_t c, bool upper);
  double least_between(const Along& H, double own, double size, const End& low, const End& high);
  double least_towards(const Along& H, double own, const End& end) const;

  Hamiltonian& hamiltonian_;
  const bolza_model& model_;
  std::vector<double> size_;
  std::vector<char> held_;
  bool limited_ = false, possible_ = true;  // limited by more than the controls' own bounds
  const Point* at_ = nullptr;
  double own_violation_ = 0;
  std::vector<double> rates_, rows_;
};

}  // namespace bolza::transcribe
