// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/compile.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "base/clock.h"
#include "base/numbers.h"
#include "compiler/driver/annotated_options.h"
#include "compiler/driver/compile_codes.h"
#include "compiler/flatten/flatten.h"
#include "compiler/instance/build/instantiate.h"
#include "compiler/instance/library/library.h"
#include "compiler/ir/print.h"
#include "compiler/passes/pass_table.h"
#include "compiler/passes/scenarios/scenarios.h"
#include "compiler/passes/system/codes.h"
#include "compiler/syntax/parsed_files.h"

namespace bolza::driver {

namespace {

using Definitions = std::vector<const instance::Definition*>;

/// Times the steps of a compilation, one after the other.
class StepTimer {
 public:
  explicit StepTimer(std::vector<StepTime>& times) : times_(times) {}
  void stop(const char* name) {
    times_.push_back({name, seconds_since(begin_)});
    begin_ = Clock::now();
  }

 private:
  std::vector<StepTime>& times_;
  Clock::time_point begin_ = Clock::now();
};

instance::Library make_library(const CompileOptions& options, Sources& sources) {
  return {sources,
          instance::LibraryOptions{options.modelica_path, options.stdlib, options.cache, options.trust, options.strict}};
}

/// Adds files and texts; gives the classes of the last one.
Result<Definitions> add_files(const CompileOptions& options, instance::Library& library, Diagnostics& diagnostics) {
  Definitions last;
  bool good = true;
  for (const std::string& file : options.files) {
    Result<Definitions> added = library.add_file(file, diagnostics);
    if (added) last = std::move(*added);
    else good = false;
  }
  for (const SourceText& one : options.texts) {
    Result<Definitions> added = library.add_text(one.path, one.text, diagnostics);
    if (added) last = std::move(*added);
    else good = false;
  }
  if (!good) return diagnostics.already_reported();
  return last;
}

std::vector<std::string> names_of(const Definitions& definitions) {
  std::vector<std::string> names;
  for (const instance::Definition* definition : definitions) names.push_back(instance::full_name(*definition));
  return names;
}

/// Without the local classes of others.
std::vector<std::string> outermost(std::vector<std::string> names) {
  std::vector<std::string> all = names;
  std::erase_if(names, [&](const std::string& name) {
    return std::any_of(all.begin(), all.end(), [&](const std::string& other) { return name.starts_with(other + "."); });
  });
  return names;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < names.size() && k < 12; ++k) text += (k ? ", `" : "`") + names[k] + "`";
  return names.size() > 12 ? text + ", …" : text;
}

/// A dotted name with `q` in the place of every quoted identifier.
std::string without_quotes(const std::string& name) {
  std::string out;
  for (std::size_t at = 0; at < name.size(); ++at) {
    out += name[at] == '\'' ? 'q' : name[at];
    if (name[at] != '\'') continue;
    while (++at < name.size() && name[at] != '\'') at += name[at] == '\\';
  }
  return out;
}

/// `bolza check Modelica.Blocks.Examples.PID_Controller`: the name of a class where a file could stand, found on the path.
bool names_a_class(const std::string& text) {
  std::error_code ignored;
  if (std::filesystem::exists(text, ignored)) return false;
  std::string given = without_quotes(text);
  auto may_stand = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; };
  bool is_dotted = given.find('.') != std::string::npos && given.front() != '.' && given.back() != '.' &&
                   std::all_of(given.begin(), given.end(), may_stand);
  return is_dotted && !given.ends_with(".mo") && !given.ends_with(".mop") && given.find("..") == std::string::npos;
}

Result<std::string> choose_class(const CompileOptions& options, instance::Library& library, const Definitions& given,
                                 Diagnostics& diagnostics) {
  if (!options.class_name.empty()) return options.class_name;
  std::string file = !options.texts.empty() ? options.texts.back().path : options.files.empty() ? "" : options.files.back();
  Result<Definitions> found = instance::optimization_classes(library, given, diagnostics);
  if (found && found->empty()) found = instance::model_classes(library, given, diagnostics);
  if (!found) return diagnostics.already_reported();
  std::vector<std::string> names = outermost(names_of(*found));
  if (names.empty()) return diagnostics.error(no_class, {}, {file});
  if (names.size() > 1) return diagnostics.error(several_classes, {}, {file, listed(names)});
  return names[0];
}

