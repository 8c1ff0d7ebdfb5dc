// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/abi/bolza.h"

namespace bolza::abi {

enum class SolveStatus : std::uint8_t {
  solved,
  acceptable,  ///< at the looser acceptable tolerance only
  infeasible,  ///< converged to a point of local infeasibility
  iteration_limit,
  time_limit,
  diverging,
  unbounded,         ///< the objective improves without end along a variable that a finding names
  evaluation_error,  ///< a non-finite value that the engine could not step around
  interrupted,       ///< Ctrl-C or a signal: the last iterate is given
  failed,
  refused,  ///< settings that the method cannot take; the first finding's text says why
};

/// "solved", "infeasible", "iteration_limit", … as in the JSON.
const char* name_of(SolveStatus status);
/// Whether what was found is a solution, if only at the acceptable tolerance.
constexpr bool is_solution(SolveStatus status) { return status == SolveStatus::solved || status == SolveStatus::acceptable; }

/// Trajectories of one phase on its own times; row-major [quantity][time], physical units. At a mesh point where z or u may
/// jump, and at an event, the time appears twice (left value, right value).
struct Trajectories {
  std::vector<double> time;
  std::vector<std::vector<double>> x, z, u;          ///< [n][time]
  std::vector<std::vector<double>> rate;             ///< ẋ [n_x][time]
  std::vector<std::vector<double>> costate;          ///< λ [n_x][time], empty when the method gives none
  std::vector<double> hamiltonian;                   ///< H = λᵀ f + Σ w q [time] (docs/notation.md), empty: not known
  std::vector<std::vector<double>> path_multiplier;  ///< ν [n_g][time] as functions of time; > 0 at an active upper side
  std::vector<std::vector<double>>
      discrete;                  ///< m [n_m][time]; left and right value at an event; empty when the model has none
  std::vector<double> integral;  ///< Q
};

/// A multiplier along the horizon of a phase: each amount is spread evenly over a stretch of it, in fractions 0 … 1; one
/// whose stretch is empty acts at that time. An amount is the sum over the rows (or bounds) of the discretised problem in
/// its stretch, in units of the objective over those of the limit; > 0 at an upper side.
struct SpreadMultiplier {
  std::vector<double> from, to, amount;
};

/// The multipliers of a phase that are no costates, in no method's numbering. Not written to files.
struct PhaseMultipliers {
  std::vector<SpreadMultiplier> x, z, u;          ///< of bounds [n_x], [n_z], [n_u]
  std::vector<SpreadMultiplier> algebraic, path;  ///< of rows [n_z], [n_g]
  std::vector<double> initial;                    ///< of initial equations [n_initial]
};

/// What was solved, on which mesh: enough to start any other method from.
struct PhaseSolution {
  double start_time = 0, final_time = 0;
  std::vector<double> mesh;   ///< mesh points as fractions of [t0, tf], 0 … 1
  std::string transcription;  ///< row of the table, "radau"
  std::uint32_t points = 0;   ///< collocation points per interval
  bool control_constant = false;
  /// Shooting: the points of the grid on which each control that is not a delayed value has its values, as fractions of
  /// [t0, tf]; all are in `mesh`. Empty: not known. Not written to files.
  std::vector<std::vector<double>> control_grid;
  /// What collocation divided x, z and u by [n]: nominal values, else sizes that it found, 1 for ordinary ones; empty: not
  /// known. Not written to files.
  std::vector<double> x_size, z_size, u_size;
  Trajectories trajectories;
  /// |multipliers| of the bounds of x, of z and of the path constraints, summed over the points of every interval
  /// [n_x + n_z + n_g][N]; empty when the method gives none. Not written to files.
  std::vector<std::vector<double>> interval_multiplier;
  PhaseMultipliers multipliers;  ///< empty when the method gives none
};

/// Where a function gave a value that is not finite: what it takes to evaluate it there once more.
struct NonfinitePlace {
  const bolza_function* function = nullptr;  ///< of the problem, never null
  std::vector<double> point;                 ///< [n_point] time first
  std::vector<double> shared;                ///< [n_shared]
};

/// One finding of the report, worst first: which constraint, variable or equation, where, by how much.
struct Finding {
  enum class Kind : std::uint8_t { violated, nonfinite, at_bound, unbounded, of_engine, conflict, unstable };
  static constexpr std::size_t kinds = static_cast<std::size_t>(Kind::unstable) + 1;
  Kind kind = Kind::violated;
  std::string name;  ///< of the row or variable
  std::string file;
  std::int32_t line = 0, column = 0;
  double time = 0;                              ///< NaN when none
  double value = 0, bound = 0, amount = 0;      ///< amount: violation, or multiplier
  std::string text;                             ///< operands' values of a non-finite expression, remedies
  std::shared_ptr<const NonfinitePlace> place;  ///< of a value that is not finite, null: not known
};

/// What a check of the solution measured: "state deviation of the re-simulation", …
struct Measure {
  std::string name;
  double value = 0;
  std::string where = {};  ///< "of `x` at t = 2.1", or empty
};

/// The largest violation, component of ∇L, and product of a multiplier and a distance, all divided by their scales.
struct ScaledResiduals {
  double primal = 0, dual = 0, complementarity = 0;
};

struct Statistics {
  std::size_t variables = 0, constraints = 0, jacobian_nonzeros = 0, hessian_nonzeros = 0;
  int iterations = 0;
  double seconds_evaluation = 0, seconds_total = 0;
  double seconds_analysis = 0, seconds_factorisation = 0, seconds_back_solve = 0;  ///< of linear systems; 0: not known
  double primal_infeasibility = 0, dual_infeasibility = 0, complementarity = 0;    ///< at the end, unscaled
  ScaledResiduals scaled;
  double gap = 0;  ///< what the barrier, and equations that hold but nearly, leave of the objective, in its units
  double first_objective = std::numeric_limits<double>::quiet_NaN();  ///< where the engine began
  double regularization = 0;   ///< of the last step of the nonlinear program: > 0, the end may be a saddle point
  bool is_saddle = false;      ///< the objective curves downwards at the end along what the constraints leave
  bool is_proven = false;      ///< infeasible not only near the point: bounds and fixed values contradict each other
  double objective_scale = 1;  ///< what it was divided by: the tolerance is relative to it
  bool passed_better = false;  ///< the engine went away from a better point, which is the solution
  int regularized = 0;         ///< steps in which the Hessian had to be mended: many, the problem is not convex
};

/// What is known of the optimum in whole numbers, in the objective's sign. Fields as in nlp::IntegerReport.
struct IntegerStatistics {
  bool any = false, found = false;
  std::string method, stopped;
  double relaxed = 0, bound = 0, gap = 0;
  int nodes = 0;
  double deviation = 0, deviation_bound = 0;  ///< of sum-up rounding; both 0: was not done
};

/// Multipliers of the last iterate in the numbering of its own discretised problem; of use only to the same transcription.
struct WarmStart {
  std::uint64_t signature = 0;             ///< of that numbering
  std::vector<double> rows, lower, upper;  ///< of constraints, lower and upper bounds
};

struct Solution {
  SolveStatus status = SolveStatus::failed;
  double objective = 0;                       ///< with the user's sign
  std::vector<double> parameters;             ///< of the problem [n_parameters]
  std::vector<double> parameter_scale;        ///< [n_parameters] that collocation solved them with; empty: not known
  std::vector<double> parameter_multipliers;  ///< of their bounds; > 0 at an active upper bound
  std::vector<double> point_multipliers;      ///< [n_k]
  std::vector<PhaseSolution> phases;
  WarmStart warm_start;
  std::vector<Finding> findings;
  Statistics statistics;
  IntegerStatistics integers;
  std::vector<Measure> log;  ///< of a stage
};

}  // namespace bolza::abi
