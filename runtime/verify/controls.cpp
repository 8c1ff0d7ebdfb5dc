// SPDX-License-Identifier: Apache-2.0
// Controls: that the Hamiltonian is stationary, and that no other controls which the limits allow make it smaller.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/numbers.h"
#include "runtime/verify/subject.h"

namespace bolza::verify {
namespace {

constexpr double slack = 1e-6;  ///< of sizes, by which limits are exceeded where controls are tried
constexpr int grid_parts = 10;  ///< of the distance of finite bounds
/// Steps about a control, in its sizes: of another order each, so that a minimum near by and one far away are both met.
constexpr std::array steps_about{-3.0, -1.0, -0.3, -0.1, -0.01, 0.01, 0.1, 0.3, 1.0, 3.0};
constexpr std::array steps_about_best{0.3, 0.1, 0.03};  ///< about the best of these, a third each time

/// What share of a stretch lies in a piece.
double share_in(const StoredPiece& piece, const ActingMultiplier& m) {
  if (m.to <= m.from) return m.time >= piece.from && m.time <= piece.to ? 1 : 0;
  double common = std::min(piece.to, m.to) - std::max(piece.from, m.from);
  return std::max(common, 0.0) / (m.to - m.from);
}

/// ∂H/∂u, multipliers included, in the mean over every piece: what a change of all controls by their sizes would be worth.
ConditionCheck stationarity(const Subject& s) {
  Worst worst;
  double sum = 0;
  for (std::size_t p = 0; p < s.phases.size(); ++p) {
    const StoredPhase& phase = *s.phases[p];
    const OwnFlow& flow = *s.flows[p];
    Eigen::Index nx = phase.nx(), nu = phase.nu(), nq = phase.nq();
    Eigen::MatrixXd slope = Eigen::MatrixXd::Zero(nu, static_cast<Eigen::Index>(phase.pieces.size()));
    for (std::size_t i = 0; i < phase.pieces.size(); ++i)
      for (Eigen::Index k = 0; k < flow.stages(); ++k) {
        const TotalSlopes& at = flow.slopes()[i * static_cast<std::size_t>(flow.stages()) + static_cast<std::size_t>(k)];
        Eigen::RowVectorXd own = s.costates[p][i].stages.col(k).transpose() * at.rows.block(0, 1 + nx, nx, nu) +
                                 s.weights[p].transpose() * at.rows.block(nx, 1 + nx, nq, nu);
        slope.col(static_cast<Eigen::Index>(i)) += flow.weight(i, k) * own.transpose();
      }
    for (const ActingMultiplier& m : s.acting[p])
      for (std::size_t i = 0; i < phase.pieces.size(); ++i)
        if (double share = share_in(phase.pieces[i], m); share > 0)
          slope.col(static_cast<Eigen::Index>(i)) += share * m.impulse.row.segment(1 + nx, nu).transpose();
    for (Eigen::Index c = 0; c < nu; ++c) {
      const bolza_variable& u = phase.model.u[c];
      if (u.fixed || !(u.min < u.max)) continue;
      for (std::size_t i = 0; i < phase.pieces.size(); ++i) {
        const StoredPiece& piece = phase.pieces[i];
        double own = std::abs(slope(c, static_cast<Eigen::Index>(i))) * phase.u_size(c) / s.size;
        sum += own;
        worst.look(own, phase.name_of_control(c), 0.5 * (piece.from + piece.to));
      }
    }
  }
  return worst.check_sum("stationarity", sum, s.tolerance, "of the objective");
}

/// Pontryagin's principle at the stages of one phase: all points are tried at once.
class LeastHamiltonian {
 public:
  LeastHamiltonian(const Subject& subject, std::size_t number)
      : s_(subject),
        phase_(*subject.phases[number]),
        flow_(*subject.flows[number]),
        number_(number),
        best_(flow_.points()),
        base_(values(best_)),
        least_(base_) {}

