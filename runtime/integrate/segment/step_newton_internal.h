// SPDX-License-Identifier: Apache-2.0
// Newton's method for the equations of a step of BdfSteps, with a matrix that is kept while it is of use.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "runtime/integrate/steps/bdf_steps.h"
#include "runtime/integrate/sundials/step_matrix.h"

namespace bolza::integrate {

class StepNewton {
 public:
  using Places = std::vector<std::pair<std::int32_t, std::int32_t>>;
  /// @param places  of the derivatives; the diagonal is added
  StepNewton(std::size_t n, Places places, SUNContext context, const MethodOptions& options)
      : n_(n),
        matrix_(n, with_diagonal(n, std::move(places)), context, options),
        most_(std::max(3, whole(options.max_nonlinear_iterations, 3)) + 2),
        change_(n) {
    matrix_.allow_inverse();
  }

  void forget() { gamma_ = 0; }
  /// The rate of convergence is kept as long as the matrix, as CVODES does, so that one iteration is enough for a step where
  /// it is fast. What is left is then no longer far below what may be left, and depends on older matrices.
  void keep_rate() { keeps_rate_ = true; }

  /// The matrix I − γ f_y; `entries(scale, add)` calls add(value) for every place in turn, and is false where there are
  /// none.
  template <class Entries>
  bool factorise(double gamma, const Entries& entries) {
    gamma_ = 0;
    double* data = matrix_.clear();
    auto slot = matrix_.slot().begin();
    if (!entries([&](double value) { data[*slot++] -= gamma * value; })) return false;
    for (std::size_t i = 0; i < n_; ++i) data[*slot++] += 1;
    if (!matrix_.factorise()) return false;
    gamma_ = gamma;
    age_ = 0;
    rate_ = 1;
    return true;
  }

  /// Solves for the first n numbers of a step; `rates(y)` gives f there [n], or null. As CVODES' own iteration, the rate of
  /// convergence says how much is left; to a share of its tolerance, as what is left depends on older matrices, and is
  /// noise. [SUNDIALS, 2.1]
  template <class Rates, class Entries>
  bool solve(const BdfEquations::Step& step, const Rates& rates, const Entries& entries) {
    bool near = gamma_ != 0 && std::fabs(step.gamma / gamma_ - 1) <= largest_gamma_change && age_++ < steps_of_a_matrix;
    if (near && iterate(step, rates)) return true;
    std::copy_n(step.predicted, n_, step.y);
    return factorise(step.gamma, entries) && iterate(step, rates);
  }

  /// B := M⁻¹ B, B [n × columns] by rows.
  bool solve_block(double* B, std::size_t columns) { return matrix_.solve(B, columns); }

 private:
  static constexpr double largest_gamma_change = 0.3;  ///< with which a matrix is still of use
  static constexpr int steps_of_a_matrix = 20;
  static constexpr double share_of_tolerance = 1e-2;
  static constexpr double rate_of_later_steps = 2;  ///< at most, over that of the step in which it was seen

  static Places with_diagonal(std::size_t n, Places places) {
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(n); ++i) places.emplace_back(i, i);
    return places;
  }

  template <class Rates>
  bool iterate(const BdfEquations::Step& step, const Rates& rates) {
    std::fill_n(step.e, n_, 0.0);
    std::copy_n(step.predicted, n_, step.y);
    if (!keeps_rate_) rate_ = 1;
    double before = 0, ratio = 2 / (1 + step.gamma / gamma_), enough = share_of_tolerance * step.tolerance;
    for (int iteration = 0; iteration < most_; ++iteration) {
      const double* f = rates(step.y);
      if (!f) return false;
      for (std::size_t i = 0; i < n_; ++i) change_[i] = ratio * (step.gamma * f[i] - step.c * step.slope[i] - step.e[i]);
      if (!matrix_.solve(change_.data(), 1)) return false;
      double sum = 0;
      for (std::size_t i = 0; i < n_; ++i) {
        step.e[i] += change_[i];
        step.y[i] = step.predicted[i] + step.e[i];
        sum += change_[i] * step.weights[i] * change_[i] * step.weights[i];
      }
      double length = std::sqrt(sum / static_cast<double>(n_));
      if (iteration > 0) rate_ = std::max(0.3 * rate_, length / before);
      if (length * std::min(1.0, iteration > 0 ? rate_ : rate_of_later_steps * rate_) <= enough) return true;
      if (!(length <= 2 * before) && iteration > 0) return false;
      before = length;
    }
    return false;
  }

  std::size_t n_;
  StepMatrix matrix_;
  int most_;          // iterations
  double gamma_ = 0;  // of the matrix in hand; 0: none
  int age_ = 0;       // of it, in steps
  double rate_ = 1;   // of convergence with it, as it was last seen
  bool keeps_rate_ = false;
  std::vector<double> change_;
};

}  // namespace bolza::integrate
