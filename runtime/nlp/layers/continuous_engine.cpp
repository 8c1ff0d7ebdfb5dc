// SPDX-License-Identifier: Apache-2.0
// Where nothing takes whole numbers, IPOPT solves in the place of an engine that is there for these and has it inside.
#include "runtime/nlp/layer.h"
#include "runtime/nlp/whole_numbers.h"

namespace bolza::nlp {
namespace {

class ContinuousEngineLayer final : public Layer {
 public:
  Passage up(SolveTask& task, Report&) override {
    if (task.engine->integers != Integers::own || seeks_whole_numbers(task)) return Passage::beside;
    task.options = continuous_part(task.options);
    task.engine = find_engine(task.options.engine);
    return Passage::through;
  }
  void down(Report&) override {}
};

}  // namespace

extern const LayerRow continuous_engine_layer;
const LayerRow continuous_engine_layer{.name = "continuous engine", .make = make_layer<ContinuousEngineLayer>};

}  // namespace bolza::nlp
