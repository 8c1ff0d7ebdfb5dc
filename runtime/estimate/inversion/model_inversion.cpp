// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/inversion/model_inversion.h"

#include <algorithm>
#include <cmath>

#include "runtime/estimate/inversion/regression.h"

namespace bolza::estimate {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest_lambda = 1e20;
constexpr double negligible_step = 1e-9;      ///< of Gauss–Newton, relative to the coefficients
constexpr double negligible_gradient = 1e-5;  ///< cosine between residuals and what terms can change

/// B and b of all sets, over the active terms [MI, (3), (4)], with signs as they must be: B a − b ≈ f(A c) − f*.
struct Linearised {
  Eigen::MatrixXd B;
  Eigen::VectorXd b, residual;
};

std::vector<std::size_t> active_terms(const std::vector<bool>& active) {
  std::vector<std::size_t> at;
  for (std::size_t j = 0; j < active.size(); ++j)
    if (active[j]) at.push_back(j);
  return at;
}

std::size_t count_residuals(const Predictions& predictions) {
  std::size_t n = 0;
  for (std::size_t i = 0; i < predictions.sets(); ++i) n += predictions.measurements(i);
  return n;
}

bool linearise(Predictions& predictions, const CandidateTerms& terms, const std::vector<std::size_t>& used,
               const std::vector<Eigen::VectorXd>& p0, Linearised& out) {
  auto rows = static_cast<Eigen::Index>(count_residuals(predictions)), n = static_cast<Eigen::Index>(used.size());
  out.B = Eigen::MatrixXd::Zero(rows, n);
  out.b.resize(rows);
  out.residual.resize(rows);
  Eigen::VectorXd residual;
  Eigen::MatrixXd J;
  Eigen::Index first = 0;
  for (std::size_t i = 0; i < predictions.sets(); ++i) {
    if (!predictions.evaluate(i, p0[i], residual, &J) || !residual.allFinite() || !J.allFinite()) return false;
    Eigen::Index m = residual.size();
    for (Eigen::Index k = 0; k < n; ++k) {
      const CandidateTerm& term = terms.terms[used[static_cast<std::size_t>(k)]];
      out.B.block(first, k, m, 1) = J.col(static_cast<Eigen::Index>(term.parameter)) * term.factor[i];
    }
    out.b.segment(first, m) = J * (p0[i] - terms.offset[i]) - residual;
    out.residual.segment(first, m) = residual;
    first += m;
  }
  return true;
}

std::vector<Eigen::VectorXd> parameters_of(const CandidateTerms& terms, const Eigen::VectorXd& a) {
  std::vector<Eigen::VectorXd> p;
  for (std::size_t i = 0; i < terms.offset.size(); ++i) p.push_back(terms.parameters(a, i));
  return p;
}

Eigen::VectorXd packed(const Eigen::VectorXd& a, const std::vector<std::size_t>& used) {
  Eigen::VectorXd out(used.size());
  for (std::size_t k = 0; k < used.size(); ++k) out[static_cast<Eigen::Index>(k)] = a[static_cast<Eigen::Index>(used[k])];
  return out;
}

Eigen::VectorXd spread(const Eigen::VectorXd& packed, const std::vector<std::size_t>& used, std::size_t n) {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(n));
  for (std::size_t k = 0; k < used.size(); ++k)
    out[static_cast<Eigen::Index>(used[k])] = packed[static_cast<Eigen::Index>(k)];
  return out;
}

/// One run of the iteration.
class Iteration {
 public:
  Iteration(Predictions& predictions, const CandidateTerms& terms, const InversionOptions& options, InversionResult& result)
      : predictions_(predictions),
        terms_(terms),
        options_(options),
        result_(result),
        used_(active_terms(result.active)),
        lambda_(options.lambda) {}

  void run(const std::vector<Eigen::VectorXd>& p0);

 private:
  struct Trial {
    Eigen::VectorXd a;
    double sum = infinity, lambda = 0;
  };
  enum class Step : std::uint8_t { smaller, none, not_evaluated };

