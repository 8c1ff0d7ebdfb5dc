#pragma once
#include <Eigen/Dense>
#include <vector>

#include "runtime/integrate/reduced_model.h"
#include "runtime/nonlinear/series_at.h"

namespace bolza::integrate {

/// Taylor coefficients c_k = y^(k)/k! of the solution y = (x, Q) through a point, by recurrence: c_{k+1} = F_k/(k + 1) with
/// F_k the k-th coefficient of (f, q) along it; coefficients of algebraics follow order by order from 0 = h with the one
/// matrix h_z.                                                                                     [HNW, I.8]
///
/// Derivatives: ∂F_k/∂x_j is coefficient k − j of f_x along the solution, so tangents and adjoints of all coefficients are
/// recurrences with the coefficients of the Jacobian.
/// Cost: K² for each operation of the model, K² n_x² more for derivatives.
class SeriesModel {
 public:
  explicit SeriesModel(ReducedModel& model) : model_(model) {}

  /// c_1 … c_K at (t, y). @param u  [n_u × K] coefficients of the inputs. @param differentiable  `adjoint` or `tangent` may
  /// follow. False: not finite, or no recurrence.
  bool expand(double t, const Eigen::VectorXd& y, const Eigen::MatrixXd& u, std::size_t K, bool differentiable,
              std::vector<Eigen::VectorXd>& c);
  /// Of Σ_k weight_k · c_k at the point of the last `expand`: by (t, x, u, p), the inputs' slopes held, and by these slopes.
  bool adjoint(const std::vector<Eigen::VectorXd>& weight, Eigen::VectorXd& by, Eigen::VectorXd& by_slope);
  /// Along directions of (t, x, u, p) [columns × m] and of the inputs' slopes [n_u × m].
  bool tangent(const Eigen::MatrixXd& by, const Eigen::MatrixXd& slope, std::vector<Eigen::MatrixXd>& c);

 private:
  bool prepare(std::size_t K, bool differentiable);
  bool differentiate();
  void set(std::size_t row, std::size_t k, double value);

  ReducedModel& model_;
  std::size_t K_ = 0;
  nonlinear::SeriesAt rates_, residuals_, rates_by_, residuals_by_;
  std::vector<Eigen::MatrixXd> D_;  ///< [K] of [(n_x + n_q + n_z) × (1 + n_x + n_z + n_u + n_p)] coefficients of Jacobians
  Eigen::PartialPivLU<Eigen::MatrixXd> by_z_;
};

}  // namespace bolza::integrate
