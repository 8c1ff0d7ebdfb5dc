// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/stages.h"

#include <algorithm>

#include "base/numbers.h"
#include "compiler/codegen/compile.h"
#include "runtime/nlp/engine_library.h"
#include "workflow/codes.h"
#include "workflow/install_paths.h"
#include "workflow/solve/indirect/continuation.h"
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
  if (!is_indirect(stages.front().options) || has_random_costates(stages.front().options)) return;
  Stage direct{"radau", stages.front().options};
  for (const char* name : {"integrator", "hessian"}) direct.options.values.erase(name);
  direct.options.values["transcription"] = "radau";
  direct.options.values["nlp"] = "ipopt";
  stages.insert(stages.begin(), std::move(direct));
}

std::optional<Stage> take_structure(std::vector<Stage>& stages) {
  std::optional<Stage> last;
  if (is_in_arcs(stages.back().options) && !is_indirect(stages.back().options)) last = stages.back();
  bool alone = last && stages.size() > 1 && !is_in_arcs(stages[stages.size() - 2].options);
  if (alone && !is_indirect(stages[stages.size() - 2].options)) stages.pop_back();
  for (Stage& stage : stages) {
    stage.in_arcs = is_in_arcs(stage.options) && &stage != &stages.back();
    if (is_in_arcs(stage.options)) stage.options.values.erase("control");
  }
  return last;
}

Stage on_pieces(const Stage& stage, const std::vector<MeshOfArc>& mesh) {
  Stage out{"the arcs of controls", stage.options};
  std::string meshes, constant;
  for (std::size_t k = 0; k < mesh.size(); ++k) {
    std::string name = "piece[" + std::to_string(k + 1) + "]=";
    meshes += (meshes.empty() ? "" : ",") + name + std::to_string(mesh[k].intervals);
    if (mesh[k].control_constant) constant += (constant.empty() ? "" : ",") + name + "constant";
  }
  out.options.values["phase-mesh"] = meshes;
  if (!constant.empty()) out.options.values["phase-control"] = constant;
  out.options.values["retry"] = "false";
  out.options.values.erase("multi-start");
  return out;
}

void bound_continued(Model& model, const std::vector<Stage>& stages, bool to_first_value) {
  const driver::Options& options = stages.back().options;
  if (!is_indirect(options) || !options.has("continue")) return;
  std::optional<Continuation> read = read_continuation(options.text("continue"));
  for (std::size_t k = 0; read && k < model.problem.n_global; ++k) {
    if (ir::name_of(model.problem.flat, model.problem.shared[k]) != read->parameter) continue;
    ir::Numbers& numbers = model.problem.shared_numbers[k];
    numbers.min = to_first_value ? read->from : std::min(read->from, read->to);
    numbers.max = to_first_value ? read->from : std::max(read->from, read->to);
    model.compiled().update_values(model.problem);
  }
}

/// The reason of a refusal as a diagnostic.
Reported refuse(Model& model, const driver::Options& options, const SolverLibrary& library, const abi::Solution& solution) {
  bool told = !solution.findings.empty();
  std::string reason = told ? solution.findings.front().text : "the method does not take them";
  bool by_engine = told && solution.findings.front().kind == abi::Finding::Kind::of_engine;
  const bolza_problem& problem = model.abi();
  bool has_integral =
      std::any_of(problem.models, problem.models + problem.n_models, [](const bolza_model* m) { return m->n_q > 0; });
  bool accumulates = std::any_of(problem.values, problem.values + problem.n_values, [&](const bolza_value_at& v) {
    const bolza_place* place = v.quantity == BOLZA_STATE ? &problem.places[v.place] : nullptr;
    return place && place->on_start == 0 && place->on_final == 1 && place->offset == 0;
  });
  return model.diagnostics.error(
      cannot_combine, options.place("transcription"), {reason},
      remedies(options, library, by_engine, {.integral = has_integral, .end_of_state = accumulates}));
}

double expected_evaluations(const std::vector<Stage>& stages) {
  double most = 0;
  for (const Stage& stage : stages) {
    transcribe::TranscribeOptions t = transcribe_options(stage.options);
    most = std::max(most, 30.0 * t.mesh * std::max<std::uint32_t>(1, t.points));
  }
  return most;
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
  if (!whole.empty() && is_in_arcs(last))
    model.diagnostics.warning(without_effect, last.place("control"), {"control", "some variables take integers"});
  for (Stage& stage : stages) {
    if (!whole.empty() && is_in_arcs(stage.options)) stage.options.values.erase("control");
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
