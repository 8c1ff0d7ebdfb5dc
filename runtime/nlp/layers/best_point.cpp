// SPDX-License-Identifier: Apache-2.0
// An engine that is stopped gives the best point that it saw; one that ended at a worse one than it saw begins again there.
#include "runtime/nlp/best_point.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/expects.h"
#include "runtime/nlp/layer.h"
#include "runtime/nlp/solve.h"

namespace bolza::nlp {
namespace {

class BestPointLayer final : public Layer {
 public:
  Passage up(SolveTask& task, Report&) override {
    expects(task.own == task.nlp, "the functions of a problem that a layer made can be replaced");
    nlp_ = task.own;
    engine_ = task.engine;
    options_ = task.options;
    best_.emplace(*nlp_, task.options.tol);
    behind_ = std::exchange(nlp_->functions, &*best_);
    return Passage::through;
  }
  void down(Report& report) override {
    best_->take_its_place(report);
    report.first_objective = best_->first_objective();
    if (is_solution(report.status)) look_back(report);
    nlp_->functions = behind_;
  }

 private:
  void look_back(Report& report) {
    std::vector<double> better = best_->better_than(report, options_.noise);
    if (better.empty()) return;
    double seen = best_->least_that_holds();
    EngineOptions options = options_;
    options.warm_start = false;
    options.max_iterations = std::max(1, options_.max_iterations - report.iterations);
    Report again = engine_->solve(*nlp_, options, {.w = better});
    again.iterations = report.iterations += again.iterations;
    again.seconds_evaluation += report.seconds_evaluation;
    again.regularized += report.regularized;
    if (is_solution(again.status) && best_->better_than(again, options_.noise).empty()) {
      again.first_objective = report.first_objective;
      report = std::move(again);
      return;
    }
    report.iterate.w = std::move(better);
    report.objective = seen;
    report.passed_better = true;
  }

  const Engine* engine_ = nullptr;
  EngineOptions options_;
  Nlp* nlp_ = nullptr;
  Functions* behind_ = nullptr;
  std::optional<BestPoint> best_;
};

}  // namespace

extern const LayerRow best_point_layer;
const LayerRow best_point_layer{.name = "best point", .make = make_layer<BestPointLayer>};

}  // namespace bolza::nlp
