// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/inversion/direct_fit.h"

#include <algorithm>
#include <cmath>

#include "runtime/nlp/solve.h"

namespace bolza::estimate {
namespace {

/// ½ Σ residual² over the active coefficients, dense.
class LeastSquares final : public nlp::Functions {
 public:
  LeastSquares(Predictions& predictions, const CandidateTerms& terms, std::vector<std::size_t> used,
               std::size_t& evaluations)
      : predictions_(predictions),
        terms_(terms),
        used_(std::move(used)),
        evaluations_(evaluations) {}

  void move_to(std::span<const double> w) override {
    w_.assign(w.begin(), w.end());
    has_value_ = has_derivative_ = false;
  }
  bool objective(double& f) override {
    if (!has_value_) {
      value_ = 0.5 * sum_of_squares(predictions_, terms_, coefficients());
      has_value_ = true;
      ++evaluations_;
    }
    f = value_;
    return std::isfinite(f);
  }
  const double* gradient() override { return derivative() ? gradient_.data() : nullptr; }
  const double* constraints() override { return &nothing_; }
  const double* jacobian() override { return &nothing_; }
  const double* hessian(double sigma, std::span<const double>) override { return gauss_newton(sigma); }
  const double* gauss_newton(double sigma) override {
    if (!derivative()) return nullptr;
    for (std::size_t k = 0; k < matrix_.size(); ++k) scaled_[k] = sigma * matrix_[k];
    return scaled_.data();
  }

 private:
  Eigen::VectorXd coefficients() const {
    Eigen::VectorXd a = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(terms_.terms.size()));
    for (std::size_t k = 0; k < used_.size(); ++k) a[static_cast<Eigen::Index>(used_[k])] = w_[k];
    return a;
  }

  /// Jᵀr and the lower triangle of JᵀJ by rows, set by set.
  bool derivative() {
    if (has_derivative_) return good_;
    std::size_t n = used_.size();
    Eigen::VectorXd a = coefficients(), r, g = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(n));
    Eigen::MatrixXd J, H = Eigen::MatrixXd::Zero(g.size(), g.size());
    has_derivative_ = good_ = true;
    ++evaluations_;
    for (std::size_t i = 0; i < predictions_.sets() && good_; ++i) {
      good_ = predictions_.evaluate(i, terms_.parameters(a, i), r, &J);
      if (!good_) break;
      Eigen::MatrixXd by_a(J.rows(), g.size());
      for (std::size_t k = 0; k < n; ++k) {
        const CandidateTerm& term = terms_.terms[used_[k]];
        by_a.col(static_cast<Eigen::Index>(k)) = J.col(static_cast<Eigen::Index>(term.parameter)) * term.factor[i];
      }
      g += by_a.transpose() * r;
      H += by_a.transpose() * by_a;
    }
    good_ = good_ && g.allFinite() && H.allFinite();
    gradient_.assign(g.begin(), g.end());
    matrix_.clear();
    for (Eigen::Index row = 0; row < H.rows(); ++row)
      for (Eigen::Index col = 0; col <= row; ++col) matrix_.push_back(H(row, col));
    scaled_.resize(matrix_.size());
    return good_;
  }

  Predictions& predictions_;
  const CandidateTerms& terms_;
  std::vector<std::size_t> used_;
  std::size_t& evaluations_;
  std::vector<double> w_, gradient_, matrix_, scaled_;
  double value_ = 0, nothing_ = 0;
  bool has_value_ = false, has_derivative_ = false, good_ = false;
};

nlp::Nlp nlp_of(const CandidateTerms& terms, const std::vector<std::size_t>& used, const Eigen::VectorXd& start,
                nlp::Functions& functions) {
  nlp::Nlp nlp;
  nlp.functions = &functions;
  std::vector<double> squares(used.size() * (used.size() + 1) / 2), from;
  for (std::size_t j : used) from.push_back(start[static_cast<Eigen::Index>(j)]);
  functions.move_to(from);
  if (const double* lower_triangle = functions.gauss_newton(1)) std::copy_n(lower_triangle, squares.size(), squares.begin());
  for (std::size_t k = 0; k < used.size(); ++k) {
    const CandidateTerm& term = terms.terms[used[k]];
    double value = start[static_cast<Eigen::Index>(used[k])];
    nlp.start.push_back(value);
    nlp.lower.push_back(term.lower);
    nlp.upper.push_back(term.upper);
    double curvature = squares[k * (k + 3) / 2];
    nlp.scale.push_back(curvature > 0 ? 1 / std::sqrt(curvature) : std::max(1.0, std::abs(value)));
    nlp.role.push_back(nlp::VariableRole::parameter);
    nlp.interval.push_back(nlp::global);
    for (std::size_t l = 0; l <= k; ++l) {
      nlp.gauss_newton.row.push_back(static_cast<std::int32_t>(k));
      nlp.gauss_newton.col.push_back(static_cast<std::int32_t>(l));
    }
  }
  nlp.hessian = nlp.gauss_newton;
  return nlp;
}

InversionStatus status_of(nlp::Status status) {
  if (nlp::is_solution(status)) return InversionStatus::converged;
  if (status == nlp::Status::iteration_limit || status == nlp::Status::time_limit) return InversionStatus::iteration_limit;
  if (status == nlp::Status::interrupted) return InversionStatus::interrupted;
  return status == nlp::Status::evaluation_error ? InversionStatus::not_evaluated : InversionStatus::stuck;
}

}  // namespace

InversionResult fit_directly(Predictions& predictions, const CandidateTerms& terms, const std::vector<bool>& active,
                             const Eigen::VectorXd& start, nlp::EngineOptions engine) {
  InversionResult result;
  result.active = active;
  result.a = terms.bounded(start, active);
  std::vector<std::size_t> used;
  for (std::size_t j = 0; j < active.size(); ++j)
    if (active[j]) used.push_back(j);
  LeastSquares functions(predictions, terms, used, result.evaluations);
  engine.hessian = nlp::Hessian::gauss_newton;
  constexpr double smaller = 0.5, resolved = 30;
  for (double variance = 1;;) {
    nlp::Nlp nlp = nlp_of(terms, used, result.a, functions);
    nlp.objective_scale = variance;  // in units of the likelihood, once residuals tell the noise
    nlp::Report report = nlp::solve(nlp, engine);
    bool is_first = result.iterations == 0;
    if (is_first || nlp::is_solution(report.status)) {
      result.status = status_of(report.status);
      for (std::size_t k = 0; k < used.size() && k < report.iterate.w.size(); ++k)
        result.a[static_cast<Eigen::Index>(used[k])] = report.iterate.w[k];
    }
    result.iterations += report.iterations;
    if (!judge(predictions, terms, result)) {
      result.status = InversionStatus::not_evaluated;
      return result;
    }
    double told = std::pow(std::max(result.deviation, resolved * predictions.resolution()), 2);
    if (!nlp::is_solution(report.status) || !(told < smaller * variance)) return result;
    variance = told;
  }
}

}  // namespace bolza::estimate
