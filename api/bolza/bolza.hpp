// SPDX-License-Identifier: Apache-2.0
/// Bolza for C++ programs: solves, simulates and fits models as the command line does. Link with `bolza::bolza` after
/// `find_package(bolza)`. Nothing but the standard library is included.
///
///     bolza::Run run = bolza::solve({.file = "van_der_pol.mop", .method = "radau"});
///     if (run.verdict == bolza::Verdict::solved) std::cout << run.objective << '\n';
///
/// Functions may be called from several threads at the same time; a Run belongs to whoever has it.
#pragma once
#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#define BOLZA_API __attribute__((visibility("default")))

namespace bolza {
namespace api {

/// What became of a run.
enum class Verdict {
  solved,
  solved_with_warnings,  ///< and not to be trusted as it is: `Run::warnings` say why
  not_solved,            ///< `Run::status` says why
  interrupted,           ///< before there was a solution
  refused,               ///< the method does not take the problem
  input_error            ///< `Run::diagnostics` say where
};

/// A reason not to trust a solution as it is.
struct Warning {
  std::string kind;    ///< "local_optimum", "coarse_mesh", …: `bolza explain` lists them
  std::string text;    ///< what is not known or does not hold
  std::string remedy;  ///< "" none
  std::string name;    ///< of the variable or constraint, "" none
  double time;         ///< in the model's unit; NaN: at none
};

/// An error or warning of the input, with the place in a file.
struct Diagnostic {
  bool is_error;
  std::string code;  ///< "E204": `bolza explain E204`
  std::string message;
  std::string file;      ///< "" none
  unsigned line, column;  ///< from 1; 0: none
};

/// Values of parameters that are not known when controls are chosen, and what is minimised over them.
struct Scenarios {
  std::string table = {};          ///< .csv, a row for each scenario; "" none
  std::string risk = "expected";   ///< expected, worst, or cvar, the mean of the worst share `tail`
  double tail = 0.1;
  double chance = 1;               ///< probability with which constraints hold
  double branch = std::numeric_limits<double>::quiet_NaN();  ///< time from which scenarios have controls of their own; NaN: never
};

/// What to solve or simulate.
struct Job {
  std::string file;                ///< .mo or .mop, or SBML
  std::string text = {};           ///< of a model, in the place of a file or besides it
  std::string class_name = {};     ///< "" the only one, or the first problem
  std::vector<std::string> set = {};   ///< modifiers, "k=2", "tank.A=0.3"
  std::string method = {};         ///< "radau", "ipopt+cvodes", …; "" the usual one
  std::string chain = {};          ///< stages, "euler(mesh=20) -> radau(mesh=100)"; "" one
  std::map<std::string, std::string> options = {};  ///< by the names of the command line: {"mesh", "100"}
  std::string nonsmooth = "auto";  ///< auto, written, smooth, modes, complementarity
  std::string init_from = {};      ///< a result file as guess
  std::string output = {};         ///< .mat or .csv; "" none is kept
  std::vector<std::string> path = {};  ///< folders of packages
  std::string trust = "libraries"; ///< whose external functions may run: all, libraries (those on the path), none
  Scenarios scenarios = {};        ///< of `solve`
  std::string objectives = {};     ///< of `solve`, in the place of the class's: "a + 2*b", in order "a > b", a front "a, b"
  double slack = 1e-4;             ///< by which an objective may be exceeded for the next ones, relative to it
  int front_points = 0;            ///< of a front, between its anchors, along every objective but the first
};

/// A model whose parameters are estimated from measurements.
struct FitJob : Job {
  std::vector<std::string> data = {};         ///< tables of measurements, .csv
  std::vector<std::string> free = {};         ///< "k1=1[0,10]": which parameters are estimated, from where, between what
  std::string parameter_table = {};           ///< the same as a table; "" none
  std::string conditions = {};                ///< table of experiments; "" one
  std::vector<std::string> observe = {};      ///< "name=expression": what columns of the data measure
  std::vector<std::string> noise = {};        ///< "name=0.1": standard deviations; else estimated
  std::vector<std::string> priors = {};
  std::size_t starts = 0;                     ///< > 0: from so many starts
  std::size_t seed = 1;                       ///< of these
  std::size_t threads = 1;                    ///< on which these are fitted; 0: as many as processors
  bool profiles = false;                      ///< profile likelihoods of all parameters, whose intervals are in the run
};

/// What a run may take.
struct Budget {
  double seconds = std::numeric_limits<double>::infinity();
  const volatile bool* interrupt = nullptr;  ///< true ends the run with what it has; null: never
};

/// How far a solve is.
struct Progress {
  std::string stage;  ///< "radau, 50 intervals"
  int iteration;
  double objective, infeasibility;  ///< in the objective's unit; of the rows as the engine scales them
  double seconds;
};

/// Who watches; called from the thread that runs.
class BOLZA_API Observer {
 public:
  virtual ~Observer();
  virtual void progress(const Progress&) {}
};

/// A variable over time.
struct Trajectory {
  std::string unit;            ///< as the model writes it
  std::vector<double> values;  ///< [time]
};

/// Between two numbers.
struct Interval {
  double lower, upper;
};

/// One solve of several: of objectives in order, or of a front.
struct Point {
  std::string name;                           ///< "anchor time", "point 3", "1. time"
  Verdict verdict;
  std::string status;                         ///< as `Run::status`
  std::map<std::string, double> objectives;   ///< by their texts; NaN where there is no solution
  std::map<std::string, double> parameters;   ///< free ones, as found
  bool dominated, knee;                       ///< another point is no worse in all; where a front bends most
  std::vector<Warning> warnings;
  std::string result;                         ///< file, "" none
};

struct Run {
  Verdict verdict = Verdict::input_error;
  std::string status;   ///< "solved", "infeasible", "iteration_limit", …; of a simulation "finished", …
  std::string text;     ///< the verdict as a person reads it
  std::string method;   ///< "radau, 50 intervals of 3 points, control collocated, ipopt"
  double objective = std::numeric_limits<double>::quiet_NaN();
  double objective_error = std::numeric_limits<double>::quiet_NaN();  ///< estimate, same unit; NaN: not known
  int iterations = 0;
  double seconds = 0;
  std::vector<Warning> warnings;
  std::vector<Diagnostic> diagnostics;
  std::map<std::string, double> parameters;       ///< free ones, as found
  std::map<std::string, Interval> intervals;      ///< of a fit: of the parameters, with confidence 0.95; NaN: none
  std::map<std::string, Interval> profiles;       ///< by profile likelihoods, confidence 0.95; infinite: open; NaN: not found
  std::size_t starts_solved = 0;                  ///< of a fit from many starts, those that ended with a solution
  std::size_t starts_at_best = 0;                 ///< and those of them that reached the best
  std::vector<Point> points;                      ///< of several objectives; the trajectories are those of the last solve
  std::vector<double> time;                       ///< of the trajectories; phases follow each other
  std::map<std::string, Trajectory> trajectories;  ///< by the model's names, costates as `costate(x)`
};

/// Optimises, as `bolza solve` does, checks included. Errors  none is thrown but std::bad_alloc: they are in the run.
BOLZA_API Run solve(const Job& job, const Budget& budget = {}, Observer* observer = nullptr);

/// Simulates, as `bolza simulate` does. `start`, `stop` and `step` among the options are those of the command line.
BOLZA_API Run simulate(const Job& job, const Budget& budget = {}, Observer* observer = nullptr);

/// Estimates parameters, as `bolza fit` does. `objective` is minus the logarithm of the likelihood.
BOLZA_API Run fit(const FitJob& job, const Budget& budget = {}, Observer* observer = nullptr);

/// "0.2.0"
BOLZA_API const char* version();

}  // namespace api

#ifndef BOLZA_INTERNAL
using namespace api;
#endif

}  // namespace bolza
