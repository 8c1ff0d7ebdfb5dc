// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/method/integers.h"

#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "runtime/nlp/codes.h"
#include "workflow/solve/outcome/choices.h"

namespace bolza::workflow {

std::vector<WholeVariable> whole_variables(const Model& model) {
  std::vector<WholeVariable> list;
  const ir::Problem& problem = model.problem;
  auto look = [&](ir::VariableId v, bool control) {
    ir::ValueType type = ir::variable_of(problem.flat, v).type;
    if (type != ir::ValueType::integer && type != ir::ValueType::boolean) return;
    list.push_back({ir::name_of(problem.flat, v), type == ir::ValueType::boolean ? "a Boolean" : "an Integer",
                    ir::variable_of(problem.flat, v).span, control});
  };
  for (const ir::Problem* of : ir::models_of(problem))
    for (ir::VariableId v : of->u) look(v, true);
  for (std::size_t p = 0; p < problem.shared.size(); ++p)
    if (p < problem.n_global && !problem.shared_numbers[p].fixed) look(problem.shared[p], false);
  return list;
}

Result<Done> check_takes(const std::vector<WholeVariable>& whole, const driver::Options& options,
                         const SolverLibrary& library, Diagnostics& diagnostics) {
  if (whole.empty() || chosen(options, "integers", integer_methods) != nlp::IntegerMethod::branch) return Done{};
  std::string able;
  for (const TableRow& row : library.engines()) {
    if (row.takes_integers && row.available) able += (able.empty() ? "`" : ", `") + std::string(row.name) + "`";
    if (row.takes_integers && row.name == options.text("nlp")) return Done{};
  }
  return diagnostics.error(
      nlp::takes_no_integers, options.place("nlp"), {options.text("nlp"), whole.front().name, whole.front().kind, able},
      {{whole.front().span, "declared here"},
       {{}, "`--integers sum-up` rounds the relaxed optimum with any engine, `--integers relax` solves for Reals"}});
}

double relative_gap(const abi::IntegerStatistics& integers, double objective) {
  return integers.gap / std::max(1e-10, std::abs(objective));
}

std::string text_of(const abi::IntegerStatistics& integers, double objective) {
  if (integers.method.empty()) return "none: the problem of Reals was not solved, so no integers were looked for";
  std::string text = integers.method + ": relaxed " + shown(integers.relaxed, 6);
  bool branched = integers.nodes > 1 || integers.deviation_bound == 0;
  if (branched) text += ", bound " + shown(integers.bound, 6);
  if (!integers.found) text += ", no integers found";
  else text += ", gap " + shown(integers.gap, 2) + " (" + shown(100 * relative_gap(integers, objective), 2) + " %)";
  if (branched) text += ", " + std::to_string(integers.nodes) + (integers.nodes == 1 ? " node" : " nodes");
  if (!integers.stopped.empty()) text += "; " + integers.stopped + " ended the search";
  if (integers.deviation > 0 || integers.deviation_bound > 0)
    text += "; integrals of controls differ by " + shown(integers.deviation, 3);
  if (integers.deviation_bound > 0) text += ", the bound is " + shown(integers.deviation_bound, 3);
  return text;
}

}  // namespace bolza::workflow
