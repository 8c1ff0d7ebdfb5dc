// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/estimate/inversion/identify.h"
#include "workflow/fit/fit_problem.h"
#include "workflow/model.h"

namespace bolza::workflow {

struct IdentificationRequest {
  LoadRequest load;
  std::vector<std::string> data;                  ///< tables of measurements
  std::string conditions;                         ///< table; "": none
  std::string starts;                             ///< table of p0: a row for each data set; "": none
  std::vector<std::string> free, observe, noise;  ///< as for a fit
  std::vector<std::string> terms;  ///< as `read_terms`; empty: the model's free parameters are the coefficients
  std::optional<double> start;     ///< of every experiment; absent: the model's start time
  driver::Options options;         ///< rtol, integrator, nlp
  estimate::IdentifyRequest how;   ///< thresholds, starts, …; terms, functions and p0 are filled in
};

struct IdentificationOutcome {
  std::string class_name;
  estimate::Estimation estimation;
  estimate::CandidateTerms terms;
  std::vector<std::string> labels;  ///< [terms] condition of the term; "" for coefficients of the model
  estimate::Identification result;
  std::size_t measured = 0;  ///< observables that are measured; after them those of functions
  double threshold = 3.5;
  double seconds_total = 0;
};

/// Finds the terms that a model needs: with `terms`, p = A c for every free parameter of the model, c the terms in the
/// conditions of each data set; without, the model's own free parameters, of which those that are `selectable` may leave.
/// `model` becomes the model that was identified.
/// Errors  those of fits (E930 to E942), E944 a term, E945 a condition that a term names and no table gives, E946 starts,
/// E947 nothing selectable.
Result<IdentificationOutcome> identify(std::unique_ptr<Model>& model, const IdentificationRequest& request);

}  // namespace bolza::workflow
