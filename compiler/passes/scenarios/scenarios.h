// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/diagnostics.h"
#include "base/result.h"
#include "compiler/ir/flat_model.h"
#include "compiler/ir/scenario_table.h"

namespace bolza::passes {

/// The model once for every scenario, alongside each other in one horizon: x becomes scenario[s].x, with the values of row
/// s. Controls and free parameters are shared, unless the controls branch; constraints hold in every scenario; the objective
/// is what `risk` says. The copies are further instances of the groups that are there, so that compile time does not grow
/// with their number; evaluations cost as many times as much as there are scenarios. Errors  E480 no value can be given to a
/// column, E481 something shared would depend on the scenario, E482 phases, E483 no
///         optimisation problem, E484 a control that branches has a rate.
Result<Done> replicate_scenarios(ir::FlatModel& model, const ir::ScenarioTable& table, Diagnostics& diagnostics);

}  // namespace bolza::passes
