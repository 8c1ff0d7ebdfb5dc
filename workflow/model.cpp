// SPDX-License-Identifier: Apache-2.0
#include "workflow/model.h"

#include <stdexcept>
#include <utility>

#include "base/cache_folder.h"
#include "base/clock.h"
#include "compiler/codegen/jit_library.h"
#include "compiler/driver/compile.h"
#include "workflow/codes.h"
#include "workflow/install_paths.h"
#include "workflow/read_sbml.h"
#include "workflow/settings.h"

namespace bolza::workflow {
namespace {

/// A library that is there but cannot be opened is a broken installation.
const codegen::JitLibrary& open_jit() {
  Diagnostics diagnostics;
  auto symbol = open_symbol("bolza_jit", codegen::jit_library_symbol, diagnostics);
  if (!symbol) throw std::runtime_error("libbolza_jit.so cannot be opened; is LLVM installed?");
  const codegen::JitLibrary* library = reinterpret_cast<codegen::JitLibraryFunction>(*symbol)();
  if (library->version != codegen::jit_library_version)
    throw std::runtime_error("libbolza_jit.so belongs to another version of bolza");
  return *library;
}

}  // namespace

struct Model::Inside {
  std::shared_ptr<const void> kept;  ///< what the problem's actions run on
  std::unique_ptr<codegen::CompiledProblem> compiled;
};

Model::Model() : inside_(std::make_unique<Inside>()) {}
Model::~Model() = default;

driver::CompileOptions compile_options(const LoadRequest& request) {
  driver::CompileOptions options;
  static_cast<passes::Transformation&>(options) = request;
  if (!request.file.empty()) options.files = {request.file};
  options.texts = request.texts;
  options.class_name = request.class_name;
  options.settings = request.settings;
  options.horizon = request.horizon;
  options.outputs = request.outputs;
  options.max_scalars = request.max_scalars;
  options.modelica_path = library_path(request.library_paths);
  options.stdlib = stdlib_folder();
  if (request.cache) options.cache = cache_folder();
  options.trust = request.trust;
  return options;
}

Result<driver::CompileOptions> compile_options_with_scenarios(const LoadRequest& request, Sources& sources,
                                                              Diagnostics& diagnostics) {
  driver::CompileOptions options = compile_options(request);
  if (request.scenarios.file.empty()) return options;
  Result<ir::ScenarioTable> scenarios = read_scenarios(request.scenarios, sources, diagnostics);
  if (!scenarios) return diagnostics.already_reported();
  options.scenarios = *std::move(scenarios);
  return options;
}

Result<Done> Model::load(const LoadRequest& wanted) {
  auto started = Clock::now();
  if (sources.size() == 0) sources = wanted.options;
  Sources before = sources;
  Result<LoadRequest> read = with_sbml_read(wanted, sources, diagnostics);
  if (!read) return diagnostics.already_reported();
  request = *std::move(read);
  request.options = std::move(before);
  instance::Trust& trust = request.trust;
  bool asks_settings = trust.runs && trust.level == instance::Trust::Level::libraries && trust.folders.empty();
  if (asks_settings && !add_trusted_folders(trust, diagnostics)) return diagnostics.already_reported();
  Result<driver::CompileOptions> options = compile_options_with_scenarios(request, sources, diagnostics);
  if (!options) return diagnostics.already_reported();
  if (options->scenarios) n_scenarios = options->scenarios->size();
  auto compiled = driver::compile(*options, sources, diagnostics);
  if (!compiled) return diagnostics.already_reported();
  class_name = compiled->class_name;
  annotated = std::move(compiled->annotated);
  problem = std::move(compiled->problem);
  inside_->kept = std::move(compiled->kept);
  request.path_tolerance = compiled->path_tolerance;
  request.samples = compiled->samples;
  is_implicit = compiled->form != passes::Form::explicit_rates;
  n_equations = compiled->n_equations;
  n_unknowns = compiled->n_unknowns;
  seconds_load = seconds_since(started);
  return Done{};
}

Result<Done> Model::compile(const KernelRequest& kernels) {
  auto started = Clock::now();
  if (!check_library("bolza_jit", diagnostics)) return diagnostics.already_reported();
  codegen::KernelOptions options;
  options.open_jit = open_jit;
  options.calls = kernels.calls;
  options.expected_evaluations = kernels.expected_evaluations;
  if (!request.cache) options.cache = "";
  inside_->compiled = codegen::compile(problem, sources, options);
  seconds_compile = seconds_since(started);
  return Done{};
}

const bolza_problem& Model::abi() const {
  expects(inside_->compiled != nullptr, "a model is compiled before its tables are used");
  return std::as_const(*inside_->compiled).problem();
}

bolza_problem& Model::abi() {
  expects(inside_->compiled != nullptr, "a model is compiled before its tables are used");
  return inside_->compiled->problem();
}

codegen::CompiledProblem& Model::compiled() const { return *inside_->compiled; }

}  // namespace bolza::workflow
