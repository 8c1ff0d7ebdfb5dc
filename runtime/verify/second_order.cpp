// SPDX-License-Identifier: Apache-2.0
// Second order: that the objective does not curve downwards along what the constraints leave, by a Riccati recursion over
// our own integration [BH1975]. A conjugate point is where it ceases to exist.
#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "runtime/linalg/dense_decompositions.h"
#include "runtime/linalg/lagrange.h"
#include "runtime/verify/convex.h"
#include "runtime/verify/subject.h"

namespace bolza::verify {
namespace {

constexpr Eigen::Index most_variables = 40;  ///< second differences are as many as their square
constexpr double second_step = 1e-3;         ///< of sizes: truncation and rounding leave some seven digits
constexpr double penalty = 1e6;              ///< on what active constraints hold, of the objective for a size
constexpr double at_bound = 1e-4;            ///< of its size: a control so near is held
constexpr double same_place = 1e-9;          ///< of the horizon
constexpr double of_curvature = 10;          ///< times the tolerance

/// The Hessian of Σ weights · rows by differences, of scaled variables, at many points at once.
class SecondDifferences {
 public:
  SecondDifferences(const Subject& s, std::size_t number) : s_(s), phase_(*s.phases[number]), flow_(*s.flows[number]) {
    step_.resize(phase_.nx() + phase_.nz() + phase_.nu());
    step_ << second_step * phase_.x_size, second_step * phase_.z_size, second_step * phase_.u_size;
    for (std::size_t k = 0; k < flow_.slopes().size(); ++k) {
      auto at = static_cast<Eigen::Index>(k);
      Eigen::VectorXd own(phase_.nx() + phase_.nq());
      own << s.costates[number][k / static_cast<std::size_t>(flow_.stages())].stages.col(at % flow_.stages()),
          s.weights[number];
      const TotalSlopes& slopes = flow_.slopes()[k];
      equations_.push_back(-slopes.inverse.transpose() * slopes.by_z.topRows(own.size()).transpose() * own);
      rates_.push_back(std::move(own));
    }
  }

  /// [points] n × n, n = n_x + n_z + n_u.
  std::vector<Eigen::MatrixXd> compute() const {
    Eigen::Index n = step_.size();
    Eigen::RowVectorXd own = values(flow_.points());
    std::vector<Eigen::MatrixXd> out(flow_.slopes().size(), Eigen::MatrixXd(n, n));
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j <= i; ++j) {
        Eigen::RowVectorXd rise = i == j ? Eigen::RowVectorXd(moved(i, 1, i, 0) - 2 * own + moved(i, -1, i, 0))
                                         : Eigen::RowVectorXd(0.25 * (moved(i, 1, j, 1) - moved(i, 1, j, -1) -
                                                                      moved(i, -1, j, 1) + moved(i, -1, j, -1)));
        for (std::size_t k = 0; k < out.size(); ++k)
          out[k](i, j) = out[k](j, i) = rise(static_cast<Eigen::Index>(k)) / (second_step * second_step * s_.size);
      }
    return out;
  }

 private:
  Eigen::RowVectorXd values(const Eigen::MatrixXd& points) const {
    Eigen::MatrixXd f = phase_.rates.at(points), h = phase_.residuals.at(points);
    Eigen::RowVectorXd out(points.cols());
    for (Eigen::Index k = 0; k < out.size(); ++k) {
      out(k) = rates_[static_cast<std::size_t>(k)].dot(f.col(k));
      if (phase_.nz() > 0) out(k) += equations_[static_cast<std::size_t>(k)].dot(h.col(k).head(phase_.nz()));
    }
    return out;
  }
  Eigen::RowVectorXd moved(Eigen::Index i, double by_i, Eigen::Index j, double by_j) const {
    Eigen::MatrixXd points = flow_.points();
    points.row(1 + i).array() += by_i * step_(i);
    points.row(1 + j).array() += by_j * step_(j);
    return values(points);
  }

  const Subject& s_;
  const StoredPhase& phase_;
  const OwnFlow& flow_;
  Eigen::VectorXd step_;
  std::vector<Eigen::VectorXd> rates_, equations_;
};

/// The recursion backwards over the pieces, in variables divided by their sizes and in units of the objective.
class Riccati {
 public:
  explicit Riccati(const Subject& s)
      : s_(s),
        phase_(*s.phases.front()),
        flow_(*s.flows.front()),
        hessians_(SecondDifferences(s, 0).compute()),
        P_(Eigen::MatrixXd::Zero(phase_.nx(), phase_.nx())) {}

