// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// What extract-events does where events are not kept (System::keeps_events): relations are taken literally, at every time.
///
/// Discrete equations without memory become definitions. Arguments that only tell on which side of an event the time is
/// (Program::event_sides) say that there is none. Then discrete variables on which nothing continuous depends, nor the
/// optimisation problem, leave the model with their equations and ticks: the counters and clocks of sources.
/// Errors  E421 for what is left and only events can change: pre, when, sample, reinit. Cost  linear.
Result<Done> take_events_literally(System& system, Diagnostics& diagnostics);

}  // namespace bolza::passes
