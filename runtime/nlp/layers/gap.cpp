// SPDX-License-Identifier: Apache-2.0
// The tolerance bounds every product of multiplier and distance; their sum grows with the mesh, and may be much compared
// with a small objective. Then the engine goes on from where it is, with a smaller tolerance.
#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/nlp/layer.h"
#include "runtime/nlp/linear_algebra.h"
#include "runtime/nlp/residuals.h"

namespace bolza::nlp {
namespace {

class GapLayer final : public Layer {
 public:
  Passage up(SolveTask& task, Report&) override {
    if (task.options.relative_gap <= 0) return Passage::beside;
    nlp_ = task.nlp;
    engine_ = task.engine;
    options_ = task.options;
    return Passage::through;
  }

  void down(Report& report) override {
    bool has_multipliers = report.iterate.lambda.size() == nlp_->m() && report.iterate.z_lower.size() == nlp_->n();
    if (report.status != Status::solved || !has_multipliers) return;
    nlp_->functions->move_to(report.iterate.w);
    const double* g = nlp_->functions->constraints();
    double gap = g ? gap_of(*nlp_, report.iterate, g) : 0, allowed = options_.relative_gap * std::abs(report.objective);
    if (gap > allowed) go_on(report, allowed / gap);
  }

 private:
  /// @param share  of the tolerance that would do
  void go_on(Report& report, double share) const {
    constexpr double least_share = 1e-3;
    constexpr int few_iterations = 50;
    EngineOptions on = options_;
    on.warm_start = true;
    on.tol = on.barrier = options_.tol * std::max(least_share, share);
    on.max_iterations = std::min(few_iterations, std::max(1, options_.max_iterations - report.iterations));
    Report closer = engine_->solve(*nlp_, on, report.iterate);
    if (closer.iterations == 0) closer.regularization = report.regularization;  // that of the last step
    closer.iterations += report.iterations;
    add(closer.linear_algebra, report.linear_algebra);
    report.iterations = closer.iterations;
    closer.regularized += report.regularized;
    closer.better_nearby = std::move(report.better_nearby);
    closer.seconds_evaluation += report.seconds_evaluation;
    if (closer.status == Status::solved) report = std::move(closer);
    else report.better_nearby = std::move(closer.better_nearby);
  }

  const Nlp* nlp_ = nullptr;
  const Engine* engine_ = nullptr;
  EngineOptions options_;
};

}  // namespace

extern const LayerRow gap_layer;
const LayerRow gap_layer{.name = "gap", .make = make_layer<GapLayer>};

}  // namespace bolza::nlp
