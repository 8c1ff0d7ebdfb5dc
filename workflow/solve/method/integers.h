// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "workflow/model.h"
#include "workflow/solver_library.h"

namespace bolza::workflow {

/// An input or free parameter that is an Integer or a Boolean.
struct WholeVariable {
  std::string name, kind;  ///< "an Integer", "a Boolean"
  Span span;
  bool control = false;
};
std::vector<WholeVariable> whole_variables(const Model& model);

/// Whether the engine of the options can do with the variables what the options ask for; E705 names those that can.
Result<Done> check_takes(const std::vector<WholeVariable>& whole, const driver::Options& options,
                         const SolverLibrary& library, Diagnostics& diagnostics);

/// "branch and bound on ipopt: relaxed 1.344, bound 1.345, gap 0.001 (0.07 %), 233 nodes".
std::string text_of(const abi::IntegerStatistics& integers, double objective);

/// gap / |objective|, no less than the gap where the objective is small.
double relative_gap(const abi::IntegerStatistics& integers, double objective);

}  // namespace bolza::workflow
