// SPDX-License-Identifier: Apache-2.0
// Second derivatives of single segments and of functions at the mesh points: forward over adjoint where the segment has
// second derivatives, else differences of its own adjoint with steps held.
#include <algorithm>
#include <cmath>

#include "runtime/transcribe/shooting/nodes_internal.h"

namespace bolza::transcribe {
namespace {

using What = NodeFunction::What;

nonlinear::ModelAt::Part part_of(What what) {
  using Part = nonlinear::ModelAt::Part;
  return what == What::rate ? Part::rates : what == What::path ? Part::residuals : Part::initial;
}

}  // namespace

std::vector<std::size_t> ShootingNodes::free_globals(const ShootingPhase& phase) const {
  std::vector<std::size_t> out;
  for (std::size_t j = 0; j < phase.model->n_global; ++j)
    if (!problem.parameters[phase.parameter(j)].fixed) out.push_back(j);
  return out;
}

std::vector<std::size_t> ShootingNodes::variables_at(const ShootingPhase& phase, std::size_t segment, std::size_t node,
                                                     SegmentPart part) const {
  const bolza_model& m = *phase.model;
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < m.n_x; ++i) out.push_back(states_at_nodes_ || node == 0 ? phase.x_at(node, i) : no_variable);
  std::vector<std::size_t> controls = controls_at(phase, segment, part).variable;
  out.insert(out.end(), controls.begin(), controls.end());
  for (std::size_t j : free_globals(phase)) out.push_back(phase.parameter(j));
  return out;
}

Local ShootingNodes::local_at(ShootingPhase& phase, std::size_t segment, std::size_t node, SegmentPart part) const {
  const bolza_model& m = *phase.model;
  Local local{{phase.node(node).begin(), phase.node(node).end()}, {}, variables_at(phase, segment, node, part)};
  for (std::size_t i = 0; i < m.n_x; ++i) local.size.push_back(nonlinear::size_of(m.x[i]));
  for (std::size_t k = m.n_x; k < local.variable.size(); ++k) {
    local.value.push_back(w[local.variable[k]]);
    local.size.push_back(nlp.scale[local.variable[k]]);
  }
  for (std::size_t k = 0; k < local.size.size(); ++k) local.size[k] = std::max(local.size[k], std::fabs(local.value[k]));
  return local;
}

void ShootingNodes::apply_globals(ShootingPhase& phase, integrate::ReducedModel& model, std::span<const double> at) const {
  std::vector<double>& shared = model.at().shared;
  std::size_t k = 0;
  for (std::size_t j : free_globals(phase)) shared[j] = at[k++];
}

// Gradient of ψ_k by its local inputs.
bool ShootingNodes::segment_gradient(ShootingPhase& phase, std::size_t k, std::span<const double> xi,
                                     std::span<const double> lambda, std::span<const double> omega, Eigen::VectorXd& out) {
  const bolza_model& m = *phase.model;
  integrate::Segment& segment = phase.segments[k];
  std::size_t controls = segment.controls();
  std::vector<double> x(xi.begin(), xi.begin() + static_cast<std::ptrdiff_t>(m.n_x)), q(m.n_q),
      l(lambda.begin(), lambda.end()), gradient(segment.inputs());
  ControlMap map = controls_at(phase, k, SegmentPart::whole);
  std::size_t n_c = map.variable.size();
  Eigen::VectorXd u = map.by * Eigen::Map<const Eigen::VectorXd>(xi.data() + m.n_x, static_cast<Eigen::Index>(n_c));
  std::span<const double> left{u.data(), m.n_u},
      right = phase.values_of_input() > 1 ? std::span<const double>{u.data() + m.n_u, controls - m.n_u} : left;
  integrate::ReducedModel& reduced = phase.reduced(k);
  apply_globals(phase, reduced, xi.subspan(m.n_x + n_c));
  SegmentPlace times = times_of(phase, k);
  if (states_at_nodes_) start_algebraics(phase, k);
  if (!segment.forward(times, left, right, x, q) || !segment.adjoint(l, omega, gradient)) return false;
  out.resize(static_cast<Eigen::Index>(xi.size()));
  std::size_t n = 0;
  for (double v : l) out[static_cast<Eigen::Index>(n++)] = v;
  out.segment(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n_c)) =
      map.by.transpose() * Eigen::Map<const Eigen::VectorXd>(gradient.data(), static_cast<Eigen::Index>(controls));
  n += n_c;
  for (std::size_t j : free_globals(phase)) {
    double v = gradient[controls + j];
    if (j < 2)
      v += times.begin_by[j] * gradient[controls + m.n_global] + times.length_by[j] * gradient[controls + m.n_global + 1];
    out[static_cast<Eigen::Index>(n++)] = v;
  }
  return true;
}

