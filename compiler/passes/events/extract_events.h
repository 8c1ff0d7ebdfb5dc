// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// First, discrete equations of parameters alone become definitions.
///
/// Where events are kept: every relation and floor, ceil, div, mod, rem that depends on time or on something continuous and
/// stands outside noEvent becomes a slot of a new discrete variable, with its indicator and the value it takes at events in
/// `event_values`. Equal ones share a variable; the instances of a group get contiguous ones, so that groups stay rolled.
/// Relations of parameters and discrete values stay as they are: they change at events only. So do conditions of assertions.
///
/// Where events are literal (System::keeps_events): see literal_events.h.
Result<Done> extract_events(System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
