// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "compiler/ir/problem.h"

namespace bolza::passes {

using ir::ExprId;

/// lower <= value <= upper along the horizon: a path constraint of the model, or the bounds of a state or an algebraic.
struct LimitedPath {
  ExprId value;
  double lower = 0, upper = 0;
  std::string text;
  std::size_t row = 0;    ///< among bounds of x, bounds of z and path constraints of the problem, in this order
  std::size_t phase = 0;  ///< of the problem
};

/// A point constraint lower <= value <= upper, of states at both ends, parameters and times.
struct LimitedPoint {
  ExprId value;
  double lower = 0, upper = 0;
  std::string text;
};

/// A state with its costate.
struct StateOfSystem {
  std::uint32_t x = 0, lambda = 0, at_start = 0, at_end = 0;  ///< slots
  ExprId rate;
  bool fixed = false;  ///< starts at `start`
  double start = 0;
  std::size_t integral = 0;  ///< of one that is an integral of the problem: its number in its phase
  std::size_t phase = 0;
};

/// A free parameter p with its costate, λ' = -∂H/∂p, which is zero at the start.
struct ParameterOfSystem {
  std::uint32_t p = 0, lambda = 0;
  std::size_t shared = 0;       ///< number in Problem::shared
  double lower = 0, upper = 0;  ///< its bounds
};

/// Entries from `first` on.
struct SlotRange {
  std::size_t first = 0, n = 0;
};

/// A phase of the problem: what of the system is its own, and the slots of its times.
struct PhaseOfSystem {
  std::string name;  ///< "" where the problem has no phases
  SlotRange x, z, u;
  std::uint32_t start_time = 0, final_time = 0;
};

/// What Pontryagin's conditions of a problem in the standard form are made of, one expression per row over slots with names
/// (docs/notation.md, costates): H = L + λᵀ f + μᵀ h is minimised by u, λ' = -∂H/∂x, 0 = ∂H/∂z. Integrals that are not
/// added to the objective, such as those of constraints, are states.
///
/// A problem with phases becomes one on a common horizon 0 … 1, the share of each phase that has gone by: its phases are
/// side by side, x' = (tf − t0) f(t0 + time·(tf − t0), x, …), and what links them is a condition of both ends. Their times
/// are parameters. Costates are those of the phases; what a link or a constraint between two phases makes them jump by is
/// its multiplier.
struct OptimalitySystem {
  ir::Expressions expressions;
  std::vector<std::string> names;                ///< [slot] distinct; of values at an end the name of the state
  std::vector<double> value;                     ///< [slot] of fixed parameters; NaN: it varies, or is sought
  std::vector<std::pair<double, double>> range;  ///< [slot] in which values are usual
  std::uint32_t start_time = 0, final_time = 0;
  std::vector<StateOfSystem> states;
  std::vector<ParameterOfSystem> parameters;
  std::vector<std::uint32_t> z, mu, u;  ///< slots
  std::vector<std::uint32_t> fixed;     ///< slots of fixed parameters
  std::vector<double> u_min, u_max;     ///< [u]
  std::vector<ExprId> h;                ///< [z] 0 = h
  std::vector<LimitedPath> paths;
  ExprId running;                              ///< L
  ExprId hamiltonian;                          ///< H
  ExprId end_cost;                             ///< φ, of what is minimised
  std::vector<LimitedPoint> points;            ///< [n_k], then one for each initial equation
  std::size_t n_states = 0;                    ///< of the problem: the first ones
  std::vector<PhaseOfSystem> phases;           ///< one at least
  std::optional<ParameterOfSystem> continued;  ///< a parameter that a branch of solutions is followed in: no costate

  bool is_in_phases() const { return !phases[0].name.empty(); }

  std::uint32_t add(std::string name);
  /// Adds a slot whose name is `name`, or the next that is not taken.
  std::uint32_t add_distinct(std::string name);
  ir::Dag& dag() { return expressions.dag; }
  ExprId slot(std::uint32_t k) { return expressions.dag.slot(k); }
  /// ∂e/∂slot, zero where there is none.
  ExprId derivative(ExprId e, std::uint32_t slot);
  /// Does the expression read one of the slots?
  bool reads(ExprId e, const std::vector<std::uint32_t>& slots);
};

/// Errors  E498 with the reason, where the conditions are not known here: delays, whole numbers, functions with loops,
/// events, algebraics and inner times in point constraints (Transformation::cut_at_points makes phases of these).
/// Cost: a small multiple of the rows written out.
Result<OptimalitySystem> optimality_system(const ir::Problem& problem, Diagnostics& diagnostics);

/// The name as an identifier of Modelica: in quotes where it has other signs than letters, digits and underscores.
std::string identifier_of(const std::string& name);

}  // namespace bolza::passes
