// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "workflow/model.h"
#include "workflow/solve/outcome/outcome.h"

namespace bolza::workflow {

/// Who watches a job. Calls come from the thread that runs.
class Observer {
 public:
  virtual ~Observer() = default;
  /// The model is read, with the warnings so far, and the work begins.
  virtual void loaded(const Model&) {}
  /// An iteration of a solve, a fit or an identification has ended.
  virtual void progress(const Progress&) {}
  /// A simulation has come to a time.
  virtual void simulated(double /*t*/, double /*stop*/) {}
  /// Directions of a gradient are done; `of` 0: it is not known of how many.
  virtual void differentiated(const char* /*by*/, std::size_t /*done*/, std::size_t /*of*/) {}
};

}  // namespace bolza::workflow
