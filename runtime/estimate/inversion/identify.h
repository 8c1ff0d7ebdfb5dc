// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/estimate/estimator.h"
#include "runtime/estimate/inversion/many_starts.h"
#include "runtime/estimate/inversion/term_selection.h"
#include "runtime/nlp/nlp.h"

namespace bolza::estimate {

/// Which terms a model needs, asked of an estimation whose experiments are the data sets and whose parameters are p.
struct IdentifyRequest {
  CandidateTerms terms;
  std::vector<Eigen::VectorXd> p0;  ///< [experiments] where the first iteration linearises; empty: at A c
  SelectionOptions selection;
  bool select = true;         ///< else all terms stay
  bool with_direct = false;   ///< the terms that stayed, fitted also by least squares of all sets at once
  nlp::EngineOptions engine;  ///< of the direct way
  ManyStartsOptions starts;
  EstimatorOptions estimator;
  /// What is drawn: observables of the estimation, and pairs of them as functions.
  std::size_t curve_points = 201;
  struct FunctionPlot {
    std::string name;
    std::size_t argument = 0, value = 0;  ///< observables
  };
  std::vector<FunctionPlot> functions;
};

/// An unknown function as fitted, over the arguments that the experiments visit.
struct FittedFunction {
  std::string name;
  std::size_t set = 0;
  std::vector<double> argument, value;  ///< ascending arguments
};

struct Identification {
  TermSelection selection;
  std::optional<InversionResult> direct;
  std::vector<double> starts;  ///< sums of squares of all starts, ascending
  std::size_t failed_starts = 0;
  std::vector<Estimator::Curves> curves;  ///< [experiments]
  std::vector<FittedFunction> functions;
  std::size_t simulations = 0;
  abi::Finding trouble;  ///< when nothing could be evaluated
};

/// Inverts, from as many starts as asked, selects terms, and simulates what was found for pictures.
Identification identify(const bolza_problem& problem, const Estimation& estimation, const IdentifyRequest& request);

}  // namespace bolza::estimate
