// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/sqp/active_set_qp.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Jacobi>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "runtime/nlp/sqp/interior_point_qp.h"

namespace bolza::nlp {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A side of a variable's bounds (index < n) or of a row: normal' d >= bound, with the normal turned for upper sides.
struct Side {
  Index index = 0;
  bool upper = false;
  friend bool operator==(const Side&, const Side&) = default;
};

/// The dual iteration over a positive definite matrix. A and what it is called with outlive it.
class DualIteration {
 public:
  DualIteration(const QuadraticProgram& qp, const Rows& A, const Eigen::LLT<MatrixXd>& H, const VectorXd& gradient)
      : qp_(qp),
        A_(A),
        n_(static_cast<Index>(qp.n)),
        m_(static_cast<Index>(qp.m)),
        norm_(A.rowwise().norm()),
        J_(MatrixXd(H.matrixU()).triangularView<Eigen::Upper>().solve(MatrixXd::Identity(n_, n_))),
        R_(MatrixXd::Zero(n_, n_)),
        x_(-H.solve(gradient)),
        values_(qp.m),
        is_active_(2 * (qp.n + qp.m), 0) {}

  /// False: infeasible, or too many changes of the working set.
  bool run(const std::vector<Side>& prefer);
  const VectorXd& x() const { return x_; }
  const std::vector<Side>& active() const { return active_; }
  const std::vector<double>& multipliers() const { return u_; }  ///< >= 0 but for equalities, of the turned normals
  std::size_t equalities() const { return equalities_; }
  int changes() const { return changes_; }

 private:
  bool is_equality(const Side& s) const {
    auto r = static_cast<std::size_t>(s.index - n_);
    return s.index >= n_ && qp_.row_lower[r] == qp_.row_upper[r];
  }
  double bound(const Side& s) const {
    if (s.index < n_)
      return s.upper ? -qp_.upper[static_cast<std::size_t>(s.index)] : qp_.lower[static_cast<std::size_t>(s.index)];
    auto r = static_cast<std::size_t>(s.index - n_);
    return s.upper ? -qp_.row_upper[r] : qp_.row_lower[r];
  }
  double slack(const Side& s, double value) const { return (s.upper ? -value : value) - bound(s); }
  double slack(const Side& s) const { return slack(s, s.index < n_ ? x_[s.index] : A_.row(s.index - n_).dot(x_)); }
  char& is_active(const Side& s) { return is_active_[2 * static_cast<std::size_t>(s.index) + (s.upper ? 1 : 0)]; }
  double size(const Side& s) const { return s.index < n_ ? 1 : norm_[s.index - n_]; }
  VectorXd projected(const Side& s) const {  // J' normal
    VectorXd d = s.index < n_ ? VectorXd(J_.row(s.index)) : VectorXd(J_.transpose() * A_.row(s.index - n_).transpose());
    return s.upper ? VectorXd(-d) : d;
  }
  bool take(const Side& side);
  bool take_equalities();
  bool take_together(const std::vector<Side>& sides);
  void append(VectorXd d);
  void drop(Index position);
  bool most_violated(const std::vector<Side>& among, Side& side);
  bool violated(const Side& s, double slack, double& by) const;

