// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <limits>

#include "runtime/nlp/nlp.h"

namespace bolza::nlp {

/// Stands before the functions of a nonlinear program and remembers the best point at which objective and rows were
/// evaluated: of those that hold to the tolerance the one with the least objective, else the one that breaks bounds and rows
/// by the least. An engine that is stopped gives the point it stands at, which may be far worse.
///
/// Cost  one pass over bounds and rows for each point; one copy where a point is better.
class BestPoint final : public Functions {
 public:
  /// Refers to both, and to `nlp.functions` as they are now.
  BestPoint(const Nlp& nlp, double tol);

  void move_to(std::span<const double> w) override;
  bool objective(double& f) override;
  const double* gradient() override { return functions_.gradient(); }
  const double* constraints() override;
  const double* jacobian() override { return functions_.jacobian(); }
  const double* hessian(double sigma, std::span<const double> lambda) override { return functions_.hessian(sigma, lambda); }
  const double* gauss_newton(double sigma) override { return functions_.gauss_newton(sigma); }
  bool rescale(std::span<const double> variable, std::span<const double> row, double objective) override {
    return functions_.rescale(variable, row, objective);
  }

  /// A point that holds, and has a clearly smaller objective than a solution: an engine goes away from one only where
  /// derivatives mislead it (f jumps, has kinks), or on its way to another local optimum. Violations are charged with the
  /// solution's multipliers. Empty: none was seen.
  /// @param noise  of the objective, relative
  std::vector<double> better_than(const Report& solution, double noise) const;
  double first_objective() const { return first_; }  ///< NaN: there was none
  double least_that_holds() const { return exact_.objective; }

  /// Puts the best point into the report of an engine that was stopped by a limit, by a signal or by its own failure, where
  /// it is better than the report's. Multipliers stay those of the last iterate.
  void take_its_place(Report& report);

 private:
  struct Merit {
    double violation = 0, objective = 0;
  };
  bool is_better(const Merit& a, const Merit& b) const;
  double violation(std::span<const double> w, const double* g) const;
  void compare();

  const Nlp& nlp_;
  Functions& functions_;
  double tolerance_;
  std::vector<double> w_, best_, best_exact_;
  bool has_objective_ = false, has_rows_ = false;
  double first_ = std::numeric_limits<double>::quiet_NaN();
  Merit now_, least_;
  Merit exact_;  ///< of the best point at which bounds and rows hold but for rounding
};

}  // namespace bolza::nlp
