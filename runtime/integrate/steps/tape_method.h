// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "runtime/integrate/steps/one_step.h"
#include "runtime/integrate/steps/step_tape.h"

namespace bolza::integrate {

/// One family of methods: how a step is written down as operations. Simulation, replay, tangent and adjoint follow.
class StepScheme {
 public:
  virtual ~StepScheme() = default;
  /// With all it knows of the past: it may write the steps from here on again, on a tape that resumes with the values from
  /// `oldest` on.
  virtual std::unique_ptr<StepScheme> clone() const = 0;

  /// Forgets the past: the run goes on from here for `stretch` seconds.
  virtual void restart(StepTape::Point begin, double stretch) = 0;
  struct Step {
    StepTape::Point end;
    Eigen::VectorXd error;          ///< local error; empty after trouble
    Eigen::VectorXd lower, higher;  ///< the same if the order were one less or more; empty: it cannot be
  };
  /// Norms of these, before the step is accepted or tried again; NaN: it cannot be.
  virtual void judge(double /*error*/, double /*lower*/, double /*higher*/) {}
  /// Writes what the next step needs whatever its length: it stays when a step is tried again. Called before every `write`.
  virtual void begin(StepTape&) {}
  /// Writes a step of h seconds from the end of the last one that was taken.
  virtual Step write(StepTape& tape, double h) = 0;
  /// The step that was written last is taken; the next one begins at its end.
  virtual void accept(StepTape& tape) = 0;
  /// y at t within the step written last, by dense output.
  virtual Eigen::VectorXd interpolate(StepTape& tape, double t) = 0;
  /// Of the error estimate: it behaves as h^(order + 1).
  virtual int error_order() const = 0;
  /// Of the step written last, for methods that choose it; and the next steps take this one. 0: the method's own choice.
  virtual int order() const { return 0; }
  virtual void hold_order(int) {}
  /// The first slot that is still needed.
  virtual StepTape::Slot oldest() const = 0;
  virtual double longest_step() const { return std::numeric_limits<double>::infinity(); }
  /// The factor for the length of the next step after one with this error (1: just accepted).
  virtual double factor(double error, bool accepted);
};

using MakeScheme = std::function<std::unique_ptr<StepScheme>(const StepModel& model, const MethodOptions& options)>;
/// An integrator from a scheme. Algebraics are solved for in every evaluation (index 1).
std::unique_ptr<Integrator> make_tape_integrator(const Setup& setup, const MakeScheme& make);

/// A scheme of its own class, made from the options, as the `make` of a table row.
template <class Scheme>
std::unique_ptr<Integrator> make_tape_method(const Setup& setup) {
  return make_tape_integrator(
      setup, [](const StepModel&, const MethodOptions& options) { return std::make_unique<Scheme>(options); });
}

/// The cubic through values and slopes at both ends of a step, θ in [0, 1].
Eigen::VectorXd hermite(const Eigen::VectorXd& y0, const Eigen::VectorXd& f0, const Eigen::VectorXd& y1,
                        const Eigen::VectorXd& f1, double h, double theta);

}  // namespace bolza::integrate
