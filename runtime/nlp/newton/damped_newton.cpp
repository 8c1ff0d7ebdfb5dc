// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/newton/damped_newton.h"

#include <Eigen/QR>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/clock.h"
#include "runtime/linalg/sparse_factors.h"

namespace bolza::nlp {
namespace {

constexpr double least_damping = 1e-8;
constexpr double rounding = 1e-8;   ///< a correction as short may be noise of the integration: it need not fall any more
constexpr double rows_hold = 1e-6;  ///< what may be left of the equations at a solution
constexpr std::size_t most_dense = 3000;  ///< unknowns of a system with more equations: its factors are dense

/// The matrix of the equations and its factors: LU where it is square and regular, else QR with column pivoting.
class EquationFactors {
 public:
  bool compute(const Eigen::SparseMatrix<double>& matrix) {
    dense_ = false;
    if (matrix.rows() == matrix.cols() && lu_.compute(matrix)) return true;
    if (static_cast<std::size_t>(matrix.cols()) > most_dense) return false;
    qr_.compute(Eigen::MatrixXd(matrix));
    dense_ = true;
    return qr_.rank() == matrix.cols();
  }
  Eigen::VectorXd solve(const Eigen::VectorXd& right) const {
    if (dense_) return qr_.solve(right);
    Eigen::MatrixXd x = right;
    lu_.solve(x, /*transposed=*/false);
    return x.col(0);
  }
  /// Unknowns that the equations say nothing about.
  Eigen::Index missing(Eigen::Index unknowns) const { return dense_ ? unknowns - qr_.rank() : 0; }

 private:
  linalg::SparseFactors<double> lu_;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr_;
  bool dense_ = false;
};

class DampedNewton {
 public:
  DampedNewton(const Nlp& nlp, const EngineOptions& options, const Iterate& start)
      : nlp_(nlp),
        options_(options),
        w_(Eigen::Map<const Eigen::VectorXd>(start.w.data(), static_cast<Eigen::Index>(start.w.size()))) {
    for (std::size_t r = 0; r < nlp.m(); ++r)
      if (nlp.row_lower[r] == nlp.row_upper[r]) rows_.push_back(r);
    place_.assign(nlp.m(), -1);
    for (std::size_t k = 0; k < rows_.size(); ++k) place_[rows_[k]] = static_cast<std::int32_t>(k);
  }

  Report run() {
    auto began = Clock::now();
    iterate();
    report_.seconds = seconds_since(began);
    report_.iterate.w.assign(w_.begin(), w_.end());
    report_.iterate.lambda.assign(nlp_.m(), 0);
    report_.iterate.z_lower.assign(nlp_.n(), 0);
    report_.iterate.z_upper.assign(nlp_.n(), 0);
    return std::move(report_);
  }

 private:
  Eigen::Index n() const { return w_.size(); }

  void end(Status status, std::string message = {}) {
    report_.status = status;
    report_.message = std::move(message);
  }

  /// F at a point; false: not finite.
  bool equations(const Eigen::VectorXd& at, Eigen::VectorXd& F) {
    nlp_.functions->move_to({at.data(), static_cast<std::size_t>(at.size())});
    const double* g = nlp_.functions->constraints();
    if (!g) return false;
    F.resize(static_cast<Eigen::Index>(rows_.size()));
    for (std::size_t k = 0; k < rows_.size(); ++k) F[static_cast<Eigen::Index>(k)] = g[rows_[k]] - nlp_.row_lower[rows_[k]];
    return F.allFinite();
  }

  /// The factors at the point of the last `equations`.
  bool factorise() {
    const double* values = nlp_.functions->jacobian();
    if (!values) return false;
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t e = 0; e < nlp_.jacobian.size(); ++e)
      if (std::int32_t row = place_[static_cast<std::size_t>(nlp_.jacobian.row[e])]; row >= 0)
        entries.emplace_back(row, nlp_.jacobian.col[e], values[e]);
    Eigen::SparseMatrix<double> matrix(static_cast<Eigen::Index>(rows_.size()), n());
    matrix.setFromTriplets(entries.begin(), entries.end());
    return factors_.compute(matrix);
  }

  /// The root of the mean square, of the variables' sizes or values where these are larger.
  double length(const Eigen::VectorXd& step) const {
    double sum = 0;
    for (Eigen::Index i = 0; i < step.size(); ++i) {
      double size = std::max(nlp_.scale[static_cast<std::size_t>(i)], std::fabs(w_[i]));
      sum += step[i] * step[i] / (size * size);
    }
    return std::sqrt(sum / std::max<double>(1, static_cast<double>(step.size())));
  }

