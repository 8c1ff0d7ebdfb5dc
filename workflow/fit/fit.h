// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "base/words.h"
#include "runtime/estimate/search/run_search.h"
#include "runtime/estimate/statistics/analyse.h"
#include "workflow/fit/fit_problem.h"
#include "workflow/model.h"

namespace bolza::workflow {

/// How a fit has its derivatives, in the words of `--by`.
inline constexpr Words<estimate::Sensitivity, 4> fit_derivatives{{{{"forward", estimate::Sensitivity::forward},
                                                                   {"adjoint", estimate::Sensitivity::adjoint},
                                                                   {"differences", estimate::Sensitivity::differences},
                                                                   {"none", estimate::Sensitivity::none}}}};

struct FitRequest {
  LoadRequest load;
  std::vector<std::string> data;            ///< tables of measurements
  std::string conditions, parameters;       ///< tables; "": none
  std::vector<std::string> free;            ///< as `read_free`
  std::vector<std::string> priors;          ///< as `read_priors`
  std::vector<std::string> observe, noise;  ///< as `read_observables`
  std::optional<double> start;              ///< of every experiment; absent: the model's start time
  driver::Options options;                  ///< engine, tol, rtol, integrator, hessian, …
  /// Absent: forward up to `most_forward` parameters, adjoint above.
  std::optional<estimate::Sensitivity> derivatives;
  static constexpr std::size_t most_forward = 75;
  estimate::EstimateRequest estimate;
  std::optional<estimate::SearchOptions> search;     ///< many starts; engine, name and digest are filled in
  std::optional<estimate::ProfileOptions> profiles;  ///< profile likelihoods at the result
  std::vector<std::string> profiled;                 ///< parameters with a profile; empty: all
  estimate::AnalysisOptions analysis;                ///< whether the noise is known is seen from the data
  std::string report;                                ///< page to be written, "": none
  std::string output;                                ///< table of measurements and fit to be written, "": none
};

struct FitOutcome {
  std::string class_name;  ///< of the user's model
  FitProblem problem;
  estimate::Estimation estimation;
  estimate::EstimateResult result;  ///< after a search: from the best of its fits
  std::optional<estimate::SearchResult> search;
  std::optional<estimate::ProfileResult> profiles;
  estimate::Analysis analysis;  ///< not known where nothing was fitted
  std::string report, output;   ///< page and table that were written
  double seconds_load = 0, seconds_compile = 0, seconds_total = 0;
};

/// Estimates parameters of a model from tables of measurements. `model` becomes the model that was fitted.
/// Errors  E930 to E946, and those of loading; a fit that does not converge is a status of the outcome.
Result<FitOutcome> fit(std::unique_ptr<Model>& model, const FitRequest& request);

/// The same for a problem that was read before; `model` is loaded by it.
Result<FitOutcome> fit(std::unique_ptr<Model>& model, FitProblem problem, const FitRequest& request);

/// Σ residual² and its share of a degree of freedom in the units of what was measured, over those of the noise that a fit
/// has found: what they are multiplied by in reports. 1 where the noise was stated.
double unit_of_squares(const FitOutcome& outcome);

/// Whether the engine ended at an optimum, if only at the acceptable tolerance.
bool is_solved(const FitOutcome& outcome);

/// "solved", "iteration_limit", …, for programs.
const char* name_of(nlp::Status status);

/// A parameter's value from that on its scale.
double physical(const FitOutcome& outcome, std::size_t parameter, double scaled);

}  // namespace bolza::workflow
