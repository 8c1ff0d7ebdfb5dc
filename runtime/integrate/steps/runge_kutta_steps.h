// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "runtime/integrate/model/derivative_matrix.h"
#include "runtime/integrate/steps/stage_jacobian.h"
#include "runtime/nonlinear/model_at.h"

namespace bolza::integrate {

/// The coefficients of a Runge–Kutta method.
struct RungeKuttaForm {
  std::size_t stages = 0;
  std::vector<double> a, b, c;  ///< [stages × stages], [stages], [stages]
  bool is_explicit = true;
};

/// The collocation method with nodes c.
RungeKuttaForm collocation_form(std::span<const double> c);

/// One step of the discretised equations: X_i = x + h Σ a_ij K_j, K_i = f(t_i, X_i, Z_i, u, p), 0 = h(t_i, X_i, Z_i, u, p).
struct RungeKuttaStep {
  double t = 0, h = 0;
  std::vector<double> x;     ///< [n_x] at the start
  std::vector<double> K, Z;  ///< [stages × n_x], [stages × n_z]; guesses before `advance`
};

/// Runge–Kutta steps of given lengths, solved to rounding, and their exact derivatives: tangent and adjoint of the numbers
/// computed, with the lengths of the steps frozen. Algebraics are unknowns of the stages, so that implicit methods take
/// equations of any index that they can solve.
///
/// Derived from the Lagrangian of one step: with ψ = (ψ_K, ψ_h) from Sᵀ ψ = ∂J/∂(K, Z), S the Jacobian of the stage
/// equations by (K, Z),   λ = λ⁺ + Σ_i χ_i,   χ_i = f_xᵀ ψ_K,i − h_xᵀ ψ_h,i + h b_i q_xᵀ w   [GOMEZ, lemma 2, derived again;
/// IDOS, (26)–(31)].
class RungeKuttaSteps {
 public:
  using InputLaw = std::function<void(double t, std::span<double> u)>;
  RungeKuttaSteps(nonlinear::ModelAt& model, RungeKuttaForm form, InputLaw inputs);

  const RungeKuttaForm& form() const { return form_; }
  /// Factors that an integrator has for the stages of an implicit method; null: none.
  void begin_with(std::shared_ptr<const StageFactors> factors) {
    if (stage_jacobian_) stage_jacobian_->begin_with(std::move(factors));
  }
  /// Solves the stages by Newton's method from the step's guesses; x becomes the end, q is added to. False: not finite or
  /// no convergence.
  bool advance(RungeKuttaStep& step, std::span<double> x, std::span<double> q);

  /// What a step's result depends on besides its start, seen from one stage.
  struct StageGradient {
    double t = 0;            ///< of the stage
    std::vector<double> by;  ///< [1 + n_u + n_global] time, inputs, global shared values
  };
  /// Differentiates and factorises a step for the adjoints that follow.
  bool linearise(const RungeKuttaStep& step) { return by_products_ || differentiate(step); }
  /// λ at the end becomes λ at the start of J = … with dJ/dQ = weight. `by_length`: dJ/dh with the stages' times fixed.
  /// Requires  the step is the one that was linearised last.
  bool adjoint(const RungeKuttaStep& step, std::span<double> lambda, std::span<const double> weight,
               std::vector<StageGradient>& stages, double& by_length);

  /// Directions of the inputs of a step.
  struct Directions {
    Eigen::MatrixXd x;                    ///< [n_x × m] at the start; becomes that at the end
    Eigen::MatrixXd q;                    ///< [n_q × m] added to
    std::vector<Eigen::MatrixXd> direct;  ///< [stages] of [(1 + n_u + n_global) × m]
    Eigen::RowVectorXd length;            ///< [m]
  };
  bool tangent(const RungeKuttaStep& step, Directions& directions);

  /// How the adjoint of a step moves along directions.
  struct Moved {
    Eigen::MatrixXd lambda;           ///< [n_x × m] of λ at the end; becomes that at the start
    Eigen::MatrixXd weight;           ///< [n_q × m] of the weights
    std::vector<Eigen::MatrixXd> by;  ///< out: [stages] of [(1 + n_u + n_global) × m], of StageGradient::by
    Eigen::RowVectorXd by_length;     ///< out: [m]
  };
  /// As `adjoint`, and how its results move: second derivatives, forward over adjoint, exact. The step's adjoint
  /// differentiated with Sᵀ ψ' = (∂J/∂(K, Z))' − (Sᵀ)' ψ, one factorisation for all.
  /// @param directions  at the start of the step; become those at its end   Requires Hessian kernels of rates and residuals.
  bool second(const RungeKuttaStep& step, std::span<double> lambda, std::span<const double> weight,
              std::vector<StageGradient>& stages, double& by_length, Directions& directions, Moved& moved);

 private:
  using Matrix = Eigen::MatrixXd;
  using Sparse = DerivativeMatrix::Sparse;
  struct Stages;  // what an adjoint and a tangent leave at the stages
  Eigen::VectorXd multipliers(const RungeKuttaStep& step, const Eigen::VectorXd& lambda, const Eigen::VectorXd& weight);
  Eigen::VectorXd inner(const RungeKuttaStep& step, std::size_t i) const;
  bool pull_back(const RungeKuttaStep& step, std::span<double> lambda, std::span<const double> weight,
                 std::vector<StageGradient>& stages, double& by_length, Stages& at);
  bool pull_back_by_products(const RungeKuttaStep& step, std::span<double> lambda, std::span<const double> weight,
                             std::vector<StageGradient>& stages, double& by_length);
  bool push_forward(const RungeKuttaStep& step, Directions& directions, Stages& at);
  bool curvature(const RungeKuttaStep& step, std::size_t i, const Eigen::VectorXd& multiplier, const Matrix& moves,
                 Matrix& out);
  bool differentiate(const RungeKuttaStep& step);
  bool evaluate(const RungeKuttaStep& step, std::size_t i);
  bool solve_stage(RungeKuttaStep& step, std::size_t i);
  bool solve_all(RungeKuttaStep& step);
  double weight(std::size_t state, double h) const;
  void stage_state(const RungeKuttaStep& step, std::size_t i);
  bool set_stage_jacobian(double h);
  Matrix solve_stages(const Matrix& rhs, bool transposed);
  Matrix solve(const Matrix& rhs, double h);
  Matrix solve_transposed(const Matrix& rhs, double h);
  bool fill(std::size_t i);
  bool factorise_algebraic(std::size_t i);
  // Rows of (f, q, h) and of (t, x, z, u, p) that are zero but for some.
  Matrix of_rows(const Matrix& f, const Matrix& q, const Matrix& h) const;
  Matrix of_columns(const Matrix& x, const Matrix& z) const;

  nonlinear::ModelAt& model_;
  RungeKuttaForm form_;
  InputLaw inputs_;
  std::size_t n_x_, n_z_, n_q_, n_u_, n_p_, s_;
  std::vector<double> x_, z_, u_, rows_, residual_;  // at one stage
  double t_ = 0;
  DerivativeMatrix derivatives_;
  std::vector<Sparse> D_;               // [stages] of [(n_x + n_q + n_z) × (1 + n_x + n_z + n_u + n_p)]
  std::vector<Eigen::VectorXd> slope_;  // [stages] f, q
  std::vector<linalg::Factors<double>> algebraic_;
  bool by_products_ = false;                     // adjoints of explicit methods without algebraics need no Jacobian
  std::optional<StageJacobian> stage_jacobian_;  // of implicit methods
  nonlinear::Derivative second_;
};

}  // namespace bolza::integrate