/// What instances point into.
struct World {
  instance::Library library;
  std::optional<instance::InstanceTree> tree;
};

flatten::Flows flows_of(const CompileOptions& options) {
  if (options.smooth > 0 || options.events == passes::Events::literal) return flatten::Flows::smooth;
  return options.events == passes::Events::keep ? flatten::Flows::exact : flatten::Flows::as_stated;
}

Result<Flattened> flatten_with(const CompileOptions& given_options, const std::shared_ptr<World>& world,
                               Diagnostics& diagnostics) {
  instance::Library& library = world->library;
  Flattened result;
  StepTimer timer(result.times);
  CompileOptions options = given_options;
  if (options.class_name.empty() && options.files.size() == 1 && options.texts.empty() && names_a_class(options.files[0])) {
    options.class_name = std::move(options.files[0]);
    options.files.clear();
  }
  Result<Definitions> given = add_files(options, library, diagnostics);
  if (!given) return diagnostics.already_reported();
  Result<std::string> name = choose_class(options, library, *given, diagnostics);
  if (!name) return diagnostics.already_reported();
  result.class_name = *name;
  timer.stop("load");
  Result<instance::InstanceTree> tree =
      instance::instantiate(library, *name, options.settings, diagnostics, options.outputs);
  if (!tree) return diagnostics.already_reported();
  timer.stop("instantiate");
  Result<ir::FlatModel> model = flatten::flatten(world->tree.emplace(std::move(*tree)), diagnostics, options.horizon,
                                                 options.max_scalars, options.smooth, flows_of(options));
  if (!model) return diagnostics.already_reported();
  timer.stop("flatten");
  if (options.scenarios) {
    if (!passes::replicate_scenarios(*model, *options.scenarios, diagnostics)) return diagnostics.already_reported();
    timer.stop("scenarios");
  }
  result.model = std::move(*model);
  if (result.model.actions) result.kept = world;
  result.files_parsed = library.files_parsed();
  return result;
}

passes::PassOptions pass_options(const CompileOptions& options, const ir::FlatModel& model, const Sources& sources) {
  passes::PassOptions result;
  static_cast<passes::Transformation&>(result) = options;
  result.sources = &sources;
  if (options.literal_phases && !model.phases.empty()) result.events = passes::Events::literal;
  result.wants_objective = options.outputs.parts.empty();
  return result;
}

/// Ticks follow each other at a distance. One that is not known before a solve (NaN) is looked at by no one here.
Result<Done> check_samples(const ir::Problem& problem, Diagnostics& diagnostics) {
  for (const ir::Problem* model : ir::models_of(problem)) {
    if (!model->hybrid) continue;
    for (const ir::EventPart::Sample& sample : model->hybrid->samples)
      if (sample.interval <= 0 || std::isinf(sample.interval))
        return diagnostics.error(sample_interval, sample.span, {shown(sample.interval)});
  }
  return Done{};
}

std::size_t count_unknowns(const ir::FlatModel& model) {
  std::size_t unknowns = 0;
  for (const ir::Variable& v : model.variables)
    if (v.kind == ir::VariableKind::unknown) unknowns += v.size;
  return unknowns;
}

}  // namespace

bool is_refused_for_events(const Diagnostics& diagnostics) {
  auto is_error = [](const Diagnostic& d) { return d.severity == Severity::error; };
  auto first = std::find_if(diagnostics.all().begin(), diagnostics.all().end(), is_error);
  return diagnostics.errors() == 1 && first != diagnostics.all().end() && first->code->id == passes::event_in_solve.id;
}

double integrated_path_tolerance(const Options& options) {
  constexpr double usual = 1e-4;
  if (options.text("path-constraints") != "integrated") return 0;
  return options.has("path-tolerance") ? options.number("path-tolerance") : usual;
}

