// SPDX-License-Identifier: Apache-2.0
// An engine that is stopped gives the best point that it saw.
#include "runtime/nlp/best_point.h"

#include <optional>
#include <utility>

#include "base/expects.h"
#include "runtime/nlp/layer.h"

namespace bolza::nlp {
namespace {

class BestPointLayer final : public Layer {
 public:
  Passage up(SolveTask& task, Report&) override {
    expects(task.own == task.nlp, "the functions of a problem that a layer made can be replaced");
    nlp_ = task.own;
    best_.emplace(*nlp_, task.options.tol);
    behind_ = std::exchange(nlp_->functions, &*best_);
    return Passage::through;
  }
  void down(Report& report) override {
    best_->take_its_place(report);
    nlp_->functions = behind_;
  }

 private:
  Nlp* nlp_ = nullptr;
  Functions* behind_ = nullptr;
  std::optional<BestPoint> best_;
};

}  // namespace

extern const LayerRow best_point_layer;
const LayerRow best_point_layer{.name = "best point", .make = make_layer<BestPointLayer>};

}  // namespace bolza::nlp