// Gradient of Σ weight × node function over the functions of one site by the site's local inputs.
bool ShootingNodes::site_gradient(ShootingPhase& phase, const Site& site, const Functions& functions,
                                  std::span<const double> xi, Eigen::VectorXd& out) {
  const bolza_model& m = *phase.model;
  integrate::ReducedModel& reduced = phase.reduced(site.segment);
  ControlMap map = controls_at(phase, site.segment, site.part());
  auto n_c = static_cast<Eigen::Index>(map.variable.size());
  apply_globals(phase, reduced, xi.subspan(m.n_x + map.variable.size()));
  SegmentPlace times = times_of(phase, site.segment);
  Eigen::VectorXd u = map.by * Eigen::Map<const Eigen::VectorXd>(xi.data() + m.n_x, n_c);
  if (!reduced.move_to(times.begin + (site.end ? times.length : 0), xi.first(m.n_x), {u.data(), m.n_u})) return false;
  std::vector<double> gradient(reduced.columns());
  for (const auto& [f, weight] : functions) {
    std::vector<double> by_row, by_z;
    if (f.what == What::algebraic) {
      by_z.assign(m.n_z, 0.0);
      by_z[f.index] = weight;
    } else {
      by_row.assign((f.what == What::path ? m.n_z : 0) + f.index + 1, 0.0);
      by_row.back() = weight;
    }
    if (!reduced.add_gradient(part_of(f.what), by_row, by_z, gradient)) return false;
  }
  out.resize(static_cast<Eigen::Index>(xi.size()));
  for (std::size_t k = 0; k < m.n_x; ++k) out[static_cast<Eigen::Index>(k)] = gradient[1 + k];
  out.segment(static_cast<Eigen::Index>(m.n_x), n_c) =
      map.by.transpose() * Eigen::Map<const Eigen::VectorXd>(gradient.data() + 1 + m.n_x, static_cast<Eigen::Index>(m.n_u));
  std::size_t n = m.n_x + map.variable.size();
  for (std::size_t j : free_globals(phase)) {
    double v = gradient[1 + m.n_x + m.n_u + j];
    if (j < 2) v += gradient[0] * (times.begin_by[j] + (site.end ? times.length_by[j] : 0));
    out[static_cast<Eigen::Index>(n++)] = v;
  }
  return true;
}

// Central differences of a gradient; the undisturbed point comes last, so that what it leaves behind is that of the present
// variables.
template <class Gradient>
bool ShootingNodes::difference(const Local& local, Gradient&& gradient, Eigen::MatrixXd& out) {
  Eigen::Index n = static_cast<Eigen::Index>(local.value.size());
  out.resize(n, n);
  Eigen::VectorXd high, low;
  double relative = std::cbrt(method_ ? 1e-14 : rtol);
  for (std::size_t k = 0; k < local.value.size(); ++k) {
    std::vector<double> xi = local.value;
    double step = relative * local.size[k], width = 2 * step;
    xi[k] += step;
    if (!gradient(xi, high)) {  // from below
      xi[k] = local.value[k];
      width = step;
      if (!gradient(xi, high)) return false;
    }
    xi[k] = local.value[k] - step;
    if (!gradient(xi, low)) return false;
    out.col(static_cast<Eigen::Index>(k)) = (high - low) / width;
  }
  if (!gradient(local.value, high)) return false;
  out = (0.5 * (out + out.transpose())).eval();
  return out.allFinite();
}

