// SPDX-License-Identifier: Apache-2.0
// Where a cold start ends at a point that is only locally infeasible, the engine tries once more from the same start, kept
// farther from the bounds at first.
#include <algorithm>
#include <utility>

#include "runtime/nlp/layer.h"
#include "runtime/nlp/linear_algebra.h"

namespace bolza::nlp {
namespace {

bool says_barrier(const EngineOptions& options) {
  return options.barrier > 0 || std::ranges::any_of(options.engine_options, [](const auto& option) {
           return option.first == "mu_init" || option.first == "mu_strategy";
         });
}

class SecondAttemptLayer final : public Layer {
 public:
  Passage up(SolveTask& task, Report&) override {
    if (task.options.warm_start || says_barrier(task.options)) return Passage::beside;
    task_ = task;
    return Passage::through;
  }

  void down(Report& report) override {
    constexpr double strong_barrier = 10;
    if (report.status != Status::infeasible || report.is_proven) return;
    EngineOptions again = task_.options;
    again.barrier = strong_barrier;
    again.max_iterations = std::max(1, again.max_iterations - report.iterations);
    Report second = task_.engine->solve(*task_.nlp, again, task_.start);
    second.iterations += report.iterations;
    add(second.linear_algebra, report.linear_algebra);
    second.regularized += report.regularized;
    second.seconds_evaluation += report.seconds_evaluation;
    report.iterations = second.iterations;
    bool better =
        second.status == Status::solved || second.status == Status::acceptable || second.status == Status::interrupted;
    if (better) report = std::move(second);
  }

 private:
  SolveTask task_;
};

}  // namespace

extern const LayerRow second_attempt_layer;
const LayerRow second_attempt_layer{.name = "second attempt", .make = make_layer<SecondAttemptLayer>};

}  // namespace bolza::nlp
