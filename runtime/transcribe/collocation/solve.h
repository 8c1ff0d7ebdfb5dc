// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"
#include "runtime/transcribe/collocation/transcription.h"
#include "runtime/transcribe/options.h"

namespace bolza::transcribe {

/// Solves an optimal control problem by direct transcription.
///
///     bolza::transcribe::TranscribeOptions options;      // 50 intervals, 3 Radau points, collocated controls, tol 1e-8
///     options.transcription = "gauss";
///     abi::Solution solution = bolza::transcribe::solve(problem, options);
///
/// @param problem  kernels are compiled when first needed (bolza_problem.request)
/// @param guess    null: the problem's own guesses; else trajectories at any times, parameters where their number fits, and
/// multipliers when
///                 options.nlp.warm_start is set and the guess is a solution of the same transcription, on this or another
///                 mesh
/// Outcome  in `status`; `findings` name the most violated constraints, what was not finite, and active bounds with their
/// multipliers.
abi::Solution solve(bolza_problem& problem, const TranscribeOptions& options, const abi::Solution* guess = nullptr);

/// As above, and gives the report on a non-finite value.
abi::Solution solve(bolza_problem& problem, const TranscribeOptions& options, const abi::Solution* guess,
                    NonfiniteReport& nonfinite);

/// The iterate to start from: the NLP's start, with the multipliers of the guess when they fit or can be carried over from
/// its mesh, or from its method.
nlp::Iterate start_of(Transcription& t, const abi::Solution* guess, const nlp::EngineOptions& options);

}  // namespace bolza::transcribe
