// SPDX-License-Identifier: Apache-2.0
// Rows of shooting at the mesh points, and scales.
#include <algorithm>
#include <cmath>

#include "runtime/transcribe/plan/path_equalities.h"
#include "runtime/transcribe/shooting/links.h"
#include "runtime/transcribe/shooting/nodes_internal.h"

namespace bolza::transcribe {
namespace {

using What = NodeFunction::What;

/// Do any of these rows of the residuals depend on controls?
bool rows_have_controls(const bolza_model& m, std::size_t first, std::size_t end) {
  for (std::size_t e = 0; m.residuals && e < m.residuals->jac_nnz; ++e) {
    auto row = static_cast<std::size_t>(m.residuals->jac_row[e]), col = static_cast<std::size_t>(m.residuals->jac_col[e]);
    if (row >= first && row < end && col > m.n_x + m.n_z && col <= m.n_x + m.n_z + m.n_u) return true;
  }
  return false;
}

}  // namespace

void ShootingNodes::add_row(ShootingRow row, double lower, double upper, double scale, nlp::RowRole role,
                            std::int32_t interval) {
  rows.push_back(std::move(row));
  nlp.row_lower.push_back(lower);
  nlp.row_upper.push_back(upper);
  nlp.row_scale.push_back(scale);
  nlp.row_role.push_back(role);
  nlp.row_interval.push_back(interval);
  nlp.linear.push_back(0);
}

void ShootingNodes::add_point_row(std::size_t point_row) {
  const bolza_row& r = problem.point->rows[point_row];
  row_of_point_[point_row] = rows.size();
  add_row({.kind = ShootingRow::Kind::point, .point_row = point_row, .name = r.name, .source = r.source}, r.lower, r.upper,
          1, nlp::RowRole::point, nlp::global);
}

void ShootingNodes::add_point_rows() {
  if (!options.constraints) links = links_between_phases(*this);
  for (const Link& link : links) add_point_row(link.point_row);
  for (std::size_t k = 1; options.constraints && k <= problem.n_k; ++k) add_point_row(k);
}

// A row at every mesh point; where controls jump one that they have part in holds on both sides. An equality of theirs can
// be had once for each of their values: where these begin.
void ShootingNodes::add_at_nodes(const ShootingPhase& phase, What what, std::size_t index, const char* name,
                                 bolza_source source, double lower, double upper, double scale, bool both_sides) {
  bool once = lower == upper && what == What::path && !phase.linear && depends_on_controls(*phase.model, index);
  for (std::size_t k = what == What::state ? 1 : 0; k <= phase.N(); ++k)
    for (bool right : {false, true}) {
      if (once && (right != (k > 0) || k == phase.N() || (k > 0 && !phase.jumps_at(k)))) continue;
      if (once) both_sides = true;
      if (right && (!both_sides || k == 0 || k == phase.N() || !phase.jumps_at(k))) continue;
      Site site = k && !right ? Site{phase.number, k - 1, true} : Site{phase.number, k, false};
      add_row({.kind = ShootingRow::Kind::node, .function = {what, site, index}, .name = name, .source = source}, lower,
              upper, scale, nlp::RowRole::path, static_cast<std::int32_t>(site.segment));
    }
}

void ShootingNodes::add_bounds(const ShootingPhase& phase, What what, const bolza_variable* variables, std::size_t n) {
  bool both_sides = !phase.linear && rows_have_controls(*phase.model, 0, phase.model->n_z);
  for (std::size_t i = 0; i < n; ++i) {
    const bolza_variable& v = variables[i];
    if (std::isfinite(v.min) || std::isfinite(v.max))
      add_at_nodes(phase, what, i, v.name, v.source, v.min, v.max, nonlinear::size_of(v), both_sides);
  }
}

void ShootingNodes::add_phase_rows(ShootingPhase& phase) {
  const bolza_model& m = *phase.model;
  for (std::size_t j = 0; j < m.n_initial; ++j) {
    const bolza_row* r = m.initial->rows ? &m.initial->rows[j] : nullptr;
    add_row({.kind = ShootingRow::Kind::node,
             .function = {What::initial, {phase.number, 0, false}, j},
             .name = r ? r->name : "",
             .source = r ? r->source : bolza_source{}},
            0, 0, 1, nlp::RowRole::initial, 0);
  }
  if (!options.constraints) return;
  bool z_jumps = rows_have_controls(m, 0, m.n_z);
  for (std::size_t j = 0; j < m.n_g; ++j) {
    const bolza_row& r = m.residuals->rows[m.n_z + j];
    bool jumps = z_jumps || rows_have_controls(m, m.n_z + j, m.n_z + j + 1);
    if (std::isfinite(r.lower) || std::isfinite(r.upper))
      add_at_nodes(phase, What::path, j, r.name, r.source, r.lower, r.upper, 1, !phase.linear && jumps);
  }
  if (!states_at_nodes_) add_bounds(phase, What::state, m.x, m.n_x);  // else they are those of variables
  add_bounds(phase, What::algebraic, m.z, m.n_z);
  bool free = !problem.parameters[phase.parameter(0)].fixed || !problem.parameters[phase.parameter(1)].fixed;
  for (const AffineTime& length : phase.mesh.segment)
    if (free && (length.start != 0 || length.final != 0))
      add_row(
          {.kind = ShootingRow::Kind::length, .phase = phase.number, .length = length, .name = "the length of the horizon"},
          0, INFINITY, 1, nlp::RowRole::horizon, nlp::global);
}

void ShootingNodes::set_scales(nlp::Functions& functions) {
  functions.move_to(nlp.start);
  const double *g = functions.gradient(), *J = functions.jacobian();
  if (!g || !J) return;
  double largest = 0;
  for (std::size_t c = 0; c < nlp.n(); ++c)
    if (nlp.lower[c] < nlp.upper[c]) largest = std::max(largest, std::fabs(g[c]) * nlp.scale[c]);
  // Moderate sizes stay: what is divided away here is also taken from the accuracy of the objective. A slope that is small
  // although the objective is not belongs to a start next to an optimum.
  if (largest > 100) nlp.objective_scale = largest / 100;
  double f = 0;
  if (functions.objective(f)) largest = std::max(largest, std::fabs(f));
  if (largest > 0 && largest < 0.01) nlp.objective_scale = std::max(largest / 0.01, 1e-6);
  std::vector<double> size(nlp.m(), 0.0);
  for (std::size_t k = 0; k < nlp.jacobian.size(); ++k) {
    double& s = size[static_cast<std::size_t>(nlp.jacobian.row[k])];
    s = std::max(s, std::fabs(J[k]) * nlp.scale[static_cast<std::size_t>(nlp.jacobian.col[k])]);
  }
  for (std::size_t r = 0; r < nlp.m(); ++r)
    if (size[r] > 0 && nlp.row_role[r] != nlp::RowRole::defect) nlp.row_scale[r] = std::clamp(size[r], 1e-6, 1e6);
  if (const double* values = states_at_nodes_ ? nullptr : functions.constraints()) find_equal_states(J, values);
}

}  // namespace bolza::transcribe
