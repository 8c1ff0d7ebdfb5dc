// SPDX-License-Identifier: Apache-2.0
// What single commands are told on the command line, a struct each, and the words of their choices.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/words.h"
#include "compiler/ir/scenario_table.h"
#include "workflow/solve/outcome/nonsmooth.h"

namespace bolza::estimate {
enum class Sensitivity : std::uint8_t;
enum class Criterion : std::uint8_t;
}  // namespace bolza::estimate
namespace bolza::workflow {
enum class EmitForm : std::uint8_t;
}

namespace bolza::cli {

enum class ColourUse : std::uint8_t { automatic, always, never };
inline constexpr Words<ColourUse, 3> colours{
    {{{"auto", ColourUse::automatic}, {"always", ColourUse::always}, {"never", ColourUse::never}}}};

/// How far the work is: a line on a terminal, or for programs an object a line on standard error.
enum class ProgressForm : std::uint8_t { line, json };
inline constexpr Words<ProgressForm, 2> progress_forms{{{{"line", ProgressForm::line}, {"json", ProgressForm::json}}}};

struct HorizonArguments {
  std::optional<double> start, stop;  ///< absent: the model's own
};

struct CheckArguments {
  bool syntax_only = false, structure = false;
};

struct FlattenArguments {
  std::string after;        ///< this pass; "": the flat model
  bool pontryagin = false;  ///< the necessary conditions as a class
};

struct CompileArguments {
  workflow::EmitForm emit{};  ///< an object file
};

struct NewArguments {
  std::string kind = "optimization";  ///< a row of the table of skeletons
};

/// Values of parameters that are not known, and what is minimised over them; also of `flatten`.
struct ScenarioArguments {
  std::string file;  ///< "": none
  ir::Risk risk = ir::Risk::expected;
  double tail = 0.1;             ///< of cvar
  double chance = 1;             ///< with which constraints hold
  std::optional<double> branch;  ///< time from which scenarios have controls of their own
};

struct SolveArguments {
  std::string chain, init_from;
  workflow::Nonsmooth nonsmooth = workflow::Nonsmooth::automatic;
  ScenarioArguments scenarios;
  std::string objectives;     ///< what is minimised in the place of the class's objective
  double slack = 1e-4;        ///< by which earlier objectives may be exceeded
  int pareto = 0;             ///< points of a front, 0 none
  std::string sensitivity;    ///< also of `verify`: names separated by commas, "*" all, "" none
  bool trajectories = false;  ///< their slopes, too
  bool timing = false;        ///< what took how long
  bool certify = false;       ///< the result is verified at the end
};

struct SimulateArguments {
  double step = 0;  ///< distance of output times; 0: 500 of them
  std::string input_file;
  double max_result = 0;  ///< MB of a trajectory, 0: as docs/limits.md says
  std::string plot;       ///< names to draw, separated by commas; "*" the first states, "" nothing
};

struct GradientArguments {
  std::string by;                          ///< "": adjoint, or discrete where an integrator of ours is named
  double step = 0;                         ///< fixed length of steps; 0: error control
  std::vector<std::string> directions;     ///< --with-respect-to
  std::vector<std::string> outputs;        ///< --of, as given
  std::vector<std::string> hessian_times;  ///< "k=1"
  bool check = false, hessian = false;
  bool original = false;  ///< no index reduction
};

/// What was measured, and what is estimated of it, as given.
struct MeasuredArguments {
  std::vector<std::string> data, free, observe, noise;
  std::string conditions, parameters;  ///< tables
  std::size_t starts = 0;              ///< 0: one
  std::size_t seed = 1;
};

struct FitArguments {
  std::optional<estimate::Sensitivity> derivatives;  ///< absent: by the number of parameters
  std::vector<std::string> priors;                   ///< as given
  std::size_t repeat = 0;                            ///< how often `evaluate` is repeated
  bool evaluate = false;                             ///< nothing is minimised
  bool check = false;                                ///< the gradient, by difference quotients
  std::optional<std::size_t> windows;                ///< halvings; absent: where they are needed
  double start_time = 0;                             ///< seconds for one of many starts, 0: by what others take
  std::string journal;
  std::string profiles;                          ///< names separated by commas, "*" all, "" none
  double level = 0.95;                           ///< of intervals
  bool exact_errors = false;                     ///< by the exact Hessian
  std::size_t design = 0;                        ///< sampling times to choose
  std::optional<estimate::Criterion> criterion;  ///< absent: D
  std::size_t jobs = 0;                          ///< also of studies; 0: as many as processors
};

struct IdentifyArguments {
  std::vector<std::string> terms;  ///< as given
  double threshold = 3.5, lambda = 1e-3, spread = 1;
  bool all_terms = false, direct = false;
};

struct VerifyArguments {
  std::string model;        ///< in the place of the file that the result names
  double tolerance = 1e-3;  ///< of sizes
  std::string receipt;      ///< written, or checked where no result is given
};

struct PlotArguments {
  std::string title;
  int width = 0, height = 0;  ///< 0: as the terminal or the panels ask for
};

}  // namespace bolza::cli
