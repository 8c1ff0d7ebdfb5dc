// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>

#include "workflow/fit/fit_problem.h"
#include "workflow/fit/formula_places.h"
#include "workflow/model.h"

namespace bolza::workflow {

/// The names of a loaded model.
ModelNames names_of(const Model& model);

/// How to load a model for a fit, and the formulas in the last of its texts.
struct FitLoad {
  LoadRequest load;
  std::string model;  ///< the class that is extended
  std::vector<PlacedFormula> formulas;
};

/// How to load the model again so that everything the fit moves is free and everything it looks at is a variable: a class
/// that extends the model's, with a variable for each formula and a parameter for each placeholder, and the settings that
/// free parameters. Completes what `problem` leaves to the model: start values and bounds of parameters.
/// @param plain  the model as it is, loaded
/// Errors  E938 a name that is none, E939 bounds, E940 conditions, E941 nothing to fit, E982 a formula that is none.
Result<FitLoad> fit_request(const Model& plain, FitProblem& problem, Diagnostics& diagnostics);

/// Loads a model in the place of another, whose sources and diagnostics go on in it.
/// Errors  E982 what is wrong in a formula, where the user wrote it.
Result<Done> load_again(std::unique_ptr<Model>& model, const FitLoad& fit);

/// What the class calls an observable with a formula, and its noise.
std::string observable_variable(const FitObservable& observable);
std::string noise_variable(const FitObservable& observable);

/// The parameter with the start value of a state; models that come from SBML have it.
std::string initial_of(std::string state);

/// Does a condition or a measurement name it?
bool is_used(const FitProblem& problem, const std::string& parameter);

}  // namespace bolza::workflow