  Step step(const std::vector<Eigen::VectorXd>& p0);
  Trial best_lambda(const Regression& regression) const;
  bool stationary(const Linearised& at) const;
  /// How much a sum of squares changes by errors of the predictions, at most: 2 |Σ r δ| ≤ 2 ‖r‖ ‖δ‖.
  double blur(double sum) const {
    return 2 * predictions_.resolution() * std::sqrt(sum * static_cast<double>(count_residuals(predictions_)));
  }
  bool interrupted() const { return options_.budget.ended(); }

  Predictions& predictions_;
  const CandidateTerms& terms_;
  const InversionOptions& options_;
  InversionResult& result_;
  std::vector<std::size_t> used_;
  double lambda_;
  bool stationary_ = false;
};

/// λ from the present one upwards until the sum of squares has fallen below that of a0 and rises again.
Iteration::Trial Iteration::best_lambda(const Regression& regression) const {
  Trial best;
  best.sum = result_.sum_of_squares;
  Eigen::VectorXd a0 = packed(result_.a, used_);
  for (double lambda = lambda_; lambda < largest_lambda && !interrupted(); lambda *= 10) {
    Trial trial{terms_.bounded(spread(regression.solve(lambda, a0), used_, terms_.terms.size()), result_.active), 0, lambda};
    trial.sum = sum_of_squares(predictions_, terms_, trial.a);
    ++result_.evaluations;
    bool fell = best.a.size() > 0;
    if (trial.sum < best.sum) best = std::move(trial);
    else if (fell || (trial.a - result_.a).norm() <= 1e-15 * result_.a.norm()) break;
  }
  return best;
}

/// Can no active term change the residuals for the better, in first order?
bool Iteration::stationary(const Linearised& at) const {
  Eigen::VectorXd gradient = at.B.transpose() * at.residual;
  double size = at.residual.norm();
  for (Eigen::Index k = 0; k < gradient.size(); ++k) {
    const CandidateTerm& term = terms_.terms[used_[static_cast<std::size_t>(k)]];
    double a = result_.a[static_cast<Eigen::Index>(used_[static_cast<std::size_t>(k)])];
    if ((a <= term.lower && gradient[k] > 0) || (a >= term.upper && gradient[k] < 0)) continue;
    if (std::abs(gradient[k]) > negligible_gradient * size * at.B.col(k).norm()) return false;
  }
  return true;
}

Iteration::Step Iteration::step(const std::vector<Eigen::VectorXd>& p0) {
  Linearised at;
  ++result_.evaluations;
  if (!linearise(predictions_, terms_, used_, p0, at)) return Step::not_evaluated;
  Regression regression(at.B, at.b);
  Trial best = best_lambda(regression);
  if (best.a.size() == 0) {
    Eigen::VectorXd a0 = packed(result_.a, used_);
    bool exact = (regression.solve(0, a0) - a0).norm() <= negligible_step * a0.norm();
    stationary_ = exact || stationary(at) || regression.reduction(a0) <= blur(result_.sum_of_squares);
    return Step::none;
  }
  result_.a = std::move(best.a);
  result_.sum_of_squares = best.sum;
  lambda_ = std::max(best.lambda / 100, 1e-15);
  return Step::smaller;
}

void Iteration::run(const std::vector<Eigen::VectorXd>& p0) {
  result_.sum_of_squares = sum_of_squares(predictions_, terms_, result_.a);
  ++result_.evaluations;
  bool at_p0 = !p0.empty();
  result_.history = {result_.sum_of_squares};
  result_.status = InversionStatus::iteration_limit;
  while (result_.iterations < options_.max_iterations) {
    double before = result_.sum_of_squares;
    Step made = step(at_p0 ? p0 : parameters_of(terms_, result_.a));
    if (interrupted()) result_.status = InversionStatus::interrupted;
    else if (at_p0 && made != Step::smaller && std::isfinite(before)) {
      at_p0 = false;
      lambda_ = options_.lambda;
      continue;
    } else if (made == Step::not_evaluated) result_.status = InversionStatus::not_evaluated;
    else if (made == Step::none) result_.status = stationary_ ? InversionStatus::converged : InversionStatus::stuck;
    if (result_.status != InversionStatus::iteration_limit) return;
    at_p0 = false;
    ++result_.iterations;
    result_.history.push_back(result_.sum_of_squares);
    if (options_.progress) options_.progress(result_.iterations, result_.sum_of_squares);
    if (std::isfinite(before) && before - result_.sum_of_squares <= std::max(options_.tolerance * before, blur(before))) {
      result_.status = InversionStatus::converged;
      return;
    }
  }
}

}  // namespace

