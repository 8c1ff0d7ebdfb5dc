// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "compiler/passes/pontryagin/arcs.h"
#include "compiler/passes/pontryagin/optimality_system.h"

namespace bolza::passes {

/// How a control is determined on an arc.
struct ControlCondition {
  ExprId switching;        ///< ∂H/∂u: where H is affine in u it does not read u, and its sign decides
  bool is_affine = false;  ///< so it is
  ExprId law;              ///< u = law, with the bounds in it; none: 0 = `equation`
  ExprId equation;         ///< where there is no law
  /// Where ∂H/∂u is not linear in u: its derivative by time, as a function of time, x and λ alone, and by each control. So
  /// u is a state that starts with ∂H/∂u = 0, and stays on its branch of solutions. None: `equation` is all there is.
  ExprId drift;
  std::vector<ExprId> slopes;  ///< [n_u]
  std::vector<ExprId>
      multiplier_slopes;     ///< [paths] the same by the multipliers of constraints that are differentiated, too
  int order = 0;             ///< of a singular arc, q: u is in the derivative 2q of ∂H/∂u
  std::vector<ExprId> flat;  ///< of a singular arc: ∂H/∂u and its derivatives up to 2q - 1, which vanish on it
  ExprId convexity;          ///< of a singular arc: (-1)^q ∂/∂u of the derivative 2q, which must not be negative [RB]
};

/// A path constraint along an arc: its derivative of order q is the first that reads a control, and is zero there.
struct PathCondition {
  ActivePath path;
  int order = 0;
  std::uint32_t multiplier = 0;  ///< slot; of g = value - upper, or lower - value: not negative for q = 0
  std::vector<ExprId> entry;     ///< g and its derivatives up to q - 1, which vanish where the arc begins
  ExprId equation;               ///< derivative q
  /// Of an equation of states and controls, where the controls are states: its derivative by time without controls, and by
  /// each control. None: `equation` is all there is.
  ExprId drift;
  std::vector<ExprId> slopes;  ///< [n_u]
};

/// The conditions of one arc.
struct ArcConditions {
  std::vector<ControlCondition> controls;  ///< [n_u]
  std::vector<PathCondition> paths;
  std::vector<ExprId> state_costates;      ///< [states] λ'
  std::vector<ExprId> parameter_costates;  ///< [free parameters] λ'
  std::vector<ExprId> multiplier_rows;     ///< [z] 0 = ∂H/∂z
  ExprId hamiltonian;                      ///< H + Σ ν g⁽q⁾
};

/// Whether H is an affine function of the control: bounds or a singular arc determine it.
bool is_affine_in(OptimalitySystem& system, std::size_t control);

/// Derives the conditions of one arc by differentiating H = L + λᵀ f + μᵀ h + Σ ν g⁽q⁾ symbolically.
/// Errors  E498 with the reason: no derivative of ∂H/∂u up to the eighth reads u (a singular arc of infinite order), no
/// control acts on a constraint, two controls are singular at once.
Result<ArcConditions> conditions_of(OptimalitySystem& system, const OptimalityArc& arc, const ir::Problem& problem,
                                    Diagnostics& diagnostics);

}  // namespace bolza::passes
