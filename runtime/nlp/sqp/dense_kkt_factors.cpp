// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Cholesky>
#include <Eigen/Core>

#include "runtime/nlp/sqp/kkt_factors.h"

namespace bolza::nlp {
namespace {

class DenseKktFactors final : public KktFactors {
 public:
  DenseKktFactors(std::size_t n, std::size_t m, const Pattern& hessian, const Pattern& jacobian)
      : hessian_(hessian),
        jacobian_(jacobian),
        n_(static_cast<Eigen::Index>(n)),
        m_(static_cast<Eigen::Index>(m)) {}

  bool factor(std::span<const double> hessian, std::span<const double> jacobian, std::span<const double> sigma,
              std::span<const double> delta) override {
    Eigen::MatrixXd H = Eigen::MatrixXd::Zero(n_, n_);
    for (std::size_t k = 0; k < hessian_.size(); ++k) H(hessian_.row[k], hessian_.col[k]) += hessian[k];
    for (Eigen::Index v = 0; v < n_; ++v) H(v, v) += sigma[static_cast<std::size_t>(v)];
    jacobian_matrix_.setZero(m_, n_);
    for (std::size_t k = 0; k < jacobian_.size(); ++k) jacobian_matrix_(jacobian_.row[k], jacobian_.col[k]) += jacobian[k];
    curvature_.compute(H);
    inertia_ = {static_cast<std::size_t>(m_), false};
    if (curvature_.info() != Eigen::Success) {
      ++inertia_.negative;  // one at least
      return H.allFinite();
    }
    if (m_ == 0) return true;
    half_ = curvature_.matrixL().solve(jacobian_matrix_.transpose());
    Eigen::MatrixXd S = half_.transpose() * half_;
    for (Eigen::Index r = 0; r < m_; ++r) S(r, r) += delta[static_cast<std::size_t>(r)];
    schur_.compute(S);
    inertia_.singular = schur_.info() != Eigen::Success;
    return !inertia_.singular;
  }

  Inertia inertia() const override { return inertia_; }

  void solve(std::span<double> rhs) override {
    Eigen::Map<Eigen::VectorXd> a(rhs.data(), n_), b(rhs.data() + n_, m_);
    Eigen::VectorXd free = curvature_.solve(a);
    if (m_ > 0) {
      b = schur_.solve(jacobian_matrix_ * free - b);
      free -= curvature_.solve(jacobian_matrix_.transpose() * b);
    }
    a = free;
  }

 private:
  const Pattern &hessian_, &jacobian_;
  Eigen::Index n_, m_;
  Eigen::MatrixXd jacobian_matrix_, half_;
  Eigen::LLT<Eigen::MatrixXd> curvature_, schur_;
  Inertia inertia_;
};

}  // namespace

std::unique_ptr<KktFactors> dense_kkt_factors(std::size_t n, std::size_t m, const Pattern& hessian,
                                              const Pattern& jacobian) {
  return std::make_unique<DenseKktFactors>(n, m, hessian, jacobian);
}

}  // namespace bolza::nlp
