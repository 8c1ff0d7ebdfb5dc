// SPDX-License-Identifier: Apache-2.0
#include "workflow/gradient/gradient.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "base/flush_denormals.h"
#include "base/numbers.h"
#include "runtime/integrate/codes.h"
#include "workflow/codes.h"
#include "workflow/gradient/gradient_outputs.h"
#include "workflow/nonfinite.h"
#include "workflow/solve/method/solver.h"
#include "workflow/whole_array.h"
#include "workflow/written.h"

namespace bolza::workflow {
namespace {

using transcribe::GradientWay;

bool is_given(const Model& model, const std::string& name) {
  auto named = [&](ir::VariableId v) {
    std::string own = ir::name_of(model.problem.flat, v);
    return own == name || own.starts_with(name + "[");
  };
  for (const ir::Problem* phase : ir::models_of(model.problem))
    if (std::any_of(phase->x.begin(), phase->x.end(), named) || std::any_of(phase->u.begin(), phase->u.end(), named))
      return true;
  for (std::size_t k = 0; k < model.problem.n_global; ++k)
    if (!model.problem.shared_numbers[k].fixed && named(model.problem.shared[k])) return true;
  return false;
}

bool has_controls(const ir::Problem& problem) {
  std::vector<const ir::Problem*> phases = ir::models_of(problem);
  return std::any_of(phases.begin(), phases.end(), [](const ir::Problem* phase) { return !phase->u.empty(); });
}

/// The warning that a value at a time is left out, as it changes at events; null: there is none.
const Diagnostic* not_evaluated(const Diagnostics& diagnostics) {
  for (const Diagnostic& d : diagnostics.all())
    if (d.code->id == "W419") return &d;
  return nullptr;
}

/// Whether the model has such a variable at all.
bool is_declared(const Model& model, const std::string& name) {
  const ir::FlatModel& flat = model.problem.flat;
  auto stem = [](const std::string& full) { return full.substr(0, full.find('[')); };
  return std::any_of(flat.variables.begin(), flat.variables.end(),
                     [&](const ir::Variable& v) { return v.size > 0 && stem(ir::name_of(flat, v.first)) == stem(name); });
}

constexpr GradientWay ways[] = {GradientWay::adjoint, GradientWay::forward, GradientWay::discrete, GradientWay::differences};

/// What derivatives of the continuous equations have no use for is said, and not passed over.
void warn_of_options(Model& model, const GradientRequest& request) {
  static constexpr std::string_view of_simulations[] = {"linear_coefficient",      "preconditioner",  "krylov_dimension",
                                                        "linear_solution_scaling", "variable_bounds", "stop_times",
                                                        "one_step_output"};
  static constexpr std::string_view direct[] = {"dense", "band", "klu"};
  auto among = [](const std::string& name, auto& list) {
    return std::find(std::begin(list), std::end(list), name) != std::end(list);
  };
  for (const auto& [name, value] : request.method_options) {
    if (among(name, of_simulations))
      model.diagnostics.warning(without_effect, {}, {name, "it is one of simulations; derivatives do without"});
    if (name == "linear_solver" && !among(value, direct))
      model.diagnostics.warning(without_effect, {},
                                {name + "=" + value, "derivatives are solved for by `dense`, `band` or `klu`"});
  }
}

/// An integrator of our own means its own steps; `cvodes` the continuous equations.
Result<GradientWay> way_of(Model& model, const GradientRequest& request) {
  std::string integrator = request.options.has("integrator") ? request.options.text("integrator") : "";
  bool own = !integrator.empty() && integrator != "cvodes" && integrator != "idas";
  std::string by = request.by.empty() ? own ? "discrete" : "adjoint" : request.by;
  if (by == "discrete" && integrator == "cvodes")
    return model.diagnostics.error(
        cannot_combine, {},
        {"the adjoint of the discretised equations needs the records of an integrator's steps, which "
         "`cvodes` does not offer; `--by adjoint` takes the continuous equations"});
  if (by != "discrete" && by != "forward" && own)
    return model.diagnostics.error(cannot_combine, {},
                                   {"`--by " + by + "` integrates with `cvodes` or `idas`; the steps of `" + integrator +
                                    "` belong to `--by discrete`"});
  std::vector<std::string> names;
  for (GradientWay way : ways) {
    if (by == transcribe::name_of(way)) return way;
    names.emplace_back(transcribe::name_of(way));
  }
  return model.diagnostics.error(no_such_way, {}, {by}, did_you_mean(by, names));
}

/// Total derivatives by many states are full matrices where algebraics are eliminated from the equations.
bool is_better_on_idas(const Model& model) {
  constexpr std::size_t many = 100;
  const bolza_problem& problem = model.abi();
  return std::any_of(problem.models, problem.models + problem.n_models,
                     [](const bolza_model* m) { return m->n_z > 0 && m->n_x >= many && m->index <= 1; });
}

}  // namespace

std::vector<std::string> freeing_settings(const Model& model, const std::vector<std::string>& directions) {
  std::set<std::string> freed;
  for (const std::string& name : directions)
    if (!is_given(model, name) && is_declared(model, name)) freed.insert(whole_array(name) + "(free=true)");
  return {freed.begin(), freed.end()};
}

Result<GradientResult> gradient(Model& model, const GradientRequest& request) {
  FlushDenormals flush;
  if (!model.problem.is_optimization)
    return model.diagnostics.error(not_an_optimization, model.problem.flat.span, {model.class_name},
                                   {{{}, "a gradient is one of an objective: `minimize cost = integral(x^2);`"}});
  Result<GradientWay> way = way_of(model, request);
  if (!way) return model.diagnostics.already_reported();
  auto library = solver_library(model.diagnostics);
  if (!library) return model.diagnostics.already_reported();
  driver::Options options = model.annotated;
  options.merge(request.options);
  transcribe::TranscribeOptions t = transcribe_options(options);
  if (!request.options.has("mesh") && !has_controls(model.problem)) t.mesh = 1;
  transcribe::GradientOptions g;
  g.ways = {*way};
  for (GradientWay other : ways)
    if (request.check && other != *way) g.ways.push_back(other);
  if (request.options.has("integrator")) {
    g.integrator = request.options.text("integrator");
    g.forward_of_steps = *way == GradientWay::forward && g.integrator != "cvodes" && g.integrator != "idas";
    g.idas = g.integrator == "idas" && (*way == GradientWay::adjoint || *way == GradientWay::forward);
    if (*way != GradientWay::discrete && !g.forward_of_steps) g.integrator = transcribe::GradientOptions{}.integrator;
  }
  g.fixed_step = request.fixed_step;
  g.progress = request.progress;
  if (request.options.has("rtol")) g.rtol = request.options.number("rtol");
  g.hessian = request.hessian;
  g.check_hessian = request.hessian && request.check;
  g.by = request.directions;
  for (const auto& [name, value] : request.method_options)
    if (!set_method_option(g.method_options, name, value, **library, model.diagnostics))
      return model.diagnostics.already_reported();
  if (*way != GradientWay::discrete && !g.forward_of_steps) warn_of_options(model, request);
  for (const std::string& term : request.times) {
    std::size_t equals = term.rfind('=');
    char* end = nullptr;
    double value = equals == std::string::npos ? 0 : std::strtod(term.c_str() + equals + 1, &end);
    if (!end || *end || end == term.c_str() + equals + 1)
      return model.diagnostics.error(cannot_combine, {},
                                     {"`--hessian-times " + term + "` is not of the form `name=number`"});
    g.times[term.substr(0, equals)] = value;
  }
  for (const ir::Problem* phase : ir::models_of(model.problem))
    for (ir::VariableId v : phase->x)
      if (std::string name = ir::name_of(model.problem.flat, v); name.starts_with(instance::Outputs::integral_state))
        g.without.push_back(name);
  if (!model.compile({.calls = codegen::Calls::one})) return model.diagnostics.already_reported();
  if (*way == GradientWay::adjoint && !request.options.has("integrator")) g.idas = is_better_on_idas(model);
  std::unique_ptr<Model> written;
  if (request.written) {
    auto other = with_form(model, "original");
    if (!other) return model.diagnostics.already_reported();
    written = *std::move(other);
    g.written = &written->abi();
  }
  GradientResult result;
  if (!request.outputs.empty()) {
    auto rows = output_rows(model, request.outputs);
    if (!rows) return model.diagnostics.already_reported();
    result.outputs = std::move(*rows);
    g.rows.clear();
    for (const NamedRow& row : result.outputs) g.rows.push_back(row.row);
  }
  static_cast<transcribe::ReducedGradient&>(result) = (*library)->gradient(model.abi(), t, g);
  if (!result.objection.empty()) return model.diagnostics.error(cannot_combine, {}, {result.objection});
  if (!result.unknown.empty()) {
    std::vector<std::string> known;
    for (const transcribe::GradientDirection& d : result.directions) known.push_back(d.of);
    return model.diagnostics.error(no_such_direction, {}, {result.unknown}, did_you_mean(result.unknown, known));
  }
  for (const auto& [name, value] : g.times) {
    std::vector<std::string> known;
    for (const transcribe::GradientDirection& d : result.directions) known.push_back(d.name);
    if (std::find(known.begin(), known.end(), name) == known.end())
      return model.diagnostics.error(no_such_direction, {}, {name}, did_you_mean(name, known));
  }
  bool failed =
      result.ways.empty() || std::any_of(result.ways.begin(), result.ways.end(), [](const auto& w) { return !w.good; });
  if (failed) {
    explain(result.trouble, model);
    const abi::Finding& f = result.trouble;
    if (f.text.empty() && f.name.empty())
      if (const Diagnostic* left_out = not_evaluated(model.diagnostics))
        return model.diagnostics.error(nothing_to_differentiate, left_out->span, {left_out->message});
    bool names_itself = f.name.empty() || f.text.find("`" + f.name + "`") != std::string::npos;
    std::string reason = names_itself ? f.text : f.name + (f.text.empty() ? "" : ": " + f.text);
    return model.diagnostics.error(integrate::simulation_failed, {}, {shown(f.time), reason});
  }
  return result;
}

}  // namespace bolza::workflow
