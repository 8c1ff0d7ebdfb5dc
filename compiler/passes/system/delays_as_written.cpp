// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/system/delays_as_written.h"

#include "base/replace_all.h"
#include "compiler/ir/print.h"

namespace bolza::passes {

std::string with_delays_written(const ir::FlatModel& model, std::string text) {
  for (std::size_t k = model.delays.size(); k-- > 0;) {  // $delay12 before $delay1
    const ir::Delay& delay = model.delays[k];
    replace_all(text, ir::name_of(model, delay.variable),
                "delay(" + ir::to_text(model, delay.expression) + ", " + ir::to_text(model, delay.time) + ")");
  }
  return text;
}

}  // namespace bolza::passes