integrate::Segment::Directions ShootingNodes::local_directions(const ShootingPhase& phase, std::size_t k,
                                                               const Local& local) const {
  using Eigen::Index;
  const bolza_model& m = *phase.model;
  const integrate::Segment& segment = phase.segments[k];
  const SegmentPlace& times = phase.times[k];
  Index n = static_cast<Index>(local.value.size()), n_x = static_cast<Index>(m.n_x),
        controls = static_cast<Index>(segment.controls()), begin = controls + static_cast<Index>(m.n_global);
  integrate::Segment::Directions d{Eigen::MatrixXd::Identity(n_x, n),
                                   Eigen::MatrixXd::Zero(static_cast<Index>(m.n_q), n),
                                   Eigen::MatrixXd::Zero(static_cast<Index>(segment.inputs()), n),
                                   local.size,
                                   {}};
  ControlMap map = controls_at(phase, k, SegmentPart::whole);
  d.direct.block(0, n_x, controls, map.by.cols()) = map.by;
  Index column = n_x + map.by.cols();
  for (std::size_t j : free_globals(phase)) {
    d.direct(controls + static_cast<Index>(j), column) = 1;
    if (j < 2) {
      d.direct(begin, column) = times.begin_by[j];
      d.direct(begin + 1, column) = times.length_by[j];
    }
    ++column;
  }
  return d;
}

bool ShootingNodes::segment_second(ShootingPhase& phase, std::size_t k, const Local& local, std::span<const double> lambda,
                                   std::span<const double> omega, Eigen::MatrixXd& B) {
  if (phase.segments[k].has_second()) return segment_curvature(phase, k, local, lambda, omega, B);
  auto by = [&](const std::vector<double>& xi, Eigen::VectorXd& g) {
    return segment_gradient(phase, k, xi, lambda, omega, g);
  };
  return difference(local, by, B);
}

bool ShootingNodes::site_second(ShootingPhase& phase, const Site& site, const Functions& functions, const Local& local,
                                bool exact, Eigen::MatrixXd& B) {
  if (exact) return site_curvature(phase, site, functions, local, B);
  auto by = [&](const std::vector<double>& xi, Eigen::VectorXd& g) { return site_gradient(phase, site, functions, xi, g); };
  return difference(local, by, B);
}

// ψ_k'' of a segment, forward over adjoint.
bool ShootingNodes::segment_curvature(ShootingPhase& phase, std::size_t k, const Local& local,
                                      std::span<const double> lambda, std::span<const double> omega, Eigen::MatrixXd& B) {
  using Eigen::Index;
  const bolza_model& m = *phase.model;
  integrate::Segment& segment = phase.segments[k];
  Index n = static_cast<Index>(local.value.size()), n_x = static_cast<Index>(m.n_x);
  integrate::Segment::Directions d = local_directions(phase, k, local);
  Eigen::MatrixXd along = d.direct, lambda_dot = Eigen::MatrixXd::Zero(n_x, n), gradient_dot;
  if (states_at_nodes_) start_algebraics(phase, k);
  if (!segment.second(phase.times[k], inputs_at(phase, k, SegmentPart::begin), inputs_after(phase, k), phase.node(k), d,
                      lambda, omega, {}, lambda_dot, gradient_dot))
    return false;
  B = along.transpose() * gradient_dot;  // the rows of states are 0 here
  B.topRows(n_x) = lambda_dot;
  B = (0.5 * (B + B.transpose())).eval();
  return B.allFinite();
}

// Second derivatives of Σ weight × node function over the functions of one site.
bool ShootingNodes::site_curvature(ShootingPhase& phase, const Site& site, const Functions& functions, const Local& local,
                                   Eigen::MatrixXd& B) {
  using Eigen::Index;
  const bolza_model& m = *phase.model;
  integrate::ReducedModel& reduced = phase.reduced(site.segment);
  Index n = static_cast<Index>(local.value.size()), columns = static_cast<Index>(reduced.columns());
  const SegmentPlace& times = phase.times[site.segment];
  Eigen::MatrixXd along = Eigen::MatrixXd::Zero(columns, n), out = along;
  ControlMap map = controls_at(phase, site.segment, site.part());
  Index n_x = static_cast<Index>(m.n_x), n_xu = n_x + static_cast<Index>(m.n_u), column = n_x + map.by.cols();
  along.block(1, 0, n_x, n_x).setIdentity();
  along.block(1 + n_x, n_x, map.by.rows(), map.by.cols()) = map.by;
  for (std::size_t j : free_globals(phase)) {
    along(1 + n_xu + static_cast<Index>(j), column) = 1;
    if (j < 2) along(0, column) = times.begin_by[j] + (site.end ? times.length_by[j] : 0);
    ++column;
  }
  leave_site();
  if (!at_site(site)) return false;
  for (const auto& [f, weight] : functions) {
    std::vector<double> by_row, by_z;
    if (f.what == What::algebraic) {
      by_z.assign(m.n_z, 0.0);
      by_z[f.index] = weight;
    } else {
      by_row.assign((f.what == What::path ? m.n_z : 0) + f.index + 1, 0.0);
      by_row.back() = weight;
    }
    if (!reduced.second_adjoint(part_of(f.what), by_row, by_z, {}, along, out)) return false;
  }
  B = along.transpose() * out;
  return B.allFinite();
}

