// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

#include "runtime/abi/aligned.h"

namespace bolza::integrate {

/// What BdfSteps integrates: y' = f(s, y), y [size]. Vectors are the stepper's; they go on after y with zeros that may be
/// read and stay zeros.
class BdfEquations {
 public:
  /// A step to s: `e` := the correction for which y = predicted + e solves e = γ f(s, y) − c slope, and y itself.
  struct Step {
    double s, gamma, c;  ///< γ of its own sign: backwards it is negative
    const double *predicted, *slope, *weights;
    double *y, *e;
    double tolerance;  ///< in `norm`: what may be left of e's error
  };
  virtual ~BdfEquations() = default;
  /// False: f is not finite there.
  virtual bool rates(double s, const double* y, double* f) = 0;
  /// False: no solution was found, or f is not finite; a shorter step is tried.
  virtual bool correct(const Step& step) = 0;
  /// Weights of the norm at y: 1 / (rtol |y| + atol).
  virtual void weigh(const double* y, double* weights) = 0;
  virtual double norm(const double* v, const double* weights) const = 0;
};

/// Backward differentiation formulas of variable order (1 to 5) and step with fixed leading coefficient, in Nordsieck form.
/// Prediction, error test and selection of step and order are those of CVODES [SUNDIALS, 2.1], on one block of memory: a
/// step of few numbers takes a microsecond in CVODES for calls alone.
class BdfSteps {
 public:
  struct Options {
    int highest_order = 5, max_error_failures = 15, max_convergence_failures = 20;
    double initial_step = 0, max_step = 0, min_step = 0;  ///< of s, without sign; 0: left open
    double nonlinear_coefficient = 0.1;
  };
  BdfSteps(BdfEquations& equations, std::size_t size);

  /// From y [size] at s towards `stop`, in either direction, at order 1.
  void begin(double s, double stop, const double* y, const Options& options);
  /// One step; the last one ends at `stop`. False: none could be found.
  bool step();
  double reached() const { return s_; }
  /// y at s in the last step, or at the start. out [count] from number `first` on.
  void at(double s, double* out, std::size_t first, std::size_t count) const;
  const double* y() const { return row(0); }  ///< where the last step ends

  int order() const { return last_order_; }
  double last_step() const { return last_h_; }
  /// y(s) = Σ row_j ((s − reached) / last_step)^j, j up to `order`, in the last step.
  const double* row(int j) const { return z_.data() + static_cast<std::size_t>(j) * stride_; }

 private:
  static constexpr int most = 5;
  double* row(int j) { return z_.data() + static_cast<std::size_t>(j) * stride_; }
  bool first_step();
  double second_derivative(double h);
  bool attempt(double& error);
  bool after_error(double error, int failures, double begin);
  void predict(double sign);
  void set_coefficients();
  void set_test_coefficients(double alpha0, double alpha0_hat, double xi_inv, double xistar_inv, double sum);
  void accept();
  void select(double error);
  void choose(double same, double lower, double higher);
  void set_ratio();
  void rescale(double ratio);
  void change_order(int by);
  void raise_order();
  void lower_order();
  double norm(const double* v) const { return equations_.norm(v, weights_.data()); }

  BdfEquations& equations_;
  std::size_t size_, stride_;
  abi::AlignedDoubles z_, e_, y_, weights_;  // z_ [most + 2 rows]: h^j y^(j) / j!, last: the e before, or a row to come
  Options options_;
  double s_ = 0, stop_ = 1, h_ = 0, scale_ = 0, next_h_ = 0, ratio_ = 1, largest_ratio_ = 1, last_h_ = 0;
  int order_ = 1, next_order_ = 1, wait_ = 2, last_order_ = 0;
  long steps_ = 0;
  double l_[most + 2] = {}, tau_[most + 2] = {}, test_[6] = {}, saved_test_ = 0;  // test_[1 … 5]
  int known_order_ = 0;  // for which l_ and test_ are known, with h_ and tau_ in
  double known_[most + 1] = {};
};

}  // namespace bolza::integrate