std::uint32_t samples_of(const Options& options) {
  return options.has("samples") ? static_cast<std::uint32_t>(std::max(0, options.integer("samples"))) : 0;
}

Result<Flattened> flatten_class(const CompileOptions& options, Sources& sources, Diagnostics& diagnostics) {
  auto world = std::make_shared<World>(World{make_library(options, sources), std::nullopt});
  return flatten_with(options, world, diagnostics);
}

Result<Compiled> compile(const CompileOptions& given, Sources& sources, Diagnostics& diagnostics) {
  CompileOptions options = given;
  Result<Flattened> flat = flatten_class(options, sources, diagnostics);
  if (!flat) return diagnostics.already_reported();
  Compiled result;
  result.class_name = flat->class_name;
  result.times = flat->times;
  result.files_parsed = flat->files_parsed;
  result.kept = flat->kept;
  result.n_equations = flat->model.equations.n_rows;
  result.n_unknowns = count_unknowns(flat->model);
  Result<Options> annotated = annotated_options(flat->model, diagnostics);
  if (!options.form && annotated && annotated->has("form")) options.form = passes::form_named(annotated->text("form"));
  result.form = options.form.value_or(passes::Form::explicit_rates);
  if (annotated && !options.path_tolerance) options.path_tolerance = integrated_path_tolerance(*annotated);
  result.path_tolerance = options.path_tolerance.value_or(0);
  if (annotated && !options.samples) options.samples = samples_of(*annotated);
  result.samples = options.samples.value_or(0);
  passes::PassOptions of_passes = pass_options(options, flat->model, sources);
  passes::System system(std::move(flat->model), of_passes);
  std::vector<passes::PassTime> times;
  Result<Done> done = passes::run_passes(system, diagnostics, times);
  if (!done || !annotated) return diagnostics.already_reported();
  for (const passes::PassTime& time : times) result.times.push_back({std::string(time.name), time.seconds});
  result.problem = std::move(system.problem);
  if (!check_samples(result.problem, diagnostics)) return diagnostics.already_reported();
  result.annotated = std::move(*annotated);
  return result;
}

std::vector<std::string> pass_names() {
  std::vector<std::string> names;
  for (const passes::Pass& pass : passes::pass_table()) names.emplace_back(pass.name);
  return names;
}

Result<std::string> text_after(const CompileOptions& options, std::string_view pass, Sources& sources,
                               Diagnostics& diagnostics) {
  std::vector<std::string> names = pass_names();
  if (!pass.empty() && std::find(names.begin(), names.end(), pass) == names.end())
    return diagnostics.error(unknown_pass, {}, {pass}, did_you_mean(pass, names));
  for (const std::string& left_out : options.disabled)
    if (std::find(names.begin(), names.end(), left_out) == names.end())
      return diagnostics.error(unknown_pass, {}, {left_out}, did_you_mean(left_out, names));
  Result<Flattened> flat = flatten_class(options, sources, diagnostics);
  if (!flat) return diagnostics.already_reported();
  if (pass.empty()) return ir::to_text(flat->model);
  passes::PassOptions of_passes = pass_options(options, flat->model, sources);
  passes::System system(std::move(flat->model), of_passes);
  std::vector<passes::PassTime> times;
  Result<Done> done = passes::run_passes(system, diagnostics, times, {.last = pass});
  if (!done) return diagnostics.already_reported();
  return pass == names.back() ? ir::to_text(system.problem) : ir::to_text(system.flat);
}

FileCache parsed_file_cache(std::string folder) { return syntax::parsed_file_cache(std::move(folder)); }

Result<Contents> contents_of(const CompileOptions& options, Sources& sources, Diagnostics& diagnostics) {
  instance::Library library = make_library(options, sources);
  Result<Definitions> given = add_files(options, library, diagnostics);
  if (!given) return diagnostics.already_reported();
  Result<Definitions> optimizations = instance::optimization_classes(library, *given, diagnostics);
  Result<Definitions> models = instance::model_classes(library, *given, diagnostics);
  if (!optimizations || !models) return diagnostics.already_reported();
  return Contents{names_of(*optimizations), names_of(*models)};
}

}  // namespace bolza::driver
