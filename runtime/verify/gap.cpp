// SPDX-License-Identifier: Apache-2.0
// How far a convex problem's objective can be from the least: by the dual, whose value at stored multipliers and costates is
// a lower bound.
#include <algorithm>
#include <cmath>
#include <optional>

#include "base/numbers.h"
#include "runtime/linalg/dense_decompositions.h"
#include "runtime/linalg/lagrange.h"
#include "runtime/verify/convex.h"
#include "runtime/verify/subject.h"

namespace bolza::verify {
namespace {

/// What a linear function of slope `slope` can be less within bounds than at a value; infinite where it falls without end.
double room_below(double slope, double value, double lower, double upper) {
  if (slope == 0) return 0;
  double side = slope > 0 ? lower : upper;
  return std::isfinite(side) ? std::abs(slope) * std::max(0.0, slope > 0 ? value - side : side - value) : infinity;
}

/// How a quadratic Σ w q curves in the controls at least, whatever the states do: the Schur complement of its Hessian. It is
/// the same everywhere, as integrands are linear or squares of linear terms with constant coefficients. In sizes of
/// controls.
class LeastCurvature {
 public:
  LeastCurvature(const StoredPhase& phase, const OwnFlow& flow, const Eigen::VectorXd& weights)
      : phase_(phase),
        algebraic_(flow.slopes().front().algebraic),
        point_(flow.points().col(0)),
        weights_(weights) {
    Eigen::Index nx = phase.nx(), nu = phase.nu();
    Eigen::MatrixXd H = hessian();
    Eigen::MatrixXd by_states = H.topLeftCorner(nx, nx), across = H.topRightCorner(nx, nu),
                    own = H.bottomRightCorner(nu, nu);
    spectrum_ = linalg::spectrum(own - across.transpose() * linalg::least_squares(by_states, across));
  }

  /// By how much slope · d + weight ½ dᵀ C d can be below 0, d any change of the controls; infinite where it has no least
  /// value.     @param slope  of the controls in question, 0 of others; by their sizes
  double room(const Eigen::VectorXd& slope, double weight) const {
    constexpr double flat = 1e-9;  // of the largest curvature: rounding of second differences
    if (slope.isZero(0)) return 0;
    if (!spectrum_) return infinity;
    double largest = spectrum_->values.cwiseAbs().maxCoeff(), sum = 0;
    for (Eigen::Index k = 0; k < slope.size(); ++k) {
      double along = spectrum_->vectors.col(k).dot(slope), curvature = weight * spectrum_->values(k);
      if (along == 0) continue;
      if (spectrum_->values(k) <= flat * largest) return infinity;
      sum += 0.5 * along * along / curvature;
    }
    return sum;
  }

 private:
  /// By second differences, which are exact for squares: states and controls moved by their sizes, algebraic variables
  /// along.
  Eigen::MatrixXd hessian() const {
    Eigen::Index n = phase_.nx() + phase_.nu();
    Eigen::MatrixXd points(point_.size(), 1 + n + n * n);
    points.col(0) = point_;
    for (Eigen::Index i = 0; i < n; ++i) {
      points.col(1 + i) = point_ + move(i);
      for (Eigen::Index j = 0; j < n; ++j) points.col(1 + n + i * n + j) = point_ + move(i) + move(j);
    }
    Eigen::RowVectorXd q = weights_.transpose() * phase_.rates.at(points).bottomRows(phase_.nq());
    Eigen::MatrixXd H(n, n);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j) H(i, j) = q(1 + n + i * n + j) - q(1 + i) - q(1 + j) + q(0);
    return H;
  }
  Eigen::VectorXd move(Eigen::Index i) const {
    Eigen::Index nx = phase_.nx(), nz = phase_.nz();
    bool is_state = i < nx;
    double size = is_state ? phase_.x_size(i) : phase_.u_size(i - nx);
    Eigen::VectorXd out = Eigen::VectorXd::Zero(point_.size());
    out(1 + i + (is_state ? 0 : nz)) = size;
    out.segment(1 + nx, nz) = size * algebraic_.col(1 + i);
    return out;
  }

  const StoredPhase& phase_;
  const Eigen::MatrixXd& algebraic_;
  Eigen::VectorXd point_;
  const Eigen::VectorXd& weights_;
  std::optional<linalg::Spectrum> spectrum_;
};

class DualOfPhase {
 public:
  DualOfPhase(const Subject& s, std::size_t number)
      : s_(s),
        number_(number),
        phase_(*s.phases[number]),
        flow_(*s.flows[number]),
        curvature_(phase_, flow_, s.weights[number]),
        inside_(phase_.pieces.size()),
        at_stage_(Eigen::MatrixXd::Zero(phase_.nu(), flow_.points().cols())) {
    boundary_.assign(phase_.pieces.size() + 1, Eigen::VectorXd::Zero(phase_.nx()));
    points_ = point_impulses(s, number);
    for (const Impulse& impulse : points_) add(impulse);
    for (const ActingMultiplier& m : s.acting[number]) {
      if (m.kind == ActingMultiplier::Kind::control) continue;
      add(m.impulse);
      double side = m.amount > 0 ? m.upper : m.lower;
      if (m.amount != 0) slack_ += std::isfinite(side) ? m.amount * (m.value - side) : -infinity;
    }
  }

