// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/ir/scenario_table.h"
#include "compiler/passes/scenarios/copies.h"

namespace bolza::passes {

/// Gives `model`, which has the copied variables already, the objective over all scenarios.
///
/// expected: Σ w_s J_s. worst: a free parameter `risk.worst` with J_s <= risk.worst. cvar: `risk.threshold` + Σ w_s
/// risk.excess[s] / tail with J_s − risk.threshold <= risk.excess[s] >= 0 [RU00]. The last two need integrals as numbers:
/// `risk.integral[s]` is a state. In problems that are maximised the signs are turned.
/// @param objective, integrand  those of the model without copies
void add_risk(ir::FlatModel& model, const ir::Section& objective, const ir::Section& integrand, const Copies& copies,
              const ir::ScenarioTable& table);

}  // namespace bolza::passes