  const QuadraticProgram& qp_;
  const Rows& A_;
  Index n_, m_, q_ = 0;
  VectorXd norm_;
  MatrixXd J_, R_;
  VectorXd x_;
  std::vector<double> values_;  // of the rows at x
  std::vector<Side> active_;
  std::vector<char> is_active_;  // lower and upper side of each variable and row
  std::vector<double> u_;
  std::size_t equalities_ = 0;
  int changes_ = 0;
};

/// The new normal becomes column q of R: rotations of the last columns of J make its projection one number.
void DualIteration::append(VectorXd d) {
  for (Index j = n_ - 1; j > q_; --j) {
    if (d[j] == 0) continue;
    Eigen::JacobiRotation<double> rotation;
    double length = 0;
    rotation.makeGivens(d[j - 1], d[j], &length);
    d[j - 1] = length;
    d[j] = 0;
    J_.applyOnTheRight(j - 1, j, rotation);
  }
  R_.col(q_).head(q_ + 1) = d.head(q_ + 1);
  ++q_;
}

void DualIteration::drop(Index position) {
  for (Index j = position + 1; j < q_; ++j) R_.col(j - 1) = R_.col(j);
  --q_;
  for (Index j = position; j < q_; ++j) {
    Eigen::JacobiRotation<double> rotation;
    double length = 0;
    rotation.makeGivens(R_(j, j), R_(j + 1, j), &length);
    R_.applyOnTheLeft(j, j + 1, rotation.adjoint());
    R_(j + 1, j) = 0;
    J_.applyOnTheRight(j, j + 1, rotation);
  }
  R_.col(q_).setZero();
  is_active(active_[static_cast<std::size_t>(position)]) = 0;
  active_.erase(active_.begin() + position);
  u_.erase(u_.begin() + position);
}

/// Moves until the side holds, with the working set at its bounds; sides whose multipliers would change sign leave it.
/// False: it contradicts the working set.
bool DualIteration::take(const Side& side) {
  constexpr double dependent = 1e-11;
  double u = 0;
  for (int turns = 0; turns <= n_ + m_ + 10; ++turns) {
    if (qp_.is_stopped()) return false;
    ++changes_;
    VectorXd d = projected(side);
    VectorXd r = R_.topLeftCorner(q_, q_).triangularView<Eigen::Upper>().solve(d.head(q_));
    double free = d.tail(n_ - q_).squaredNorm();
    bool no_room = free <= dependent * dependent * std::max(1e-300, d.squaredNorm()) || q_ == n_;
    double miss = slack(side), dual = INFINITY, primal = no_room ? INFINITY : -miss / free;
    Index leaving = -1;
    for (Index k = static_cast<Index>(equalities_); k < q_; ++k) {
      double ratio = r[k] > 0 ? u_[static_cast<std::size_t>(k)] / r[k] : INFINITY;
      if (ratio < dual) {
        dual = ratio;
        leaving = k;
      }
    }
    double length = std::min(dual, primal);
    if (!std::isfinite(length)) {  // the working set decides the value of this side
      double by = 0;
      return is_equality(side) ? std::abs(miss) <= 1e-9 * (size(side) + std::abs(bound(side))) : !violated(side, miss, by);
    }
    if (!no_room) x_ += length * (J_.rightCols(n_ - q_) * d.tail(n_ - q_));
    for (Index k = 0; k < q_; ++k) u_[static_cast<std::size_t>(k)] -= length * r[k];
    u += length;
    if (length == primal) {
      append(std::move(d));
      active_.push_back(side);
      u_.push_back(u);
      is_active(side) = 1;
      return true;
    }
    drop(leaving);
  }
  return false;
}

bool DualIteration::violated(const Side& s, double slack, double& by) const {
  constexpr double tolerance = 1e-10;
  double b = bound(s);
  if (!std::isfinite(b) || is_equality(s)) return false;
  by = -slack / std::max(size(s), 1e-300);
  return by > tolerance * (1 + std::abs(b) / std::max(size(s), 1e-12));
}

/// The side that is violated most: of those that are preferred first, then of all.
bool DualIteration::most_violated(const std::vector<Side>& among, Side& side) {
  std::fill(values_.begin(), values_.end(), 0.0);
  add_product(*qp_.jacobian_pattern, qp_.jacobian, {x_.data(), static_cast<std::size_t>(n_)}, values_);
  double most = 0, by = 0;
  auto look = [&](const Side& s) {
    double value = s.index < n_ ? x_[s.index] : values_[static_cast<std::size_t>(s.index - n_)];
    if (!is_active(s) && violated(s, slack(s, value), by) && by > most) {
      most = by;
      side = s;
    }
  };
  for (const Side& s : among) look(s);
  if (most > 0) return true;
  for (Index k = 0; k < n_ + m_; ++k) {
    look({k, false});
    look({k, true});
  }
  return most > 0;
}

/// Normals that are independent enter the empty working set at once: one QR factorisation instead of a rotation for each
/// zero. False: they are not, and nothing has changed.
bool DualIteration::take_together(const std::vector<Side>& sides) {
  constexpr double dependent = 1e-9;
  auto count = static_cast<Index>(sides.size());
  if (count > n_) return false;
  Rows normals(count, n_);
  VectorXd missing(count);
  for (Index k = 0; k < count; ++k) {
    const Side& side = sides[static_cast<std::size_t>(k)];
    normals.row(k) = A_.row(side.index - n_);
    missing[k] = -slack(side);
  }
  MatrixXd D = J_.triangularView<Eigen::Upper>().transpose() * normals.transpose();
  // A nearly singular H makes rows of very different sizes: sorted, no small one drowns [COX]. J has no order of its own.
  std::vector<Index> order(static_cast<std::size_t>(n_));
  std::iota(order.begin(), order.end(), 0);
  VectorXd height = D.rowwise().lpNorm<Eigen::Infinity>(), size = D.colwise().norm();
  std::ranges::stable_sort(order, std::greater{}, [&](Index k) { return height[k]; });
  MatrixXd turned = J_(Eigen::all, order).transpose();  // from the left, which goes by blocks
  Eigen::HouseholderQR<MatrixXd> factors(D(order, Eigen::all));
  MatrixXd R = factors.matrixQR().topRows(count).triangularView<Eigen::Upper>();
  for (Index k = 0; k < count; ++k)
    if (!(std::abs(R(k, k)) > dependent * size[k])) return false;
  turned.applyOnTheLeft(factors.householderQ().adjoint());
  J_ = turned.transpose();
  VectorXd y = R.triangularView<Eigen::Upper>().transpose().solve(missing);
  VectorXd u = R.triangularView<Eigen::Upper>().solve(y);
  x_ += J_.leftCols(count) * y;
  R_.topLeftCorner(count, count) = R;
  q_ = count;
  changes_ += static_cast<int>(count);
  active_ = sides;
  u_.assign(u.begin(), u.end());
  for (const Side& side : sides) is_active(side) = 1;
  return true;
}

bool DualIteration::take_equalities() {
  std::vector<Side> sides;
  for (Index r = 0; r < m_; ++r)
    if (Side side{n_ + r, false}; is_equality(side)) sides.push_back(side);
  if (!sides.empty() && take_together(sides)) {
    equalities_ = active_.size();
    return true;
  }
  for (Side side : sides) {
    side.upper = slack(side) > 0;  // turned so that it is violated
    if (!take(side)) return false;
    equalities_ = active_.size();
  }
  return true;
}

bool DualIteration::run(const std::vector<Side>& prefer) {
  if (!take_equalities()) return false;
  const int most_changes = changes_ + 50 + 10 * static_cast<int>(n_ + m_);
  for (Side side; most_violated(prefer, side);)
    if (!take(side) || changes_ > most_changes) return false;
  return x_.allFinite();
}

class ActiveSetSolver final : public QuadraticSolver {
 public:
  QuadraticSolution solve(const QuadraticProgram& qp, double tolerance) override {
    if (qp.elastic) return elastic_->solve(qp, tolerance);
    if (qp.is_stopped()) return stopped();
    fill(qp);
    return curved(qp);
  }
  void accept() override { elastic_->accept(); }

