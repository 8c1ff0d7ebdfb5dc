// SPDX-License-Identifier: Apache-2.0
// Variables that take whole numbers only are real ones.
#include "runtime/nlp/branch_and_bound.h"
#include "runtime/nlp/layer.h"
#include "runtime/nlp/whole_numbers.h"

namespace bolza::nlp {
namespace {

class RelaxedLayer final : public Layer {
 public:
  Passage up(SolveTask& task, Report&) override {
    if (!has_integers(*task.nlp) || seeks_whole_numbers(task)) return Passage::beside;
    relaxed_ = relaxed(*task.nlp);
    task.nlp = task.own = &relaxed_;
    return Passage::through;
  }
  void down(Report&) override {}

 private:
  Nlp relaxed_;
};

}  // namespace

extern const LayerRow relaxed_layer;
const LayerRow relaxed_layer{.name = "relaxed", .make = make_layer<RelaxedLayer>};

}  // namespace bolza::nlp