  double search(Worst& worst) {
    for (int round = 0; round < (phase_.nu() > 1 ? 2 : 1); ++round)
      for (Eigen::Index c = 0; c < phase_.nu(); ++c) try_control(c);
    if (phase_.nu() > 1 && phase_.nu() <= most_corners) try_corners();
    for (double part : steps_about_best)
      for (Eigen::Index c = 0; c < phase_.nu(); ++c)
        for (double side : {-1.0, 1.0}) try_values(c, best_.row(row_of(c)).array() + side * part * phase_.u_size(c));
    return gain(worst);
  }

 private:
  static constexpr Eigen::Index most_corners = 4;  ///< controls of which all combinations of bounds are tried
  Eigen::Index row_of(Eigen::Index control) const { return 1 + phase_.nx() + phase_.nz() + control; }
  bool is_open(Eigen::Index c) const { return !phase_.model.u[c].fixed && phase_.model.u[c].min < phase_.model.u[c].max; }

  /// H at points whose z belong to them.
  Eigen::RowVectorXd values(const Eigen::MatrixXd& points) const {
    Eigen::MatrixXd rates = phase_.rates.at(points);
    Eigen::RowVectorXd out = s_.weights[number_].transpose() * rates.bottomRows(phase_.nq());
    for (Eigen::Index k = 0; k < out.size(); ++k)
      out(k) += s_.even_costates[number_][static_cast<std::size_t>(k / flow_.stages())]
                    .stages.col(k % flow_.stages())
                    .dot(rates.col(k).head(phase_.nx()));
    return out;
  }

  /// The algebraic variables of other controls, by chords; NaN where they are not found.
  void solve_algebraics(Eigen::MatrixXd& points) const {
    constexpr int most = 25;
    constexpr double enough = 1e-8;
    Eigen::Index nz = phase_.nz(), first = 1 + phase_.nx();
    if (nz == 0) return;
    Eigen::RowVectorXd moved = Eigen::RowVectorXd::Constant(points.cols(), infinity);
    for (int round = 0; round < most && moved.maxCoeff() > enough; ++round) {
      Eigen::MatrixXd h = phase_.residuals.at(points);
      for (Eigen::Index k = 0; k < points.cols(); ++k) {
        Eigen::VectorXd step = flow_.slopes()[static_cast<std::size_t>(k)].inverse * h.col(k).head(nz);
        points.block(first, k, nz, 1) -= step;
        moved(k) = step.allFinite() ? (step.cwiseAbs().array() / phase_.z_size.array()).maxCoeff() : infinity;
      }
    }
    for (Eigen::Index k = 0; k < points.cols(); ++k)
      if (!(moved(k) <= enough)) points.block(first, k, nz, 1).setConstant(NAN);
  }

  bool holds(const Eigen::MatrixXd& points, const Eigen::MatrixXd& rows, Eigen::Index k) const {
    for (Eigen::Index b = 0; b < phase_.nz(); ++b) {
      double z = points(1 + phase_.nx() + b, k), room = slack * phase_.z_size(b);
      if (!(z >= phase_.model.z[b].min - room && z <= phase_.model.z[b].max + room)) return false;
    }
    for (Eigen::Index g = 0; g < phase_.ng(); ++g) {
      const bolza_row& row = phase_.model.residuals->rows[phase_.nz() + g];
      double value = rows(phase_.nz() + g, k), room = slack * phase_.g_size(g);
      if (!(value >= row.lower - room && value <= row.upper + room)) return false;
    }
    return true;
  }

