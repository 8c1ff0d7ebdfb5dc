// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "runtime/integrate/events/action.h"
#include "runtime/integrate/events/indicators.h"
#include "runtime/integrate/events/logged_event.h"
#include "runtime/integrate/simulate_report.h"
#include "runtime/integrate/state.h"
#include "runtime/nonlinear/model_at.h"

namespace bolza::integrate {

/// The discrete side of one run: m, pre(m) and the flags in the model's shared values, their fixed point at events, and the
/// conditions of assertions and terminations. bolza.h says what happens at an event. A model without events: all of this
/// does nothing and costs nothing.
class Hybrid {
 public:
  /// Makes z (during initialisation x as well) fit the present discrete values; u does not change meanwhile.
  using Solve = std::function<SimulateStatus(State& state)>;

  /// Puts the start values of m and pre(m) in place.
  Hybrid(nonlinear::ModelAt& model, SimulateReport& report);

  /// Whose indicators tell which relations are undecided up to rounding; outlives this.
  void watch(Indicators& indicators) { indicators_ = &indicators; }

  /// Goes on with these discrete values [n_m], as after an event.
  void resume(std::span<const double> values);

  bool present() const { return hybrid_ != nullptr; }
  /// m now, as in Trajectories.
  double value(std::size_t i) const { return shared(hybrid_->discrete[i].now); }
  std::size_t size() const { return hybrid_ ? hybrid_->n_m : 0; }

  /// Discrete values, x and z that fit each other and the initial equations. Afterwards pre(m) = m. With homotopy() in the
  /// model the simplified equations are solved first and led over to the actual ones; where that fails, the actual ones are
  /// solved from the guesses.
  SimulateStatus initialise(State& state, std::span<const double> u, const Solve& solve);
  /// Who performs calls and makes the texts of messages; nobody until then.
  void let_act(Act act) { act_ = std::move(act); }
  /// Assertions and calls of the start, made once when everything is consistent; nothing in a run that `goes_on`.
  SimulateStatus begin(const State& state, std::span<const double> u, bool goes_on);
  /// One event: iterates to the fixed point. `before`: x and z as they were, for pre() of continuous variables.
  /// Errors: event_iteration with the discrete variables that do not settle, or what `solve` says.
  SimulateStatus event(const State& before, State& state, std::span<const double> u, const Solve& solve);
  /// Evaluates assertions and terminations at an accepted point: assertion with the message, or finished; a warning goes
  /// into the report once; see `terminated`.
  SimulateStatus check(const State& state, std::span<const double> u);
  /// Is there anything to check?
  bool checks() const { return hybrid_ && !conditions_.empty(); }
  bool terminated() const { return terminated_; }
  /// Does the model assert that a point at which something was not finite cannot be? Then the report says that.
  bool objects_to(const abi::NonfinitePlace& place);

  using Firing = LoggedEvent::Firing;
  /// From now on every iteration that sets a state is appended to the list; null: none.
  void log(std::vector<Firing>* firings) { firings_ = firings; }

  void set_sample(std::size_t sample, bool tick) { shared(hybrid_->samples[sample].entry) = tick; }
  void set_terminal(bool on) {
    if (hybrid_ && hybrid_->terminal >= 0) shared(hybrid_->terminal) = on;
  }
  bool uses_terminal() const { return hybrid_ && hybrid_->terminal >= 0; }

 private:
  using Part = nonlinear::ModelAt::Part;
  double& shared(std::int32_t entry) { return model_.shared[static_cast<std::size_t>(entry)]; }
  double shared(std::int32_t entry) const { return model_.shared[static_cast<std::size_t>(entry)]; }
  bool values(Part part, const State& state, std::span<const double> u, std::span<double> rows);
  SimulateStatus follow_homotopy(State& state, std::span<const double> u, const Solve& solve);
  std::vector<double> discrete_values() const;
  SimulateStatus settle(State& state, std::span<const double> u, const Solve& solve, bool initial);
  bool follow_path(const State& begin, const std::vector<double>& shared, State& state, std::span<const double> u,
                   const Solve& solve);
  bool propagate(const State& state, std::span<const double> u);
  bool update(const State& state, std::span<const double> u, bool initial, double widths, bool& changed);
  double care(std::size_t pass) const;
  bool keeps(std::size_t i, double widths, bool& moved_one) const;
  bool assign(std::int32_t entry, double value, std::size_t discrete);
  void remember(const State& before, std::span<const double> u);
  bool move_pre();
  void calm(std::size_t pass, std::size_t limit);
  SimulateStatus reinitialise(State& state, std::span<const double> u, bool& set);
  SimulateStatus unsettled(double t);
  SimulateStatus not_finite(const State& state);
  SimulateStatus violated(std::size_t assertion, double t);
  std::span<const double> values_of(const bolza_message& message) const;
  std::string text_of(const bolza_message& message) const;
  enum class Calls : std::uint8_t { of_when, at_events };
  SimulateStatus call(double t, Calls which);

  nonlinear::ModelAt& model_;
  Indicators* indicators_ = nullptr;
  const bolza_hybrid* hybrid_;
  SimulateReport& report_;
  std::vector<double> update_, initial_, reinit_, conditions_;
  std::vector<std::size_t> discrete_of_;  ///< [n_shared] whose value, now or before, an entry is; n_m: none's
  std::vector<char> restless_;            ///< [n_m] changed in the last passes
  std::vector<char> warned_;              ///< [n_assertions]
  Act act_;
  bool terminated_ = false, late_ = false;
  bool followed_ = false;  ///< a path in the present event: what rounding decides stays
  std::vector<Firing>* firings_ = nullptr;
  std::size_t outer_ = 0;  ///< iterations of the present event
};

}  // namespace bolza::integrate
