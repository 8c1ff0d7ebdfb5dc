#pragma once
#include "workflow/fit/fit_problem.h"
#include "workflow/model.h"

namespace bolza::workflow {

/// The names of a loaded model.
ModelNames names_of(const Model& model);

/// What the experiment of a measurement is called.
std::string experiment_name(const FitMeasurement& measurement);

/// How to load the model again so that everything the fit moves is free and everything it looks at is a variable: a class
/// that extends the model's, with a variable for each formula and a parameter for each placeholder, and the settings that
/// free parameters. Completes what `problem` leaves to the model: start values and bounds of parameters.
/// @param plain  the model as it is, loaded
/// Errors  E938 a name that is none, E939 bounds, E940 conditions, E941 nothing to fit.
Result<LoadRequest> fit_request(const Model& plain, FitProblem& problem, Diagnostics& diagnostics);

/// Loads a model in the place of another, whose sources and diagnostics go on in it.
Result<Done> load_again(std::unique_ptr<Model>& model, const LoadRequest& load);

/// The estimation over the compiled model.
/// Requires  `model` was loaded by `fit_request` of the problem, and compiled.
/// Errors  E938 a parameter on which the structure depends, E942 times.
Result<estimate::Estimation> assemble(const Model& model, const FitProblem& problem, Diagnostics& diagnostics);

}  // namespace bolza::workflow
