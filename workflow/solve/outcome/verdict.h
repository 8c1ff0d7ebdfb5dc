// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "workflow/solve/outcome/outcome.h"

namespace bolza::workflow {

/// What became of a solve. Text, exit code, JSON and page ask this, and nothing else.
enum class Verdict : std::uint8_t {
  solved,
  solved_with_warnings,
  not_solved,
  interrupted,  ///< without a solution in hand
  refused       ///< the method does not take the problem
};

/// The status decides first: what is not solved has no warnings that matter.
Verdict verdict_of(abi::SolveStatus status, bool has_warnings);
Verdict verdict_of(const SolveOutcome& outcome);

/// "solved", "solved_with_warnings", …, for programs.
const char* name_of(Verdict verdict);

/// What was looked at for other optima: "the best of 4 starts, which ended at 2 optima"; "" where that was asked for, or in
/// integers.
std::string text_of_search(const SolveOutcome& outcome);

/// As a person reads it: "infeasible: no point satisfies the constraints", and what did not run to its end.
std::string text_of_verdict(const SolveOutcome& outcome);

}  // namespace bolza::workflow
