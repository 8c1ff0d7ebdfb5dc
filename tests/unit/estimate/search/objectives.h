// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>

#include "runtime/estimate/objective.h"

namespace bolza::estimate::testing {

/// ½ Σ r² of residuals with their Jacobian, where it has a value.
class SumOfSquares final : public FitObjective {
 public:
  using Residuals = std::function<bool(std::span<const double>, Eigen::VectorXd&, Eigen::MatrixXd&)>;
  SumOfSquares(Box box, Residuals residuals) : box_(std::move(box)), residuals_(std::move(residuals)) {}

  const Box& box() const override { return box_; }
  std::size_t n_evaluations() const override { return count_; }
  bool evaluate(std::span<const double> theta, Order order, Likelihood& out) override {
    ++count_;
    Eigen::VectorXd r;
    Eigen::MatrixXd J;
    out.good = residuals_(theta, r, J);
    if (!out.good) out.trouble.text = "no value there";
    if (!out.good) return false;
    out.value = 0.5 * r.squaredNorm() + offset;
    if (order != Order::value) out.gradient = J.transpose() * r;
    if (order == Order::fisher) out.fisher = J.transpose() * J;
    return true;
  }
  double offset = 0;

 private:
  Box box_;
  Residuals residuals_;
  std::size_t count_ = 0;
};

/// y = a + b x at x = 0, 1, … 4 with standard deviation 0.5; â, b̂ and their covariance are closed forms.
struct Regression {
  static constexpr double sigma = 0.5;
  std::vector<double> y{1.1, 2.7, 5.3, 7.2, 8.6};
  SumOfSquares objective(Box box) const {
    return {std::move(box), [y = y](std::span<const double> theta, Eigen::VectorXd& r, Eigen::MatrixXd& J) {
              r.resize(5), J.resize(5, 2);
              for (int i = 0; i < 5; ++i) {
                r[i] = (theta[0] + theta[1] * i - y[static_cast<std::size_t>(i)]) / sigma;
                J(i, 0) = 1 / sigma, J(i, 1) = i / sigma;
              }
              return true;
            }};
  }
  // Σx = 10, Σx² = 30: the inverse of [5 10; 10 30]/σ²
  Eigen::Matrix2d covariance() const { return sigma * sigma / 50 * (Eigen::Matrix2d() << 30, -10, -10, 5).finished(); }
  Eigen::Vector2d best() const {
    Eigen::Vector2d right(0, 0);
    for (int i = 0; i < 5; ++i) right += Eigen::Vector2d(1, i) * y[static_cast<std::size_t>(i)] / (sigma * sigma);
    return covariance() * right;
  }
};

/// Two valleys over [-2, 2]: at −1 with value 0 left of `border`, at 1 with value 1/2 right of it.
inline SumOfSquares two_valleys(double border) {
  return {{{0}, {-2}, {2}}, [border](std::span<const double> theta, Eigen::VectorXd& r, Eigen::MatrixXd& J) {
            bool left = theta[0] < border;
            r = Eigen::Vector2d(theta[0] + (left ? 1 : -1), left ? 0 : 1);
            J = Eigen::Vector2d(1, 0);
            return true;
          }};
}

inline nlp::EngineOptions trust_region() {
  return {.engine = "trust-region", .tol = 1e-9, .hessian = nlp::Hessian::gauss_newton};
}

}  // namespace bolza::estimate::testing
