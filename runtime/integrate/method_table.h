// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <span>
#include <string_view>

#include "runtime/integrate/inputs/input_evaluator.h"
#include "runtime/integrate/method_options.h"
#include "runtime/integrate/simulate_report.h"
#include "runtime/integrate/state.h"
#include "runtime/nonlinear/model_at.h"

namespace bolza::integrate {

/// What an integrator works on; outlives it.
struct Setup {
  nonlinear::ModelAt& model;
  InputEvaluator& input_evaluator;
  double rtol = 1e-6;
  std::vector<double> atol_x, atol_z, atol_q;
  MethodOptions options;
  SimulateReport& report;  ///< counters are added; message and finding on failure
  /// All steps are kept for derivatives. Equations of steps are then solved to rounding and lengths of steps are `stretch`
  /// times values of a fixed list, so that holding them is exact [GOMEZ, theorem 3].
  bool keep_steps = false;
  double stretch = 0;  ///< seconds, with keep_steps
};

struct StepRecord;
struct RungeKuttaForm;
class StepTape;
class StepScheme;
class MultistepScheme;

/// One integration; between `start` calls the inputs are smooth and the discrete values do not change.
class Integrator {
 public:
  virtual ~Integrator() = default;
  /// Begins (again) at a consistent state; will not step past `stop`.
  virtual SimulateStatus start(const State& state, double stop) = 0;
  /// One step of the method's own length, at most to `stop`; `reached` is its end.
  virtual SimulateStatus step(double& reached) = 0;
  /// Steps that nobody looks at one by one: as many as end the first one at or after `until`, at most `most`. `steps`: how
  /// many they were. They are those that `step` would take.
  virtual SimulateStatus advance([[maybe_unused]] double until, [[maybe_unused]] std::size_t most, double& reached,
                                 std::size_t& steps) {
    steps = 1;
    return step(reached);
  }
  /// The state at t within the last step, by its dense output.
  virtual SimulateStatus at(double t, State& state) = 0;
  /// Algebraics that `at` gave, for results: brought onto their equations where dense output is farther off than they are.
  virtual void settle(State&) {}
  /// Steps from now on are at most this long.
  virtual void limit_step(double) {}
  /// The absolute tolerances of the setup are others from now on.
  virtual void tolerances_changed() {}
  /// The last step as it was taken; null for methods without records.
  virtual const StepRecord* record() const { return nullptr; }
  /// All steps since `start`, with Setup::keep_steps and unless the tape `forgets`, and the scheme that wrote them; null for
  /// methods that are not written as operations.
  virtual StepTape* tape() { return nullptr; }
  virtual const StepScheme* scheme() const { return nullptr; }
};

/// One row per integrator.
struct Method {
  std::string_view name, description;
  bool algebraics = false;  ///< takes models with 0 = h(t, x, z, u)
  bool stiff = true;
  bool adjoint = false;  ///< offers adjoint and forward sensitivities
  int order_low = 1, order_high = 5;
  int dense_order = 0;       ///< of the dense output within a step; 0: that of the step
  bool fixed_steps = false;  ///< takes MethodOptions::fixed_step
  bool automatic = true;     ///< controls the error; false: needs fixed_step or takes the output interval
  int highest_index = 1;     ///< differentiation index of the equations that it takes
  bool (*available)() = nullptr;
  std::unique_ptr<Integrator> (*make)(const Setup& setup) = nullptr;
  RungeKuttaForm (*runge_kutta)() = nullptr;  ///< coefficients, for discrete adjoints; null for other methods
  bool tape = false;                          ///< its integrators have a tape, for discrete adjoints
  /// Why it cannot take a model although its index and algebraics are fine; empty: it can. Null: it always can.
  std::string (*objection)(const bolza_problem& problem, const bolza_model& model) = nullptr;
  /// Multistep methods: the steps' lengths may be variables, see the option `steps`. Null for others.
  std::unique_ptr<MultistepScheme> (*multistep)(const MethodOptions& options) = nullptr;
  bool curved = false;  ///< derivatives of its steps are made of second derivatives of the model
  /// Why derivatives of its steps cannot be had of a model that it can integrate; empty: they can.
  std::string objection_to_derivatives(const bolza_problem& problem, const bolza_model& model) const;
  bool discrete() const { return runge_kutta || tape; }  ///< offers derivatives of its own steps
};

std::span<const Method* const> methods();
/// `-` in a name is `_`. Null when there is no such row.
const Method* find_method(std::string_view name);

}  // namespace bolza::integrate
