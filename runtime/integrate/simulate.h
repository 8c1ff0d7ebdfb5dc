#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"
#include "runtime/integrate/inputs.h"

namespace bolza::integrate {

struct SimulateOptions {
  std::string method;                  ///< row of the method table; empty: idas for models with algebraics, else cvodes
  std::optional<double> start, final;  ///< seconds; default: the phase's startTime and finalTime
  double rtol = 1e-6;
  double atol_factor = 1;            ///< absolute tolerances are rtol × nominal × this
  std::vector<double> output_times;  ///< ascending; empty: `intervals` equal steps
  std::size_t intervals = 500;
  std::optional<Inputs> inputs;    ///< default: every input at its start value
  std::vector<double> parameters;  ///< of the problem; empty: starts or guesses
  std::vector<double> x, z;  ///< at the start; empty x: consistent initialisation; z is a guess then or made consistent
  std::size_t max_steps = 1000000;
  double max_seconds = 0;                    ///< wall clock; 0: no limit
  std::function<void(double t)> progress;    ///< after every step
  const volatile bool* interrupt = nullptr;  ///< true: stop and give what there is
};

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
  failed
};
const char* name_of(SimulateStatus status);

struct SimulateReport {
  SimulateStatus status = SimulateStatus::failed;
  std::string method;
  std::string message;   ///< one sentence for a person; empty when finished
  double time = 0;       ///< reached
  abi::Finding finding;  ///< worst variable or equation with its place, when not finished
  std::size_t steps = 0, evaluations = 0, jacobians = 0, factorisations = 0, newton_iterations = 0, error_failures = 0,
              convergence_failures = 0, restarts = 0;
  double seconds = 0;
  bool finished() const { return status == SimulateStatus::finished; }
};

struct Simulation {
  abi::Trajectories trajectories;  ///< up to the time reached; rates included
  SimulateReport report;
};

/// Integrates one phase of a problem. Where an input jumps, the time stands twice.
/// Errors are a status in the report. Cost: about 100 evaluations of the model per unit of stiffness and tolerance decade.
Simulation simulate(const bolza_problem& problem, std::size_t phase, const SimulateOptions& options);

}  // namespace bolza::integrate
