// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command_arguments.h"
#include "cli/study_arguments.h"
#include "compiler/driver/transformation.h"
#include "compiler/driver/trust_words.h"
#include "server/entry.h"

namespace bolza::cli {

/// Which model, and what it is to be besides its text.
struct ModelArguments {
  std::string class_name;
  std::vector<std::string> settings;            ///< --set k=2
  std::vector<std::string> library_paths;       ///< --path, before MODELICAPATH
  std::optional<instance::Trust::Level> trust;  ///< absent: of libraries; in a sandbox of all
  passes::Transformation change;                ///< --disable, --units, --smooth
  double max_scalars = 1.5e6;                   ///< of the model
  bool no_cache = false;
};

/// How numbers are found: rows of the option table, and options of integrators, as given: name, value.
struct MethodArguments {
  std::vector<std::pair<std::string, std::string>> options, of_integrator;
};

/// Files that are written, in forms that commands share.
struct OutputArguments {
  std::string result, csv, page;  ///< --output, --csv or --table, --report
};

struct LimitArguments {
  double seconds = 0;    ///< of the whole command, 0: no limit; of `solve` it stands among the options
  double megabytes = 0;  ///< 0: no limit
};

/// What is run in bubblewrap.
struct SandboxArguments {
  bool wanted = false;
  std::string cache;  ///< folder of kernels that is written in the sandbox, "" none that outlives it
};

/// What is printed, and how.
struct PrintArguments {
  bool json = false, quiet = false;
  ColourUse colour = ColourUse::automatic;
  ProgressForm progress = ProgressForm::line;
};

/// Where a command is run, if not here.
struct RemoteArguments {
  std::string server, token;                               ///< "": here
  std::vector<std::pair<std::string, std::string>> given;  ///< every option of the command line, without dashes
};

/// What the command line says, before anything is looked at. A command reads its own part and those that it shares.
struct Arguments {
  std::string command;             ///< "" for `bolza FILE`
  std::string file;                ///< a model, of `plot` and `verify` a result
  std::vector<std::string> words;  ///< after it: variables of `plot`, files of `check`; codes, actions, shells
  ModelArguments model;
  MethodArguments method;
  HorizonArguments horizon;
  OutputArguments outputs;
  LimitArguments limits;
  SandboxArguments sandbox;
  PrintArguments print;
  RemoteArguments remote;

  CheckArguments check;
  FlattenArguments flatten;
  CompileArguments compile;
  NewArguments skeleton;
  SolveArguments solve;
  SimulateArguments simulate;
  GradientArguments gradient;
  MeasuredArguments measured;  ///< fit, identify
  FitArguments fit;
  IdentifyArguments identify;
  VerifyArguments verify;
  PlotArguments plot;
  StudyArguments study;        ///< sweep, study
  server::ServeRequest serve;  ///< serve, worker
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
