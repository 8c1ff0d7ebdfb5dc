// SPDX-License-Identifier: Apache-2.0
#include "workflow/run/run.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/numbers.h"
#include "workflow/codes.h"
#include "workflow/file_stem.h"
#include "workflow/solve/indirect/continuation.h"
#include "workflow/solve/method/solver.h"
#include "workflow/solve/nonsmooth/jump_modes.h"
#include "workflow/solve/several/chance.h"
#include "workflow/spare_inputs.h"

namespace bolza::workflow {
namespace {

/// What several objectives need and exclude, as the text of an error; "" all is well.
std::string mistake_of(const Objectives& objectives, const SolveJob& job) {
  bool front = objectives.way == ObjectivesWay::front;
  if (objectives.way != ObjectivesWay::weighted && !job.solve.chain.empty())
    return "a stage of `--chain` cannot hold the limits that another method has set: solve with one method";
  if (front && job.front.points == 0) return "a front needs the number of its points: add `--pareto 8`";
  if (!front && job.front.points > 0) return "`--pareto` needs two objectives with `,` between them";
  if (!front) return "";
  if (!job.solve.csv.empty())
    return "a front is not a single result for `--csv`: `-o front.csv` has the table, `bolza plot` and `solve --init-from` "
           "take "
           "the .mat file of a point";
  if (!job.solve.output.empty() && !job.solve.output.ends_with(".csv"))
    return "the table of a front is a .csv file: `-o front.csv`";
  return "";
}

/// One run: the steps in their order, each false where the input is wrong.
class Runner {
 public:
  Runner(const SolveJob& job, const Budget& budget, Observer& observer)
      : job_(job),
        request_(job.solve),
        budget_(budget),
        observer_(observer) {
    run_.model = std::make_unique<Model>();
    run_.model->sources = job.load.options;
  }

  Run take() && {
    run_.input_is_wrong = !load() || !read_objectives() || !solve();
    return std::move(run_);
  }

 private:
  bool load() {
    LoadRequest load = job_.load;
    load.form = passes::Form::explicit_rates;  // whatever form a stage of single shooting integrates
    const driver::Options& options = request_.options;
    if (options.has("path-constraints")) load.path_tolerance = driver::integrated_path_tolerance(options);
    if (options.has("samples")) load.samples = driver::samples_of(options);
    take_branch(load);
    if (!run_.model->load(load) && !load_in_modes(load)) return false;
    run_.class_name = run_.model->class_name;
    const std::array outputs{request_.output, request_.csv, request_.report};
    return static_cast<bool>(spare_inputs(outputs, run_.model->sources, run_.model->diagnostics));
  }

  /// What an indirect method, and whoever asks for arcs, needs of the model: pieces between points inside the horizon; a
  /// parameter that can vary.
  void take_branch(LoadRequest& load) {
    const driver::Options& options = request_.options;
    bool in_chain = std::ranges::any_of(std::array{"indirect", "bndsco", "structure"},
                                        [&](const char* word) { return request_.chain.find(word) != std::string::npos; });
    load.cut_at_points = load.cut_at_points || in_chain || is_indirect(options) || is_in_arcs(options);
    if (!options.has("continue") || !load.cut_at_points) return;
    if (auto continuation = read_continuation(options.text("continue")))
      load.settings.push_back(as_free_parameter(*continuation));
  }

  /// A model that changes at events alone becomes a sequence of modes.
  bool load_in_modes(const LoadRequest& load) {
    bool may = request_.nonsmooth == Nonsmooth::automatic || request_.nonsmooth == Nonsmooth::modes;
    if (may) modes_ = jump_modes(load, budget_, *run_.model);
    if (!modes_.pieces) return false;
    run_.model = std::move(modes_.pieces);
    request_.guess = &modes_.guess;
    return true;
  }

  bool read_objectives() {
    if (job_.objectives.empty()) return true;
    Model& model = *run_.model;
    auto read = workflow::read_objectives(job_.objectives, model, model.sources, model.diagnostics);
    if (!read) return false;
    run_.objectives = *read;
    if (std::string mistake = mistake_of(*read, job_); !mistake.empty()) {
      model.diagnostics.error(bad_objectives, {}, {mistake});
      return false;
    }
    if (read->way != ObjectivesWay::weighted) return true;
    LoadRequest weighted = with_objective(model, *read, 0, {});
    if (request_.output.empty()) request_.output = file_stem(model.class_name) + ".mat";
    run_.model = std::make_unique<Model>();
    return static_cast<bool>(run_.model->load(weighted));
  }

  bool solve() {
    run_.told = run_.model->diagnostics.all().size();
    observer_.loaded(*run_.model);
    request_.budget = budget_;
    request_.progress = [this](const Progress& progress) { observer_.progress(progress); };
    if (run_.objectives && run_.objectives->way != ObjectivesWay::weighted) return solve_points();
    auto found =
        job_.load.scenarios.chance < 1 ? solve_with_chance(run_.model, request_) : workflow::solve(*run_.model, request_);
    if (!found) return false;
    run_.outcome = *std::move(found);
    if (modes_.simulated) tell_jumps(*run_.model, modes_, *run_.outcome);
    return true;
  }

  bool solve_points() {
    bool front = run_.is_front();
    if (front && request_.output.empty()) request_.output = file_stem(run_.model->class_name) + "-front.csv";
    if (front) request_.report.clear();  // there is one page of all points
    run_.points = front ? solve_front(*run_.model, *run_.objectives, job_.front, request_)
                        : solve_in_order(*run_.model, *run_.objectives, job_.front, request_);
    run_.points->table = front ? request_.output : "";
    if (!run_.points->model) return true;  // nothing was begun
    run_.model = std::move(run_.points->model);
    run_.told = 0;
    run_.outcome = std::move(run_.points->outcome);
    return run_.outcome.has_value();
  }

  const SolveJob& job_;
  SolveRequest request_;
  const Budget& budget_;
  Observer& observer_;
  Run run_;
  JumpModes modes_;
};

}  // namespace

Verdict Run::verdict() const {
  if (!points) return verdict_of(*outcome);
  if (!points->complete || (outcome && verdict_of(*outcome) == Verdict::interrupted)) return Verdict::interrupted;
  auto any = [&](auto holds) { return std::ranges::any_of(points->points, holds); };
  if (any([](const ObjectivePoint& point) { return point.status != abi::SolveStatus::solved; })) return Verdict::not_solved;
  bool warned = any([](const ObjectivePoint& point) { return point.verdict() == Verdict::solved_with_warnings; });
  return warned ? Verdict::solved_with_warnings : Verdict::solved;
}

Run run(const SolveJob& job, const Budget& budget, Observer& observer) { return Runner(job, budget, observer).take(); }

}  // namespace bolza::workflow
