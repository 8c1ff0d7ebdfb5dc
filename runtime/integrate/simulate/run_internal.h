// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <vector>

#include "base/clock.h"
#include "runtime/integrate/events/chatter.h"
#include "runtime/integrate/events/hybrid.h"
#include "runtime/integrate/events/indicators.h"
#include "runtime/integrate/events/locate.h"
#include "runtime/integrate/events/state_selection_monitor.h"
#include "runtime/integrate/events/step_scan.h"
#include "runtime/integrate/events/time_events.h"
#include "runtime/integrate/events/time_features.h"
#include "runtime/integrate/inputs/input_evaluator.h"
#include "runtime/integrate/method_table.h"
#include "runtime/integrate/simulate/simulate.h"
#include "runtime/integrate/simulate/simulate_with.h"
#include "runtime/integrate/variable_sizes.h"

namespace bolza::integrate {

inline constexpr double looks_every = 1.0 / 2000;  // of the horizon: for events of relations that are not linear

/// One simulation: the recipe is `go` (simulate.cpp); how it starts, what happens between two events, and what is said when
/// it fails have a file each.
struct Run {
  const bolza_problem& problem;
  const SimulateOptions& options;
  nonlinear::ModelAt at;
  const bolza_model& model;
  double t0, tf, room;
  Inputs own_inputs;  // where none are given
  const Inputs& inputs;
  Simulation out;
  InputEvaluator input_evaluator;
  Hybrid hybrid;
  VariableSizes sizes;
  Indicators indicators;
  TimeEvents clock;
  Chatter chatter;
  StateSelectionMonitor state_selection;
  TimeFeatures features;
  StepScan scan;
  struct Dip {
    bool stood = false;      // far above its tolerance before
    bool sunk = false;       // below its tolerance now, or lately
    bool by_itself = false;  // grew out of it without others
    double time = 0, tolerance = 0;
  };
  std::vector<Dip> dips;                    // of states
  std::optional<std::size_t> accumulated;   // indicator whose events do
  std::vector<Located::Nearest> came_near;  // to zero, and turned
  std::optional<std::size_t> returning;     // indicator that turned back at its last event, so that its next one is due
  std::vector<double> outputs, stop_times;
  std::size_t next = 0;  // output
  State state;
  std::vector<double> u, rows;
  Clock::time_point began = Clock::now();
  MakeIntegrator make;     // empty: the method's
  Setup* setup = nullptr;  // of the integration that is under way

  Run(const bolza_problem& p, std::size_t phase, const SimulateOptions& o);

  std::size_t ranks_looked_at = 0;
  std::vector<double> slope_z;  // of the last step, per second
  double slope_length = 0;      // of that step

  double elapsed() const { return seconds_since(began); }
  nonlinear::ModelAt::Point point() const { return {state.t, state.x.data(), state.z.data(), u.data()}; }
  void look_up_inputs() { input_evaluator.at(state.t, state.x.data(), state.z.data(), u); }

  // The recipe.
  static std::vector<double> shared_of(const bolza_problem& problem, std::size_t phase, const SimulateOptions& o);
  Inputs default_inputs() const;
  Setup setup_of();
  void set_tolerances(Setup& setup) const;
  void look_for_features();
  const Method* choose();
  void compile(const Method& method);
  SimulateStatus handle_event(const State& before);
  SimulateStatus boundary(bool root, double& stop);
  bool turns_back(std::size_t row);
  double next_stop() const;
  SimulateStatus first_point(double& stop);
  SimulateStatus integrate(const Method& method);
  SimulateStatus moment();
  SimulateStatus finish();
  Simulation go();
  bool may_repeat() const;

  // The start: start.cpp.
  SimulateStatus initialise();
  SimulateStatus start_values(State& s);
  SimulateStatus start_by_idas(State& s);
  SimulateStatus accept(nonlinear::InitialPoint p, const char* failure, State& s);
  SimulateStatus algebraics_of(State& s);
  SimulateStatus consistent(State& s);

  // From event to event: stretch.cpp.
  SimulateStatus after_steps(double t, std::size_t steps);
  void look_at_sizes(Integrator& integrator);
  std::size_t most_steps() const;
  bool may_run_free() const;
  void limit_step(Integrator& integrator);
  SimulateStatus advance(Integrator& integrator, bool free, double stop, double& reached, std::size_t& steps);
  bool passed_over(Integrator& integrator, double begin, double& reached);
  SimulateStatus begin_again(Integrator& integrator, double stop, std::vector<double>& g);
  void record();
  SimulateStatus record_until(Integrator& integrator, double t);
  bool skip_outputs();
  SimulateStatus find_root(Integrator& integrator, bool is_young, std::vector<double>& g, double begin, double& reached,
                           bool& root);
  bool crossed_by_rounding(Integrator& integrator, const Located& located);
  std::size_t crossed();
  SimulateStatus remember_delayed(Integrator& integrator, double reached);
  SimulateStatus smooth_stretch(Integrator& integrator, double stop, bool& root);
  bool fell_through(std::size_t row, std::vector<double>& g);
  SimulateStatus unless_states_failed(SimulateStatus status);

  // Whether algebraics are determined, and stay on their branch: branches.cpp.
  void look_at_rank();
  void look_for_jump(Integrator& integrator, const State& before);

  // States that grow out of their tolerance: dips.cpp. What an event sets is no error.
  void look_for_dips();
  void forget_dips(std::span<const double> before);
  bool grows_by_itself(std::size_t i);
  void say_dip(std::size_t i);

  // What is said: messages.cpp. Each fills the report; those with a status give it.
  void say_how_often_looked();
  SimulateStatus too_many_steps();
  SimulateStatus too_short();
  const std::string& name_fastest();
  SimulateStatus not_finite();
  SimulateStatus bad_delay();
  SimulateStatus bad_profile();
  void name_delayed(std::size_t number);
  SimulateStatus states_failed();
  void note_undecided(const Located::Nearest& nearest, std::span<const double> g);
  SimulateStatus lost_events();
  SimulateStatus lost_return();
  SimulateStatus too_dense(std::size_t row);
  SimulateStatus contradicts(std::size_t row);
  void warn_of_accumulation(std::size_t row);
  void refuse_algebraics();
  void refuse_index();
  abi::Finding finding_of_indicator(std::size_t row) const;
  void name_guessed(const std::vector<VariableSizes::Mistaken>& mistaken, SimulateReport& to) const;
};

}  // namespace bolza::integrate