double ShootingNodes::point_weight(std::size_t row, double sigma, std::span<const double> lambda) const {
  double weight = row == objective_row ? sigma : 0;
  bool is_row = row < row_of_point_.size() && row_of_point_[row] != no_variable;
  return is_row ? weight + lambda[row_of_point_[row]] : weight;
}

bool ShootingNodes::has_point_hessian() {
  if (!point_hessian_.available()) point_hessian_ = nonlinear::KernelAt(problem, problem.point, BOLZA_HESSIAN);
  return point_hessian_.available();
}

bool ShootingNodes::point_hessian(double sigma, std::span<const double> lambda, Eigen::MatrixXd& B) {
  const bolza_function& f = *problem.point;
  if (!has_point_hessian()) return differenced_point_hessian(sigma, lambda, B);
  std::vector<double> weight(f.n_rows);
  for (std::size_t r = 0; r < f.n_rows; ++r) weight[r] = sign_of(r) * point_weight(r, sigma, lambda);
  point_hessian_.set(0, V_);
  point_hessian_.set_weight(weight);
  if (point_hessian_.run(point_shared_.data())) return false;
  Eigen::Index n = static_cast<Eigen::Index>(V_.size() + problem.n_parameters);
  B = Eigen::MatrixXd::Zero(n, n);
  for (std::size_t e = 0; e < f.hess_nnz; ++e)
    B(f.hess_row[e], f.hess_col[e]) = B(f.hess_col[e], f.hess_row[e]) = point_hessian_.out(e);
  return true;
}

// The same where the provider has first derivatives only.
bool ShootingNodes::differenced_point_hessian(double sigma, std::span<const double> lambda, Eigen::MatrixXd& B) {
  const bolza_function& f = *problem.point;
  std::size_t n = V_.size() + problem.n_parameters;
  Local local;
  local.value = V_;
  local.value.insert(local.value.end(), w.begin(), w.begin() + static_cast<std::ptrdiff_t>(problem.n_parameters));
  for (double v : local.value) local.size.push_back(std::max(1.0, std::fabs(v)));
  auto gradient = [&](const std::vector<double>& at, Eigen::VectorXd& g) {
    std::vector<double> shared = point_shared_;
    std::copy(at.begin() + static_cast<std::ptrdiff_t>(V_.size()), at.end(), shared.begin());
    point_jacobian_.set(0, std::span(at).first(V_.size()));
    if (point_jacobian_.run(shared.data())) return false;
    g.setZero(static_cast<Eigen::Index>(n));
    for (std::size_t e = 0; e < f.jac_nnz; ++e)
      g[f.jac_col[e]] += point_weight(static_cast<std::size_t>(f.jac_row[e]), sigma, lambda) * point_entry(e);
    return true;
  };
  point_jacobian_ready_ = false;
  return difference(local, gradient, B);
}

// Curved node functions with their weights in the Lagrangian, by site.
ShootingNodes::Weighted ShootingNodes::weighted_functions(double sigma, std::span<const double> lambda) {
  Weighted out;
  auto add = [&](const NodeFunction& f, double weight) {
    if (weight == 0 || !f.curved()) return;
    auto at = std::find_if(out.begin(), out.end(), [&](const auto& s) { return s.first == f.site; });
    if (at == out.end()) at = out.insert(out.end(), {f.site, {}});
    at->second.emplace_back(f, weight);
  };
  const bolza_function& p = *problem.point;
  for (std::size_t e = 0; e < p.jac_nnz; ++e) {
    std::size_t row = static_cast<std::size_t>(p.jac_row[e]), col = static_cast<std::size_t>(p.jac_col[e]);
    if (col < p.n_point) add(values[col], point_weight(row, sigma, lambda) * point_entry(e));
  }
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (rows[r].kind == ShootingRow::Kind::node) add(rows[r].function, lambda[r]);
    else
      for (const auto& [f, weight] : rows[r].sum) add(f, lambda[r] * weight);
  return out;
}

}  // namespace bolza::transcribe
