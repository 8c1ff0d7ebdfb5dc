// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/driver/option_table.h"
#include "compiler/ir/flat_model.h"

namespace bolza::driver {

/// The solver options that a class states, by canonical name: `annotation(solver = "ipopt_radau", Steps = "5")`,
/// `annotation(solver(mesh = 100, points = 2))`, and `experiment(Tolerance, Interval)`. The solver annotation wins.
/// Interval sets the mesh: the horizon divided by it, rounded.
/// Errors  E901 to E903 at the option.
Result<Options> annotated_options(const ir::FlatModel& model, Diagnostics& diagnostics);

}  // namespace bolza::driver