  bool finite() const {
    return std::ranges::all_of(hessians_, [](const Eigen::MatrixXd& h) { return h.allFinite(); });
  }

  /// Adds curvature and constraints of point terms at the end. False: something of them was left out.
  bool begin() {
    const bolza_problem& problem = s_.problem;
    bool all = true;
    for (std::size_t k = 0; k < problem.n_k; ++k) all = add_point_row(k) && all;
    return all;
  }

  /// Where the Hamiltonian is not strictly convex in the controls that may move: on singular and bang-bang arcs. NaN:
  /// nowhere.
  double not_strict() const {
    constexpr double strict = 1e-4;  // of the largest curvature on the way
    double largest = 0, at = std::nan("");
    std::vector<std::pair<double, double>> least;  // curvature, time
    for (std::size_t i = 0; i < phase_.pieces.size(); ++i) {
      Eigen::MatrixXd Z = scaled_flow(i);
      for (Eigen::Index k = 0; k < flow_.stages(); ++k) {
        std::vector<Eigen::Index> open;
        for (auto [column, root] : open_controls(i))
          if ((column - phase_.nx()) / phase_.nu() == k) open.push_back(column);
        if (open.empty()) continue;
        Eigen::Index point = static_cast<Eigen::Index>(i) * flow_.stages() + k;
        Eigen::MatrixXd T = tangent(Z, i, k)(Eigen::all, open);
        T.topRows(phase_.nx()).setZero();  // of the controls at this stage alone
        const Eigen::MatrixXd& own = hessians_[static_cast<std::size_t>(point)];
        std::optional<linalg::Spectrum> spectrum = linalg::spectrum(T.transpose() * own * T);
        if (!spectrum) return flow_.points()(0, point);
        largest = std::max(largest, spectrum->values.cwiseAbs().maxCoeff());
        least.emplace_back(spectrum->values(0), flow_.points()(0, point));
      }
    }
    for (auto [curvature, time] : least)
      if (std::isnan(at) && curvature <= strict * largest) at = time;
    return at;
  }

  void run(Worst& worst) {
    for (std::size_t i = phase_.pieces.size(); i-- > 0;) step(i, worst);
    look_at_start(worst);
  }

 private:
  /// A point constraint that is active and reads states at the end alone holds them.
  bool add_point_row(std::size_t k) {
    const bolza_problem& problem = s_.problem;
    const bolza_row& row = problem.point->rows[1 + k];
    bool is_active = row.lower == row.upper || s_.stored.point_multipliers[k] != 0;
    if (!is_active) return true;
    Eigen::VectorXd slope = s_.point.slopes.row(1 + static_cast<Eigen::Index>(k));
    Eigen::RowVectorXd at_end = Eigen::RowVectorXd::Zero(phase_.nx());
    for (std::size_t v = 0; v < problem.n_values; ++v) {
      double own = slope(static_cast<Eigen::Index>(v));
      if (own == 0) continue;
      const bolza_value_at& value = problem.values[v];
      bool is_end = value.quantity == BOLZA_STATE && time_of(problem, s_.stored, problem.places[value.place]) >=
                                                         phase_.stored.final_time - same_place * phase_.length();
      if (!is_end) return false;
      at_end(value.index) += own * phase_.x_size(value.index);
    }
    double norm = at_end.norm();
    if (norm > 0) P_ += penalty * (at_end / norm).transpose() * (at_end / norm);
    return true;
  }

  /// Scaled derivatives of the stages' states by [start, controls] of a piece [S n_x × n_x + S n_u].
  Eigen::MatrixXd scaled_flow(std::size_t i) const {
    OwnFlow::Sensitivity flow = flow_.sensitivity(i);
    Eigen::Index nx = phase_.nx(), nu = phase_.nu(), S = flow_.stages();
    Eigen::MatrixXd Z(S * nx, nx + S * nu);
    Z << flow.from_start, flow.from_controls;
    for (Eigen::Index r = 0; r < Z.rows(); ++r) Z.row(r) /= phase_.x_size(r % nx);
    for (Eigen::Index c = 0; c < Z.cols(); ++c) Z.col(c) *= c < nx ? phase_.x_size(c) : phase_.u_size((c - nx) % nu);
    return Z;
  }

