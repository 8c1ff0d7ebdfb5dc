// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <complex>
#include <functional>
#include <span>
#include <vector>

#include "runtime/estimate/estimator.h"

namespace bolza::estimate::testing {

using Complex = std::complex<double>;
/// y(x, p), p in physical units; analytic, so that derivatives can be had by the complex step.
using Formula = std::function<Complex(double x, std::span<const Complex> p)>;

/// A formula with its measurements: a likelihood without a model that is integrated.
struct ClosedForm {
  Formula formula;
  Estimation estimation;

  /// @param names  parameters, on linear scales without bounds
  ClosedForm(Formula formula, const std::vector<std::string>& names);
  /// One experiment with an observable `y`.
  void measure(const std::vector<double>& x, const std::vector<double>& y);
  void noise(double sigma) { estimation.observables[0].number = sigma; }
  /// Everything of order `fisher`, for normal noise.
  Likelihood at(std::span<const double> theta) const;
  /// The minimum by Gauss–Newton steps with halving, from the start.
  std::vector<double> fitted(std::vector<double> theta) const;
};

}  // namespace bolza::estimate::testing
