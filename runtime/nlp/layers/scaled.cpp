// SPDX-License-Identifier: Apache-2.0
// Variables, rows and the objective divided by their sizes.
#include <utility>

#include "runtime/nlp/layer.h"
#include "runtime/nlp/scale.h"

namespace bolza::nlp {
namespace {

class ScaledLayer final : public Layer {
 public:
  Passage up(SolveTask& task, Report&) override {
    scaled_ = scale(*task.nlp);
    task.nlp = task.own = &scaled_.nlp;
    task.start = to_scaled(scaled_, std::move(task.start));
    return Passage::through;
  }
  void down(Report& report) override {
    scaled_.release();
    report.objective *= scaled_.objective;
    report.first_objective *= scaled_.objective;
    report.integers.bound *= scaled_.objective;
    report.iterate = to_physical(scaled_, std::move(report.iterate));
  }

 private:
  Scaled scaled_;
};

}  // namespace

extern const LayerRow scaled_layer;
const LayerRow scaled_layer{.name = "scaled", .make = make_layer<ScaledLayer>};

}  // namespace bolza::nlp
