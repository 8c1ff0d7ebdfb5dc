// SPDX-License-Identifier: Apache-2.0
// How often controls may change, as rows.
#include <utility>

#include "runtime/nlp/layer.h"
#include "runtime/nlp/switching.h"

namespace bolza::nlp {
namespace {

class SwitchingRowsLayer final : public Layer {
 public:
  Passage up(SolveTask& task, Report&) override {
    if (task.nlp->switching.empty() || task.nlp->has_switching_rows) return Passage::beside;
    plain_ = task.nlp;
    extended_ = with_switching_rows(*plain_);
    task.nlp = task.own = &extended_.nlp;
    task.start = with_switching_entries(std::move(task.start), extended_.nlp);
    return Passage::through;
  }
  void down(Report& report) override { report.iterate = without_switching_entries(std::move(report.iterate), *plain_); }

 private:
  const Nlp* plain_ = nullptr;
  WithSwitchingRows extended_;
};

}  // namespace

extern const LayerRow switching_rows_layer;
const LayerRow switching_rows_layer{.name = "switching rows", .make = make_layer<SwitchingRowsLayer>};

}  // namespace bolza::nlp
