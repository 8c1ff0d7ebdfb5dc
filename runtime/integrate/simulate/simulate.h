// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/budget.h"
#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"
#include "runtime/integrate/events/action.h"
#include "runtime/integrate/events/logged_event.h"
#include "runtime/integrate/inputs/inputs.h"
#include "runtime/integrate/method_options.h"
#include "runtime/integrate/simulate_report.h"
#include "runtime/nonlinear/initialise.h"

namespace bolza::integrate {

/// What initial values have to fulfil.
enum class StartMode : std::uint8_t {
  equations,    ///< the initial equations, fixed starts, the algebraic equations
  from_states,  ///< IDAS, IDA_YA_YDP_INIT: all states at their starts; algebraics and derivatives follow
  at_rest       ///< IDAS, IDA_Y_INIT: all derivatives zero; states and algebraics follow
};

struct SimulateOptions {
  std::string method;                  ///< row of the method table; empty: idas for models with algebraics, else cvodes
  std::optional<double> start, final;  ///< seconds; default: the phase's startTime and finalTime
  double rtol = 1e-6;
  double atol_factor = 1;            ///< absolute tolerances are rtol × nominal × this
  bool measures_sizes = false;       ///< sizes of variables without nominal: VariableSizes; false: 1
  bool looks_ahead = false;          ///< steps do not pass over short features: TimeFeatures, StepScan
  std::size_t looks = 16384;         ///< with looks_ahead, at steps by their dense output: StepScan; 0: none
  std::vector<double> sizes;         ///< of (x, z) where they are known already; empty or 0: not
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
  std::function<void(double t)> progress;  ///< after every step, or every few of them
  Act act;                                 ///< absent: calls are not made, texts are as they stand
  Budget budget;                           ///< over, or interrupted: stop and give what there is
};

struct Simulation {
  abi::Trajectories trajectories;  ///< up to the time reached; rates included
  SimulateReport report;
  std::vector<LoggedEvent> events;  ///< when asked for; the first one is the start
};

/// Integrates one phase of a problem. Where an input jumps, the time stands twice. A run may stop at its start.
/// Errors are a status in the report. Cost: about 100 evaluations of the model per unit of stiffness and tolerance decade.
Simulation simulate(const bolza_problem& problem, std::size_t phase, const SimulateOptions& options);

}  // namespace bolza::integrate
