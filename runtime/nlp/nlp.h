// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/budget.h"

namespace bolza::nlp {

enum class VariableRole : std::uint8_t {
  mesh_state,
  interior_state,
  algebraic,
  control,
  time,
  parameter,
  extra_point,
  point_value,
  integral
};
enum class RowRole : std::uint8_t {
  defect,
  algebraic,
  path,
  continuity,
  initial,
  point,
  extra_point,
  point_value,
  integral,
  horizon
};

inline constexpr std::int32_t global = -1;  ///< `interval` of what belongs to no mesh interval

/// What is minimised and constrained, evaluated at one point at a time: `move_to`, then any of the others, which remember
/// what they have computed. Every one but `move_to` gives null or false when a value was not finite. The arrays stay valid
/// until the next call of the same function.
class Functions {
 public:
  virtual ~Functions() = default;
  virtual void move_to(std::span<const double> w) = 0;  ///< [n]
  virtual bool objective(double& f) = 0;
  virtual const double* gradient() = 0;     ///< [n]
  virtual const double* constraints() = 0;  ///< [m]
  virtual const double* jacobian() = 0;     ///< [nnz] constant entries too
  virtual const double* hessian(double sigma,
                                std::span<const double> lambda) = 0;  ///< [nnz] of sigma f + lambda' g, lower triangle
  virtual const double* gauss_newton(double sigma) = 0;               ///< [nnz of its own pattern] sigma sum of Jr' Jr
  /// Takes scales into the evaluation: from then on w is divided by `variable`, g by `row`, f by `objective`, derivatives
  /// accordingly. Empty spans undo it. False: cannot, nothing has changed.
  virtual bool rescale(std::span<const double> /*variable*/, std::span<const double> /*row*/, double /*objective*/) {
    return false;
  }
};

/// A sparse matrix by its places; a place may come twice, its values add.
struct Pattern {
  std::vector<std::int32_t> row, col;
  std::size_t size() const { return row.size(); }
};

/// How whole-number controls may change from interval to interval.
struct SwitchLimits {
  std::vector<std::int32_t> sequences;  ///< one, or one for each value, whose sum is one by constraints
  double dwell = 0;                     ///< least time between changes, and before the first, as a share of the horizon
  std::int32_t switches = -1;           ///< most changes; -1: any number
};

/// minimise f(w) subject to row_lower <= g(w) <= row_upper, lower <= w <= upper, with its structure.
///
/// Invariants: all variable arrays have length n (`integer`, `sequence`, `length` and `follows` may be empty), all row
/// arrays length m; an equality has bitwise equal bounds; patterns lie within n and m, those of second derivatives in the
/// lower triangle; no bound is NaN.
struct Nlp {
  // variables
  std::vector<double> start, lower, upper, scale;  ///< scale > 0: typical size
  std::vector<VariableRole> role;
  std::vector<std::int32_t> interval;
  std::vector<std::uint8_t> integer;   ///< 1: takes whole numbers only; empty: no variable does
  std::vector<std::int32_t> sequence;  ///< of a whole-number control: which one, one value per interval in ascending order
                                       ///< of numbers; none: global; empty: there are none
  std::vector<double> length;          ///< of its interval as a share of the horizon; empty with `sequence`
  std::vector<SwitchLimits> switching;
  bool has_switching_rows = false;  ///< rows say what `switching` does
  /// The equality that a variable follows from, given those with smaller numbers and those that follow from none: a state
  /// at a mesh point of multiple shooting from its defect; none: global; empty: none does.
  std::vector<std::int32_t> follows;
  /// Variables that are others, in any scaling: free ones whose row, `variable` − `of` = 0, says nothing else. `of` is none
  /// of them. Engines see them under the other's number, and not the row.
  struct Equal {
    std::int32_t variable, of, row;
  };
  std::vector<Equal> equal;
  // rows
  std::vector<double> row_lower, row_upper, row_scale;
  std::vector<RowRole> row_role;
  std::vector<std::int32_t> row_interval;
  std::vector<std::uint8_t> linear;  ///< 1: all entries of the row are constant
  // derivatives
  Pattern jacobian;
  std::size_t constant_entries = 0;  ///< the first entries of `jacobian` never change
  Pattern hessian, gauss_newton;     ///< gauss_newton empty: not a sum of squares
  double objective_scale = 1;        ///< typical size of the objective's gradient

  Functions* functions = nullptr;  ///< not owned

