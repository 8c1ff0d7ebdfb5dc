// SPDX-License-Identifier: Apache-2.0
// Second derivatives of single shooting's Lagrangian. With ξ_k = (x_k, u_k, p), what segment k adds is ψ_k(ξ_k) = λ_{k+1}'
// x_{k+1}(ξ_k) + ω' Q_k(ξ_k), and the Hessian is Σ T_k' ψ_k'' T_k, T_k = dξ_k/dw. ψ_k'' is had forward over adjoint where
// the segment has second derivatives, else by differences of its own adjoint with steps held; T_k comes from forward
// sensitivities.
#include <algorithm>
#include <cmath>
#include <map>

#include "runtime/transcribe/shooting/shooting_internal.h"

namespace bolza::transcribe {

// H += T' B T for local inputs whose states have the sensitivities S and whose other inputs are variables.
void Shooting::add_local(const Local& local, const Eigen::MatrixXd& B, const Eigen::MatrixXd& S, Eigen::MatrixXd& H) const {
  Eigen::Index n_x = S.rows(), n = static_cast<Eigen::Index>(local.value.size());
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(n, H.cols());
  T.topRows(n_x) = S;
  for (Eigen::Index k = n_x; k < n; ++k) T(k, static_cast<Eigen::Index>(local.variable[static_cast<std::size_t>(k)])) = 1;
  H.noalias() += T.transpose() * (B * T);
}

bool Shooting::add_point_curvature(double sigma, std::span<const double> lambda, Eigen::MatrixXd& H) {
  Eigen::Index n = static_cast<Eigen::Index>(nodes_.values.size() + problem.n_parameters);
  Eigen::MatrixXd B;
  if (!nodes_.point_hessian(sigma, lambda, B)) return false;
  if (B.size() == 0 || B.cwiseAbs().maxCoeff() < 1e-9 * (std::fabs(sigma) + 1)) return true;  // linear
  std::vector<RowSeeds> seeds;
  std::vector<RowSeeds*> list;
  for (const NodeFunction& v : nodes_.values)
    if (!add_node_function(v, 1, seeds.emplace_back(empty_seeds()))) return false;
  for (RowSeeds& row : seeds)
    if (row.moves) list.push_back(&row);
  nodes_.leave_site();
  if (!list.empty() && !pull_back_forward(list)) return false;
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(n, H.cols());
  for (std::size_t k = 0; k < seeds.size(); ++k)
    T.row(static_cast<Eigen::Index>(k)) = Eigen::Map<const Eigen::RowVectorXd>(seeds[k].direct.data(), H.cols());
  for (std::size_t j = 0; j < problem.n_parameters; ++j)
    T(static_cast<Eigen::Index>(nodes_.values.size() + j), static_cast<Eigen::Index>(j)) = 1;
  H.noalias() += T.transpose() * (B * T);
  return true;
}

// A delayed value Σ c(τ) V with τ = Σ slope · p: c' slope (V' by p and all variables), and c'' V slope slope' by p and p'.
bool Shooting::add_delay_curvature(std::span<const double> lambda, Eigen::MatrixXd& H) {
  std::map<std::size_t, RowSeeds> by_parameter;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const ShootingRow& row = rows[r];
    if (!row.moving || lambda[r] == 0) continue;
    double bend = 0;
    if (!nodes_.weighted_sum(row, row.moving->second, bend)) return false;
    for (auto [parameter, slope] : row.moving->slopes) {
      RowSeeds& seeds = by_parameter.try_emplace(parameter, empty_seeds()).first->second;
      for (std::size_t f = 0; f < row.sum.size(); ++f)
        if (!add_node_function(row.sum[f].first, lambda[r] * slope * row.moving->first[f], seeds)) return false;
      for (auto [other, by] : row.moving->slopes)
        H(static_cast<Eigen::Index>(parameter), static_cast<Eigen::Index>(other)) += lambda[r] * slope * by * bend;
    }
  }
  std::vector<RowSeeds*> list;
  for (auto& [parameter, seeds] : by_parameter)
    if (seeds.moves) list.push_back(&seeds);
  nodes_.leave_site();
  if (!list.empty() && !pull_back_forward(list)) return false;
  for (const auto& [parameter, seeds] : by_parameter) {
    Eigen::Map<const Eigen::VectorXd> by(seeds.direct.data(), H.rows());
    H.row(static_cast<Eigen::Index>(parameter)) += by.transpose();
    H.col(static_cast<Eigen::Index>(parameter)) += by;
  }
  return true;
}

