// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <vector>

#include "base/clock.h"
#include "runtime/integrate/events/chatter.h"
#include "runtime/integrate/events/hybrid.h"
#include "runtime/integrate/events/indicators.h"
#include "runtime/integrate/events/state_selection_monitor.h"
#include "runtime/integrate/events/time_events.h"
#include "runtime/integrate/inputs/input_evaluator.h"
#include "runtime/integrate/method_table.h"
#include "runtime/integrate/simulate/simulate.h"
#include "runtime/integrate/simulate/simulate_with.h"

namespace bolza::integrate {

/// One simulation: the recipe is `go` (simulate.cpp); how it starts, what happens between two events, and what is said when
/// it fails have a file each.
struct Run {
  const bolza_problem& problem;
  const SimulateOptions& options;
  nonlinear::ModelAt at;
  const bolza_model& model;
  double t0, tf, room;
  Inputs inputs;
  Simulation out;
  InputEvaluator input_evaluator;
  Hybrid hybrid;
  Indicators indicators;
  TimeEvents clock;
  Chatter chatter;
  StateSelectionMonitor state_selection;
  std::optional<std::size_t> accumulated;  // indicator whose events do
  std::vector<double> outputs, stop_times;
  std::size_t next = 0;  // output
  State state;
  std::vector<double> u, rows;
  Clock::time_point began = Clock::now();
  MakeIntegrator make;  // empty: the method's

  Run(const bolza_problem& p, std::size_t phase, const SimulateOptions& o);

  double elapsed() const { return seconds_since(began); }
  nonlinear::ModelAt::Point point() const { return {state.t, state.x.data(), state.z.data(), u.data()}; }
  void look_up_inputs() { input_evaluator.at(state.t, state.x.data(), state.z.data(), u); }

  // The recipe.
  static std::vector<double> shared_of(const bolza_problem& problem, std::size_t phase, const SimulateOptions& o);
  Inputs default_inputs() const;
  Setup setup_of();
  const Method* choose();
  void compile(const Method& method);
  SimulateStatus handle_event(const State& before);
  SimulateStatus boundary(bool root, double& stop);
  double next_stop() const;
  SimulateStatus first_point(double& stop);
  SimulateStatus integrate(const Method& method);
  SimulateStatus moment();
  SimulateStatus finish();
  Simulation go();

  // The start: start.cpp.
  SimulateStatus initialise();
  SimulateStatus start_values(State& s);
  SimulateStatus start_by_idas(State& s);
  SimulateStatus accept(nonlinear::InitialPoint p, const char* failure, State& s);
  SimulateStatus consistent(State& s);

  // From event to event: stretch.cpp.
  SimulateStatus after_steps(double t, std::size_t steps);
  std::size_t most_steps() const;
  bool may_run_free() const;
  SimulateStatus advance(Integrator& integrator, bool free, double stop, double& reached, std::size_t& steps, bool& root);
  void record();
  SimulateStatus record_until(Integrator& integrator, double t);
  bool skip_outputs();
  SimulateStatus find_root(Integrator& integrator, bool finds_roots, bool is_young, std::vector<double>& g, double begin,
                           double& reached, bool& root);
  std::size_t crossed();
  SimulateStatus remember_delayed(Integrator& integrator, double reached);
  SimulateStatus smooth_stretch(Integrator& integrator, bool finds_roots, double stop, bool& root);
  bool fell_through(std::vector<double>& g);
  SimulateStatus unless_states_failed(SimulateStatus status);

  // What is said: messages.cpp. Each fills the report; those with a status give it.
  SimulateStatus too_many_steps();
  SimulateStatus too_short();
  const std::string& name_fastest();
  SimulateStatus not_finite();
  SimulateStatus bad_delay();
  SimulateStatus states_failed();
  SimulateStatus lost_events();
  SimulateStatus too_dense(std::size_t row);
  void warn_of_accumulation(std::size_t row);
  void refuse_algebraics();
  void refuse_index();
  abi::Finding finding_of_indicator(std::size_t row) const;
};

}  // namespace bolza::integrate
