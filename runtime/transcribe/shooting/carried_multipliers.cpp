// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/shooting/carried_multipliers.h"

#include <algorithm>

#include "runtime/nlp/centred.h"
#include "runtime/transcribe/spread_multipliers.h"

namespace bolza::transcribe {
namespace {

using What = NodeFunction::What;

/// Variables and rows of a phase along its horizon: what lies at mesh points stands for half the way to its neighbours.
class NodeStretches {
 public:
  NodeStretches(const ShootingNodes& nodes, const ShootingPhase& phase, std::span<const double> w)
      : nodes_(nodes),
        phase_(phase) {
    double t0 = w[phase.parameter(0)], tf = w[phase.parameter(1)];
    for (const AffineTime& point : phase.mesh.point) mesh_.push_back(tf > t0 ? (point.at(t0, tf) - t0) / (tf - t0) : 0);
  }

  double mesh(std::size_t node) const { return mesh_[node]; }

  /// States that are variables.
  AlongHorizon states(std::size_t i) const {
    AlongHorizon out;
    std::vector<double> places;
    for (std::size_t k = 0; k <= phase_.N(); ++k)
      if (phase_.first_state[k] != no_variable) {
        out.number.push_back(phase_.x_at(k, i));
        places.push_back(mesh_[k]);
      }
    out.stretch = half_way(places);
    if (places.size() == 1) out.stretch = {{0, 0}};  // single shooting: the initial value alone
    return out;
  }
  AlongHorizon controls(std::size_t i) const {
    AlongHorizon out;
    std::vector<double> places;
    for (std::size_t node : phase_.grid[i]) places.push_back(mesh_[node]);
    out.number = phase_.grid_variable[i];
    if (phase_.linear) out.stretch = half_way(places);
    for (std::size_t k = 0; k + 1 < places.size() && !phase_.linear; ++k) out.stretch.push_back({places[k], places[k + 1]});
    return out;
  }
  /// Rows at mesh points, in the order of time.
  AlongHorizon rows(What what, std::size_t index) const {
    std::vector<std::pair<double, std::size_t>> found;
    for (std::size_t r = 0; r < nodes_.rows.size(); ++r) {
      const ShootingRow& row = nodes_.rows[r];
      const NodeFunction& f = row.function;
      if (row.kind == ShootingRow::Kind::node && f.what == what && f.index == index && f.site.phase == phase_.number)
        found.emplace_back(mesh_[f.site.node()], r);
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    AlongHorizon out;
    std::vector<double> places;
    for (const auto& [place, row] : found) {
      places.push_back(place);
      out.number.push_back(row);
    }
    out.stretch = half_way(places);
    return out;
  }

 private:
  const ShootingNodes& nodes_;
  const ShootingPhase& phase_;
  std::vector<double> mesh_;
};

void append(abi::SpreadMultiplier& to, const abi::SpreadMultiplier& more) {
  to.from.insert(to.from.end(), more.from.begin(), more.from.end());
  to.to.insert(to.to.end(), more.to.begin(), more.to.end());
  to.amount.insert(to.amount.end(), more.amount.begin(), more.amount.end());
}

/// Of integrals that variables stand for: row = integral − variable.
void set_integrals(const ShootingNodes& nodes, nlp::Functions& functions, nlp::Iterate& iterate) {
  bool any = false;
  for (const ShootingRow& row : nodes.rows) any = any || row.kind == ShootingRow::Kind::integral;
  if (!any) return;
  functions.move_to(iterate.w);
  const double *gradient = functions.gradient(), *jacobian = functions.jacobian();
  if (!gradient || !jacobian) return;
  const nlp::Pattern& pattern = nodes.nlp.jacobian;
  for (std::size_t r = 0; r < nodes.rows.size(); ++r) {
    if (nodes.rows[r].kind != ShootingRow::Kind::integral) continue;
    const NodeFunction& f = nodes.rows[r].function;
    std::size_t variable = nodes.phases[f.site.phase].integral_variable[f.index];
    double slope = gradient[variable];
    for (std::size_t e = 0; e < pattern.size(); ++e)
      if (static_cast<std::size_t>(pattern.col[e]) == variable && static_cast<std::size_t>(pattern.row[e]) != r)
        slope += jacobian[e] * iterate.lambda[static_cast<std::size_t>(pattern.row[e])];
    iterate.lambda[r] = slope;
  }
}

/// Of the rows that are no functions at mesh points.
bool set_other_rows(const ShootingNodes& nodes, const abi::Solution& from, std::vector<double>& lambda) {
  std::vector<CostateCurves> curves;
  std::vector<NodeStretches> stretches;
  for (const ShootingPhase& phase : nodes.phases) {
    curves.emplace_back(from.phases[phase.number]);
    stretches.emplace_back(nodes, phase, nodes.nlp.start);
  }
  for (std::size_t r = 0; r < nodes.rows.size(); ++r) {
    const ShootingRow& row = nodes.rows[r];
    const NodeFunction& f = row.function;
    const Site& site = f.site;
    if (row.kind == ShootingRow::Kind::delay) return false;
    if (row.kind == ShootingRow::Kind::point) lambda[r] = from.point_multipliers[row.point_row - 1];
    if (row.kind == ShootingRow::Kind::defect)
      lambda[r] = curves[site.phase].at(f.index, stretches[site.phase].mesh(site.node()), true);
    if (row.kind == ShootingRow::Kind::node && f.what == What::initial)
      lambda[r] = from.phases[site.phase].multipliers.initial[f.index];
  }
  return true;
}

}  // namespace

abi::PhaseMultipliers multipliers_along(const ShootingNodes& nodes, const ShootingPhase& phase,
                                        const nlp::Iterate& iterate) {
  const nlp::Nlp& nlp = nodes.nlp;
  abi::PhaseMultipliers out;
  if (!phase.input_places.empty() || iterate.lambda.size() != nlp.m() || iterate.z_lower.size() != nlp.n()) return out;
  NodeStretches along(nodes, phase, iterate.w);
  std::vector<double> bound(nlp.n(), 0);
  for (std::size_t v = 0; v < nlp.n(); ++v)
    if (nlp.lower[v] < nlp.upper[v]) bound[v] = iterate.z_upper[v] - iterate.z_lower[v];
  const bolza_model& m = *phase.model;
  for (std::size_t i = 0; i < m.n_x; ++i) {
    out.x.push_back(spread(along.states(i), bound));
    append(out.x.back(), spread(along.rows(What::state, i), iterate.lambda));
  }
  for (std::size_t i = 0; i < m.n_z; ++i) out.z.push_back(spread(along.rows(What::algebraic, i), iterate.lambda));
  for (std::size_t i = 0; i < m.n_u; ++i) out.u.push_back(spread(along.controls(i), bound));
  for (std::size_t g = 0; g < m.n_g; ++g) out.path.push_back(spread(along.rows(What::path, g), iterate.lambda));
  out.algebraic.resize(m.n_z);  // solved for within an integration
  for (std::size_t k = 0; k < m.n_initial; ++k) {
    AlongHorizon rows = along.rows(What::initial, k);
    out.initial.push_back(rows.number.empty() ? 0 : iterate.lambda[rows.number.front()]);
  }
  return out;
}

nlp::Iterate carried_multipliers(const ShootingNodes& nodes, nlp::Functions& functions, const abi::Solution& from,
                                 const nlp::EngineOptions& engine) {
  if (!has_multipliers(nodes.problem, from)) return {};
  const nlp::Nlp& nlp = nodes.nlp;
  nlp::Iterate iterate{nlp.start, std::vector<double>(nlp.m()), std::vector<double>(nlp.n()), std::vector<double>(nlp.n())};
  std::vector<double> bound(nlp.n(), 0);
  for (const ShootingPhase& phase : nodes.phases) {
    const abi::PhaseMultipliers& of = from.phases[phase.number].multipliers;
    const bolza_model& m = *phase.model;
    if (!phase.input_places.empty()) return {};
    NodeStretches along(nodes, phase, nlp.start);
    for (std::size_t i = 0; i < m.n_x; ++i) {
      AlongHorizon states = along.states(i);
      if (states.number.size() > 1) gather(of.x[i], states, bound);
      gather(of.x[i], along.rows(What::state, i), iterate.lambda);
    }
    for (std::size_t i = 0; i < m.n_z; ++i) gather(of.z[i], along.rows(What::algebraic, i), iterate.lambda);
    for (std::size_t i = 0; i < m.n_u; ++i) gather(of.u[i], along.controls(i), bound);
    for (std::size_t g = 0; g < m.n_g; ++g) gather(of.path[g], along.rows(What::path, g), iterate.lambda);
  }
  std::copy(from.parameter_multipliers.begin(), from.parameter_multipliers.end(), bound.begin());
  for (std::size_t v = 0; v < nlp.n(); ++v) {
    iterate.z_upper[v] = std::max(bound[v], 0.0);
    iterate.z_lower[v] = std::max(-bound[v], 0.0);
  }
  if (!set_other_rows(nodes, from, iterate.lambda)) return {};
  set_integrals(nodes, functions, iterate);
  return nlp::centred_for(engine, nlp, std::move(iterate));
}

}  // namespace bolza::transcribe
