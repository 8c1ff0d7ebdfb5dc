// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/stages.h"

#include <algorithm>

#include "base/numbers.h"
#include "runtime/nlp/engine_library.h"
#include "workflow/codes.h"
#include "workflow/install_paths.h"
#include "workflow/solve/method/combinations.h"
#include "workflow/solve/method/integers.h"
#include "workflow/solve/method/solver.h"

namespace bolza::workflow {

void warn_of_points(const std::vector<Stage>& stages, Diagnostics& diagnostics) {
  for (const Stage& stage : stages)
    if (transcribe_options(stage.options).points != 0) return;
  const driver::Options& last = stages.back().options;
  if (last.has("points"))
    diagnostics.warning(without_effect, last.place("points"),
                        {"points", "`" + last.text("transcription") + "` has its own"});
}

void warn_of_hand_over(const std::vector<Stage>& stages, Diagnostics& diagnostics) {
  const driver::Options& only = stages.front().options;
  if (stages.size() == 1 && only.has("hand-over"))
    diagnostics.warning(without_effect, only.place("hand-over"), {"hand-over", "there is one stage"});
}

std::string chain_of(const SolveRequest& request, const driver::Options& common) {
  auto annotated = common.values.find("chain");
  if (!request.chain.empty() || request.options.has("transcription") || annotated == common.values.end())
    return request.chain;
  return annotated->second;
}

void start_directly(std::vector<Stage>& stages) {
  if (!is_indirect(stages.front().options)) return;
  Stage direct{"radau", stages.front().options};
  for (const char* name : {"integrator", "hessian"}) direct.options.values.erase(name);
  direct.options.values["transcription"] = "radau";
  direct.options.values["nlp"] = "ipopt";
  stages.insert(stages.begin(), std::move(direct));
}

Budget within_max_time(const Budget& budget, const driver::Options& options) {
  return options.has("max-time") ? budget.part(options.number("max-time")) : budget;
}

Result<Done> prepare_integers(Model& model, std::vector<Stage>& stages, const SolverLibrary& library) {
  std::vector<WholeVariable> whole = whole_variables(model);
  bool controls = std::any_of(whole.begin(), whole.end(), [](const WholeVariable& v) { return v.control; });
  const driver::Options& last = stages.back().options;
  for (const char* name : {"integers", "integer-gap", "max-nodes"})
    if (whole.empty() && last.has(name))
      model.diagnostics.warning(without_effect, last.place(name),
                                {name, "no control and no free parameter is an Integer or a Boolean"});
  for (Stage& stage : stages) {
    if (!check_takes(whole, stage.options, library, model.diagnostics)) return model.diagnostics.already_reported();
    if (controls) stage.options.values["control"] = "constant";
    bool bonmin = stage.options.text("nlp") == "bonmin";
    for (const TableRow& row : library.engines())
      if (bonmin && row.name == "bonmin" && row.available &&
          !open_symbol("bolza_bonmin", nlp::engine_symbol, model.diagnostics))
        return model.diagnostics.already_reported();
  }
  return Done{};
}

}  // namespace bolza::workflow
