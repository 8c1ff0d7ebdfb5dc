#include "compiler/passes/system/delays_as_written.h"

#include "compiler/ir/print.h"

namespace bolza::passes {

std::string with_delays_written(const ir::FlatModel& model, std::string text) {
  for (std::size_t k = model.delays.size(); k-- > 0;) {  // $delay12 before $delay1
    const ir::Delay& delay = model.delays[k];
    std::string name = ir::name_of(model, delay.variable);
    std::string written = "delay(" + ir::to_text(model, delay.expression) + ", " + ir::to_text(model, delay.time) + ")";
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + written.size()))
      text.replace(at, name.size(), written);
  }
  return text;
}

}  // namespace bolza::passes
