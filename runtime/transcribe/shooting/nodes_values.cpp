// SPDX-License-Identifier: Apache-2.0
// Values and first derivatives of functions at the mesh points and of the point function.
#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "runtime/transcribe/shooting/nodes_internal.h"

namespace bolza::transcribe {

using What = NodeFunction::What;
using Part = nonlinear::ModelAt::Part;

void ShootingNodes::move_to(std::span<const double> to) {
  w.assign(to.begin(), to.end());
  point_jacobian_ready_ = false;
  move_delays();
  leave_site();
}

void ShootingNodes::repeat_steps(bool repeat) {
  for (ShootingPhase& phase : phases)
    for (integrate::Segment& segment : phase.segments) segment.repeat_steps(repeat);
}

void ShootingNodes::set_shared(ShootingPhase& phase, integrate::ReducedModel& model) const {
  const bolza_model& m = *phase.model;
  std::vector<double>& shared = model.at().shared;
  const double* data = phase.phase->shared_values ? phase.phase->shared_values : m.shared_values;
  if (data) std::copy(data, data + m.n_shared, shared.begin());
  for (std::size_t j = 0; j < m.n_global; ++j) shared[j] = w[phase.parameter(j)];
}

SegmentPlace ShootingNodes::times_with(const ShootingPhase& phase, std::size_t k, const std::vector<double>& shared) const {
  AffineTime a = phase.mesh.point[k], h = phase.mesh.point[k + 1] - phase.mesh.point[k];
  return {{a.at(shared[0], shared[1]), h.at(shared[0], shared[1])}, {a.start, a.final}, {h.start, h.final}};
}

SegmentPlace ShootingNodes::times_of(const ShootingPhase& phase, std::size_t k) const {
  return times_with(phase, k, phase.reduced(k).at().shared);
}

void ShootingNodes::start_algebraics(ShootingPhase& phase, std::size_t segment) const {
  phase.reduced(segment).forget();
  if (!phase.z_guess.empty()) phase.reduced(segment).start_from(phase.z_guess[segment]);
}

std::vector<double> ShootingNodes::inputs_at(const ShootingPhase& phase, std::size_t segment, SegmentPart side) const {
  std::vector<double> u(phase.model->n_u);
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = phase.control(segment, i, side, w);
  return u;
}

std::vector<double> ShootingNodes::inputs_after(const ShootingPhase& phase, std::size_t segment) const {
  if (phase.input_places.empty()) return inputs_at(phase, segment, SegmentPart::end);
  std::vector<double> u;
  for (std::size_t side = 1; side < phase.sides(); ++side)
    for (std::size_t i = 0; i < phase.model->n_u; ++i) u.push_back(phase.control_at(segment, i, side, w));
  return u;
}

void ShootingNodes::note_trouble(const ShootingPhase& phase, std::size_t segment) {
  const nonlinear::ModelAt::Trouble& t = phase.reduced(segment).at().trouble();
  trouble = nonlinear::finding_of(t);
  if (t.name.empty()) trouble.name = "integration";
  if (t.text.empty()) trouble.text = "the integration did not reach the end of the horizon";
}

void ShootingNodes::note_failed_segment(const ShootingPhase& phase, std::size_t segment) {
  note_trouble(phase, segment);
  const nonlinear::ModelAt::Trouble& t = phase.reduced(segment).at().trouble();
  if (!t.name.empty() || !t.text.empty() || phase.model->n_x == 0) return;
  std::span<const double> x = std::span(phase.x).subspan(segment * phase.model->n_x, phase.model->n_x);
  std::size_t largest = 0;
  auto relative = [&](std::size_t i) { return std::fabs(x[i]) / nonlinear::size_of(phase.model->x[i]); };
  for (std::size_t i = 1; i < x.size(); ++i)
    if (relative(i) > relative(largest)) largest = i;
  const SegmentPlace& times = phase.times[segment];
  if (const char* name = phase.model->x[largest].name) trouble.name = name;
  trouble.time = times.begin + times.length;
  trouble.text = "no integration leads there from t = " + shown(times.begin, 4) + ", where `" + trouble.name + "` is " +
                 shown(x[largest], 4) + ": ";
  if (method_ && !method_->stiff)
    trouble.text += "the model runs away with these values, or is too stiff for `" + std::string(method_->name) + "`; ";
  else trouble.text += "the model runs away with these values; ";
  trouble.text += states_at_nodes_
                      ? "limits of states, or another guess, may keep away from them"
                      : "`--method multiple-shooting` and collocation (`--method radau`) have states at the mesh "
                        "points, which limits and guesses hold";
}

bool ShootingNodes::evaluate_rows() {
  if (!point_values()) return false;
  row_values.reserve(1);  // a null pointer would mean a failure, also when there are no rows
  row_values.resize(rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (!row_value(r, row_values[r])) return false;
  return true;
}

bool ShootingNodes::row_value(std::size_t r, double& value) {
  using enum ShootingRow::Kind;
  const ShootingRow& row = rows[r];
  const NodeFunction& f = row.function;
  switch (row.kind) {
    case point:
      value = point_rows[row.point_row];
      return true;
    case length:
      value = row.length.at(w[phases[row.phase].parameter(0)], w[phases[row.phase].parameter(1)]);
      return true;
    case defect:
      value = phases[f.site.phase].end_of(f.site.segment)[f.index] - phases[f.site.phase].node(f.site.node())[f.index];
      return true;
    case integral:
      value = phases[f.site.phase].q[f.index] - w[phases[f.site.phase].integral_variable[f.index]];
      return true;
    case node:
      return node_value(f, value);
    case delay:
      if (!weighted_sum(row, {}, value)) return false;
      value -= w[row.variable];
      return true;
  }
  return false;
}

bool ShootingNodes::at_site(const Site& site) {
  if (site_ && *site_ == site) return true;
  ShootingPhase& phase = phases[site.phase];
  const SegmentPlace& times = phase.times[site.segment];
  double t = times.begin + (site.end ? times.length : 0);
  site_.reset();
  std::span<const double> discrete = phase.segments[site.segment].discrete_at(site.end);
  integrate::ReducedModel& reduced = phase.reduced(site.segment);
  std::copy(discrete.begin(), discrete.end(),
            reduced.at().shared.begin() + static_cast<std::ptrdiff_t>(phase.model->n_global));
  if (states_at_nodes_) start_algebraics(phase, site.segment);
  if (!reduced.move_to(t, phase.node(site.node()), inputs_at(phase, site.segment, site.part()))) {
    note_trouble(phase, site.segment);
    return false;
  }
  site_ = std::make_unique<Site>(site);
  return true;
}

bool ShootingNodes::node_value(const NodeFunction& f, double& value) {
  ShootingPhase& phase = phases[f.site.phase];
  const bolza_model& m = *phase.model;
  if (f.what == What::state) {
    value = phase.node(f.site.node())[f.index];
    return true;
  }
  if (f.what == What::control) {
    value = phase.control(f.site.segment, f.index, f.site.part(), w);
    return true;
  }
  if (f.what == What::integral) {
    std::size_t variable = phase.integral_variable[f.index];
    value = variable == no_variable ? phase.q[f.index] : w[variable];
    return true;
  }
  if (!at_site(f.site)) return false;
  if (f.what == What::algebraic) {
    value = phase.reduced(f.site.segment).z()[f.index];
    return true;
  }
  std::size_t first = f.what == What::path ? m.n_z : 0;
  std::vector<double> out(first + f.index + 1);
  Part part = f.what == What::rate ? Part::rates : f.what == What::path ? Part::residuals : Part::initial;
  if (!phase.reduced(f.site.segment).rows(part, out)) {
    note_trouble(phase, f.site.segment);
    return false;
  }
  value = out.back();
  return std::isfinite(value);
}

bool ShootingNodes::point_values() {
  V_.resize(values.size());
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!node_value(values[k], V_[k])) return false;
  point_shared_.assign(w.begin(), w.begin() + static_cast<std::ptrdiff_t>(problem.n_parameters));
  if (problem.point_data && problem.point->n_shared > problem.n_parameters)
    point_shared_.insert(point_shared_.end(), problem.point_data,
                         problem.point_data + (problem.point->n_shared - problem.n_parameters));
  point_value_.set(0, V_);
  if (point_value_.run(point_shared_.data())) return false;
  point_rows.resize(problem.point->n_rows);
  for (std::size_t r = 0; r < point_rows.size(); ++r) point_rows[r] = sign_of(r) * point_value_.out(r);
  return true;
}

bool ShootingNodes::differentiate_point() {
  if (point_jacobian_ready_) return true;
  point_jacobian_.set(0, V_);
  if (point_jacobian_.run(point_shared_.data())) return false;
  return point_jacobian_ready_ = true;
}

bool ShootingNodes::site_derivatives(const NodeFunction& f, double weight, SiteDerivatives& out) {
  if (!at_site(f.site)) return false;
  ShootingPhase& phase = phases[f.site.phase];
  const bolza_model& m = *phase.model;
  integrate::ReducedModel& reduced = phase.reduced(f.site.segment);
  std::vector<double> by_row, by_z, gradient(reduced.columns());
  Part part = f.what == What::rate ? Part::rates : f.what == What::path ? Part::residuals : Part::initial;
  if (f.what == What::algebraic) {
    by_z.assign(m.n_z, 0.0);
    by_z[f.index] = weight;
  } else {
    by_row.assign((f.what == What::path ? m.n_z : 0) + f.index + 1, 0.0);
    by_row.back() = weight;
  }
  if (!reduced.add_gradient(part, by_row, by_z, gradient)) {
    note_trouble(phase, f.site.segment);
    return false;
  }
  auto u = gradient.begin() + 1 + static_cast<std::ptrdiff_t>(m.n_x), p = u + static_cast<std::ptrdiff_t>(m.n_u);
  out.by_x.assign(gradient.begin() + 1, u);
  out.by_u.assign(u, p);
  out.by_global.assign(p, gradient.end());
  const SegmentPlace& times = phase.times[f.site.segment];
  for (std::size_t j = 0; j < 2; ++j)
    out.by_global[j] += gradient[0] * (times.begin_by[j] + (f.site.end ? times.length_by[j] : 0));
  return true;
}

}  // namespace bolza::transcribe
