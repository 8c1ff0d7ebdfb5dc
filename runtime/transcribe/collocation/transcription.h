// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "runtime/abi/solution.h"
#include "runtime/nlp/nlp.h"
#include "runtime/transcribe/collocation/delay_windows.h"
#include "runtime/transcribe/options.h"
#include "runtime/transcribe/plan/evaluation_plan.h"
#include "runtime/transcribe/plan/evaluator.h"
#include "runtime/transcribe/plan/point_values.h"

namespace bolza::transcribe {

class FreeDelayFunction;

/// A row of a free delay: what its function reads.
struct DelayTerm {
  std::int32_t phase = 0;
  std::size_t row = 0;
  std::vector<std::size_t> states;  ///< [n_point] variable, none: no input
  std::shared_ptr<FreeDelayFunction> function;
};

/// An optimal control problem written as an NLP. Variables: the problem's parameters first, then the phases, then point
/// values. Addresses inside refer to each other: it is made once and not moved.
struct Transcription {
  const bolza_problem* problem = nullptr;
  Scheme scheme;
  std::vector<Horizon> horizons;  ///< [n_phases]
  std::vector<PhaseLayout> phases;
  std::vector<std::size_t> value_variable;  ///< [n_values] or none for integrals in the objective
  std::vector<std::vector<double>>
      integral_weight;  ///< [n_phases][n_q] coefficient of Q in the minimised objective, 0 where it is accumulated
  std::vector<std::size_t> main_terms;  ///< [n_phases] how many terms of the plan are at the phase's collocation points
  std::size_t first_point_row = 0;      ///< rows of the point constraints
  std::vector<std::pair<std::size_t, double>> delay_offsets;     ///< rows of delayed values, and what they are equal to
  std::vector<DelayTerm> delay_terms;                            ///< of free delays
  std::vector<DelayWindow> delay_windows;                        ///< of their parameters, where it goes on from a solution
  std::vector<std::pair<std::size_t, std::size_t>> definitions;  ///< variable, row: row = variable − what it stands for
  EvaluationPlan plan;
  nlp::Nlp nlp;
  std::unique_ptr<Evaluator> evaluator;
  std::vector<abi::Finding> remarks;  ///< bounds on free times that fixed times ask for
  double sign = 1;                    ///< -1: maximise
};

/// Builds the NLP with bounds, scales and the start from `guess` (or from the problem's own guesses). Null with `error`
/// filled when the problem or the options do not allow it. Compiles the kernels that the options need. Cost linear in the
/// number of intervals.
std::unique_ptr<Transcription> transcribe(bolza_problem& problem, const TranscribeOptions& options,
                                          const abi::Solution* guess, abi::Finding& error);

}  // namespace bolza::transcribe
