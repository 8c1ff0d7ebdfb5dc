// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>

#include "runtime/integrate/method_table.h"
#include "runtime/integrate/simulate/simulate.h"

namespace bolza::integrate {

/// Makes the integrator of a run; the setup outlives it.
using MakeIntegrator = std::function<std::unique_ptr<Integrator>(const Setup& setup)>;

/// As `simulate`, on steps that are the caller's: the run finds the events in them. The integrator ends its steps where they
/// end, not at roots.  Requires  a model with states, of index at most 1.
Simulation simulate_with(const MakeIntegrator& make, const bolza_problem& problem, std::size_t phase,
                         const SimulateOptions& options);

}  // namespace bolza::integrate
