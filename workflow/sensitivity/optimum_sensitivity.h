// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "runtime/result/table.h"
#include "workflow/model.h"
#include "workflow/solve/outcome/sensitivity.h"

namespace bolza::workflow {

/// dJ*/dp of Real parameters that are given: those named, else all that can be set, the largest |p dJ*/dp| first. The model
/// is loaded twice for each, with the parameter a little smaller and larger, and the Lagrangian is compared; with
/// trajectories the gradients of the discretised Lagrangian, too.
/// Errors  E991 a name is no parameter of the model.     Cost  two loads for each parameter; see `trajectory_sensitivity`.
Result<OptimumSensitivity> optimum_sensitivity(Model& model, const result::ResultTable& whole, const abi::Solution& stored,
                                               const SensitivityRequest& request);

/// From where to where a parameter may go until the active set changes, by linear extrapolation.
struct ParameterRange {
  double low = 0, high = 0;
};
ParameterRange range_of(const ParameterSlope& parameter);

/// What there is to be said where the active set is about to change; "" where it stays for a thousandth of the value.
std::string warning_of(const ParameterSlope& parameter);

/// "`u` reaches its limit at t = 1.2"; "" where nothing changes.
std::string text_of(const transcribe::ActiveChange& change);

}  // namespace bolza::workflow
