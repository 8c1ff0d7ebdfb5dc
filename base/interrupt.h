// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bolza {

/// Raised once the work in hand is to end with what there is. One for the process, since signal handlers raise it and the
/// loops of compiled functions look at it.
volatile bool& interrupt_flag();

/// Raised while files are written, or a solution waits to be: who ends a process that is late waits for them.
volatile bool& writing_flag();

/// Raises it in its scope.
class Writing {
 public:
  Writing() { writing_flag() = true; }
  ~Writing() { writing_flag() = false; }
  Writing(const Writing&) = delete;
  Writing& operator=(const Writing&) = delete;
};

}  // namespace bolza
