// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

#include "runtime/result/table.h"
#include "workflow/model.h"

namespace bolza::workflow {

/// What the optimum changes by with a parameter.
struct ParameterSlope {
  std::string name, unit;
  double value = 0;
  double slope = 0;  ///< dJ*/dp; NaN: not known, as where the value 0 leaves out terms that another has
};

/// dJ*/dp of Real parameters that are given: those named, else all that can be set, the largest |p dJ*/dp| first. The model
/// is loaded twice for each, with the parameter a little smaller and larger, and the Lagrangian is compared.
/// Errors  E991 a name is no parameter of the model.     Cost  two loads for each parameter.
Result<std::vector<ParameterSlope>> parameter_slopes(Model& model, const result::ResultTable& whole,
                                                     const abi::Solution& stored, std::span<const std::string> names);

}  // namespace bolza::workflow
