// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/integrate/events/hybrid.h"

namespace bolza::integrate {

/// Watches whether the states still determine the algebraics: h_z, scaled by nominal values and rows, must stay regular.
/// After index reduction with dummy derivatives it becomes singular where the choice of states fails (a pendulum whose x is
/// a state, at its turning side), although the motion itself goes on.
class StateSelectionMonitor {
 public:
  /// @param margin  1e-7 where only a failure counts; 0.05 where another choice is at hand, taken while values are accurate
  StateSelectionMonitor(nonlinear::ModelAt& model, double margin) : model_(model), margin_(margin) {}

  /// Are there algebraics to watch? Not more than 200: in larger models only the integrator's failure says so.
  bool watches() const { return model_.model().n_z > 0 && model_.model().n_z <= 200; }
  /// True when h_z has lost regularity: its reciprocal condition fell below `margin` of the best one seen, or its
  /// determinant changed its sign while it was small. `after_failure`: the integrator gave up here, so less will do. Cost:
  /// one Jacobian and one factorisation.
  bool failed(const State& state, std::span<const double> u, bool after_failure = false);
  /// After an event the past says nothing.
  void forget() {
    best_ = 0;
    sign_ = 0;
  }

 private:
  nonlinear::ModelAt& model_;
  double margin_;
  nonlinear::Derivative derivative_;
  double best_ = 0, sign_ = 0;
};

}  // namespace bolza::integrate
