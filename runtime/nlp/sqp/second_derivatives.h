// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/nlp/nlp.h"

namespace bolza::nlp {

/// The Hessian of the Lagrangian in a quadratic program: evaluated, Gauss-Newton, or a damped BFGS approximation of all of
/// it [POW], whose pattern is full.
class SecondDerivatives {
 public:
  SecondDerivatives(const Nlp& nlp, Hessian kind);
  const Pattern& pattern() const {
    return kind_ == Hessian::lbfgs ? full_ : kind_ == Hessian::exact ? nlp_.hessian : nlp_.gauss_newton;
  }
  /// At the point the functions stand at; false: a value was not finite.
  bool evaluate(std::span<const double> lambda, std::vector<double>& values);
  /// BFGS: what the Lagrangian's gradient did over the last step; damped, so that the matrix stays positive definite.
  void update(std::span<const double> step, std::span<const double> gradient_change);
  /// BFGS: forgets what it has learned. False: there was nothing to forget.
  bool reset();

 private:
  const Nlp& nlp_;
  Hessian kind_;
  Pattern full_;
  std::vector<double> approximation_;  // [n (n + 1) / 2], by rows of the lower triangle
  bool fresh_ = true;
};

}  // namespace bolza::nlp
