// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "runtime/linalg/factors.h"
#include "runtime/nonlinear/model_at.h"

namespace bolza::nonlinear {

/// Algebraics between the steps of an integrator. What dense output gives fulfils 0 = h(t, x, z, u) up to the error of
/// interpolation only, and what follows from differences of algebraics (the output of an amplifier from its input) makes
/// that error large. Factors of ∂h/∂z are kept from one time to the next.
class AlgebraicsBetween {
 public:
  explicit AlgebraicsBetween(ModelAt& model) : model_(model) {}

  /// Moves z [n_z] onto 0 = h by Newton's method where that changes no entry by more than ten tolerances atol + rtol·|z|. A
  /// larger change says that errors of the states are made larger by h (stiff equations): then the interpolated z is the
  /// better one and stays, as it does where iterations do not converge. Returns whether z was moved.
  /// @param atol  [n_z]        Cost  two evaluations and solutions, seldom a factorisation.
  bool settle(double t, std::span<const double> x, std::span<const double> u, std::vector<double>& z,
              std::span<const double> atol, double rtol);
  /// The model is another one now: after an event.
  void forget() { factorised_ = false; }

 private:
  bool factorise(const ModelAt::Point& point);

  ModelAt& model_;
  Derivative derivative_;
  linalg::Factors<double> factor_;
  bool factorised_ = false;
};

}  // namespace bolza::nonlinear
