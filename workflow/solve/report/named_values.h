// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>

#include "runtime/abi/solution.h"
#include "workflow/model.h"

namespace bolza::workflow {

/// Free parameters of a solution by name, those of pieces left out; times of phases, too, where there are several.
std::map<std::string, double> parameters_of(const Model& model, const abi::Solution& solution);

/// States, algebraic variables and controls at the end of their phases, by name. Where the phases follow each other, what
/// all of them have is there without the name of a phase, too, as it is in the last.
std::map<std::string, double> final_values(const bolza_problem& problem, const abi::Solution& solution);

}  // namespace bolza::workflow
