// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "runtime/transcribe/options.h"
#include "workflow/solve/outcome/choices.h"
#include "workflow/solve/outcome/outcome.h"
#include "workflow/solver_library.h"

namespace bolza::workflow {

/// What may follow a first attempt that fails, besides the same guess without its multipliers: less than all where another
/// problem comes next.
enum class Attempts : std::uint8_t { all, simulated_guess, none };

struct Effort {
  Attempts attempts = Attempts::all;
  int most = 0;        ///< iterations of an attempt; 0: as usual
  bool refine = true;  ///< by default; false: what is found is a guess
};

/// A solve by a direct method that is tried again in other ways when it fails.
struct RetryTask {
  bolza_problem& problem;
  const SolverLibrary& library;
  transcribe::TranscribeOptions options;  ///< as asked for
  Guess guess = Guess::automatic;         ///< the kind of the first attempt's guess
  const abi::Solution* own = nullptr;     ///< the problem's own guess where it varies with time, null: constant
  std::uint32_t seed = 1;                 ///< of perturbed guesses
  int starts = 0;                         ///< option `multi-start`: how many perturbed guesses are tried as well
  bool one_start = false;                 ///< it was given as 0: other optima are not looked for
  bool retry = true;                      ///< option `retry`: false, the first attempt only
  Effort effort;
  const abi::Solution* failed = nullptr;  ///< what the first attempt ended with before: it is not made again
  bool reduced = false;                   ///< states follow from controls and parameters: no guess of theirs matters
  bool integrated = false;                ///< by shooting, whatever transcription the options name
  const abi::Solution* given = nullptr;   ///< a guess from a file or the stage before; it wins over `guess`
  /// By the transcription that the options name.
  std::function<abi::Solution(const transcribe::TranscribeOptions&, const abi::Solution* guess)> solve;
  /// Before each attempt, with what is different, and whether there is a solution that it may better.
  std::function<void(const std::string& what, bool solved)> announce;
};

/// The attempt that follows where the multipliers of a guess led nowhere.
inline constexpr const char* without_multipliers = "without the multipliers of the guess";

struct RetryOutcome {
  abi::Solution solution;          ///< of the attempt that held, else of the first
  std::vector<std::string> tried;  ///< what was different in each attempt, "" for the first; the last one held, if any did
  bool first_failed = false;
  int iterations = 0;               ///< of all attempts
  int starts = 0;                   ///< guesses of `multi-start` that were tried, the first attempt included
  std::vector<double> optima;       ///< the objectives that they led to
  LookedFrom looked;                ///< what was looked at for other optima
  std::optional<double> other;      ///< another optimum, no better, that a perturbed guess led to
  std::optional<MovesOn> moves_on;  ///< what a smaller tolerance does not leave where it is
  std::optional<Stopped> stopped;   ///< the search for others, where an interrupt or the limit of time ended it
};

/// The ladder (docs/solving.md): the problem as it is, for a limited number of iterations; a later or an
/// earlier final time; a simulated
/// guess; one control value per interval; straight lines to the end values; a perturbed guess; perturbed lines; the
/// constraints first; constraints that are tightened step by step; the adaptive barrier; implicit Euler on a coarse mesh as
/// guess; dependent equations taken out; the first attempt once more without the limit. It ends with the first attempt that
/// gives a solution, at the time limit, when interrupted, or where the iterates run away towards a bound that is not there:
/// then a finding names the variable.
///
/// A solution whose last step needed a regularised Hessian may be a saddle point (the symmetric way round an obstacle): it
/// is solved once more from near itself, and the better one is taken. Where several steps needed one the problem is not
/// convex, and one perturbed guess more looks for another optimum. All that is looked for after a solution takes at most as
/// many iterations as the solution did, or a few hundred in a small problem; an interrupt and the time limit end it, and the
/// best solution so far is the outcome.
RetryOutcome solve_with_retries(const RetryTask& task);

}  // namespace bolza::workflow