  /// By how much the dual's value is below the objective.
  double gap() {
    double below = -slack_;
    Eigen::VectorXd costate = boundary_.back();
    for (std::size_t i = phase_.pieces.size(); i-- > 0;) {
      PieceCostates own = flow_.backwards(i, costate, s_.weights[number_], inside_[i]);
      below += of_controls(i, own);
      costate = own.start + boundary_[i];
      if (i > 0) below -= costate.dot(flow_.state_at(i - 1, 1) - start_of(i));
    }
    for (Eigen::Index a = 0; a < phase_.nx(); ++a) {
      const bolza_variable& x = phase_.model.x[a];
      if (!x.fixed) below += room_below(costate(a), start_of(0)(a), x.min, x.max);
    }
    return below;
  }

 private:
  void add(const Impulse& impulse) {
    constexpr double room = 1e-9;
    Eigen::VectorXd by_state = impulse.row.segment(1, phase_.nx()).transpose();
    if (impulse.place <= room) boundary_[impulse.piece] += by_state;
    else if (impulse.place >= 1 - room) boundary_[impulse.piece + 1] += by_state;
    else inside_[impulse.piece].push_back(&impulse);
    std::vector<double> share = linalg::lagrange_values(flow_.rule().places, impulse.place);
    for (Eigen::Index k = 0; k < flow_.stages(); ++k)
      at_stage_.col(static_cast<Eigen::Index>(impulse.piece) * flow_.stages() + k) +=
          share[static_cast<std::size_t>(k)] * impulse.row.segment(1 + phase_.nx(), phase_.nu()).transpose();
  }
  Eigen::VectorXd start_of(std::size_t piece) const {
    Eigen::VectorXd out(phase_.nx());
    for (Eigen::Index a = 0; a < out.size(); ++a)
      out(a) = phase_.stored.trajectories.x[static_cast<std::size_t>(a)][phase_.pieces[piece].samples.front()];
    return out;
  }
  double of_controls(std::size_t i, const PieceCostates& own) const {
    Eigen::Index nx = phase_.nx(), nu = phase_.nu();
    double sum = 0;
    for (Eigen::Index k = 0; k < flow_.stages(); ++k) {
      Eigen::Index at = static_cast<Eigen::Index>(i) * flow_.stages() + k;
      const TotalSlopes& slopes = flow_.slopes()[static_cast<std::size_t>(at)];
      Eigen::RowVectorXd slope = own.stages.col(k).transpose() * slopes.rows.block(0, 1 + nx, nx, nu) +
                                 s_.weights[number_].transpose() * slopes.rows.block(nx, 1 + nx, phase_.nq(), nu);
      slope = flow_.weight(i, k) * slope + at_stage_.col(at).transpose();
      Eigen::VectorXd without_bound = Eigen::VectorXd::Zero(nu);
      for (Eigen::Index c = 0; c < nu; ++c) {
        const bolza_variable& u = phase_.model.u[c];
        if (std::isfinite(slope(c) > 0 ? u.min : u.max))
          sum += room_below(slope(c), flow_.points()(1 + nx + phase_.nz() + c, at), u.min, u.max);
        else without_bound(c) = slope(c) * phase_.u_size(c);
      }
      sum += curvature_.room(without_bound, flow_.weight(i, k));
    }
    return sum;
  }

  const Subject& s_;
  std::size_t number_;
  const StoredPhase& phase_;
  const OwnFlow& flow_;
  LeastCurvature curvature_;
  std::vector<std::vector<const Impulse*>> inside_;
  std::vector<Eigen::VectorXd> boundary_;
  std::vector<Impulse> points_;
  Eigen::MatrixXd at_stage_;  ///< what multipliers add to ∂L/∂u of the stages [n_u × stages]
  double slack_ = 0;          ///< Σ amount · (value − limit), at most 0
};

/// Σ ν (k − limit) of point constraints.
double slack_of_points(const Subject& s) {
  double sum = 0;
  for (std::size_t k = 0; k < s.problem.n_k; ++k) {
    const bolza_row& row = s.problem.point->rows[1 + k];
    double multiplier = s.stored.point_multipliers[k], side = multiplier > 0 ? row.upper : row.lower;
    if (multiplier == 0) continue;
    sum += std::isfinite(side) ? multiplier * (s.point.rows(1 + static_cast<Eigen::Index>(k)) - side) : -infinity;
  }
  return sum;
}

}  // namespace

void check_gap(Subject& s, Certificate& out) {
  if (!is_convex(s.problem, s.weights)) {
    out.checks.push_back(not_checked("gap", "the problem is not recognised as convex: the optimum may be a local one"));
    return;
  }
  out.is_convex = true;
  double below = -slack_of_points(s);
  for (std::size_t p = 0; p < s.phases.size(); ++p) below += DualOfPhase(s, p).gap();
  for (std::size_t p = 0; p < s.problem.n_parameters; ++p) {
    const bolza_variable& v = s.problem.parameters[p];
    double value = s.stored.parameters[p];
    if (!v.fixed) below += room_below(s.by_parameter(static_cast<Eigen::Index>(p)), value, v.min, v.max);
  }
  if (!std::isfinite(below)) {
    out.checks.push_back(not_checked("gap", "the dual has no value: a variable without a bound has no cost of its own"));
    return;
  }
  out.gap = std::abs(below);
  Worst worst;
  worst.look(out.gap / s.size, "", NAN);
  ConditionCheck check = worst.check("gap", s.tolerance, "of the objective");
  out.is_global = check.result == CheckResult::passed;
  if (out.is_global) check.text = "no feasible trajectory is better by more than " + shown_at_most(out.gap);
  else check = not_checked("gap", "the dual leaves " + shown_at_most(out.gap) + " of the objective open");
  out.checks.push_back(check);
}

}  // namespace bolza::verify
