// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/method/solver.h"

#include <algorithm>
#include <cstdio>

#include "base/numbers.h"
#include "runtime/integrate/codes.h"
#include "runtime/nlp/codes.h"
#include "workflow/codes.h"
#include "workflow/install_paths.h"
#include "workflow/solve/method/shooting_settings.h"
#include "workflow/solve/outcome/choices.h"

namespace bolza::workflow {
namespace {

bool is_collocation(const std::string& transcription) {
  return transcription == "radau" || transcription == "gauss" || transcription == "lobatto";
}

std::vector<double> fractions_of(const std::string& mesh) {
  std::vector<double> fractions;
  for (std::size_t at = 0; mesh.find(',') != std::string::npos && at < mesh.size();) {
    std::size_t comma = std::min(mesh.find(',', at), mesh.size());
    fractions.push_back(std::stod(mesh.substr(at, comma - at)));
    at = comma + 1;
  }
  return fractions;
}

Result<Done> check_name(const driver::Options& options, std::string_view option, const std::vector<TableRow>& rows,
                        const Code& code, Diagnostics& diagnostics) {
  if (!options.has(option)) return Done{};
  std::string wanted = options.text(option);
  auto plain = [](std::string name) {
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
  };
  std::vector<std::string> names;
  for (const TableRow& row : rows) {
    if (plain(std::string(row.name)) == plain(wanted)) return Done{};
    names.emplace_back(row.name);
  }
  std::vector<Note> notes = did_you_mean(wanted, names);
  if (wanted.find('+') != std::string::npos)
    notes = {{{}, "an engine with its steps is a method: `--method " + wanted + "`"}};
  notes.push_back({{}, "`bolza methods` lists all of them"});
  return diagnostics.error(code, options.place(option), {wanted}, std::move(notes));
}

}  // namespace

Result<Done> check_names(const driver::Options& options, const SolverLibrary& library, Diagnostics& diagnostics) {
  if (!check_name(options, "integrator", library.integrators(), integrate::no_such_integrator, diagnostics))
    return diagnostics.already_reported();
  if (!is_indirect(options) && !check_name(options, "nlp", library.engines(), nlp::no_such_engine, diagnostics))
    return diagnostics.already_reported();
  for (const auto& [name, value] : options.values) {
    std::size_t dot = name.find('.');
    if (dot == std::string::npos || name.starts_with(integrator_prefix)) continue;
    driver::Options engine;
    engine.values["nlp"] = name.substr(0, dot);
    engine.places["nlp"] = options.place(name);
    if (!check_name(engine, "nlp", library.engines(), nlp::no_such_engine, diagnostics))
      return diagnostics.already_reported();
  }
  return Done{};
}

Result<const SolverLibrary*> solver_library(Diagnostics& diagnostics) {
  auto symbol = open_symbol("bolza_solver", solver_library_symbol, diagnostics);
  if (!symbol) return diagnostics.already_reported();
  const SolverLibrary* library = reinterpret_cast<SolverLibraryFunction>(*symbol)();
  if (library->version != solver_library_version)
    return diagnostics.error(library_missing, {}, {"libbolza_solver.so", "it belongs to another version of bolza"});
  return library;
}

Result<Done> set_method_option(integrate::MethodOptions& options, const std::string& name, const std::string& value,
                               const SolverLibrary& library, Diagnostics& diagnostics, Span at) {
  std::string why;
  std::vector<std::string> names;
  const integrate::MethodOption* row = nullptr;
  for (const integrate::MethodOption& option : library.method_options()) {
    names.emplace_back(option.name);
    if (option.name == name) row = &option;
  }
  switch (library.set_method_option(options, name, value)) {
    case integrate::OptionSet::done:
      return Done{};
    case integrate::OptionSet::unknown:
      return diagnostics.error(integrate::bad_integrator_option, at, {name, value, "there is no such option"},
                               did_you_mean(name, names));
    case integrate::OptionSet::not_a_number:
      why = "it is not a number";
      break;
    case integrate::OptionSet::out_of_range:
      why = "it must lie between " + shown(row->least) + " and " + shown(row->most);
      break;
    case integrate::OptionSet::no_such_word:
      why = "it is one of " + std::string(row->words);
      break;
  }
  return diagnostics.error(integrate::bad_integrator_option, at, {name, value, why});
}

Result<integrate::MethodOptions> integrator_options(const driver::Options& options, const SolverLibrary& library,
                                                    Diagnostics& diagnostics) {
  integrate::MethodOptions out;
  if (constexpr const char* memory = "checkpoint-memory"; options.has(memory))
    if (!set_method_option(out, "checkpoint_memory", options.text(memory), library, diagnostics, options.place(memory)))
      return diagnostics.already_reported();
  for (const auto& [name, value] : options.values)
    if (name.starts_with(integrator_prefix) &&
        !set_method_option(out, name.substr(integrator_prefix.size()), value, library, diagnostics, options.place(name)))
      return diagnostics.already_reported();
  return out;
}

bool is_indirect(const driver::Options& options) { return options.text("nlp") == "newton"; }

bool has_random_costates(const driver::Options& options) {
  return is_indirect(options) && chosen(options, "costates", costate_starts) == CostateStart::random;
}

bool relaxes_integers(const driver::Options& options) {
  return chosen(options, "integers", integer_methods) == nlp::IntegerMethod::relax;
}

bool is_in_arcs(const driver::Options& options) {
  return chosen(options, "control", control_forms) == ControlForm::structure;
}

bool is_shooting(const driver::Options& options) { return shooting_of(options) != Shooting::none; }

transcribe::TranscribeOptions transcribe_options(const driver::Options& options) {
  transcribe::TranscribeOptions out;
  std::string transcription = options.text("transcription");
  if (shooting_of(transcription) != Shooting::single) out.transcription = transcription;
  if (options.has("points") || is_collocation(transcription))
    out.points = static_cast<std::uint32_t>(options.integer("points"));
  if (!is_collocation(transcription)) out.points = 0;
  out.mesh_fractions = fractions_of(options.text("mesh"));
  out.mesh = out.mesh_fractions.empty() ? static_cast<std::uint32_t>(options.integer("mesh"))
                                        : static_cast<std::uint32_t>(out.mesh_fractions.size() - 1);
  out.control_constant = chosen(options, "control", control_forms) == ControlForm::constant;
  set_control_grid(options, out);
  set_phases(options, out);
  out.meet_places = chosen(options, "places", place_ways) == PlaceReading::mesh;
  out.threads = static_cast<unsigned>(options.integer("threads"));
  out.nlp.engine = options.text("nlp");
  out.nlp.condensing = options.flag("condensing") && shooting_of(transcription) == Shooting::multiple;
  out.nlp.linear_solver = chosen(options, "linear-solver", linear_solvers);
  out.nlp.tol = options.number("tol");
  if (!options.has("tol")) out.nlp.relative_gap = 1e-6;
  out.nlp.look_nearby = is_collocation(transcription);  // where each look is a simulation it costs more than the solve
  out.nlp.max_iterations = options.integer("max-iterations");
  out.nlp.hessian = chosen(options, "hessian", hessians);
  out.nlp.integers = chosen(options, "integers", integer_methods);
  out.nlp.integer_gap = options.number("integer-gap");
  out.nlp.max_nodes = options.integer("max-nodes");
  const std::string own = out.nlp.engine + ".";
  for (const auto& [name, value] : options.values)
    if (name.starts_with(own)) out.nlp.engine_options.emplace_back(name.substr(own.size()), value);
  return out;
}

std::string describe(const driver::Options& options) {
  std::string transcription = options.text("transcription");
  transcribe::TranscribeOptions t = transcribe_options(options);
  if (is_indirect(options))
    return "Pontryagin's conditions, " + transcription +
           (options.has("integrator") ? " with " + options.text("integrator") : "") + ", damped Newton";
  std::string text = transcription + ", " + std::to_string(t.mesh) + " intervals";
  if (t.points) text += " of " + std::to_string(t.points) + (t.points == 1 ? " point" : " points");
  return text + ", control " + options.text("control") + ", " + options.text("nlp");
}

}  // namespace bolza::workflow
