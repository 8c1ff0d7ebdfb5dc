// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/integrate/model/reduced_model.h"
#include "runtime/nonlinear/series_at.h"

namespace bolza::integrate {

/// Taylor coefficients c_k = y^(k)/k! of the solution y = (x, Q) through a point, by recurrence: c_{k+1} = F_k/(k + 1) with
/// F_k the k-th coefficient of (f, q) along it; coefficients of algebraics follow order by order from 0 = h with the one
/// matrix h_z.                                                                                     [HNW, I.8]
///
/// Derivatives: ∂F_k/∂x_j is coefficient k − j of f_x along the solution, so tangents and adjoints of all coefficients are
/// recurrences with the coefficients of the Jacobian. Second ones add those of the Hessian weighted with the multipliers φ_k
/// of F_k: Σ_k [φ_k' ∇²F ẏ]_(k−j) is coefficient K − 1 − j of Σ_k φ_k s^(K−1−k)' ∇²F(y(s)) ẏ(s).
/// Cost: K² for each operation of the model, K² n_x² more for derivatives.
class SeriesModel {
 public:
  explicit SeriesModel(ReducedModel& model) : model_(model) {}

  /// What may follow `expand`: nothing, `adjoint` and `tangent`, or `second` as well.
  enum class Derivatives : std::uint8_t { none, first, second };
  /// c_1 … c_K at (t, y). @param u  [n_u × K] coefficients of the inputs. False: not finite, or no recurrence.
  bool expand(double t, const Eigen::VectorXd& y, const Eigen::MatrixXd& u, std::size_t K, Derivatives derivatives,
              std::vector<Eigen::VectorXd>& c);
  /// Of Σ_k weight_k · c_k at the point of the last `expand`: by (t, x, u, p), the inputs' slopes held, and by these slopes.
  bool adjoint(const std::vector<Eigen::VectorXd>& weight, Eigen::VectorXd& by, Eigen::VectorXd& by_slope);
  /// Along directions of (t, x, u, p) [columns × m] and of the inputs' slopes [n_u × m].
  bool tangent(const Eigen::MatrixXd& by, const Eigen::MatrixXd& slope, std::vector<Eigen::MatrixXd>& c);
  /// How `adjoint` with these weights moves along such directions: out by (t, x, u, p) [columns × m] and by slopes [n_u ×
  /// m].
  bool second(const std::vector<Eigen::VectorXd>& weight, const Eigen::MatrixXd& by, const Eigen::MatrixXd& slope,
              Eigen::MatrixXd& by_dot, Eigen::MatrixXd& slope_dot);

 private:
  bool differentiated_ = false;  ///< D_ is that of the last `expand`
  bool prepare(std::size_t K, Derivatives derivatives);
  bool differentiate();
  void set(std::size_t row, std::size_t k, double value);

  ReducedModel& model_;
  std::size_t K_ = 0;
  nonlinear::SeriesAt rates_, residuals_, rates_by_, residuals_by_, rates_bend_, residuals_bend_;
  std::optional<DerivativeMatrix> derivatives_;
  std::vector<DerivativeMatrix::Sparse> D_;  ///< [K] coefficients of Jacobians
  std::shared_ptr<const linalg::Factors<double>> by_z_;
  std::vector<Eigen::VectorXd> phi_, mu_;  ///< [K] of the last `adjoint`: multipliers of F_k and of the residuals
  std::vector<Eigen::MatrixXd> dot_;       ///< [K] of the last `tangent`: how (t, x, z, u, p)_k move
};

}  // namespace bolza::integrate
