// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bolza::passes {

/// What determines a control on an arc of an optimal trajectory.
enum class ControlArc : std::uint8_t {
  law,       ///< the minimum of H over its bounds, whichever of the cases below that is
  free,      ///< ∂H/∂u = 0 between the bounds, or an active path constraint
  lower,     ///< its lower bound
  upper,     ///< its upper bound
  singular,  ///< a time derivative of ∂H/∂u, which vanishes along the arc and does not contain the control
};

enum class ConstraintSide : std::uint8_t { lower, upper };

/// A path constraint, by its number in OptimalitySystem::paths, that holds as an equation along an arc.
struct ActivePath {
  std::size_t path = 0;
  ConstraintSide side = ConstraintSide::upper;
  friend bool operator==(const ActivePath&, const ActivePath&) = default;
};

/// A stretch of the horizon on which the same conditions determine the controls.
struct OptimalityArc {
  std::vector<ControlArc> controls;  ///< [n_u]
  std::vector<ActivePath> active;
  friend bool operator==(const OptimalityArc&, const OptimalityArc&) = default;
};

/// What is assumed of an optimum: its arcs, and which inequalities hold as equations.
struct ArcSequence {
  std::vector<OptimalityArc> arcs;                   ///< in the order of time, one at least
  std::vector<std::optional<ConstraintSide>> point;  ///< [n_k] of inequalities; empty: none is active
  std::vector<std::optional<double>> parameters;     ///< [free parameters] the bound that it is at; empty: none
};

}  // namespace bolza::passes