  std::size_t n() const { return lower.size(); }
  std::size_t m() const { return row_lower.size(); }
};

/// Checks the invariants; stops the program when one does not hold. Cost linear.
void verify(const Nlp& nlp);

enum class Hessian : std::uint8_t { exact, lbfgs, gauss_newton };

/// What is done about variables that take whole numbers only.
enum class IntegerMethod : std::uint8_t {
  branch,  ///< branch and bound, of the engine or ours around it
  sum_up,  ///< the relaxed optimum, rounded so that integrals stay close, and what is left solved again
  relax    ///< they are real numbers
};

/// What solves the linear systems of an interior-point engine.
enum class LinearSolver : std::uint8_t {
  automatic,  ///< `chain` where it is expected to gain, else `mumps`
  chain,      ///< factors along the chain of mesh intervals where there is one, MUMPS where they fail
  mumps
};

/// How many factorisations which of them made, and what an engine that knows it spent on linear systems.
struct LinearAlgebra {
  int chain = 0;         ///< along the chain, equations of intervals eliminated by LU
  int pivots = 0;        ///< along the chain, by symmetric pivots, after the former failed
  int mumps = 0;         ///< by MUMPS, after both failed
  bool is_chain = true;  ///< false: the chain was asked for, and the problem is none
  double seconds_analysis = 0, seconds_factorisation = 0, seconds_back_solve = 0;
  bool any() const { return chain + pivots + mumps > 0; }
};

struct EngineProgress {
  int iteration = 0;
  double objective = 0, infeasibility = 0, dual_infeasibility = 0, seconds = 0;
};

struct EngineOptions {
  std::string engine = "ipopt";
  double tol = 1e-8;
  int max_iterations = 3000;
  Budget budget;  ///< over, or interrupted: stop at the next iteration and give the iterate back
  Hessian hessian = Hessian::exact;
  bool warm_start = false;  ///< multipliers of the start are used
  double noise = 1e-14;     ///< of the objective, of 1 + its size: that of its integration; a step may raise it by as much
  double least_gain = 0;    ///< > 0: where a full step is short, and promises less than this, is a solution (trust-region)
  double relative_gap = 0;  ///< > 0: solve on with a smaller tolerance where `Report::gap` is more than this share of |f|
  LinearSolver linear_solver = LinearSolver::mumps;
  bool condensing = false;  ///< quadratic programs are solved without the variables that follow from others
  double barrier = 0;       ///< of interior-point engines at the start; 0: the engine's own, or 1e-7 of a warm start
  std::vector<std::pair<std::string, std::string>>
      engine_options;  ///< "name", "value" as the engine calls them; win over ours
  IntegerMethod integers = IntegerMethod::branch;
  double integer_gap = 1e-4;  ///< relative gap at which a branch and bound ends
  /// > 0: iterations in which next to nothing changes, after which the engine ends at its limit; twice as many of a
  /// restoration. What others may take the place of ends so.
  int creep = 0;
  bool wants_proof = false;  ///< of an end without a solution, see engines/linear_certificate.h
  bool look_nearby = true;   ///< for points that are better than a solution, see engines/nearby.h
  int max_nodes = 1000;      ///< relaxed problems that a branch and bound may solve
  void (*progress)(void* context, const EngineProgress&) = nullptr;
  void* progress_context = nullptr;
};

enum class Status : std::uint8_t {
  solved,
  acceptable,
  infeasible,
  iteration_limit,
  time_limit,
  diverging,
  evaluation_error,
  interrupted,
  bad_option,
  failed
};

/// What `otherwise` becomes where the budget had ended: evaluations fail then, and engines cannot know why.
inline Status or_limit(Status otherwise, const Budget& budget) {
  if (budget.over()) return Status::time_limit;
  return budget.interrupted() ? Status::interrupted : otherwise;
}

/// An iterate with its multipliers (signs: docs/notation.md). L = f + lambda' g - z_lower' w + z_upper' w.
struct Iterate {
  std::vector<double> w;                 ///< [n]
  std::vector<double> lambda;            ///< [m]  > 0 at an active upper side
  std::vector<double> z_lower, z_upper;  ///< [n]  >= 0
};

/// What is known of the optimum in whole numbers. Objectives as the problem has them (minimised).
struct IntegerReport {
  bool any = false;            ///< the problem had such variables and they were not relaxed
  bool found = false;          ///< the iterate has whole numbers
  std::string method;          ///< "branch and bound on ipopt", "B-OA", "sum-up rounding"
  double relaxed = 0;          ///< optimum without the restriction; NaN: not known
  double bound = 0;            ///< no whole-number optimum is below this, if relaxed problems are convex
  double gap = 0;              ///< objective - bound
  int nodes = 0;               ///< relaxed problems that were solved
  std::string stopped;         ///< the limit that ended the search before the gap was closed; "": none did
  double deviation = 0;        ///< of sum-up rounding: largest |∫(whole - relaxed)| over the mesh points and controls
  double deviation_bound = 0;  ///< what theory promises of it [SBD]
};

/// How far an iterate is from the conditions of Karush, Kuhn and Tucker: the largest violation of a bound or a side of a
/// row, of a component of ∇L, and of a product of a multiplier and a distance.
struct Residuals {
  double primal = 0, dual = 0, complementarity = 0;
};

struct Report {
  Status status = Status::failed;
  std::string message;  ///< of the engine, or what is wrong with an option
  double objective = 0;
  Iterate iterate;
  int iterations = 0;
  double seconds = 0, seconds_evaluation = 0;
  double primal_infeasibility = 0, dual_infeasibility = 0, complementarity = 0;  ///< unscaled
  Residuals scaled;              ///< the same of variables, rows and objective divided by their scales: what engines see
  double first_objective = NAN;  ///< where the engine began; NaN: it had no value, or nobody looked
  double gap = 0;  ///< what barrier and equations leave: Σ multiplier · distance from bound or side, in units of f
  double regularization = 0;  ///< added to the diagonal of the Hessian in the last step: > 0, its curvature had to be mended
  int regularized = 0;        ///< steps in which that was so
  bool is_saddle = false;     ///< the objective curves downwards at the solution, see engines/saddle_point.h
  /// A point that holds and is better than the solution, next to it [n]: the second-order condition holds, and it is none.
  /// Empty: none was found. Read by the layer that goes on from there.
  std::vector<double> better_nearby;
  bool is_proven = false;      ///< infeasible, and not only near the iterate: bounds and fixed values contradict each other
  bool passed_better = false;  ///< the engine went away from a better point, which is the iterate: f jumps or has kinks
  IntegerReport integers;
  LinearAlgebra linear_algebra;  ///< of a chain solver; none: MUMPS did everything
};

}  // namespace bolza::nlp