  void try_points(Eigen::MatrixXd points) {
    solve_algebraics(points);
    Eigen::RowVectorXd own = values(points);
    Eigen::MatrixXd rows = phase_.residuals.at(points);
    for (Eigen::Index k = 0; k < points.cols(); ++k) {
      if (!(own(k) < least_(k)) || !holds(points, rows, k)) continue;
      least_(k) = own(k);
      best_.col(k) = points.col(k);
    }
  }
  void try_values(Eigen::Index c, const Eigen::RowVectorXd& values) {
    if (!is_open(c)) return;
    Eigen::MatrixXd points = best_;
    points.row(row_of(c)) = values.cwiseMax(phase_.model.u[c].min).cwiseMin(phase_.model.u[c].max);
    try_points(std::move(points));
  }
  void try_control(Eigen::Index c) {
    const bolza_variable& u = phase_.model.u[c];
    bool bounded = std::isfinite(u.min) && std::isfinite(u.max);
    Eigen::RowVectorXd own = flow_.points().row(row_of(c)), ones = Eigen::RowVectorXd::Ones(own.size());
    for (int k = 0; bounded && k <= grid_parts; ++k) try_values(c, (u.min + k * (u.max - u.min) / grid_parts) * ones);
    for (double part : steps_about) try_values(c, own + part * phase_.u_size(c) * ones);
  }
  /// All combinations of bounds and what lies between them.
  void try_corners() {
    Eigen::Index n = phase_.nu(), combinations = 1;
    for (Eigen::Index c = 0; c < n; ++c) combinations *= 3;
    for (Eigen::Index code = 0; code < combinations; ++code) {
      Eigen::MatrixXd points = flow_.points();
      Eigen::Index rest = code;
      for (Eigen::Index c = 0; c < n; ++c, rest /= 3) {
        const bolza_variable& u = phase_.model.u[c];
        if (!is_open(c)) continue;
        double low = std::isfinite(u.min) ? u.min : -phase_.u_size(c),
               high = std::isfinite(u.max) ? u.max : phase_.u_size(c);
        points.row(row_of(c)).setConstant(rest % 3 == 0 ? low : rest % 3 == 1 ? 0.5 * (low + high) : high);
      }
      try_points(std::move(points));
    }
  }

  double gain(Worst& worst) const {
    double sum = 0;
    for (Eigen::Index k = 0; k < base_.size(); ++k) {
      double own = std::isfinite(base_(k)) ? base_(k) - least_(k) : infinity;  // nothing is known of other controls
      if (own == 0) continue;
      sum += flow_.weight(static_cast<std::size_t>(k / flow_.stages()), k % flow_.stages()) * own;
      Eigen::Index most = 0;
      for (Eigen::Index c = 1; c < phase_.nu(); ++c)
        if (moved(c, k) > moved(most, k)) most = c;
      worst.look(own * phase_.length() / s_.size,
                 phase_.name_of_control(most) + "` = " + shown(best_(row_of(most), k)) + " instead of `" +
                     shown(flow_.points()(row_of(most), k)),
                 flow_.points()(0, k));
    }
    return sum / s_.size;
  }
  double moved(Eigen::Index c, Eigen::Index k) const {
    return std::abs(best_(row_of(c), k) - flow_.points()(row_of(c), k)) / phase_.u_size(c);
  }

  const Subject& s_;
  const StoredPhase& phase_;
  const OwnFlow& flow_;
  std::size_t number_;
  Eigen::MatrixXd best_;
  Eigen::RowVectorXd base_, least_;
};

ConditionCheck minimum_principle(const Subject& s) {
  Worst worst;
  double gain = 0;
  for (std::size_t p = 0; p < s.phases.size(); ++p)
    if (s.phases[p]->nu() > 0) gain += LeastHamiltonian(s, p).search(worst);
  return worst.check_sum("minimum principle", gain, s.tolerance, "of the objective");
}

}  // namespace

void check_controls(Subject& s, Certificate& out) {
  if (std::ranges::all_of(s.phases, [](const auto& phase) { return phase->nu() == 0; })) return;
  out.checks.push_back(s.has_multipliers ? stationarity(s)
                                         : not_checked("stationarity", "the file has no multipliers of bounds"));
  out.checks.push_back(minimum_principle(s));
}

}  // namespace bolza::verify
