// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/abi/solution.h"

namespace bolza::integrate {

enum class SimulateStatus : std::uint8_t {
  finished,
  bad_method,
  initialisation,
  nonfinite,
  error_test,
  convergence,
  too_many_steps,
  too_much_accuracy,
  time_limit,
  interrupted,
  failed,
  assertion,        ///< one of level error does not hold
  event_iteration,  ///< the discrete values of an event do not settle
  chattering,       ///< events follow each other without end
  singular_states   ///< another choice of states is needed to go on; the trajectory ends at a full, consistent point
};
const char* name_of(SimulateStatus status);

struct SimulateReport {
  SimulateStatus status = SimulateStatus::failed;
  std::string method;
  std::string message;   ///< one sentence for a person; empty when finished
  double time = 0;       ///< reached
  abi::Finding finding;  ///< worst variable or equation with its place, when not finished
  std::size_t steps = 0, evaluations = 0, jacobians = 0, factorisations = 0, newton_iterations = 0, error_failures = 0,
              convergence_failures = 0, restarts = 0, state_events = 0, time_events = 0;
  std::vector<abi::Finding> warnings;  ///< assertions of level warning that failed, each once, and events that accumulate
  struct GuessedSize {
    std::string name;
    double guess = 0, largest = 0;
  };
  std::vector<GuessedSize> guessed;        ///< states whose absolute tolerance was a guess, much above what they have been
  std::vector<abi::Finding> undetermined;  ///< variables that nothing determines, each set of them once
  std::vector<abi::Finding> jumps;         ///< where a solution of the algebraic equations ends and another one is taken
  /// Relations that came within the error of the solution of another value, and turned; of kind `unstable`, states that grew
  /// out of their own absolute tolerance, which began as errors.
  std::vector<abi::Finding> undecided;
  std::string curved;        ///< a relation that may be true for a moment which is not looked at; empty: none
  double looked_every = 0;   ///< seconds between such moments, at most
  abi::Finding termination;  ///< of terminate(); its text is empty when the final time was reached
  double seconds = 0;
  bool finished() const { return status == SimulateStatus::finished; }
  /// A fourth of the steps or more begins at an event of time.
  bool has_many_ticks() const { return 4 * time_events > steps; }
};

}  // namespace bolza::integrate
