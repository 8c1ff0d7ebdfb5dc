// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "runtime/integrate/method_table.h"

namespace bolza::integrate {

/// Gives a finding the place in the source; one without a file changes nothing.
void place(abi::Finding& finding, const bolza_source& source);

/// Writes message and finding: the variable of (x, z) whose weighted local error is largest.
void report_worst(const Setup& setup, SimulateStatus status, double t, double h, std::span<const double> errors,
                  std::span<const double> weights);
/// The same for a value that is not finite, from the model's last trouble.
void report_nonfinite(const nonlinear::ModelAt& model, SimulateReport& report, double t);

}  // namespace bolza::integrate
