#include "workflow/gradient.h"

#include <algorithm>

#include "runtime/integrate/codes.h"
#include "workflow/codes.h"
#include "workflow/solver.h"

namespace bolza::workflow {
namespace {

using transcribe::GradientWay;

bool is_given(const Model& model, const std::string& name) {
  auto named = [&](const std::vector<ir::VariableId>& list) {
    return std::any_of(list.begin(), list.end(),
                       [&](ir::VariableId v) { return ir::name_of(model.problem.flat, v) == name; });
  };
  if (named(model.problem.x) || named(model.problem.u)) return true;
  for (std::size_t k = 0; k < model.problem.n_global; ++k)
    if (ir::name_of(model.problem.flat, model.problem.shared[k]) == name && !model.problem.shared_numbers[k].fixed)
      return true;
  return false;
}

constexpr GradientWay ways[] = {GradientWay::adjoint, GradientWay::forward, GradientWay::discrete, GradientWay::differences};

/// An integrator of our own means its own steps; `cvodes` the continuous equations.
Result<GradientWay> way_of(Model& model, const GradientRequest& request) {
  std::string integrator = request.options.has("integrator") ? request.options.text("integrator") : "";
  bool own = !integrator.empty() && integrator != "cvodes";
  std::string by = request.by.empty() ? own ? "discrete" : "adjoint" : request.by;
  if (by == "discrete" && integrator == "cvodes")
    return model.diagnostics.error(
        cannot_combine, {},
        {"the adjoint of the discretised equations needs the records of an integrator's steps, which "
         "`cvodes` does not offer; `--by adjoint` takes the continuous equations"});
  if (by != "discrete" && own)
    return model.diagnostics.error(
        cannot_combine, {},
        {"`--by " + by + "` integrates with `cvodes`; the steps of `" + integrator + "` belong to `--by discrete`"});
  std::vector<std::string> names;
  for (GradientWay way : ways) {
    if (by == transcribe::name_of(way)) return way;
    names.emplace_back(transcribe::name_of(way));
  }
  return model.diagnostics.error(no_such_way, {}, {by}, did_you_mean(by, names));
}

}  // namespace

std::vector<std::string> freeing_settings(const Model& model, const std::vector<std::string>& directions) {
  std::vector<std::string> settings;
  for (const std::string& name : directions)
    if (!is_given(model, name)) settings.push_back(name + "(free=true)");
  return settings;
}

Result<transcribe::ReducedGradient> gradient(Model& model, const GradientRequest& request) {
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
  if (!request.options.has("mesh") && model.problem.u.empty()) t.mesh = 1;
  transcribe::GradientOptions g;
  g.ways = {*way};
  for (GradientWay other : ways)
    if (request.check && other != *way) g.ways.push_back(other);
  if (request.options.has("integrator") && *way == GradientWay::discrete) g.integrator = request.options.text("integrator");
  g.fixed_step = request.fixed_step;
  if (request.options.has("rtol")) g.rtol = request.options.number("rtol");
  g.hessian = request.hessian, g.by = request.directions;
  for (const auto& [name, value] : request.method_options)
    if (!set_method_option(g.method_options, name, value, **library, model.diagnostics))
      return model.diagnostics.already_reported();
  if (!model.compile({.single = true})) return model.diagnostics.already_reported();
  transcribe::ReducedGradient result = (*library)->gradient(const_cast<bolza_problem&>(model.abi()), t, g);
  if (!result.objection.empty()) return model.diagnostics.error(cannot_combine, {}, {result.objection});
  if (!result.unknown.empty()) {
    std::vector<std::string> known;
    for (const transcribe::GradientDirection& d : result.directions) known.push_back(d.of);
    return model.diagnostics.error(no_such_direction, {}, {result.unknown}, did_you_mean(result.unknown, known));
  }
  bool failed =
      result.ways.empty() || std::any_of(result.ways.begin(), result.ways.end(), [](const auto& w) { return !w.good; });
  if (failed) {
    std::string reason = result.trouble.name + (result.trouble.text.empty() ? "" : ": " + result.trouble.text);
    return model.diagnostics.error(integrate::simulation_failed, {}, {std::to_string(result.trouble.time), reason});
  }
  return result;
}

}  // namespace bolza::workflow
