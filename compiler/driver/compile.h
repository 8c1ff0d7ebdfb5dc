// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_cache.h"
#include "base/result.h"
#include "compiler/driver/option_table.h"
#include "compiler/driver/transformation.h"
#include "compiler/flatten/given_horizon.h"
#include "compiler/instance/build/outputs.h"
#include "compiler/instance/library/trust.h"
#include "compiler/ir/flat_model.h"
#include "compiler/ir/problem.h"
#include "compiler/ir/scenario_table.h"

namespace bolza::driver {

/// A source that is not a file: made by the program, or read from another language. `path` is its name in messages.
struct SourceText {
  std::string path, text;
};

struct CompileOptions : passes::Transformation {
  std::vector<std::string> files;     ///< .mo, .mop, or folders with package.mo
  std::vector<SourceText> texts;      ///< read after the files
  std::string class_name;             ///< "": the only optimisation class of the last file, else its only model
  std::vector<std::string> settings;  ///< "k=2", "a.b(start=3)": modifications of the class
  flatten::GivenHorizon horizon;      ///< in the place of the class's
  std::uint32_t max_scalars = ir::FlatModel::usual_scalars;
  instance::Outputs outputs;                   ///< expressions of point values that become rows, see instantiate
  std::vector<std::string> modelica_path;      ///< folders to look for libraries in, in this order
  std::string stdlib;                          ///< our own library's folder, searched last
  std::string cache;                           ///< folder of parsed files; "": none
  std::optional<ir::ScenarioTable> scenarios;  ///< values of parameters of which one row will turn out
  instance::Trust trust;                       ///< which foreign code may run
};

struct StepTime {
  std::string name;  ///< "load", "instantiate", "flatten", then the passes
  double seconds = 0;
};

/// What one class becomes, with what was learnt on the way.
struct Compiled {
  std::string class_name;
  ir::Problem problem;
  Options annotated;  ///< solver options that the class states, checked
  passes::Form form = passes::Form::explicit_rates;
  std::vector<StepTime> times;
  std::size_t files_parsed = 0;
  std::size_t n_equations = 0, n_unknowns = 0;  ///< of the flat model, scalars
  double path_tolerance = 0;                    ///< as in CompileOptions; 0: path constraints are none
  std::uint32_t samples = 0;                    ///< as in CompileOptions
  std::shared_ptr<const void> kept;             ///< what the problem's actions run on; lives as long as they are performed
};

/// The tolerance of path constraints that options want integrated; 0: they do not.
double integrated_path_tolerance(const Options& options);
/// What the option `samples` says; 0 without it.
std::uint32_t samples_of(const Options& options);

/// From files to the standard form: load, instantiate, flatten, passes. No code generation, no solver.
/// Errors  E1xx to E4xx and E9xx in `diagnostics`.
Result<Compiled> compile(const CompileOptions& options, Sources& sources, Diagnostics& diagnostics);

/// Is all that is wrong with an optimisation problem that something of it changes at events only (E421)?
bool is_refused_for_events(const Diagnostics& diagnostics);

/// The first steps: the flat model before any pass.
struct Flattened {
  std::string class_name;
  ir::FlatModel model;
  std::vector<StepTime> times;
  std::size_t files_parsed = 0;
  std::shared_ptr<const void> kept;  ///< see Compiled
};
Result<Flattened> flatten_class(const CompileOptions& options, Sources& sources, Diagnostics& diagnostics);

/// The readable text of the model after a pass; "" before all of them, "assemble" for the standard form.
/// Errors  as compile, E913 no such pass (with the near match).
Result<std::string> text_after(const CompileOptions& options, std::string_view pass, Sources& sources,
                               Diagnostics& diagnostics);
std::vector<std::string> pass_names();

/// The parsed files that a folder keeps, see CompileOptions::cache.
FileCache parsed_file_cache(std::string folder);

/// What a file offers, for `bolza FILE`: full names in source order.
struct Contents {
  std::vector<std::string> optimizations, models;
};
Result<Contents> contents_of(const CompileOptions& options, Sources& sources, Diagnostics& diagnostics);

}  // namespace bolza::driver
