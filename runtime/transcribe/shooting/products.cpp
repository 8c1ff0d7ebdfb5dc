// SPDX-License-Identifier: Apache-2.0
// Second derivatives of single shooting's Lagrangian times directions, without the Hessian: how λ moves when the variables
// do.
#include <algorithm>

#include "runtime/transcribe/shooting/shooting_internal.h"

namespace bolza::transcribe {

using Eigen::Index;
using What = NodeFunction::What;

bool Shooting::has_products() const {
  return std::all_of(phases.begin(), phases.end(), [](const ShootingPhase& phase) {
    return phase.reduced(0).has_second() &&
           std::all_of(phase.segments.begin(), phase.segments.end(), [](const auto& s) { return s.has_second(); });
  });
}

// Directions of the variables as directions of segment k, whose states move along S.
integrate::Segment::Directions Shooting::directions_at(const ShootingPhase& phase, std::size_t k, const Eigen::MatrixXd& S,
                                                       const Eigen::MatrixXd& V) const {
  const bolza_model& m = *phase.model;
  const integrate::Segment& segment = phase.segments[k];
  const SegmentPlace& times = phase.times[k];
  integrate::Segment::Directions d{S,
                                   Eigen::MatrixXd::Zero(static_cast<Index>(m.n_q), V.cols()),
                                   Eigen::MatrixXd::Zero(static_cast<Index>(segment.inputs()), V.cols()),
                                   {}};
  auto row = [&](std::size_t variable) { return V.row(static_cast<Index>(variable)); };
  Index controls = static_cast<Index>(segment.controls()), begin = controls + static_cast<Index>(m.n_global);
  for (Index c = 0; c < controls; ++c) {
    const ControlValue& u = phase.control_at(k, static_cast<std::size_t>(c) % m.n_u, static_cast<std::size_t>(c) / m.n_u);
    d.direct.row(c) = u.share == 0 ? row(u.low).eval() : ((1 - u.share) * row(u.low) + u.share * row(u.high)).eval();
  }
  for (std::size_t j = 0; j < m.n_global; ++j) d.direct.row(controls + static_cast<Index>(j)) = row(phase.parameter(j));
  for (std::size_t j = 0; j < 2; ++j) {
    d.direct.row(begin) += times.begin_by[j] * row(phase.parameter(j));
    d.direct.row(begin + 1) += times.length_by[j] * row(phase.parameter(j));
  }
  for (Index c = 0; c < V.cols(); ++c) {  // a direction's tolerances: it moves as far as its largest part typically does
    double size = 0;
    for (Index v = 0; v < V.rows(); ++v)
      if (V(v, c) != 0) size = std::max(size, nlp.scale[static_cast<std::size_t>(v)] / std::abs(V(v, c)));
    d.sizes.push_back(size > 0 ? size : 1);
  }
  return d;
}

// λ̇ at the end of segment k becomes that at its start; what the variables do directly is added to `out`.
bool Shooting::add_segment_product(ShootingPhase& phase, std::size_t k, const Eigen::MatrixXd& S, const Eigen::MatrixXd& V,
                                   std::span<const double> lambda, std::span<const double> omega,
                                   const Eigen::MatrixXd& omega_dot, Eigen::MatrixXd& lambda_dot, Eigen::MatrixXd& out) {
  integrate::Segment::Directions d = directions_at(phase, k, S, V);
  Eigen::MatrixXd gradient_dot;
  if (!phase.segments[k].second(phase.times[k], nodes_.inputs_at(phase, k, SegmentPart::begin),
                                nodes_.inputs_after(phase, k), phase.node(k), d, lambda, omega, omega_dot, lambda_dot,
                                gradient_dot))
    return false;
  for (Index c = 0; c < V.cols(); ++c) {
    std::vector<double> direct(nlp.n());
    add_inputs(phase, k, {gradient_dot.col(c).data(), static_cast<std::size_t>(gradient_dot.rows())}, direct);
    out.col(c) += Eigen::Map<const Eigen::VectorXd>(direct.data(), out.rows());
  }
  return true;
}

// With pairs the last columns of V are how the variables move in second order, see Segment::Directions.
bool Shooting::move_along(const Eigen::MatrixXd& V, Movement& movement,
                          const std::vector<integrate::ReducedModel::Pair>& pairs) {
  movement.nodes.resize(phases.size());
  for (ShootingPhase& phase : phases) {
    const bolza_model& model = *phase.model;
    std::vector<Eigen::MatrixXd>& nodes = movement.nodes[phase.number];
    nodes.push_back(V.middleRows(static_cast<Index>(phase.first_x0), static_cast<Index>(model.n_x)));
    Eigen::MatrixXd& integrals =
        movement.integrals.emplace_back(Eigen::MatrixXd::Zero(static_cast<Index>(model.n_q), V.cols()));
    for (std::size_t k = 0; k < phase.N(); ++k) {
      integrate::Segment::Directions d = directions_at(phase, k, nodes.back(), V);
      d.pairs = pairs;
      std::vector<double> x(phase.node(k).begin(), phase.node(k).end()), q(model.n_q);
      if (!phase.segments[k].tangent(phase.times[k], nodes_.inputs_at(phase, k, SegmentPart::begin),
                                     nodes_.inputs_after(phase, k), x, q, d)) {
        nodes_.note_trouble(phase, 0);
        return false;
      }
      nodes.push_back(d.x);
      integrals += d.q;
    }
  }
  return true;
}

// How a row moves: directly, with states at mesh points, with integrals.
Eigen::RowVectorXd Shooting::along(const RowSeeds& row, const Eigen::MatrixXd& V, const Movement& movement) const {
  auto as_row = [](const std::vector<double>& v) {
    return Eigen::Map<const Eigen::RowVectorXd>(v.data(), static_cast<Index>(v.size()));
  };
  Eigen::RowVectorXd change = as_row(row.direct) * V;
  for (const RowSeeds::Seed& s : row.seeds) change += as_row(s.by_x) * movement.nodes[s.phase][s.node];
  for (const ShootingPhase& phase : phases) change += as_row(row.by_q[phase.number]) * movement.integrals[phase.number];
  return change;
}

bool Shooting::point_rows_along(std::span<const std::size_t> which, const Eigen::MatrixXd& directions,
                                Eigen::MatrixXd& out) {
  if (!evaluate()) return false;
  nodes_.leave_site();
  std::vector<RowSeeds> rows_seeds;
  for (std::size_t row : which)
    if (!add_point_row(row, 1, rows_seeds.emplace_back(empty_seeds()))) return false;
  Movement movement;
  if (!move_along(directions, movement)) return false;
  nodes_.leave_site();
  out.resize(static_cast<Index>(which.size()), directions.cols());
  for (std::size_t k = 0; k < which.size(); ++k) out.row(static_cast<Index>(k)) = along(rows_seeds[k], directions, movement);
  return out.allFinite();
}

// The Lagrangian as one row.
bool Shooting::lagrangian_seeds(double sigma, std::span<const double> lambda, RowSeeds& all) {
  all = empty_seeds();
  if (!add_point_row(objective_row, sigma, all)) return false;
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (lambda[r] != 0 && !seeds_of(rows[r], lambda[r], all)) return false;
  return true;
}

// How the local inputs of a site move whose states move along S.
Eigen::MatrixXd Shooting::along_site(const ShootingPhase& phase, const Local& local, const Eigen::MatrixXd& S,
                                     const Eigen::MatrixXd& V) const {
  Index n_x = static_cast<Index>(phase.model->n_x);
  Eigen::MatrixXd along(static_cast<Index>(local.value.size()), V.cols());
  along.topRows(n_x) = S;
  for (Index k = n_x; k < along.rows(); ++k)
    along.row(k) = V.row(static_cast<Index>(local.variable[static_cast<std::size_t>(k)]));
  return along;
}

bool Shooting::has_second_sensitivities() const {
  return std::all_of(phases.begin(), phases.end(), [](const ShootingPhase& phase) {
    return phase.reduced(0).has_second() &&
           std::all_of(phase.segments.begin(), phase.segments.end(), [](const auto& s) { return s.has_second_tangent(); });
  });
}

bool Shooting::hessian_along(double sigma, std::span<const double> lambda, const Eigen::MatrixXd& V, Eigen::MatrixXd& out) {
  if (!evaluate()) return false;
  Index m = V.cols();
  nodes_.leave_site();
  RowSeeds all;
  if (!lagrangian_seeds(sigma, lambda, all)) return false;
  ShootingNodes::Weighted weighted = nodes_.weighted_functions(sigma, lambda);
  std::vector<integrate::ReducedModel::Pair> pairs;
  for (Index i = 0; i < m; ++i)
    for (Index j = 0; j <= i; ++j) pairs.push_back({i, j});
  Eigen::MatrixXd both = Eigen::MatrixXd::Zero(V.rows(), m + static_cast<Index>(pairs.size())), B;
  both.leftCols(m) = V;  // variables move along straight lines
  Movement movement;
  if (!move_along(both, movement, pairs)) return false;
  out.resize(m, m);
  Eigen::RowVectorXd change = along(all, both, movement);
  for (std::size_t k = 0; k < pairs.size(); ++k)
    out(pairs[k].first, pairs[k].second) = out(pairs[k].second, pairs[k].first) = change[m + static_cast<Index>(k)];
  // the point function and functions at mesh points bend
  if (!nodes_.point_hessian(sigma, lambda, B)) return false;
  Eigen::MatrixXd moved(B.rows(), m);
  for (std::size_t k = 0; k < nodes_.values.size(); ++k) {
    RowSeeds row = empty_seeds();
    if (!add_node_function(nodes_.values[k], 1, row)) return false;
    moved.row(static_cast<Index>(k)) = along(row, both, movement).head(m);
  }
  Index n_parameters = static_cast<Index>(problem.n_parameters);
  moved.bottomRows(n_parameters) = V.topRows(n_parameters);
  out += moved.transpose() * (B * moved);
  for (const auto& [site, functions] : weighted) {
    ShootingPhase& phase = phases[site.phase];
    Local local = nodes_.local_at(phase, site.segment, site.node(), site.part());
    if (!nodes_.site_curvature(phase, site, functions, local, B)) return false;
    Eigen::MatrixXd T = along_site(phase, local, movement.nodes[site.phase][site.node()].leftCols(m), V);
    out += T.transpose() * (B * T);
  }
  nodes_.leave_site();
  return out.allFinite();
}

bool Shooting::hessian_times(double sigma, std::span<const double> lambda, const Eigen::MatrixXd& V, Eigen::MatrixXd& out) {
  if (!evaluate()) return false;
  Index n = static_cast<Index>(nlp.n()), m = V.cols();
  out = Eigen::MatrixXd::Zero(n, m);
  nodes_.leave_site();
  RowSeeds all;
  if (!lagrangian_seeds(sigma, lambda, all)) return false;
  ShootingNodes::Weighted weighted = nodes_.weighted_functions(sigma, lambda);
  Movement movement;
  if (!move_along(V, movement)) return false;
  const std::vector<std::vector<Eigen::MatrixXd>>& S = movement.nodes;
  std::vector<std::vector<Eigen::MatrixXd>> lambda_dot(phases.size());
  std::vector<Eigen::MatrixXd> omega_dot;
  for (const ShootingPhase& phase : phases) {
    lambda_dot[phase.number].assign(phase.N() + 1, Eigen::MatrixXd::Zero(static_cast<Index>(phase.model->n_x), m));
    omega_dot.push_back(Eigen::MatrixXd::Zero(static_cast<Index>(phase.model->n_q), m));
  }
  // the point function: its values move, so what it weighs them with does
  Eigen::MatrixXd B;
  if (!nodes_.point_hessian(sigma, lambda, B)) return false;
  std::vector<RowSeeds> values;
  Eigen::MatrixXd moved(B.rows(), m);
  for (std::size_t k = 0; k < nodes_.values.size(); ++k) {
    RowSeeds& row = values.emplace_back(empty_seeds());
    if (!add_node_function(nodes_.values[k], 1, row)) return false;
    moved.row(static_cast<Index>(k)) = along(row, V, movement);
  }
  Index n_values = static_cast<Index>(nodes_.values.size()), n_parameters = static_cast<Index>(problem.n_parameters);
  moved.bottomRows(n_parameters) = V.topRows(n_parameters);
  Eigen::MatrixXd weight_dot = B * moved;
  out.topRows(n_parameters) += weight_dot.bottomRows(n_parameters);
  for (Index k = 0; k < n_values; ++k) {
    const RowSeeds& row = values[static_cast<std::size_t>(k)];
    out += Eigen::Map<const Eigen::VectorXd>(row.direct.data(), n) * weight_dot.row(k);
    for (const RowSeeds::Seed& s : row.seeds)
      lambda_dot[s.phase][s.node] +=
          Eigen::Map<const Eigen::VectorXd>(s.by_x.data(), static_cast<Index>(s.by_x.size())) * weight_dot.row(k);
    for (const ShootingPhase& phase : phases)
      omega_dot[phase.number] +=
          Eigen::Map<const Eigen::VectorXd>(row.by_q[phase.number].data(), omega_dot[phase.number].rows()) *
          weight_dot.row(k);
  }
  for (const auto& [site, functions] : weighted) {  // curved functions at mesh points
    ShootingPhase& phase = phases[site.phase];
    Local local = nodes_.local_at(phase, site.segment, site.node(), site.part());
    Index n_x = static_cast<Index>(phase.model->n_x);
    Eigen::MatrixXd C;
    if (!nodes_.site_curvature(phase, site, functions, local, C)) return false;
    Eigen::MatrixXd change = C * along_site(phase, local, S[site.phase][site.node()], V);
    lambda_dot[site.phase][site.node()] += change.topRows(n_x);
    for (Index k = n_x; k < change.rows(); ++k)
      out.row(static_cast<Index>(local.variable[static_cast<std::size_t>(k)])) += change.row(k);
  }
  nodes_.leave_site();
  // backward, with λ alongside λ̇
  for (ShootingPhase& phase : phases) {
    std::vector<double> l(phase.model->n_x), gradient;
    Eigen::MatrixXd moved_l = Eigen::MatrixXd::Zero(static_cast<Index>(l.size()), m);
    for (std::size_t k = phase.N(); k-- > 0;) {
      for (const RowSeeds::Seed& s : all.seeds)
        if (s.phase == phase.number && s.node == k + 1)
          for (std::size_t i = 0; i < l.size(); ++i) l[i] += s.by_x[i];
      moved_l += lambda_dot[phase.number][k + 1];
      if (!add_segment_product(phase, k, S[phase.number][k], V, l, all.by_q[phase.number], omega_dot[phase.number], moved_l,
                               out)) {
        nodes_.note_trouble(phase, 0);
        return false;
      }
      gradient.assign(phase.segments[k].inputs(), 0.0);
      if (!phase.segments[k].adjoint(l, all.by_q[phase.number], gradient)) {
        nodes_.note_trouble(phase, 0);
        return false;
      }
    }
    moved_l += lambda_dot[phase.number][0];
    out.middleRows(static_cast<Index>(phase.first_x0), moved_l.rows()) += moved_l;
  }
  return out.allFinite();
}

}  // namespace bolza::transcribe