  /// The largest share of the step that keeps a tenth of the way to every bound.
  double share_within_bounds(const Eigen::VectorXd& step) const {
    constexpr double most = 0.9;
    double share = 1;
    for (Eigen::Index i = 0; i < step.size(); ++i) {
      auto k = static_cast<std::size_t>(i);
      double room = step[i] > 0 ? nlp_.upper[k] - w_[i] : w_[i] - nlp_.lower[k];
      if (std::isfinite(room) && std::fabs(step[i]) > room) share = std::min(share, most * room / std::fabs(step[i]));
    }
    return std::max(share, 0.0);
  }

  bool is_over() {
    if (options_.budget.ended()) end(or_limit(Status::interrupted, options_.budget));
    else if (report_.iterations >= options_.max_iterations) end(Status::iteration_limit);
    else return false;
    return true;
  }

  void tell(double left) {
    if (!options_.progress) return;
    options_.progress(options_.progress_context, {.iteration = report_.iterations, .infeasibility = left});
  }

  bool check_counts() {
    auto unknowns = static_cast<std::size_t>(n());
    if (rows_.size() >= unknowns) return true;
    end(Status::failed, "there are " + std::to_string(rows_.size()) + " equations for " + std::to_string(unknowns) +
                            " unknowns: conditions are missing");
    return false;
  }

  void iterate() {
    Eigen::VectorXd F;
    if (!check_counts()) return;
    if (!equations(w_, F)) return end(Status::evaluation_error);
    for (;; ++report_.iterations) {
      if (is_over()) return;
      tell(F.lpNorm<Eigen::Infinity>());
      if (!factorise()) return end_singular();
      Eigen::VectorXd step = -factors_.solve(F);
      if (!step.allFinite()) return end_singular();
      if (!take(step, F)) return;
    }
  }

  void end_singular() {
    Eigen::Index missing = factors_.missing(n());
    end(Status::failed, missing > 0 ? "the equations do not determine " + std::to_string(missing) + " of " +
                                          std::to_string(n()) + " unknowns: their matrix is singular"
                                    : "the matrix of the equations is singular");
  }

  /// How much of a step is promised to be good, from what was seen of the curvature in the last one.
  double first_damping(const Eigen::VectorXd& step) const {
    if (last_step_ == 0) return 1;
    double change = length(last_simplified_ - step);
    if (change == 0) return 1;
    return std::clamp(last_damping_ * last_step_ * length(last_simplified_) / (change * length(step)), least_damping, 1.0);
  }

  /// One damped step. False: it is the end, one way or another.
  bool take(const Eigen::VectorXd& step, Eigen::VectorXd& F) {
    double size = length(step), room = share_within_bounds(step);
    double damping = std::min(first_damping(step), room);
    bool shortened = false;
    for (;;) {
      if (!(damping >= least_damping)) {
        end(Status::infeasible, "steps became too short");
        return false;
      }
      Eigen::VectorXd next = w_ + damping * step, there;
      if (!equations(next, there)) {
        damping /= 2;
        shortened = true;
        continue;
      }
      Eigen::VectorXd simplified = -factors_.solve(there);
      double curved = length(simplified - (1 - damping) * step);
      double estimate = curved > 0 ? 0.5 * size * damping * damping / curved : 1;
      if (!(length(simplified) <= (1 - damping / 4) * size) && size > std::max(options_.tol, rounding)) {
        damping = std::min(estimate, damping / 2);
        shortened = true;
        continue;
      }
      double longer = std::min({1.0, estimate, room});
      if (!shortened && longer >= 4 * damping) {
        damping = longer;
        shortened = true;
        continue;
      }
      return accept(next, there, simplified, damping, size, F);
    }
  }

  bool accept(const Eigen::VectorXd& next, const Eigen::VectorXd& there, const Eigen::VectorXd& simplified, double damping,
              double size, Eigen::VectorXd& F) {
    w_ = next;
    F = there;
    last_damping_ = damping;
    last_simplified_ = simplified;
    last_step_ = size;
    double left = std::min(size, length(simplified));
    bool stays = length(simplified) > (1 - damping / 4) * size && size <= rounding;
    if (damping < 1 || (left > options_.tol && !stays)) return true;
    ++report_.iterations;
    report_.primal_infeasibility = F.lpNorm<Eigen::Infinity>();
    bool hold = report_.primal_infeasibility <= std::max(rows_hold, options_.tol);
    end(hold ? Status::solved : Status::infeasible, hold ? "" : "there are more equations than unknowns, and they disagree");
    return false;
  }

  const Nlp& nlp_;
  const EngineOptions& options_;
  Eigen::VectorXd w_;
  std::vector<std::size_t> rows_;    // that are equations
  std::vector<std::int32_t> place_;  // of a row among them, -1: none
  EquationFactors factors_;
  Report report_;
  double last_damping_ = 1, last_step_ = 0;
  Eigen::VectorXd last_simplified_;
};

}  // namespace

Report solve_by_newton(const Nlp& nlp, const EngineOptions& options, const Iterate& start) {
  return DampedNewton(nlp, options, start).run();
}

}  // namespace bolza::nlp
