// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "runtime/integrate/steps/one_step.h"
#include "runtime/integrate/steps/runge_kutta_steps.h"

namespace bolza::integrate {

/// An explicit Runge–Kutta method whose last stage is the rate at the end of the step (first of the next one).
/// Dense output: the cubic Hermite polynomial, plus θ²(1−θ)² h Σ d_i k_i [HNW, II.6]; where there are d_i, of order four,
/// one order more by two evaluations of the rates in each step that is looked into: share_of_defect.
struct ExplicitTableau {
  std::size_t stages;             ///< with the one at the end
  std::span<const double> c;      ///< [stages]
  std::span<const double> a;      ///< [stages × stages], the last row is b
  std::span<const double> error;  ///< [stages] b − b̂
  std::span<const double> dense;  ///< [stages] d, or empty
  int order, error_order;         ///< of b and of b̂
  double damping;                 ///< β of the PI controller
};

/// 5(4), with dense output.
extern const ExplicitTableau dormand_prince;

RungeKuttaForm form_of(const ExplicitTableau& tableau);
/// Algebraics, if there are any, are solved for at every stage.
std::unique_ptr<Integrator> make_explicit(const Setup& setup, const ExplicitTableau& tableau);
/// The method alone, for replay and for tests.
std::unique_ptr<OneStepMethod> make_explicit_method(OneStepModel& model, const ExplicitTableau& tableau);

}  // namespace bolza::integrate
