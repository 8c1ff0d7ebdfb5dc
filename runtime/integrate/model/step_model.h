// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <functional>
#include <span>

#include "runtime/integrate/model/reduced_model.h"
#include "runtime/integrate/model/series_model.h"

namespace bolza::integrate {

/// What the operations of a step see of a model: F(t, y) = (f, q) for y = (x, Q), algebraics solved for, inputs as functions
/// of time. F does not depend on Q. Columns of derivatives: 0 time, then x, u, p, as in ReducedModel.
class StepModel {
 public:
  /// Gives u and, when that is not empty, du/dt at t. `x`, `z`: where delay times may depend on them.
  using InputLaw =
      std::function<void(double t, const double* x, const double* z, std::span<double> u, std::span<double> slope)>;
  StepModel(ReducedModel& model, InputLaw inputs);

  std::size_t n_x, n_q, n_u, n_p, n;  ///< n = n_x + n_q
  std::size_t columns() const { return 1 + n_x + n_u + n_p; }
  ReducedModel& reduced() { return model_; }

  /// F at (t, y). False: algebraics cannot be solved for or a value is not finite.
  bool rates(double t, const Eigen::VectorXd& y, Eigen::VectorXd& F);
  /// dF/d(t, x, u, p) [n × columns] and du/dt [n_u].
  bool jacobian(double t, const Eigen::VectorXd& y, RateJacobian& J, Eigen::VectorXd& slope);
  /// J'weight at (t, y) [columns], without J.
  bool pull_back(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& weight, Eigen::VectorXd& out);
  /// For what is asked of a point without saying which.
  bool move_to(double t, const Eigen::VectorXd& y);
  /// How J direction moves with the point, direction held: see RateJacobian. J is that of the point where the model stands.
  bool jacobian_along(const RateJacobian& J, const Eigen::VectorXd& direction, RateJacobian::Sparse& S_dot) {
    return model_.jacobian_along(J, direction, S_dot);
  }
  /// Σ_r weight_r ∇²F_r direction where the model stands. [columns]
  bool second(const Eigen::VectorXd& weight, const Eigen::VectorXd& direction, Eigen::VectorXd& out);

  /// J' weight_dot + Σ_r weight_r ∇²F_r moves there: how J' weight moves. [columns × m], weight_dot [n × m] or empty.
  bool second(const Eigen::VectorXd& weight, const Eigen::MatrixXd& weight_dot, const Eigen::MatrixXd& moves,
              Eigen::MatrixXd& out);
  /// How Σ_r weight_r ∇²F_r direction at (t, y) moves along `moves` with weight and direction held: third derivatives, see
  /// ReducedModel::third, or, for Programs, differences of fourth order of exact second ones (relative error 1e-10).
  /// [columns × m]. Requires  direction has no part by parameters.
  bool third(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& weight, const Eigen::VectorXd& direction,
             const Eigen::MatrixXd& moves, Eigen::MatrixXd& out);
  /// How SeriesModel::adjoint moves with the point and the inputs' slopes [n_u × m], see SeriesModel::second.
  bool series_second(double t, const Eigen::VectorXd& y, const std::vector<Eigen::VectorXd>& weight,
                     const Eigen::MatrixXd& moves, const Eigen::MatrixXd& slope_moves, Eigen::MatrixXd& by,
                     Eigen::MatrixXd& by_slope);

  /// Taylor coefficients 1 … K of the solution through (t, y) and their derivatives, see SeriesModel.
  bool series(double t, const Eigen::VectorXd& y, std::size_t K, SeriesModel::Derivatives derivatives,
              std::vector<Eigen::VectorXd>& c);
  SeriesModel& series() { return series_; }
  /// Coefficients of the inputs; without it they are linear: u + (t − t₀) u'.
  using InputSeries = std::function<void(double t, Eigen::MatrixXd& u)>;
  void set_input_series(InputSeries law) { input_series_ = std::move(law); }

  std::size_t evaluations = 0, jacobians = 0;  ///< counted

 private:
  bool differenced_third(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& weight, const Eigen::VectorXd& direction,
                         const Eigen::VectorXd& move, Eigen::VectorXd& out);

  ReducedModel& model_;
  SeriesModel series_;
  InputLaw inputs_;
  InputSeries input_series_;
  std::vector<double> u_, slope_;
};

}  // namespace bolza::integrate