  /// Of states, algebraic variables and controls of a stage by [start, controls], scaled.
  Eigen::MatrixXd tangent(const Eigen::MatrixXd& Z, std::size_t i, Eigen::Index k) const {
    Eigen::Index nx = phase_.nx(), nz = phase_.nz(), nu = phase_.nu();
    const TotalSlopes& at = flow_.slopes()[i * static_cast<std::size_t>(flow_.stages()) + static_cast<std::size_t>(k)];
    Eigen::MatrixXd T = Eigen::MatrixXd::Zero(nx + nz + nu, Z.cols());
    T.topRows(nx) = Z.middleRows(k * nx, nx);
    T.block(nx + nz, nx + k * nu, nu, nu).setIdentity();
    for (Eigen::Index b = 0; b < nz; ++b) {
      Eigen::RowVectorXd by_x =
          at.algebraic.row(b).segment(1, nx).cwiseProduct(phase_.x_size.transpose()) / phase_.z_size(b);
      Eigen::RowVectorXd by_u =
          at.algebraic.row(b).segment(1 + nx, nu).cwiseProduct(phase_.u_size.transpose()) / phase_.z_size(b);
      T.row(nx + b) = by_x * T.topRows(nx) + by_u * T.bottomRows(nu);
    }
    return T;
  }

  void add_active(const Eigen::MatrixXd& Z, std::size_t i, Eigen::MatrixXd& Q) const {
    constexpr double strong = 1e-6;  // of the objective: a multiplier that counts
    Eigen::Index nx = phase_.nx(), nu = phase_.nu(), S = flow_.stages();
    for (const ActingMultiplier& m : s_.acting.front()) {
      bool counts = m.kind != ActingMultiplier::Kind::control && m.impulse.piece == i &&
                    std::abs(m.amount) * std::max(std::abs(m.value), least_size) > strong * s_.size;
      if (!counts) continue;
      std::vector<double> nodes{0};
      nodes.insert(nodes.end(), flow_.rule().places.begin(), flow_.rule().places.end());
      std::vector<double> share = linalg::lagrange_values(nodes, m.impulse.place);
      std::vector<double> control_share = linalg::lagrange_values(flow_.rule().places, m.impulse.place);
      Eigen::RowVectorXd by_x = m.impulse.row.segment(1, nx).cwiseProduct(phase_.x_size.transpose());
      Eigen::RowVectorXd by_u = m.impulse.row.segment(1 + nx, nu).cwiseProduct(phase_.u_size.transpose());
      Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(Z.cols());
      row.head(nx) = share[0] * by_x;
      for (Eigen::Index k = 0; k < S; ++k) {
        row += share[static_cast<std::size_t>(k) + 1] * by_x * Z.middleRows(k * nx, nx);
        row.segment(nx + k * nu, nu) += control_share[static_cast<std::size_t>(k)] * by_u;
      }
      if (row.norm() > 0) Q += penalty / row.squaredNorm() * row.transpose() * row;
    }
  }

  /// Columns of controls that may move, with the root of their stages' weights.
  std::vector<std::pair<Eigen::Index, double>> open_controls(std::size_t i) const {
    std::vector<std::pair<Eigen::Index, double>> out;
    Eigen::Index nx = phase_.nx(), nu = phase_.nu();
    for (Eigen::Index k = 0; k < flow_.stages(); ++k)
      for (Eigen::Index c = 0; c < nu; ++c) {
        const bolza_variable& u = phase_.model.u[c];
        double value = flow_.points()(1 + nx + phase_.nz() + c, static_cast<Eigen::Index>(i) * flow_.stages() + k);
        double room = at_bound * phase_.u_size(c);
        if (u.fixed || value <= u.min + room || value >= u.max - room) continue;
        out.emplace_back(nx + k * nu + c, std::sqrt(flow_.weight(i, k) / phase_.length()));
      }
    return out;
  }

