#pragma once
#include "runtime/integrate/hybrid.h"

namespace bolza::integrate {

/// Watches whether the states still determine the algebraics: h_z, scaled by nominal values and rows, must stay regular. After
/// index reduction with dummy derivatives it becomes singular where the choice of states fails (a pendulum whose x is a
/// state, at its turning side), although the motion itself goes on.
class StateChoice {
 public:
  StateChoice(nonlinear::ModelAt& model) : model_(model) {}

  /// True when h_z has lost regularity: its reciprocal condition fell below 1e-7 of the best one seen, or its determinant
  /// changed its sign while it was below a hundredth of that. `in_trouble`: the integrator gave up here, or its steps have become
  /// a thousandth of what they were, so less will do.
  /// Cost: one Jacobian and one factorisation.
  bool failed(const State& state, std::span<const double> u, bool in_trouble = false);
  /// After an event the past says nothing.
  void forget() { best_ = 0, sign_ = 0; }

 private:
  nonlinear::ModelAt& model_;
  nonlinear::Derivative derivative_;
  double best_ = 0, sign_ = 0;
};

}  // namespace bolza::integrate
