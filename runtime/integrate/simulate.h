#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"
#include "runtime/integrate/inputs.h"
#include "runtime/integrate/method_options.h"
#include "runtime/nonlinear/initialise.h"

namespace bolza::integrate {

/// One event of a run, as derivatives need it.
struct LoggedEvent {
  /// What one iteration of the event set: rows of the reinit function, and the shared values that it saw.
  struct Firing {
    std::vector<std::size_t> rows;
    std::vector<double> shared;
  };
  double t = 0;
  std::vector<double> x, before, after;  ///< states when it begins; shared values [n_shared] before and after
  std::vector<Firing> firings;
};

/// What initial values have to fulfil.
enum class StartMode : std::uint8_t {
  equations,    ///< the initial equations, fixed starts, the algebraic equations
  from_states,  ///< IDAS, IDA_YA_YDP_INIT: all states at their starts; algebraics and derivatives follow
  at_rest       ///< IDAS, IDA_Y_INIT: all derivatives zero; states and algebraics follow
};

/// What an action of a model came to: the text of a message, or why there is none.
struct ActionResult {
  std::string text, failure;
};
/// Performs an action of the model (bolza_message) with its values.
using Act = std::function<ActionResult(std::size_t action, std::span<const double> values)>;

struct SimulateOptions {
  std::string method;                  ///< row of the method table; empty: idas for models with algebraics, else cvodes
  std::optional<double> start, final;  ///< seconds; default: the phase's startTime and finalTime
  double rtol = 1e-6;
  double atol_factor = 1;            ///< absolute tolerances are rtol × nominal × this
  std::vector<double> output_times;  ///< ascending; empty: `intervals` equal steps
  std::size_t intervals = 500;       ///< 0 in a run that stops at its start: the events of that time are left to another
  std::optional<Inputs> inputs;      ///< default: every input at its start value
  std::vector<double> parameters;    ///< of the problem; empty: starts or guesses
  std::vector<double> discrete;      ///< [n_m] with x: the run goes on with these, nothing is initialised; empty: starts
  std::vector<double> shared;        ///< [n_shared] in the place of `parameters`; `start` and `final` are the horizon only
  bool continues = false;            ///< what is due at the start has happened already
  bool log_events = false;
  std::vector<double> x, z;  ///< at the start; empty x: consistent initialisation; z is a guess then or made consistent
  nonlinear::StartOptions start_options;  ///< what solves for initial values
  StartMode start_mode = StartMode::equations;
  std::size_t max_steps = 1000000;
  MethodOptions method_options;
  bool watch_states = true;    ///< stop with singular_states when the algebraics stop being determined by the states
  double state_margin = 1e-7;  ///< regularity, relative to the best, below which they are not
  double max_seconds = 0;      ///< wall clock; 0: no limit
  std::function<void(double t)> progress;    ///< after every step, or every few of them
  Act act;                                   ///< absent: calls are not made, texts are as they stand
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
  abi::Finding termination;            ///< of terminate(); its text is empty when the final time was reached
  double seconds = 0;
  bool finished() const { return status == SimulateStatus::finished; }
};

struct Simulation {
  abi::Trajectories trajectories;  ///< up to the time reached; rates included
  SimulateReport report;
  std::vector<LoggedEvent> events;  ///< when asked for; the first one is the begin
};

/// Integrates one phase of a problem. Where an input jumps, the time stands twice. A run may stop at its start.
/// Errors are a status in the report. Cost: about 100 evaluations of the model per unit of stiffness and tolerance decade.
Simulation simulate(const bolza_problem& problem, std::size_t phase, const SimulateOptions& options);

}  // namespace bolza::integrate