bool Shooting::add_phase_curvature(ShootingPhase& phase, const RowSeeds& all, const ShootingNodes::Weighted& weighted,
                                   Eigen::MatrixXd& H) {
  const bolza_model& m = *phase.model;
  Eigen::Index n_x = static_cast<Eigen::Index>(m.n_x), n = H.cols();
  const std::vector<double>& omega = all.by_q[phase.number];
  bool exact = phase.reduced(0).has_second();
  // λ at the ends of all segments
  std::vector<std::vector<double>> ends(phase.N());
  std::vector<double> l(m.n_x), gradient;
  for (std::size_t k = phase.N(); k-- > 0;) {
    for (const RowSeeds::Seed& s : all.seeds)
      if (s.phase == phase.number && s.node == k + 1)
        for (std::size_t i = 0; i < l.size(); ++i) l[i] += s.by_x[i];
    ends[k] = l;
    gradient.assign(phase.segments[k].inputs(), 0.0);
    if (!phase.segments[k].adjoint(l, omega, gradient)) return false;
  }
  Eigen::MatrixXd S = Eigen::MatrixXd::Zero(n_x, n), SQ = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(m.n_q), n), B;
  for (Eigen::Index i = 0; i < n_x; ++i) S(i, static_cast<Eigen::Index>(phase.first_x0) + i) = 1;
  auto add_sites = [&](std::size_t node) {
    for (const auto& [site, functions] : weighted) {
      if (site.phase != phase.number || site.node() != node) continue;
      Local local = nodes_.local_at(phase, site.segment, node, site.part());
      if (!nodes_.site_second(phase, site, functions, local, exact, B)) return false;
      add_local(local, B, S, H);
    }
    return true;
  };
  for (std::size_t k = 0; k < phase.N(); ++k) {
    if (!add_sites(k)) return false;
    Local local = nodes_.local_at(phase, k, k, SegmentPart::whole);
    if (!nodes_.segment_second(phase, k, local, ends[k], omega, B)) return false;
    add_local(local, B, S, H);
    if (!advance_directions(phase, k, S, SQ)) return false;
  }
  return add_sites(phase.N());
}

const double* Shooting::hessian(double sigma, std::span<const double> lambda) {
  if (!evaluate()) return nullptr;
  std::size_t n = nlp.n();
  RowSeeds all = empty_seeds();
  nodes_.leave_site();
  if (!add_point_row(objective_row, sigma, all)) return nullptr;
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (lambda[r] != 0 && !seeds_of(rows[r], lambda[r], all)) return nullptr;
  ShootingNodes::Weighted weighted = nodes_.weighted_functions(sigma, lambda);
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
  bool good = true;
  repeat_steps(true);  // differences of gradients: by the same steps, the same events
  for (ShootingPhase& phase : phases) good = good && add_phase_curvature(phase, all, weighted, H);
  repeat_steps(false);
  nodes_.leave_site();
  good = good && add_point_curvature(sigma, lambda, H);
  nodes_.leave_site();
  good = good && add_delay_curvature(lambda, H);
  nodes_.leave_site();
  if (!good || !H.allFinite()) return nullptr;
  hessian_.clear();
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t c = 0; c <= r; ++c) hessian_.push_back(H(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)));
  return hessian_.data();
}

}  // namespace bolza::transcribe
