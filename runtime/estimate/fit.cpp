#include "runtime/estimate/fit.h"

#include <chrono>

#include "runtime/nlp/solve.h"

namespace bolza::estimate {
namespace {

/// The estimator's value as a nonlinear program without rows. Its Gauss-Newton matrix is the Fisher information.
class FitFunctions final : public nlp::Functions {
 public:
  FitFunctions(Estimator& estimator, nlp::Hessian hessian, std::span<const double> sizes)
      : estimator_(estimator),
        hessian_(hessian),
        sizes_(sizes.begin(), sizes.end()) {}

  void move_to(std::span<const double> w) override {
    w_.assign(w.begin(), w.end());
    known_ = Known::nothing;
  }
  bool objective(double& f) override {
    if (!know(Known::value)) return false;
    f = at_.value;
    return true;
  }
  const double* gradient() override {
    return know(hessian_ == nlp::Hessian::gauss_newton ? Known::fisher : Known::gradient) ? at_.gradient.data() : nullptr;
  }
  const double* constraints() override { return &nothing_; }
  const double* jacobian() override { return &nothing_; }
  const double* hessian(double sigma, std::span<const double>) override {
    return differences() ? scaled(exact_, sigma) : nullptr;
  }
  const double* gauss_newton(double sigma) override { return know(Known::fisher) ? scaled(at_.fisher, sigma) : nullptr; }

  /// Of the last evaluation that failed.
  const abi::Finding& trouble() const { return trouble_; }

 private:
  enum class Known : std::uint8_t { nothing, value, gradient, fisher };

  bool know(Known what) {
    if (known_ >= what) return at_.good;
    Order order = what == Known::value ? Order::value : what == Known::gradient ? Order::gradient : Order::fisher;
    known_ = what;
    if (estimator_.evaluate(w_, order, at_)) return true;
    trouble_ = at_.trouble;
    return false;
  }
  const double* scaled(const Eigen::MatrixXd& matrix, double sigma) {
    entries_.clear();
    for (Eigen::Index r = 0; r < matrix.rows(); ++r)
      for (Eigen::Index c = 0; c <= r; ++c) entries_.push_back(sigma * matrix(r, c));
    return entries_.data();
  }
  /// Second derivatives as central differences of gradients.
  bool differences() {
    Eigen::Index n = static_cast<Eigen::Index>(w_.size());
    exact_.resize(n, n);
    Likelihood there;
    for (Eigen::Index k = 0; k < n; ++k) {
      std::vector<double> moved = w_;
      double step = 1e-4 * sizes_[static_cast<std::size_t>(k)];
      for (double side : {1.0, -1.0}) {
        moved[static_cast<std::size_t>(k)] = w_[static_cast<std::size_t>(k)] + side * step;
        if (!estimator_.evaluate(moved, Order::gradient, there)) return false;
        if (side > 0) exact_.col(k) = there.gradient;
        else exact_.col(k) = (exact_.col(k) - there.gradient) / (2 * step);
      }
    }
    exact_ = 0.5 * (exact_ + exact_.transpose()).eval();
    return true;
  }

  Estimator& estimator_;
  nlp::Hessian hessian_;
  std::vector<double> sizes_, w_, entries_;
  Likelihood at_;
  abi::Finding trouble_;
  Eigen::MatrixXd exact_;
  Known known_ = Known::nothing;
  double nothing_ = 0;
};

nlp::Nlp program(const Estimation& estimation, std::span<const double> start) {
  Box box = box_of(estimation);
  std::size_t n = start.size();
  nlp::Nlp nlp;
  nlp.start.assign(start.begin(), start.end()), nlp.lower = box.lower, nlp.upper = box.upper;
  for (std::size_t k = 0; k < n; ++k) {
    const Parameter& p = estimation.parameters[k];
    nlp.start[k] = std::clamp(nlp.start[k], box.lower[k], box.upper[k]);
    nlp.scale.push_back(p.scale == Scale::lin && start[k] != 0 ? std::abs(start[k]) : 1);
  }
  nlp.role.assign(n, nlp::VariableRole::parameter), nlp.interval.assign(n, nlp::global);
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t c = 0; c <= r; ++c)
      nlp.hessian.row.push_back(static_cast<std::int32_t>(r)), nlp.hessian.col.push_back(static_cast<std::int32_t>(c));
  nlp.gauss_newton = nlp.hessian;
  return nlp;
}

}  // namespace

Fit fit(Estimator& estimator, const FitOptions& options, std::span<const double> start) {
  auto began = std::chrono::steady_clock::now();
  std::size_t simulations = estimator.n_simulations();
  Fit result;
  result.start.assign(start.begin(), start.end()), result.theta = result.start;
  if (!estimator.evaluate(start, Order::value, result.at)) {
    result.status = nlp::Status::evaluation_error, result.message = result.at.trouble.text;
    return result;
  }
  nlp::Nlp nlp = program(estimator.estimation(), start);
  FitFunctions functions(estimator, options.engine.hessian, nlp.scale);
  nlp.functions = &functions;
  nlp::Report report = nlp::solve(nlp, options.engine);
  result.status = report.status, result.message = report.message, result.iterations = report.iterations;
  if (result.status == nlp::Status::evaluation_error && !functions.trouble().text.empty())
    result.message = functions.trouble().text;
  if (!report.iterate.w.empty()) {
    result.theta = report.iterate.w, result.z_lower = report.iterate.z_lower, result.z_upper = report.iterate.z_upper;
    if (!estimator.evaluate(result.theta, Order::fisher, result.at) && nlp::is_solution(result.status))
      result.status = nlp::Status::evaluation_error, result.message = result.at.trouble.text;
  }
  result.simulations = estimator.n_simulations() - simulations;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return result;
}

}  // namespace bolza::estimate
