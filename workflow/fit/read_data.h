// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "workflow/fit/fit_problem.h"

namespace bolza::workflow {

/// Adds measurements from a table of one of two kinds.
/// Wide: `time`; a column for every observable or input; `NAME_sd` or `NAME_sigma`, its standard deviation; `condition`.
/// Long: `observable`, `time`, `value`; `condition`, `equilibration`, `sd`, `weight`, `transformation`, `noiseFormula`,
/// `noiseParameters`, `observableParameters`; or the columns of PEtab's measurement table.
/// Empty cells and NaN are not measurements. Without a column `condition` all rows of a file are one experiment, named after
/// the file when there are several.
/// Errors  E930 to E936, each at the cell.
Result<Done> read_measurements(const std::string& path, bool one_of_several, const ModelNames& names, FitProblem& problem,
                               Sources& sources, Diagnostics& diagnostics);

/// Adds conditions: a row for each, a column `condition`, perhaps `startTime`, the others are what they set.
Result<Done> read_conditions(const std::string& path, FitProblem& problem, Sources& sources, Diagnostics& diagnostics);

/// Adds parameters: columns `parameter`, `scale`, `lower`, `upper`, `nominal`, `estimate`.
Result<Done> read_parameters(const std::string& path, FitProblem& problem, Sources& sources, Diagnostics& diagnostics);

/// "k1=1[0,10], k2[log], k3=2[1e-3,1e3,log10]".
Result<Done> read_free(const std::string& text, FitProblem& problem, Sources& sources, Diagnostics& diagnostics);

/// "k1 = normal(2, 0.5)" of parameters that the problem has, in their units; lognormal, laplace, loglaplace.
Result<Done> read_priors(std::span<const std::string> priors, FitProblem& problem, Sources& sources,
                         Diagnostics& diagnostics);

/// "z = A + B", "log10 z = A + B"; and "z = 0.1*z + s0", "laplace z = 0.1" for noise.
Result<Done> read_observables(std::span<const std::string> observe, std::span<const std::string> noise, FitProblem& problem,
                              Sources& sources, Diagnostics& diagnostics);

}  // namespace bolza::workflow
