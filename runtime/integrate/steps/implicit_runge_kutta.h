// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "runtime/integrate/steps/one_step.h"
#include "runtime/integrate/steps/runge_kutta_steps.h"

namespace bolza::integrate {

/// A collocation method with invertible A for x' = f, 0 = h of any index up to three, solved by simplified Newton in
/// transformed stages. Dense output: the collocation polynomial; with an estimate of the error the slope at the start is met
/// as well, and where a step is not stiff two evaluations within it give order five: share_of_defect. [HW, IV.8, VI.1,
/// VII.7]
struct CollocationTableau {
  std::size_t stages;
  std::span<const double> c;      ///< [stages]; c_s = 1: the last stage is the end of the step
  std::span<const double> error;  ///< [stages] e of err = (μ/h M − J)⁻¹ (f(x0) + M Σ e_i Z_i / h); empty: no estimate
  int order, error_order;
};

std::unique_ptr<OneStepMethod> make_implicit_method(OneStepModel& model, const CollocationTableau& tableau);
std::unique_ptr<Integrator> make_implicit(const Setup& setup, const CollocationTableau& tableau);

}  // namespace bolza::integrate