 private:
  void fill(const QuadraticProgram& qp) {
    auto n = static_cast<Index>(qp.n), m = static_cast<Index>(qp.m);
    H_.setZero(n, n);
    A_.setZero(m, n);
    for (std::size_t k = 0; k < qp.hessian.size(); ++k) {
      Index r = qp.hessian_pattern->row[k], c = qp.hessian_pattern->col[k];
      H_(r, c) += qp.hessian[k];
      if (r != c) H_(c, r) += qp.hessian[k];
    }
    for (std::size_t v = 0; v < qp.n; ++v) H_(static_cast<Index>(v), static_cast<Index>(v)) += qp.shift_of(v);
    for (std::size_t k = 0; k < qp.jacobian.size(); ++k)
      A_(qp.jacobian_pattern->row[k], qp.jacobian_pattern->col[k]) += qp.jacobian[k];
  }

  static bool positive(const Eigen::LLT<MatrixXd>& factors) {
    constexpr double least = 1e-10;  // of the pivots, square roots
    if (factors.info() != Eigen::Success) return false;
    auto pivots = factors.matrixLLT().diagonal();
    return pivots.size() == 0 || pivots.minCoeff() > least * pivots.maxCoeff();
  }

  QuadraticSolution curved(const QuadraticProgram& qp) {
    VectorXd gradient = Eigen::Map<const VectorXd>(qp.gradient.data(), static_cast<Index>(qp.n));
    Eigen::LLT<MatrixXd> factors(H_);
    if (positive(factors)) return iterate(qp, factors, gradient);
    std::vector<Side> rows = equalities(qp);
    for (const Side& side : last_)
      if (side.index < static_cast<Index>(qp.n + qp.m)) rows.push_back(side);
    double curvature = std::max(1e-8, H_.cwiseAbs().maxCoeff());
    QuadraticSolution solution;
    for (int round = 0; round < 3 && !rows.empty(); ++round) {
      for (double factor : {1.0, 30.0, 1e3}) {
        if (qp.is_stopped()) return stopped();
        MatrixXd augmented = H_;
        VectorXd by = gradient;
        add_squares(qp, rows, factor * curvature, augmented, by);
        factors.compute(augmented);
        if (!positive(factors)) continue;
        solution = iterate(qp, factors, by);
        break;
      }
      if (solution.d.empty() || solution.outcome != QuadraticOutcome::optimal) break;
      std::size_t before = rows.size();
      std::erase_if(rows, [&](const Side& s) {
        return std::find(last_.begin(), last_.end(), s) == last_.end() && !is_equality(qp, s);
      });
      if (rows.size() == before) return solution;
      solution = {};
    }
    bool ended = solution.outcome == QuadraticOutcome::infeasible || solution.outcome == QuadraticOutcome::stopped;
    if (!solution.d.empty() && ended) return solution;
    solution.outcome = QuadraticOutcome::indefinite;
    solution.wanted_shift = qp.shift > 0 ? 8 * qp.shift : std::max(1e-4, smallest_shift());
    return solution;
  }

