// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "workflow/fit/fit_problem.h"
#include "workflow/model.h"

namespace bolza::workflow {

/// Does the name of a file say that it is a PEtab problem: .yaml or .yml?
bool is_petab(const std::string& file);

/// Reads a PEtab problem, version 1 or 2: its YAML file, its tables, its model, which is loaded into `model`. Formulas
/// become Modelica's, identifiers the names of the Modelica model.
/// @param load  its file is the YAML file
/// Errors  E807, E960 to E966, those of tables (E930 to E940) and of the model.
Result<FitProblem> read_petab(Model& model, const LoadRequest& load);

}  // namespace bolza::workflow