double sum_of_squares(Predictions& predictions, const CandidateTerms& terms, const Eigen::VectorXd& a) {
  Eigen::VectorXd residual;
  double sum = 0;
  for (std::size_t i = 0; i < predictions.sets(); ++i) {
    if (!predictions.evaluate(i, terms.parameters(a, i), residual, nullptr)) return infinity;
    sum += residual.squaredNorm();
  }
  return std::isfinite(sum) ? sum : infinity;
}

InversionResult invert(Predictions& predictions, const CandidateTerms& terms, const std::vector<bool>& active,
                       const Eigen::VectorXd& start, const std::vector<Eigen::VectorXd>& p0,
                       const InversionOptions& options) {
  InversionResult result;
  result.active = active;
  result.a = terms.bounded(start, active);
  result.standard_error = Eigen::VectorXd::Zero(result.a.size());
  for (std::size_t j : active_terms(active))
    result.standard_error[static_cast<Eigen::Index>(j)] = infinity;  // not judged yet
  result.deviation = infinity;
  result.covariance = Eigen::MatrixXd::Zero(result.a.size(), result.a.size());
  result.null_directions = Eigen::MatrixXd::Zero(result.a.size(), 0);
  Iteration(predictions, terms, options, result).run(p0);
  bool judged = std::isfinite(result.sum_of_squares) && judge(predictions, terms, result);
  if (!judged && std::isfinite(result.sum_of_squares) && result.status != InversionStatus::interrupted)
    result.status = InversionStatus::not_evaluated;
  return result;
}

bool judge(Predictions& predictions, const CandidateTerms& terms, InversionResult& result) {
  constexpr double undetermined = 1e-6;
  std::vector<std::size_t> used = active_terms(result.active);
  Linearised at;
  ++result.evaluations;
  if (!linearise(predictions, terms, used, parameters_of(terms, result.a), at)) return false;
  Regression regression(at.B, at.b);
  auto n = static_cast<Eigen::Index>(terms.terms.size());
  std::size_t rows = result.n_residuals = count_residuals(predictions);
  result.sum_of_squares = at.residual.squaredNorm();
  double freedom = rows > regression.rank() ? static_cast<double>(rows - regression.rank()) : 0;
  result.deviation = freedom > 0 ? std::max(std::sqrt(result.sum_of_squares / freedom), predictions.resolution()) : infinity;
  Eigen::MatrixXd unit = regression.unit_covariance(), hidden = regression.null_directions();
  Eigen::VectorXd share = regression.hidden();
  result.covariance = Eigen::MatrixXd::Zero(n, n);
  result.standard_error = Eigen::VectorXd::Zero(n);
  result.null_directions = Eigen::MatrixXd::Zero(n, hidden.cols());
  double variance = freedom > 0 ? result.deviation * result.deviation : 0;
  for (std::size_t k = 0; k < used.size(); ++k) {
    auto j = static_cast<Eigen::Index>(used[k]), at_k = static_cast<Eigen::Index>(k);
    for (std::size_t l = 0; l < used.size(); ++l)
      result.covariance(j, static_cast<Eigen::Index>(used[l])) = variance * unit(at_k, static_cast<Eigen::Index>(l));
    bool known = share[at_k] <= undetermined && freedom > 0;
    result.standard_error[j] = known ? std::sqrt(result.covariance(j, j)) : infinity;
    if (hidden.cols() > 0) result.null_directions.row(j) = hidden.row(at_k);
  }
  return true;
}

}  // namespace bolza::estimate
