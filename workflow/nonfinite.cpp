// SPDX-License-Identifier: Apache-2.0
#include "workflow/nonfinite.h"

#include <algorithm>
#include <cstdio>

#include "base/interrupt.h"
#include "base/numbers.h"
#include "compiler/codegen/compile.h"

namespace bolza::workflow {
namespace {

const bolza_function* function_called(const bolza_problem& problem, const transcribe::NonfiniteReport& report) {
  if (report.phase < 0) return problem.point;
  const bolza_model& m = *problem.models[problem.phases[report.phase].model];
  for (const bolza_function* f : {m.rates, m.residuals, m.initial, m.outputs, m.integrand_residuals})
    if (f && f->name == report.function) return f;
  return nullptr;
}

/// Whether every operand is a state at the value that it is fixed to start with: then no guess is to blame.
bool is_of_fixed_starts(const bolza_problem& problem, const codegen::NonfiniteExplanation& e) {
  auto is_fixed = [&](const std::pair<std::string, double>& operand) {
    for (std::size_t k = 0; k < problem.n_models; ++k)
      for (const bolza_variable& x : std::span(problem.models[k]->x, problem.models[k]->n_x))
        if (x.fixed && operand.first == x.name && operand.second == x.start) return true;
    return false;
  };
  return e.found && !e.operands.empty() && std::ranges::all_of(e.operands, is_fixed);
}

/// The parameter that alone decides, where every operand is one that is not free: then no guess is to blame either.
std::string fixed_parameter(const Model& model, const codegen::NonfiniteExplanation& e) {
  if (!e.found || e.operands.empty()) return "";
  auto is_fixed = [&](const std::pair<std::string, double>& operand) {
    const ir::FlatModel& flat = model.problem.flat;
    for (const ir::Problem* m : ir::models_of(model.problem))
      for (std::size_t k = m->n_global; k < m->shared.size(); ++k)
        if (ir::variable_of(flat, m->shared[k]).kind == ir::VariableKind::parameter &&
            ir::name_of(flat, m->shared[k]) == operand.first)
          return true;
    return false;
  };
  return std::ranges::all_of(e.operands, is_fixed) ? e.operands[0].first : "";
}

/// "the derivative by `x`: `1/(5 - x)` is inf with `5 - x` = 0"; empty when all values turn out to be finite.
std::string operands_of(const Model& model, const codegen::NonfiniteExplanation& e) {
  if (!e.found || e.expression.empty()) return "";  // a failure inside of an external function has none
  std::string text = e.derivative_by.empty() ? "`" : "the derivative by `" + e.derivative_by + "`: `";
  text += e.expression + "` is " + shown(e.value);
  for (std::size_t k = 0; k < e.operands.size(); ++k)
    text += (k ? ", `" : " with `") + e.operands[k].first + "` = " + shown(e.operands[k].second);
  if (e.failure.empty()) return text;
  text += ": " + e.failure;
  if (e.failure_span) text += " (" + where(model.sources, e.failure_span) + ")";
  return text;
}

}  // namespace

void explain(abi::Finding& finding, Model& model, std::string* sentence) {
  std::shared_ptr<const abi::NonfinitePlace> place = std::move(finding.place);
  finding.place = nullptr;
  if (!place || interrupt_flag()) return;  // loops that were ended leave no number
  std::string text = operands_of(model, model.compiled().explain_nonfinite(*place->function, place->point, place->shared));
  if (text.empty()) return;
  text = ": " + text;
  if (std::string tried = shown(place->point[0]); tried != shown(finding.time)) text += " at t = " + tried;
  finding.text += text;
  if (sentence) *sentence += text;
}

std::string explain_nonfinite(void* context, const transcribe::NonfiniteReport& report) {
  if (interrupt_flag()) return "";
  Model& model = *static_cast<Model*>(context);
  const bolza_function* function = function_called(model.abi(), report);
  if (!function) return "";
  codegen::NonfiniteExplanation e = model.compiled().explain_nonfinite(*function, report.point, report.shared);
  std::string text = operands_of(model, e);
  if (!text.empty() && report.at_start && is_of_fixed_starts(model.abi(), e))
    text += "; it is fixed to start there (`fixed = true`), so that no guess helps: correct the start, or the expression";
  else if (!text.empty() && report.at_start && e.expression.ends_with("/0"))
    text += "; it divides by zero, whatever the guess: correct the expression, or a parameter that is zero";
  else if (std::string p = fixed_parameter(model, e); !text.empty() && !p.empty())
    text += "; that is the value of a parameter, so that no guess helps: `--set " + p + "=...`, or correct the expression";
  else if (!text.empty() && report.at_start)
    text += "; this is at the initial guess: set `initialGuess` or bounds that keep away from it";
  return text;
}

}  // namespace bolza::workflow
