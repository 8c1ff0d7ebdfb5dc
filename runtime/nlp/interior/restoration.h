// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/nlp/interior/loop.h"

namespace bolza::nlp::interior {

/// min ρ Σ (p + q) + η/2 |D (x − x₀)|² subject to c(x, t) − p + q = 0, sides, p, q >= 0, with η = √μ: the nearest point to
/// x₀ that violates the rows by the least [IPOPT, section 3.3].
class RestorationModel final : public BarrierModel {
 public:
  explicit RestorationModel(BarrierModel& of);

  /// Where it begins, and is not to go far from.     @param x [n] of the problem
  void stay_near(const double* x);
  bool values(const double* v, double& f, double* c) override;
  bool slopes(double* gradient, const double*& jacobian) override;
  const double* hessian(double sigma, const double* lambda) override;
  const double* diagonal() const override { return diagonal_.data(); }
  bool follow(double mu) override;

  /// The p and q of least sum that the barrier gives violations.
  void split(const double* violation, double mu, double* v) const;
  std::size_t N_of_problem() const { return of_.N(); }
  double objective() const { return f_; }                          ///< of the problem, where it was last evaluated
  const std::vector<double>& violation() const { return own_c_; }  ///< [m]

 private:
  BarrierModel& of_;
  std::vector<double> x0_, weight_, diagonal_, x_, own_c_;
  std::vector<std::int32_t> p_of_row_;  // [m] place of p in v, that of q follows after `count_`; −1: none
  std::size_t count_ = 0;
  double eta_ = 0, f_ = 0;
};

/// The restoration phase of a loop: it is made once, when it is needed first.
class Restoration {
 public:
  Restoration(BarrierModel& model, const Pattern& jacobian, StepSystem& system, Monitor& monitor, const Settings& settings,
              InteriorLoop& loop);

  /// Replaces the loop's point by one that violates its rows less and that its filter takes. Something: there is none.
  std::optional<Exit> run();

 private:
  std::optional<Exit> split_again();
  bool will_do(const InteriorPoint& point);

  RestorationModel model_;
  InteriorLoop& loop_;
  InteriorLoop inner_;
  StepSystem& system_;
  const Settings& settings_;
  QuasiNewton quasi_newton_;
  InteriorPoint candidate_;
  std::vector<double> start_;  // [N]
  bool split_already_ = false;
  double theta_before_ = 0;
};

}  // namespace bolza::nlp::interior
