// SPDX-License-Identifier: Apache-2.0
// What is asked of a solve and what comes of it: types alone.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "compiler/driver/option_table.h"
#include "runtime/abi/solution.h"
#include "workflow/solve/outcome/nonsmooth.h"
#include "workflow/solve/outcome/sensitivity.h"
#include "workflow/solve/outcome/stopped.h"
#include "workflow/solve/outcome/timing.h"
#include "workflow/solve/outcome/warnings.h"

namespace bolza::workflow {

/// What a long run tells while it works.
struct Progress {
  std::string stage;  ///< "radau, 50 intervals"
  int iteration = 0;
  double objective = 0, infeasibility = 0, seconds = 0;
};

struct SolveRequest {
  driver::Options options;  ///< the command line's; they win over the model's annotation
  std::string chain;        ///< stages, "" one stage
  Nonsmooth nonsmooth = Nonsmooth::automatic;
  std::string init_from;                 ///< result file, "" none
  const abi::Solution* guess = nullptr;  ///< in the place of a file, null: none
  std::string output, csv, report;       ///< output "": "<Class>.mat"
  SensitivityRequest sensitivity;        ///< of a solution
  bool files = true;                     ///< false: none are written, `result_table` has what would be in them
  std::function<void(const Progress&)> progress;
  Timing* timing = nullptr;  ///< where what takes how long is noted; null: nobody asks
  Budget
      budget;  ///< ended: stop and give the solution in hand, else the last iterate; `max-time` of the options shortens it
};

/// The local error that default options refine to.
inline constexpr double default_accuracy = 1e-4;

/// What is known of the error of a solution's mesh, and what was done about it.
struct Refinement {
  bool known = false;             ///< false: the method has no mesh
  int rounds = 0;                 ///< solves after the first
  std::size_t intervals = 0;      ///< of the last mesh
  double error = 0;               ///< largest local error of an interval on it, relative to the size of the variable
  std::string name;               ///< whose it is
  double time = 0;                ///< and where
  double objective_error = 0;     ///< estimate, in the objective's units
  double objective_bound = 0;     ///< the same where nothing cancels
  double control_slope = 0;       ///< what is left of ∂H/∂u between the points, see MeshError; NaN: not known
  std::string slope_name;         ///< of the control where it is largest
  double slope_time = 0;          ///< and where
  std::string stopped;            ///< why it ended above the tolerance; "" when it did not
  std::optional<Stopped> cut;     ///< by what it ended before it was done: the solution is that of the last mesh
  bool of_controls = false;       ///< of shooting: `error` is that of the objective by the grids of controls, relative
  bool control_constant = false;  ///< one control value per interval was taken where polynomials oscillated
};

struct StageOutcome {
  std::string text;
  abi::SolveStatus status = abi::SolveStatus::failed;
  double objective = 0, seconds = 0;
  int iterations = 0;       ///< of all rounds of a refinement
  std::string handed_over;  ///< what it took from the stage before: "states, controls", "nothing"; "": the first
  std::optional<Refinement> refinement;  ///< with `refine`, and in the last stage of default options
};

/// A relation that is at zero for a stretch of a solution in modes: what its other side would do there is not in it.
struct Border {
  std::string relation;
  double from = 0, to = 0;
};

/// A variable without a bound on the side to which a smaller tolerance moves it: no optimum is attained.
struct MovesOn {
  std::string name;
  double value = 0, moved = 0;       ///< where it was farthest from the start, and where it is with the smaller tolerance
  double before = 0, objective = 0;  ///< of the solution, and with the smaller tolerance
};

/// What was looked at for other optima on a coarse mesh.
struct CoarseLook {
  int starts = 0;                  ///< that were solved
  std::uint32_t intervals = 0;     ///< of its phases
  std::vector<double> objectives;  ///< there, of those that ended elsewhere and were no better
};

/// The starts that a search for the best optimum took, the one that led to the first solution included.
struct LookedFrom {
  int starts = 1;
  bool is_convex = false;  ///< by the problem's structure: there is no other optimum to look for
  CoarseLook coarse;
  std::vector<double> ends;  ///< objectives of those that were solved

  /// How many of them differ.
  std::size_t optima() const;
};

/// A stretch of an optimum that Pontryagin's conditions were solved for.
struct ArcOfOptimum {
  double from = 0, to = 0;
  std::string text;  ///< "`u` at its upper bound"
};

/// A point of a branch of optima, or of solutions of a boundary value problem.
struct BranchPoint {
  enum class Kind : std::uint8_t { point, fold };
  double parameter = 0, objective = 0;
  double norm = 0;  ///< root of the mean of Σ x² over the horizon
  Kind kind = Kind::point;
};

/// Solutions along a parameter.
struct SolutionBranch {
  std::string parameter;
  std::vector<BranchPoint> points;
  std::string ended;  ///< why before the parameter left its interval; "": it did not
  std::string csv;    ///< file written
};

struct SolveOutcome {
  abi::Solution solution;  ///< of the last stage that ran, but for what a failed one had no better of
  std::vector<StageOutcome> stages;
  std::size_t kept_stage = 0;  ///< > 0: the last stage failed, and trajectories and objective are those of this one, from 1
  double seconds_compile = 0, seconds_solve = 0, seconds_total = 0;
  std::string result, csv, report;     ///< files written
  Refinement accuracy;                 ///< of the solution's mesh
  std::string attempt;                 ///< what was different in the attempt that held, "" in the first
  bool first_failed = false;           ///< else the attempt was better than the first
  bool smoothed = false;               ///< the solution is one with relations and kinks made smooth
  double smoothing_error = 0;          ///< what the objective changed by from the width before; 0: not known
  std::vector<std::string> relations;  ///< how each relation, abs, min, max, sign was treated
  std::optional<double> other;         ///< another local optimum, found on the way
  std::optional<MovesOn> moves_on;     ///< of the solution before its mesh was refined
  std::vector<ArcOfOptimum> arcs;      ///< of the last indirect stage, with its switching times
  SolutionBranch branch;               ///< of the last indirect stage with `continue`; no points: none was asked for
  std::optional<Border> border;        ///< where equations jump with a relation
  std::optional<Stopped> stopped;      ///< what was ended while there was a solution: it is the outcome
  int starts = 0;                      ///< guesses that `multi-start` tried, the usual one included; 0: it was not asked for
  LookedFrom looked;                   ///< for other optima, where `multi-start` was not asked for
  std::vector<double> optima;          ///< the objectives of those that were solved
  Warnings warnings;                   ///< why the solution is not to be trusted as it is; empty: nothing was found
  std::vector<std::vector<double>> look_at;  ///< [phases] times between samples at which limits are looked at, too
  OptimumSensitivity sensitivity;            ///< where it was asked for
  std::string method;                        ///< "radau, 50 intervals of 3 points, control collocated, ipopt"
};

}  // namespace bolza::workflow
