// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "runtime/nlp/interior/low_rank.h"
#include "runtime/nlp/interior/model.h"
#include "runtime/nlp/sqp/kkt_factors.h"

namespace bolza::nlp::interior {

/// The linear system of a step, [H + Σ + δw, J', A'; J, −δc, .; A, ., .] with the columns of a model eliminated: a column t
/// of sign s has s²/(Σt + δw) on its row's diagonal. Factors with the inertia that makes a step one of descent: δw and δc
/// are raised until they have it [IPOPT, section 3.1].
class StepSystem {
 public:
  /// @param factors  of n + m variables and rows; outlives it
  StepSystem(const Pattern& hessian, const Pattern& jacobian, KktFactors& factors);

  /// What a model's matrix is made of. [n], [N]; `low_rank` may be empty.
  struct Matrix {
    const double* hessian = nullptr;
    const double* jacobian = nullptr;
    const double* sigma = nullptr;              ///< [N] Σ, and what else is on the diagonal
    const QuasiNewton* quasi_newton = nullptr;  ///< the Hessian, if it is one
  };
  /// False: no δ helps, or a value is not finite.
  bool factor(const BarrierModel& model, const Matrix& matrix, double mu);
  /// One factorisation with these δ, whatever its inertia. False: it is singular.
  bool factor_as_is(const BarrierModel& model, const Matrix& matrix, double delta_w, double delta_c);

  /// Solves for the step of x, t and λ: K (dx, dt, dλ) = −(slope, violation).     False: it is not finite, or solves
  /// nothing.
  /// @param slope  [N] of the barrier's Lagrangian     @param violation  [m]     @param step  [N]
  bool solve(const BarrierModel& model, const double* slope, const double* violation, double* step, double* step_lambda);

  double delta() const { return delta_w_; }  ///< δw of the last factors
  double delta_c() const { return delta_c_; }
  void forget() { last_delta_w_ = 0; }  ///< the δ of earlier systems: others follow
  /// The last step was none of descent, or did not solve its system: the next factors take more care, or larger δ.
  void take_more_care() { factors_.take_more_care(); }
  bool raise(const BarrierModel& model, const Matrix& matrix, double mu);  ///< factors again with a larger δw

 private:
  enum class Try : std::uint8_t { good, downwards, singular };
  Try attempt(const BarrierModel& model, const Matrix& matrix);
  void raise_delta_w();

  std::size_t hessian_size_, jacobian_size_;
  KktFactors& factors_;
  LowRank low_rank_;
  std::vector<double> Dx_, Dc_, by_row_, rhs_, zeros_;
  std::vector<double> inverse_;  // [columns] 1/(Σt + δw)
  double delta_w_ = 0, delta_c_ = 0, last_delta_w_ = 0;
  int degenerate_ = 0;  // systems in a row that needed δc
};

}  // namespace bolza::nlp::interior
