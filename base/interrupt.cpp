// SPDX-License-Identifier: Apache-2.0
#include "base/interrupt.h"

namespace bolza {

volatile bool& interrupt_flag() {
  static volatile bool raised = false;
  return raised;
}

volatile bool& writing_flag() {
  static volatile bool raised = false;
  return raised;
}

}  // namespace bolza
