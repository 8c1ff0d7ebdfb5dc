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
};

/// The name as an identifier of Modelica: in quotes where it has other signs than letters, digits and underscores.
std::string identifier_of(const std::string& name);

/// The conditions of a sequence of arcs: one class where there is one, else a phase for each with free switching times.
/// What holds where two arcs meet: states and costates go on; a control that changes between two bounds, or from a bound
/// into a singular arc, has ∂H/∂u = 0 (and the derivatives that vanish on the singular arc); one that leaves a bound has
/// ∂H/∂u = 0 at that bound; a constraint of order q ≥ 1 begins with g = … = g⁽q⁻¹⁾ = 0, a jump of the costates along
/// their gradients and a control that does not jump, and ends with its multiplier at zero; one of order 0 has that at both
/// ends. Errors as optimality_system and conditions_of.
Result<OptimalityText> optimality_text(OptimalitySystem& system, const ir::Problem& problem, const ArcSequence& sequence,
                                       TextPurpose purpose, Diagnostics& diagnostics);

}  // namespace bolza::passes
