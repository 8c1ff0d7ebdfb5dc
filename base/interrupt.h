// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bolza {

/// Raised once the work in hand is to end with what there is. One for the process, since signal handlers raise it and the
/// loops of compiled functions look at it.
volatile bool& interrupt_flag();

}  // namespace bolza
