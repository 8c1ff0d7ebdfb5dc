// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/study_arguments.h"
#include "compiler/driver/transformation.h"
#include "server/entry.h"

namespace bolza::cli {

/// What the command line says, before anything is looked at. One struct for all commands: a command reads what it declares.
struct Arguments {
  std::string command;  ///< "" for `bolza FILE`
  std::string file, class_name;
  std::vector<std::string> settings;                                ///< --set k=2
  std::vector<std::string> library_paths;                           ///< --path, before MODELICAPATH
  std::string trust;                                                ///< "", "all", "libraries", "none"
  std::vector<std::pair<std::string, std::string>> options;         ///< solver options as given: name, value
  std::vector<std::pair<std::string, std::string>> method_options;  ///< simulate --option name=value
  std::string chain, init_from;
  std::string nonsmooth = "auto";  ///< solve: auto, written, smooth, modes, complementarity
  std::string output, csv, report;
  std::string after;                  ///< flatten --after
  bool pontryagin = false;            ///< flatten --pontryagin
  std::string emit = "object";        ///< compile
  std::string kind = "optimization";  ///< new
  std::string action;                 ///< petab
  std::vector<std::string> kinds;
  std::vector<std::string> names;  ///< plot: variables; explain: codes; cache: what to do
  std::string title;
  int width = 0, height = 0;
  double start = 0, stop = 0, step = 0;      ///< simulate
  passes::Transformation change;             ///< of the model: --disable, --units, --smooth
  std::string scenarios, risk = "expected";  ///< solve, flatten: table of scenarios, what is minimised over them
  double tail = 0.1;                         ///< of --risk cvar
  double chance = 1;                         ///< with which constraints hold in scenarios
  std::optional<double> branch;              ///< time from which scenarios have controls of their own
  std::string objectives;                    ///< solve: what is minimised in the place of the class's objective
  double slack = 1e-4;                       ///< of --objectives, by which earlier objectives may be exceeded
  int pareto = 0;                            ///< points of a front, 0 none
  bool has_start = false, has_stop = false;
  std::string input_file;
  std::string by;                                               ///< gradient
  std::vector<std::string> directions;                          ///< gradient --with-respect-to
  std::vector<std::string> outputs;                             ///< gradient --of, as given
  std::vector<std::string> hessian_times;                       ///< gradient: "k=1"
  bool check = false, hessian = false;                          ///< gradient
  bool original = false;                                        ///< gradient: no index reduction
  std::vector<std::string> data, free, observe, noise, priors;  ///< fit, as given
  std::string conditions, parameters;                           ///< fit: tables
  std::size_t repeat = 0;                                       ///< fit: how often --evaluate is repeated
  bool evaluate = false;                                        ///< fit: nothing is minimised
  std::size_t starts = 0, jobs = 0;                             ///< fit: 0 starts: one fit; 0 jobs: as many as processors
  std::optional<std::size_t> windows;                           ///< fit: halvings; absent: where they are needed
  std::size_t seed = 1;                                         ///< fit
  double start_time = 0;                              ///< fit: seconds for one of many starts, 0: by what others take
  std::string journal;                                ///< fit
  std::string profiles;                               ///< fit: names separated by commas, "*" all, "" none
  double level = 0.95;                                ///< fit: of intervals
  bool exact_errors = false;                          ///< fit: by the exact Hessian
  std::size_t design = 0;                             ///< fit: sampling times to choose
  std::string criterion = "D";                        ///< fit: of the design
  std::vector<std::string> terms;                     ///< identify, as given
  double threshold = 3.5, lambda = 1e-3, spread = 1;  ///< identify
  bool all_terms = false, direct = false;             ///< identify
  double max_time = 0;         ///< seconds of the whole command, 0: no limit; of `solve` it stands among the options
  double max_memory = 0;       ///< MB, 0: no limit
  double max_result = 0;       ///< MB of a trajectory, 0: as docs/limits.md says
  double max_scalars = 1.5e6;  ///< of the model
  std::string sandbox_cache;   ///< folder of kernels that is written in the sandbox, "" none that outlives it
  bool sandbox = false;        ///< solve, simulate, gradient: in bubblewrap
  StudyArguments study;        ///< sweep, study
  bool json = false, quiet = false, no_cache = false, syntax_only = false, structure = false;
  std::string progress = "line";  ///< or json: an object a line on standard error
  std::string model;              ///< verify: in the place of the file that the result names
  double tolerance = 1e-3;        ///< verify
  std::string receipt;            ///< verify: written, or checked where no result is given
  std::string sensitivity;        ///< solve, verify: names separated by commas, "*" all, "" none
  bool trajectories = false;      ///< solve, verify: slopes of the trajectories, too
  bool timing = false;            ///< solve: what took how long
  bool certify = false;           ///< solve: the result is verified at the end
  std::string plot;               ///< simulate: names to draw, separated by commas; "*" the first states, "" nothing
  std::string colour = "auto";
  server::ServeRequest serve;  ///< serve, worker
  std::string server, token;   ///< --server: run there, "" here
  std::vector<std::pair<std::string, std::string>>
      given;  ///< with --server: every option of the command line, without dashes
};

/// Parses; prints help or a usage error itself. `done` is true when there is nothing left to run; then `exit_code` counts.
struct Parsed {
  Arguments arguments;
  bool done = false;
  int exit_code = 0;
};
Parsed parse_arguments(int argc, char** argv);

/// An option or a positional argument of a command.
struct OptionDescription {
  std::vector<std::string> names;  ///< "-o", "--output"; empty: positional
  std::string positional, help;
  std::string type;                ///< "FILE", "NAME=VALUE", "TEXT"; empty where there are words
  std::vector<std::string> words;  ///< the values that are allowed; empty: others, too
  bool takes_value = true, repeated = false, required = false;
};
struct CommandDescription {
  std::string name, help, example;
  std::vector<OptionDescription> options;
};
/// Every command as the parser knows it: for completion and manual pages.
std::vector<CommandDescription> describe_commands();
/// `sweep` as it is for each job: "sweep", "sweep simulate", "sweep fit".
std::vector<CommandDescription> describe_sweeps();

}  // namespace bolza::cli
