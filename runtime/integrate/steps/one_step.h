// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "runtime/integrate/method_table.h"

namespace bolza::integrate {

class StageFactors;

/// One step as it was taken: enough to evaluate within it and to take it again. All [stages × n] arrays are row-major.
struct StepRecord {
  State begin, end;
  double h = 0;                 ///< seconds
  std::vector<double> stage_x;  ///< [stages × n_x]
  std::vector<double> stage_z;  ///< [stages × n_z]
  std::vector<double> slope;    ///< [stages × (n_x + n_q)] f and q at the stages
  std::vector<double> bend;     ///< [n_x + n_z] what dense output adds to the polynomial of the stages; or empty
  double error = 0;             ///< weighted norm of the local error; a step with <= 1 is accepted
  int newton = 0;               ///< iterations, 0 for explicit methods
  double contraction = 0;       ///< of Newton's method
  int rejections = 0;           ///< attempts that went before
  std::shared_ptr<const StageFactors> factors;  ///< of an implicit method, which makes their factors again when it needs to
};

/// A method that goes from t to t + h. What it knows of the past it forgets when it is restarted.
class OneStepMethod {
 public:
  enum class Advance { done, diverged, not_finite };
  virtual ~OneStepMethod() = default;
  /// Forgets the past: a new piece of the inputs, an event. The run goes on for `stretch` seconds.
  virtual void restart(const State&, double /*stretch*/) {}
  /// Fills stages, end and error of a step from record.begin over record.h.
  virtual Advance advance(StepRecord& record) = 0;
  /// The state at t within a step, by the method's dense output.
  virtual bool interpolate(const StepRecord& record, double t, State& state) = 0;
  /// The length for the next attempt, from an attempt that ended with a finite error.
  virtual double next_step(const StepRecord& record, bool accepted) = 0;
  /// The first length, from the sizes of the solution and its first two derivatives.
  virtual double first_step(const State& state, double longest) = 0;
  /// Steps may now be at most this long, those of a fixed length too: a multistep method that gathers its history.
  virtual double longest_step() const { return std::numeric_limits<double>::infinity(); }
  virtual StepTape* tape() { return nullptr; }
  virtual const StepScheme* scheme() const { return nullptr; }
};

/// What all one-step methods need from a model: rates with algebraics that fit, weights of errors.
class OneStepModel {
 public:
  explicit OneStepModel(const Setup& setup);

  const Setup& setup;
  const bolza_model& model;
  std::size_t n_x, n_z, n_q;

  /// rows [n_x + n_q] at (t, x, z). False: not finite.
  bool rates(double t, const double* x, const double* z, std::span<double> rows);
  /// h [n_z].
  bool residuals(double t, const double* x, const double* z, std::span<double> rows);
  /// z from h = 0, z holds the guess. After false `not_finite` says why.
  bool solve(double t, std::span<const double> x, std::vector<double>& z);
  /// Weight 1/(atol + rtol |v|) of state i, with the larger of two values.
  double weight_x(std::size_t i, double a, double b) const;
  double weight_z(std::size_t i, double a, double b) const;
  /// Length such that one explicit Euler step changes the state by a hundredth of its size; `order` of the error estimate.
  double first_step(const State& state, double longest, int order);
  std::vector<double>& inputs(double t, const double* x, const double* z);
  bool not_finite = false;

 private:
  std::vector<double> u_;
};

/// Where dense output of order four is compared with the model, as shares of a step.
inline constexpr double looked_inside_at[2] = {1.0 / 3, 2.0 / 3};

/// A polynomial p of order four through the ends of a step with their slopes lacks e: h e' is its defect h (f(p) − p') but
/// for h⁶. Of degree five, with the defects at the two places, e is d₁ c(θ) − d₂ c(1 − θ), and p + e of order five [EJNT].
/// @return  c(θ): c, c' are 0 at 0 and 1, c'(1/3) = 1, c'(2/3) = 0
double share_of_defect(double theta);

using MakeOneStep = std::function<std::unique_ptr<OneStepMethod>(OneStepModel& model)>;
/// An integrator with steps of a fixed length (option fixed_step) or with error control.
std::unique_ptr<Integrator> make_one_step(const Setup& setup, const MakeOneStep& make);

}  // namespace bolza::integrate
