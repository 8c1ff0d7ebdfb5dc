// SPDX-License-Identifier: Apache-2.0
#include "cli/watcher.h"

#include "cli/print.h"
#include "cli/process_limits.h"

namespace bolza::cli {

void Watcher::loaded(const workflow::Model& model) {
  class_name_ = model.class_name;
  catch_interrupts();
}

void Watcher::progress(const workflow::Progress& p) {
  records_.iteration(p);
  if (line.due())
    line.show(p.stage + ": iteration " + std::to_string(p.iteration) + ", objective " + readable(p.objective) +
              (p.infeasibility > 0 ? ", slope " + readable(p.infeasibility) : ""));
}

void Watcher::simulated(double t, double stop) {
  records_.simulated(t, stop);
  if (line.due()) line.show(class_name_ + ": t = " + readable(t) + " of " + readable(stop));
}

void Watcher::differentiated(const char* by, std::size_t done, std::size_t of) {
  if (!line.due()) return;
  std::string direction = of > 0 ? ", direction " + std::to_string(done) + " of " + std::to_string(of) : "";
  line.show(std::string("by ") + by + direction);
}

}  // namespace bolza::cli
