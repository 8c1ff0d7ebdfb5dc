// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "compiler/passes/pontryagin/arc_conditions.h"
#include "compiler/passes/pontryagin/arcs.h"
#include "compiler/passes/pontryagin/optimality_system.h"

namespace bolza::passes {

/// What the text is for.
enum class TextPurpose : std::uint8_t {
  reading,          ///< costates start at parameters, so that it can be simulated, and solved by any method; with objective
  boundary_values,  ///< as many equations as unknowns, nothing is minimised
};

/// One arc in the text: how it is called there, and what has which name, without that prefix.
struct ArcOfText {
  std::string prefix;                                     ///< "arc2."; "" where there is one arc
  std::vector<int> singular_order;                        ///< [u] 0: not singular
  std::vector<std::string> convexity;                     ///< [u] of a singular arc, else ""
  std::vector<std::pair<ActivePath, std::string>> paths;  ///< multipliers of active constraints
  std::vector<int> path_orders;                           ///< of these
  std::vector<std::vector<ir::ExprId>> path_entries;      ///< of these: g and its derivatives that do not read controls
  ir::ExprId hamiltonian;                                 ///< H with the constraints that are active
};

/// The equation that makes points of a branch of solutions distinct: Σ weight·(unknown − centre) = step, over the values at
/// the start, the parameters and the times that are sought. Weights, centres and the step are parameters of the class.
struct CurveNames {
  std::vector<std::string> unknowns;  ///< as constraints read them; of a parameter its identifier
  std::vector<std::string> weights, centres;
  std::string step;
  std::size_t continued = 0;  ///< among the unknowns
};

/// A class in Modelica whose equations and constraints are Pontryagin's conditions, with the names of what is in it: as in
/// the system, not as identifiers.
struct OptimalityText {
  std::string text, class_name;
  std::vector<ArcOfText> arcs;
  std::vector<std::string> states, costates;            ///< [states] those of the problem first
  std::vector<std::string> controls, switching, z, mu;  ///< [u], [u] ∂H/∂u, [z], [z]
  std::vector<std::string> parameters;                  ///< [free parameters] "" where it is at a bound
  std::vector<std::string> point_multipliers;           ///< [points] "" where it is not active
  std::vector<ParameterOfSystem> sought;                ///< [free parameters] those at bounds, too
  ir::ExprId lagrangian_of_ends;                        ///< φ + Σ ν k
  std::vector<ir::ExprId> end_costates;                 ///< [states] λ(tf) = ∂(φ + Σ ν k)/∂x
  std::vector<std::uint32_t> point_slots;               ///< [points] of the multipliers
  std::string hamiltonian, cost;                        ///< H; ∫ L, "" where L is zero
  CurveNames curve;                                     ///< where a branch is followed
};

/// The conditions of a sequence of arcs: one class where there is one, else a phase for each with free switching times.
/// What holds where two arcs meet: states and costates go on; a control that changes between two bounds has ∂H/∂u = 0, or
/// where H is not affine in it the same H with both; one that goes from a bound into a singular arc has ∂H/∂u = 0 and the
/// derivatives that vanish on the singular arc; one that leaves a bound has
/// ∂H/∂u = 0 at that bound; a constraint of order q ≥ 1 begins with g = … = g⁽q⁻¹⁾ = 0, a jump of the costates along
/// their gradients and a control that does not jump, and ends with its multiplier at zero; one of order 0 has that at both
/// ends.
///
/// A problem without controls in which as many values are fixed or tied as there are to be found is a boundary value problem
/// as it stands: it has no costates, and `costates` is empty.
/// Errors  as optimality_system and conditions_of; E498 for one without controls and objective whose numbers of conditions
/// and unknowns differ.
Result<OptimalityText> optimality_text(OptimalitySystem& system, const ir::Problem& problem, const ArcSequence& sequence,
                                       TextPurpose purpose, Diagnostics& diagnostics);

}  // namespace bolza::passes
