// SPDX-License-Identifier: Apache-2.0
#include "cli/model_arguments.h"

#include "cli/sensitivity_page.h"
#include "compiler/driver/engine_option_names.h"
#include "compiler/driver/option_codes.h"

namespace bolza::cli {

namespace {

std::optional<passes::Form> form_of(const Arguments& arguments) {
  std::optional<passes::Form> form;
  for (const auto& [name, value] : arguments.method.options)
    if (name == "form") form = passes::form_named(value);
  return form;
}

/// A simulation runs over another horizon without being another model.
flatten::GivenHorizon horizon_of(const Arguments& arguments) {
  flatten::GivenHorizon horizon;
  if (arguments.command != "solve") return horizon;
  horizon.start = arguments.horizon.start;
  horizon.stop = arguments.horizon.stop;
  return horizon;
}

instance::Trust trust_of(const Arguments& arguments) {
  using Level = instance::Trust::Level;
  bool looks = arguments.command.empty() || arguments.command == "check" || arguments.command == "flatten";
  return {.level = arguments.model.trust.value_or(Level::libraries), .runs = !looks, .folders = {}};
}

/// E950: with `--trust none` options do not lead outside.
bool may_set(const Arguments& arguments, std::string_view name, std::string_view value, Span at, Diagnostics& diagnostics) {
  bool trusted = trust_of(arguments).level != instance::Trust::Level::nothing;
  std::string reaching = trusted ? "" : driver::reaching_option(name, value);
  if (reaching.empty()) return true;
  diagnostics.error(driver::not_when_untrusted, at, {reaching});
  return false;
}

}  // namespace

workflow::LoadRequest load_request(const Arguments& arguments) {
  workflow::LoadRequest request;
  static_cast<passes::Transformation&>(request) = arguments.model.change;
  request.form = form_of(arguments);
  request.file = arguments.file;
  request.class_name = arguments.model.class_name;
  request.settings = arguments.model.settings;
  request.horizon = horizon_of(arguments);
  request.library_paths = arguments.model.library_paths;
  request.max_scalars = static_cast<std::uint32_t>(arguments.model.max_scalars);
  request.cache = !arguments.model.no_cache;
  request.scenarios = {.file = arguments.solve.scenarios.file,
                       .risk = arguments.solve.scenarios.risk,
                       .tail = arguments.solve.scenarios.tail,
                       .branch = arguments.solve.scenarios.branch,
                       .chance = arguments.solve.scenarios.chance};
  request.trust = trust_of(arguments);
  return request;
}

Result<driver::Options> solver_options(const Arguments& arguments, Sources& sources, Diagnostics& diagnostics) {
  driver::Options options;
  for (const auto& [name, value] : arguments.method.options) {
    std::string text = "--" + name + " " + value;
    SourceId file = sources.add("command line", text);
    Span at{file, 0, static_cast<std::uint32_t>(text.size())};
    if (!may_set(arguments, name, value, at, diagnostics)) return diagnostics.already_reported();
    if (driver::set_option(options, name, value, at, diagnostics).failed()) return diagnostics.already_reported();
  }
  if (!may_set(arguments, "chain", arguments.solve.chain, {}, diagnostics)) return diagnostics.already_reported();
  return options;
}

Result<workflow::SolveRequest> solve_request(const Arguments& arguments, Sources& sources, Diagnostics& diagnostics) {
  auto options = solver_options(arguments, sources, diagnostics);
  if (!options) return diagnostics.already_reported();
  workflow::SolveRequest request;
  request.options = *std::move(options);
  request.chain = arguments.solve.chain;
  request.init_from = arguments.solve.init_from;
  request.nonsmooth = arguments.solve.nonsmooth;
  request.output = arguments.outputs.result;
  request.csv = arguments.outputs.csv;
  request.report = arguments.outputs.page;
  request.sensitivity = sensitivity_request(arguments);
  return request;
}

}  // namespace bolza::cli
