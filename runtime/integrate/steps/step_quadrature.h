// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <span>
#include <vector>

namespace bolza::integrate {

/// Integrals of many functions over the steps of an integrator, from their values at the ends of steps: over each step the
/// integral of the polynomial through its end and the ends before, as many as the step's order and one.
///
/// Cost: one multiplication of each function for each step, whatever the order: a value's weights in all steps that take it
/// are added up first.
class StepQuadrature {
 public:
  void start(double t, std::span<const double> values);
  /// A step of this order ended at t, with these values.
  void step(double t, std::span<const double> values, int order);
  /// Adds the integrals so far.
  void add_to(std::span<double> integrals) const;

 private:
  struct Node {
    double t = 0, weight = 0;
    std::vector<double> values;
  };
  void settle(const Node& node);

  std::deque<Node> nodes_;  // the latest first
  std::vector<double> sum_;
};

/// The integrals of many rates alongside an integration: those of StepQuadrature, while the integrator itself carries, and
/// controls the error of, a few random combinations of the rates over their tolerances: where an integral is wrong these
/// are.
class ManyIntegrals {
 public:
  static constexpr std::size_t many = 32, combinations = 3;

  /// @param tolerance  [integrals] absolute, what the integrals of combinations have as theirs is rtol
  void set_tolerances(std::span<const double> tolerance, double rtol);
  void combine(std::span<double> out) const;  ///< [combinations] of `rate`
  double share(std::size_t combination, std::size_t integral) const { return share_[combination][integral]; }
  void start(double t) { steps_.start(t, rate); }
  void step(double t, int order) { steps_.step(t, rate, order); }
  void add_to(std::span<double> integrals) const { steps_.add_to(integrals); }

  std::vector<double> rate;  ///< [integrals] at present

 private:
  std::vector<double> share_[combinations];
  StepQuadrature steps_;
};

}  // namespace bolza::integrate
