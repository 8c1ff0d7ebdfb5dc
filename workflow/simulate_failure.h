// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/integrate/simulate/simulate.h"
#include "workflow/model.h"

namespace bolza::workflow {

/// What writes the model's texts and makes its calls; empty when it has none. The model must stay.
integrate::Act act_of(const Model& model);

/// The equation, variable or assertion that begins where the finding points to; nothing when it points nowhere.
Span span_of(const Model& model, const abi::Finding& finding);

/// Makes the diagnostic of a simulation that stopped early: E602 no consistent initial values, E604 the integrator cannot
/// take the model, E601 everything else. Its place is that of the equation or variable which the report names, its last note
/// the remedy. A simulation that was interrupted or ran out of time is no mistake: nothing is said. Makes warnings of
/// assertions of level warning (W601), and of what ended the simulation early because the model says so (W602).
void report_messages(Model& model, const integrate::SimulateReport& report);

void report_failure(Model& model, const integrate::SimulateReport& report);

}  // namespace bolza::workflow