  static QuadraticSolution stopped() {
    QuadraticSolution solution;
    solution.outcome = QuadraticOutcome::stopped;
    return solution;
  }

  /// A shift that makes the whole matrix positive definite, by Gershgorin's circles at most.
  double smallest_shift() const {
    Eigen::VectorXd radius = H_.cwiseAbs().rowwise().sum() - H_.diagonal().cwiseAbs();
    double most = (radius - H_.diagonal()).maxCoeff();
    return 1e-2 * std::max(0.0, most);
  }

  static bool is_equality(const QuadraticProgram& qp, const Side& s) {
    auto n = static_cast<Index>(qp.n);
    auto r = static_cast<std::size_t>(s.index - n);
    return s.index >= n && qp.row_lower[r] == qp.row_upper[r];
  }
  static std::vector<Side> equalities(const QuadraticProgram& qp) {
    std::vector<Side> rows;
    for (std::size_t r = 0; r < qp.m; ++r)
      if (qp.row_lower[r] == qp.row_upper[r]) rows.push_back({static_cast<Index>(qp.n + r), false});
    return rows;
  }

  /// weight/2 (a'd - b)² of sides that are expected to hold as equalities.
  void add_squares(const QuadraticProgram& qp, const std::vector<Side>& sides, double weight, MatrixXd& H,
                   VectorXd& gradient) const {
    auto n = static_cast<Index>(qp.n);
    MatrixXd normals(n, static_cast<Index>(sides.size()));
    Index count = 0;
    for (const Side& s : sides) {
      if (s.index < n) {
        auto v = static_cast<std::size_t>(s.index);
        H(s.index, s.index) += weight;
        gradient[s.index] -= weight * (s.upper ? qp.upper[v] : qp.lower[v]);
        continue;
      }
      auto r = static_cast<std::size_t>(s.index - n);
      auto a = A_.row(s.index - n).transpose();
      double w = weight / std::max(1e-12, a.squaredNorm());
      normals.col(count++) = std::sqrt(w) * a;
      gradient -= w * (s.upper ? qp.row_upper[r] : qp.row_lower[r]) * a;
    }
    if (count == 0) return;                                                 // Eigen divides by the number of columns
    H.selfadjointView<Eigen::Lower>().rankUpdate(normals.leftCols(count));  // the half that is factored
  }

  QuadraticSolution iterate(const QuadraticProgram& qp, const Eigen::LLT<MatrixXd>& factors, const VectorXd& gradient) {
    DualIteration iteration(qp, A_, factors, gradient);
    bool done = iteration.run(last_);
    QuadraticSolution s;
    s.iterations = iteration.changes();
    s.d.assign(iteration.x().begin(), iteration.x().end());
    s.lambda.assign(qp.m, 0);
    s.z_lower.assign(qp.n, 0);
    s.z_upper.assign(qp.n, 0);
    s.outcome = done              ? QuadraticOutcome::optimal
                : qp.is_stopped() ? QuadraticOutcome::stopped
                                  : QuadraticOutcome::infeasible;
    if (!done) return s;
    last_.clear();
    auto n = static_cast<Index>(qp.n);
    for (std::size_t k = 0; k < iteration.active().size(); ++k) {
      const Side& side = iteration.active()[k];
      double u = iteration.multipliers()[k];
      if (k >= iteration.equalities()) last_.push_back(side);
      auto v = static_cast<std::size_t>(side.index < n ? side.index : side.index - n);
      if (side.index >= n) s.lambda[v] += side.upper ? u : -u;
      else (side.upper ? s.z_upper : s.z_lower)[v] = u;
    }
    for (std::size_t v = 0; v < qp.n; ++v) s.d[v] = std::clamp(s.d[v], qp.lower[v], qp.upper[v]);
    return s;
  }

  std::unique_ptr<QuadraticSolver> elastic_ = interior_point_solver(dense_kkt_factors, {});
  MatrixXd H_;
  Rows A_;
  std::vector<Side> last_;  // of inequalities
};

}  // namespace

std::unique_ptr<QuadraticSolver> active_set_solver() { return std::make_unique<ActiveSetSolver>(); }

}  // namespace bolza::nlp