  void step(std::size_t i, Worst& worst) {
    Eigen::Index nx = phase_.nx(), S = flow_.stages();
    Eigen::MatrixXd Z = scaled_flow(i), end = Z.bottomRows(nx), Q = end.transpose() * P_ * end;
    for (Eigen::Index k = 0; k < S; ++k) {
      Eigen::MatrixXd T = tangent(Z, i, k);
      Q += flow_.weight(i, k) * T.transpose() * hessians_[i * static_cast<std::size_t>(S) + static_cast<std::size_t>(k)] * T;
    }
    add_active(Z, i, Q);
    std::vector<std::pair<Eigen::Index, double>> open = open_controls(i);
    auto n = static_cast<Eigen::Index>(open.size());
    Eigen::MatrixXd R(n, n), cross(n, nx);
    for (Eigen::Index r = 0; r < n; ++r) {
      auto [row, root] = open[static_cast<std::size_t>(r)];
      cross.row(r) = Q.row(row).head(nx) / root;
      for (Eigen::Index c = 0; c < n; ++c)
        R(r, c) = Q(row, open[static_cast<std::size_t>(c)].first) / (root * open[static_cast<std::size_t>(c)].second);
    }
    P_ = Q.topLeftCorner(nx, nx);
    if (n > 0) eliminate(R, cross, phase_.pieces[i].from, worst);
    P_ = 0.5 * (P_ + P_.transpose()).eval();
  }

  void eliminate(const Eigen::MatrixXd& R, const Eigen::MatrixXd& cross, double time, Worst& worst) {
    constexpr double flat = 1e-9;  // of the largest: no curvature
    std::optional<linalg::Spectrum> spectrum = linalg::spectrum(R);
    if (!spectrum) return worst.look(infinity, "", time);
    worst.look(-spectrum->values(0), "", time);
    double largest = std::max(spectrum->values.cwiseAbs().maxCoeff(), 1.0);
    for (Eigen::Index k = 0; k < R.rows(); ++k) {
      if (spectrum->values(k) <= flat * largest) continue;
      Eigen::RowVectorXd row = spectrum->vectors.col(k).transpose() * cross;
      P_ -= row.transpose() * row / spectrum->values(k);
    }
  }

  /// Initial values that are free.
  void look_at_start(Worst& worst) const {
    std::vector<Eigen::Index> open;
    for (Eigen::Index a = 0; a < phase_.nx(); ++a)
      if (!phase_.model.x[a].fixed) open.push_back(a);
    if (open.empty() || phase_.model.n_initial > 0) return;
    auto n = static_cast<Eigen::Index>(open.size());
    Eigen::MatrixXd own(n, n);
    for (Eigen::Index r = 0; r < n; ++r)
      for (Eigen::Index c = 0; c < n; ++c)
        own(r, c) = P_(open[static_cast<std::size_t>(r)], open[static_cast<std::size_t>(c)]);
    auto spectrum = linalg::spectrum(own);
    worst.look(spectrum ? -spectrum->values(0) : infinity, "", phase_.stored.start_time);
  }

  const Subject& s_;
  const StoredPhase& phase_;
  const OwnFlow& flow_;
  std::vector<Eigen::MatrixXd> hessians_;
  Eigen::MatrixXd P_;
};

/// Why the recursion would not say what it has to; "" where it does.
std::string left_out(const Subject& s) {
  if (s.phases.size() > 1) return "the problem has several phases";
  const StoredPhase& phase = *s.phases.front();
  if (phase.nx() + phase.nz() + phase.nu() > most_variables) return "there are too many variables";
  bool curved = !are_linear(phase.model.residuals, phase.model.n_z, phase.model.n_z + phase.model.n_g);
  for (const ActingMultiplier& m : s.acting.front())
    if (m.kind == ActingMultiplier::Kind::path && curved) return "path constraints are curved";
  if (!are_points_linear(s.problem)) return "the terms of points are curved";
  return "";
}

}  // namespace

void check_second_order(Subject& s, Certificate& out) {
  if (std::ranges::all_of(s.phases, [](const auto& phase) { return phase->nu() == 0; })) return;
  std::string why = left_out(s);
  if (!why.empty()) return out.checks.push_back(not_checked("second order", why));
  Riccati riccati(s);
  if (!riccati.finite()) return out.checks.push_back(not_checked("second order", "second differences are not finite"));
  if (double time = riccati.not_strict(); !std::isnan(time))
    return out.checks.push_back(
        not_checked("second order", "the Hamiltonian is not strictly convex in the controls at t = " + shown(time, 4)));
  bool all = riccati.begin();
  Worst worst;
  riccati.run(worst);
  ConditionCheck check = worst.check("second order", of_curvature * s.tolerance, "of the objective");
  if (check.result == CheckResult::failed && !all)
    check = not_checked("second order", "constraints on other than final states are left out");
  else
    check.text = check.result == CheckResult::passed ? "no conjugate point; times and parameters held"
                                                     : "the objective curves downwards: a conjugate point";
  out.checks.push_back(check);
}

}  // namespace bolza::verify
