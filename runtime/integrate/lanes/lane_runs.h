// SPDX-License-Identifier: Apache-2.0
// Many runs of one model side by side: every lane of a vector is a run with its own time and step.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/budget.h"
#include "runtime/abi/bolza.h"

namespace bolza::integrate {

/// Runs of a model that differ in some inputs, which are constant in each, and in where they start. An input, or a state, of
/// all runs stands together.
struct LaneRequest {
  std::size_t runs = 0;
  std::vector<std::size_t> varied;  ///< numbers of inputs; the others are as in a simulation to which none are given
  std::vector<double> u;            ///< [varied × runs]
  std::vector<double> x;            ///< [n_x × runs] at the start
  double start = 0, final = 1;
  double rtol = 1e-6;
  std::string method;               ///< row of the method table for runs that leave the lanes; empty: the usual one
  std::size_t max_steps = 100'000;  ///< of a run
  Budget budget;
};

/// What became of a run.
enum class LaneEnd : std::uint8_t {
  finished,
  left,       ///< it is stiff, not finite, or takes too many steps, and the other method did not finish it
  not_begun,  ///< the budget has ended
};

struct LaneRuns {
  std::vector<LaneEnd> end;        ///< [runs]
  std::vector<std::size_t> steps;  ///< [runs] accepted
  std::vector<double> x;           ///< [n_x × runs] at the end
  std::vector<double> outputs;     ///< [n_outputs × runs] `bolza_model.results` there
  std::vector<double> rate;        ///< [n_x × runs] there
  std::vector<double> largest;     ///< [n_x × runs] absolute value on the way
};

/// Why a model is not one for lanes; "" it is: it has no algebraics, events, delays or integrals, one phase, and its rates
/// do not read the time.
std::string objection_to_lanes(const bolza_problem& problem);

/// Integrates by Dormand and Prince's method 5(4) with the step control of `dopri5`, absolute tolerances rtol × size of a
/// variable: its nominal value, or, without one, as VariableSizes. Runs that are found to be stiff [HW, IV.2] leave the
/// lanes and are done by `simulate`, one after the other. The results of a run do not depend on the others, to the last bit.
/// Requires  objection_to_lanes is "".  Cost  seven evaluations of `rates` per step of a run, in blocks of 64 runs; nothing
/// is allocated in a step.
LaneRuns run_lanes(const bolza_problem& problem, const LaneRequest& request);

}  // namespace bolza::integrate
