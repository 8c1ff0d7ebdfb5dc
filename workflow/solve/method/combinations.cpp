// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/method/combinations.h"

#include <algorithm>
#include <cstdlib>
#include <span>

#include "compiler/driver/transformation.h"
#include "workflow/codes.h"
#include "workflow/solve/method/solver.h"
#include "workflow/solve/outcome/choices.h"

namespace bolza::workflow {
namespace {

constexpr std::string_view bounds = "there are no constraints but bounds";

std::string in_backticks(std::string_view name) { return "`" + std::string(name) + "`"; }

/// Names may be written with `-` or `_`.
bool is_same_name(std::string_view a, std::string_view b) {
  auto letter = [](char c) { return c == '-' ? '_' : c; };
  return std::ranges::equal(a, b, {}, letter, letter);
}

const TableRow* find_row(const std::vector<TableRow>& rows, std::string_view name) {
  auto row = std::ranges::find_if(rows, [&](const TableRow& r) { return is_same_name(r.name, name); });
  return row == rows.end() ? nullptr : &*row;
}

bool integrates(std::string_view transcription) { return transcription.ends_with("shooting"); }

/// `cvodes_adams` is of the family of `adams`.
bool is_family(std::string_view name, std::string_view of) {
  return name.ends_with("_" + std::string(of)) || of.ends_with("_" + std::string(name));
}

/// Of the integrators that shooting can take the one most like `row`: of its family, stiff or not as it is, then by order.
std::string nearest_integrator(const TableRow& row, const std::vector<TableRow>& rows) {
  auto distance = [&](const TableRow& other) {
    return 1000 * !is_family(row.name, other.name) + 100 * (other.stiff != row.stiff) + std::abs(other.order - row.order);
  };
  const TableRow* best = nullptr;
  for (const TableRow& other : rows)
    if (other.available && other.differentiable && &other != &row && (!best || distance(other) < distance(*best)))
      best = &other;
  return best ? std::string(best->name) : "";
}

/// Names of the rows that `fits`.
template <class Fits>
std::string names_where(const std::vector<TableRow>& rows, const Fits& fits) {
  std::string names;
  for (const TableRow& row : rows)
    if (row.available && fits(row)) names += (names.empty() ? "" : ", ") + in_backticks(row.name);
  return names;
}

/// The first engine that takes what `row` takes.
std::string nearest_engine(const TableRow& row, const std::vector<TableRow>& rows) {
  for (const TableRow& other : rows)
    if (other.available && &other != &row && !other.bounds_only && (other.takes_integers || !row.takes_integers))
      return std::string(other.name);
  return "";
}

MethodTriple combine(std::string_view transcription, const TableRow* integrator, const TableRow& engine,
                     const std::vector<TableRow>& integrators, const std::vector<TableRow>& engines) {
  MethodTriple c{std::string(transcription), integrator ? std::string(integrator->name) : "", std::string(engine.name)};
  c.takes_integers = engine.takes_integers;
  bool between = !integrator || (integrator->samples && shooting_of(transcription) == Shooting::single);
  if (engine.squares_only) c.condition = between ? squares_alone : squares_at_points;
  if (engine.bounds_only) c.condition = bounds;
  if (!engine.available) {
    c.reason = "the engine " + in_backticks(engine.name) + " was not built";
    c.nearest = nearest_engine(engine, engines);
  } else if (integrator && !integrator->available) {
    c.reason = "the integrator " + in_backticks(integrator->name) + " was not built";
    c.nearest = nearest_integrator(*integrator, integrators);
  } else if (integrator && !integrator->differentiable) {
    c.reason = "the integrator " + in_backticks(integrator->name) +
               " gives no derivatives, neither of its steps nor of the continuous equations, and " + "shooting needs them";
    c.nearest = nearest_integrator(*integrator, integrators);
  } else if (engine.bounds_only && shooting_of(transcription) != Shooting::single) {
    c.reason =
        "the engine " + in_backticks(engine.name) + " takes bounds only, and all but `single-shooting` make equations";
    c.nearest = nearest_engine(engine, engines);
  }
  return c;
}

/// A fixed step belongs to integrators of our own; where none is named it is CVODES that integrates.
Result<Done> check_fixed_step(const driver::Options& options, const std::vector<TableRow>& integrators,
                              Diagnostics& diagnostics) {
  constexpr std::string_view fixed_step = "integrator.fixed_step";
  if (!options.has(fixed_step) || !integrates(options.text("transcription"))) return Done{};
  std::string name = options.has("integrator") ? options.text("integrator") : "cvodes";
  const TableRow* row = find_row(integrators, name);
  if (!row || row->fixed_steps) return Done{};
  return diagnostics.error(
      cannot_combine, options.place(fixed_step),
      {"the integrator " + in_backticks(row->name) + " chooses its steps by their errors, and takes no `fixed_step`"},
      {{{}, "those that do: " + names_where(integrators, [](const TableRow& other) { return other.fixed_steps; })}});
}

Result<Done> check_stage(const driver::Options& options, const SolverLibrary& library, Diagnostics& diagnostics) {
  std::string transcription = options.text("transcription");
  std::vector<TableRow> integrators = library.integrators(), engines = library.engines();
  const TableRow* engine = find_row(engines, options.text("nlp"));
  const TableRow* integrator = nullptr;
  if (integrates(transcription) && options.has("integrator")) integrator = find_row(integrators, options.text("integrator"));
  if (!engine) return Done{};  // said by `check_names`
  MethodTriple c = combine(transcription, integrator, *engine, integrators, engines);
  if (!c.reason.empty()) {
    bool by_engine = c.reason.starts_with("the engine");
    return diagnostics.error(cannot_combine, options.place(by_engine ? "nlp" : "integrator"), {c.reason},
                             {{{},
                               "the nearest that does: `--" + std::string(by_engine ? "nlp " : "integrator ") + c.nearest +
                                   "`; `bolza methods` lists what goes together"}});
  }
  if (!check_fixed_step(options, integrators, diagnostics)) return diagnostics.already_reported();
  if (chosen(options, "hessian", hessians) == nlp::Hessian::lbfgs && !engine->lbfgs)
    return diagnostics.error(
        cannot_combine, options.place(options.has("hessian") ? "hessian" : "nlp"),
        {"the engine " + in_backticks(engine->name) + " does not approximate second derivatives: " +
         (engine->squares_only ? "it takes those of sums of squares" : "it takes exact ones")},
        {{{}, "`--hessian lbfgs` goes with " + names_where(engines, [](const TableRow& row) { return row.lbfgs; })}});
  return Done{};
}

/// An option on the command line or in a chain that no stage has a use for.
void warn_unused(const std::vector<Stage>& stages, std::string_view option, bool (*used)(const driver::Options&),
                 const std::string& why, Diagnostics& diagnostics) {
  if (std::any_of(stages.begin(), stages.end(), [&](const Stage& stage) { return used(stage.options); })) return;
  const driver::Options& last = stages.back().options;
  for (const auto& [name, value] : last.values)
    if (name == option || (option.ends_with('.') && name.starts_with(option))) {
      std::string shown = option.ends_with('.') ? name.substr(option.size()) : name;
      return void(diagnostics.warning(without_effect, last.place(name), {shown, why}));
    }
}

/// Options of an engine that no stage solves with; IPOPT's go to BONMIN as well.
void warn_of_other_engines(const std::vector<Stage>& stages, const std::vector<TableRow>& engines,
                           Diagnostics& diagnostics) {
  const driver::Options& last = stages.back().options;
  for (const TableRow& engine : engines) {
    bool used = std::any_of(stages.begin(), stages.end(), [&](const Stage& stage) {
      std::string own = stage.options.text("nlp");
      return own == engine.name || (own == "bonmin" && engine.name == "ipopt");
    });
    std::string prefix = std::string(engine.name) + ".";
    for (const auto& [name, value] : last.values)
      if (!used && name.starts_with(prefix))
        diagnostics.warning(without_effect, last.place(name),
                            {name, "the engine is " + in_backticks(last.text("nlp")) + "; `--nlp " +
                                       std::string(engine.name) + "` takes the other"});
  }
}

bool has_integrator(const driver::Options& options) { return integrates(options.text("transcription")); }
bool has_arcs(const driver::Options& options) { return is_indirect(options) || is_in_arcs(options); }
bool has_form(const driver::Options& options) {
  return passes::form_named(options.text("form")) == passes::Form::explicit_rates ||
         shooting_of(options) == Shooting::single;
}

}  // namespace

std::vector<MethodTriple> combinations(const SolverLibrary& library) {
  std::vector<TableRow> integrators = library.integrators(), engines = library.engines();
  std::vector<MethodTriple> all;
  std::span<const driver::OptionRow> options = driver::option_table();
  auto row = std::find_if(options.begin(), options.end(), [](const auto& o) { return o.name == "transcription"; });
  for (std::string_view transcription : row->choices) {
    if (transcription.empty()) continue;
    std::vector<const TableRow*> steps;
    if (!integrates(transcription)) steps.push_back(nullptr);
    else
      for (const TableRow& integrator : integrators) steps.push_back(&integrator);
    for (const TableRow* integrator : steps)
      for (const TableRow& engine : engines) all.push_back(combine(transcription, integrator, engine, integrators, engines));
  }
  return all;
}

Result<Done> check_combinations(const std::vector<Stage>& stages, const SolverLibrary& library, Diagnostics& diagnostics) {
  for (const Stage& stage : stages)
    if (!check_stage(stage.options, library, diagnostics)) return diagnostics.already_reported();
  std::string transcription = in_backticks(stages.back().options.text("transcription"));
  std::string steps = transcription + " has steps of its own; `--method single-shooting` and `multiple-shooting` integrate";
  warn_unused(stages, "integrator", has_integrator, steps, diagnostics);
  warn_unused(stages, integrator_prefix, has_integrator, steps, diagnostics);
  warn_unused(stages, "form", has_form,
              transcription + " takes the equations with their index reduced; `single-shooting` takes them as written",
              diagnostics);
  warn_unused(stages, "arcs", has_arcs,
              transcription + " has no arcs; `--method indirect` and `--control structure` solve for them", diagnostics);
  warn_unused(stages, "costates", is_indirect, transcription + " starts from no costates; `--method indirect` does",
              diagnostics);
  warn_unused(stages, "continue", is_indirect, transcription + " follows no branch; `--method indirect` does", diagnostics);
  if (stages.back().options.has("control") && is_in_arcs(stages.back().options) && is_indirect(stages.back().options))
    diagnostics.warning(without_effect, stages.back().options.place("control"),
                        {"control", "an indirect method solves for the arcs of controls anyway"});
  warn_of_other_engines(stages, library.engines(), diagnostics);
  return Done{};
}

std::vector<Note> remedies(const driver::Options& options, const SolverLibrary& library, bool by_engine,
                           ObjectiveParts parts) {
  std::vector<Note> notes;
  std::vector<TableRow> engines = library.engines();
  const TableRow* engine = find_row(engines, options.text("nlp"));
  bool squares_only = engine && engine->squares_only;
  if (squares_only && !parts.integral && parts.end_of_state)
    notes.push_back({{}, "squares that a state accumulates are recognised as an integral: `objectiveIntegrand = …`"});
  if (squares_only && (parts.integral || parts.end_of_state))
    notes.push_back({{},
                     "`--samples N` (DOML: `Steps`) makes of an integral of squares the sum of squares at N + 1 equidistant "
                     "times, which is another problem"});
  if (squares_only)
    notes.push_back({{}, "any objective: " + names_where(engines, [](const TableRow& row) {
                           return !row.squares_only;
                         }) + " (`--nlp`)"});
  else if (chosen(options, "hessian", hessians) == nlp::Hessian::gauss_newton)
    notes.push_back({{}, "`--hessian exact` takes any objective"});
  std::string integrator = options.has("integrator") ? options.text("integrator") : "";
  if (!by_engine && integrates(options.text("transcription")) && !integrator.empty() && integrator != "cvodes")
    notes.push_back({{}, "`--integrator cvodes` takes every model whose index can be reduced"});
  return notes;
}

}  // namespace bolza::workflow
