// Second derivatives of single shooting's Lagrangian. With ξ_k = (x_k, u_k, p), what segment k adds is ψ_k(ξ_k) = λ_{k+1}'
// x_{k+1}(ξ_k) + ω' Q_k(ξ_k), and the Hessian is Σ T_k' ψ_k'' T_k, T_k = dξ_k/dw. ψ_k'' is had forward over adjoint where
// the segment has second derivatives, else by differences of its own adjoint with steps held; T_k comes from forward
// sensitivities.
#include <algorithm>
#include <cmath>

#include "runtime/transcribe/shooting/shooting_internal.h"

namespace bolza::transcribe {
namespace {

using What = NodeFunction::What;

bool curved(What what) { return what != What::state && what != What::control && what != What::integral; }

nonlinear::ModelAt::Part part_of(What what) {
  using Part = nonlinear::ModelAt::Part;
  return what == What::rate ? Part::rates : what == What::path ? Part::residuals : Part::initial;
}

}  // namespace

std::vector<std::size_t> Shooting::free_globals(const ShootingPhase& phase) const {
  std::vector<std::size_t> out;
  for (std::size_t j = 0; j < phase.model->n_global; ++j)
    if (!problem.parameters[phase.parameter(j)].fixed) out.push_back(j);
  return out;
}

// The local inputs of a segment or site and the variables that they are.
Shooting::Local Shooting::local_at(ShootingPhase& phase, std::size_t segment, std::size_t node, bool both_controls,
                                   bool right) const {
  const bolza_model& m = *phase.model;
  Local local;
  local.value.assign(phase.node(node).begin(), phase.node(node).end());
  for (std::size_t i = 0; i < m.n_x; ++i)
    local.size.push_back(nonlinear::size_of(m.x[i])), local.variable.push_back(nlp.n());
  for (int side = 0; side < (both_controls && phase.linear ? 2 : 1); ++side)
    for (std::size_t i = 0; i < m.n_u; ++i)
      local.variable.push_back(phase.u_at(segment, i, both_controls ? side == 1 : right));
  for (std::size_t j : free_globals(phase)) local.variable.push_back(phase.parameter(j));
  for (std::size_t k = m.n_x; k < local.variable.size(); ++k)
    local.value.push_back(w_[local.variable[k]]), local.size.push_back(nlp.scale[local.variable[k]]);
  for (std::size_t k = 0; k < local.size.size(); ++k) local.size[k] = std::max(local.size[k], std::fabs(local.value[k]));
  return local;
}

void Shooting::apply_globals(ShootingPhase& phase, std::span<const double> values) {
  std::vector<double>& shared = phase.reduced->at().shared;
  std::size_t k = 0;
  for (std::size_t j : free_globals(phase)) shared[j] = values[k++];
}

SegmentPlace Shooting::times_of(const ShootingPhase& phase, std::size_t k) const {
  const std::vector<double>& shared = phase.reduced->at().shared;
  AffineTime a = phase.mesh.point[k], h = phase.mesh.point[k + 1] - phase.mesh.point[k];
  return {{a.at(shared[0], shared[1]), h.at(shared[0], shared[1])}, {a.start, a.final}, {h.start, h.final}};
}

// Gradient of ψ_k by its local inputs.
bool Shooting::segment_gradient(ShootingPhase& phase, std::size_t k, std::span<const double> xi,
                                std::span<const double> lambda, std::span<const double> omega, Eigen::VectorXd& out) {
  const bolza_model& m = *phase.model;
  integrate::Segment& segment = phase.segments[k];
  std::size_t controls = segment.controls();
  std::vector<double> x(xi.begin(), xi.begin() + static_cast<std::ptrdiff_t>(m.n_x)), q(m.n_q),
      l(lambda.begin(), lambda.end()), gradient(segment.inputs());
  std::span<const double> left = xi.subspan(m.n_x, m.n_u), right = phase.linear ? xi.subspan(m.n_x + m.n_u, m.n_u) : left;
  apply_globals(phase, xi.subspan(m.n_x + controls));
  SegmentPlace times = times_of(phase, k);
  if (!segment.forward(times, left, right, x, q) || !segment.adjoint(l, omega, gradient)) return false;
  out.resize(static_cast<Eigen::Index>(xi.size()));
  std::size_t n = 0;
  for (double v : l) out[static_cast<Eigen::Index>(n++)] = v;
  for (std::size_t i = 0; i < controls; ++i) out[static_cast<Eigen::Index>(n++)] = gradient[i];
  for (std::size_t j : free_globals(phase)) {
    double v = gradient[controls + j];
    if (j < 2)
      v += times.begin_by[j] * gradient[controls + m.n_global] + times.length_by[j] * gradient[controls + m.n_global + 1];
    out[static_cast<Eigen::Index>(n++)] = v;
  }
  return true;
}

// Gradient of Σ weight × node function over the functions of one site by the site's local inputs.
bool Shooting::site_gradient(ShootingPhase& phase, const Site& site,
                             const std::vector<std::pair<NodeFunction, double>>& functions, std::span<const double> xi,
                             Eigen::VectorXd& out) {
  const bolza_model& m = *phase.model;
  apply_globals(phase, xi.subspan(m.n_x + m.n_u));
  SegmentPlace times = times_of(phase, site.segment);
  if (!phase.reduced->move_to(times.begin + (site.end ? times.length : 0), xi.first(m.n_x), xi.subspan(m.n_x, m.n_u)))
    return false;
  std::vector<double> gradient(phase.reduced->columns());
  for (const auto& [f, weight] : functions) {
    std::vector<double> by_row, by_z;
    if (f.what == What::algebraic) by_z.assign(m.n_z, 0.0), by_z[f.index] = weight;
    else by_row.assign((f.what == What::path ? m.n_z : 0) + f.index + 1, 0.0), by_row.back() = weight;
    if (!phase.reduced->add_gradient(part_of(f.what), by_row, by_z, gradient)) return false;
  }
  out.resize(static_cast<Eigen::Index>(xi.size()));
  for (std::size_t k = 0; k < m.n_x + m.n_u; ++k) out[static_cast<Eigen::Index>(k)] = gradient[1 + k];
  std::size_t n = m.n_x + m.n_u;
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
bool Shooting::difference(const Local& local, Gradient&& gradient, Eigen::MatrixXd& out) {
  Eigen::Index n = static_cast<Eigen::Index>(local.value.size());
  out.resize(n, n);
  Eigen::VectorXd high, low;
  double relative = std::cbrt(method_ ? 1e-14 : rtol);
  for (std::size_t k = 0; k < local.value.size(); ++k) {
    std::vector<double> xi = local.value;
    double step = relative * local.size[k], width = 2 * step;
    xi[k] += step;
    if (!gradient(xi, high)) {  // from below
      xi[k] = local.value[k], width = step;
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

// ψ_k'' of a segment, forward over adjoint.
bool Shooting::segment_curvature(ShootingPhase& phase, std::size_t k, const Local& local, std::span<const double> lambda,
                                 std::span<const double> omega, Eigen::MatrixXd& B) {
  using Eigen::Index;
  const bolza_model& m = *phase.model;
  integrate::Segment& segment = phase.segments[k];
  Index n = static_cast<Index>(local.value.size()), n_x = static_cast<Index>(m.n_x),
        controls = static_cast<Index>(segment.controls()), begin = controls + static_cast<Index>(m.n_global);
  const SegmentPlace& times = phase.times[k];
  integrate::Segment::Directions d{Eigen::MatrixXd::Identity(n_x, n), Eigen::MatrixXd::Zero(static_cast<Index>(m.n_q), n),
                                   Eigen::MatrixXd::Zero(static_cast<Index>(segment.inputs()), n), local.size};
  Eigen::MatrixXd& along = d.direct;
  for (Index c = 0; c < controls; ++c) along(c, n_x + c) = 1;
  Index column = n_x + controls;
  for (std::size_t j : free_globals(phase)) {
    along(controls + static_cast<Index>(j), column) = 1;
    if (j < 2) along(begin, column) = times.begin_by[j], along(begin + 1, column) = times.length_by[j];
    ++column;
  }
  Eigen::MatrixXd lambda_dot = Eigen::MatrixXd::Zero(n_x, n), gradient_dot;
  if (!segment.second(times, inputs_at(phase, k, false), inputs_at(phase, k, true), phase.node(k), d, lambda, omega, {},
                      lambda_dot, gradient_dot))
    return false;
  B = along.transpose() * gradient_dot;  // the rows of states are 0 here
  B.topRows(n_x) = lambda_dot;
  B = (0.5 * (B + B.transpose())).eval();
  return B.allFinite();
}

// Second derivatives of Σ weight × node function over the functions of one site.
bool Shooting::site_curvature(ShootingPhase& phase, const Site& site,
                              const std::vector<std::pair<NodeFunction, double>>& functions, const Local& local,
                              Eigen::MatrixXd& B) {
  using Eigen::Index;
  const bolza_model& m = *phase.model;
  Index n = static_cast<Index>(local.value.size()), columns = static_cast<Index>(phase.reduced->columns());
  const SegmentPlace& times = phase.times[site.segment];
  Eigen::MatrixXd along = Eigen::MatrixXd::Zero(columns, n), out = along;
  Index n_xu = static_cast<Index>(m.n_x + m.n_u), column = n_xu;
  along.block(1, 0, n_xu, n_xu).setIdentity();
  for (std::size_t j : free_globals(phase)) {
    along(1 + n_xu + static_cast<Index>(j), column) = 1;
    if (j < 2) along(0, column) = times.begin_by[j] + (site.end ? times.length_by[j] : 0);
    ++column;
  }
  site_.reset();
  if (!at_site(site)) return false;
  for (const auto& [f, weight] : functions) {
    std::vector<double> by_row, by_z;
    if (f.what == What::algebraic) by_z.assign(m.n_z, 0.0), by_z[f.index] = weight;
    else by_row.assign((f.what == What::path ? m.n_z : 0) + f.index + 1, 0.0), by_row.back() = weight;
    if (!phase.reduced->second_adjoint(part_of(f.what), by_row, by_z, {}, along, out)) return false;
  }
  B = along.transpose() * out;
  return B.allFinite();
}

// H += T' B T for local inputs whose states have the sensitivities S and whose other inputs are variables.
void Shooting::add_local(const Local& local, const Eigen::MatrixXd& B, const Eigen::MatrixXd& S, Eigen::MatrixXd& H) const {
  Eigen::Index n_x = S.rows(), n = static_cast<Eigen::Index>(local.value.size());
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(n, H.cols());
  T.topRows(n_x) = S;
  for (Eigen::Index k = n_x; k < n; ++k) T(k, static_cast<Eigen::Index>(local.variable[static_cast<std::size_t>(k)])) = 1;
  H.noalias() += T.transpose() * (B * T);
}

double Shooting::point_weight(std::size_t row, double sigma, std::span<const double> lambda) const {
  if (row == objective_row) return sigma;
  return shooting_.constraints && row > 0 && row <= problem.n_k ? lambda[row - 1] : 0;
}

// Second derivatives of the point function by point values and parameters.
bool Shooting::point_hessian(double sigma, std::span<const double> lambda, Eigen::MatrixXd& B) {
  const bolza_function& f = *problem.point;
  if (!point_hessian_.available()) point_hessian_ = nonlinear::KernelAt(problem, problem.point, BOLZA_HESSIAN);
  if (!point_hessian_.available()) return differenced_point_hessian(sigma, lambda, B);
  std::vector<double> weight(f.n_rows);
  for (std::size_t r = 0; r < f.n_rows; ++r) weight[r] = point_weight(r, sigma, lambda);
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
bool Shooting::differenced_point_hessian(double sigma, std::span<const double> lambda, Eigen::MatrixXd& B) {
  const bolza_function& f = *problem.point;
  std::size_t n = V_.size() + problem.n_parameters;
  Local local;
  local.value = V_;
  local.value.insert(local.value.end(), w_.begin(), w_.begin() + static_cast<std::ptrdiff_t>(problem.n_parameters));
  for (double v : local.value) local.size.push_back(std::max(1.0, std::fabs(v)));
  auto gradient = [&](const std::vector<double>& at, Eigen::VectorXd& g) {
    std::vector<double> shared = point_shared_;
    std::copy(at.begin() + static_cast<std::ptrdiff_t>(V_.size()), at.end(), shared.begin());
    point_jacobian_.set(0, std::span(at).first(V_.size()));
    if (point_jacobian_.run(shared.data())) return false;
    g.setZero(static_cast<Eigen::Index>(n));
    for (std::size_t e = 0; e < f.jac_nnz; ++e)
      g[f.jac_col[e]] +=
          point_weight(static_cast<std::size_t>(f.jac_row[e]), sigma, lambda) * point_jacobian_.out(f.n_rows + e);
    return true;
  };
  point_jacobian_ready_ = false;
  return difference(local, gradient, B);
}

bool Shooting::add_point_curvature(double sigma, std::span<const double> lambda, Eigen::MatrixXd& H) {
  Eigen::Index n = static_cast<Eigen::Index>(V_.size() + problem.n_parameters);
  Eigen::MatrixXd B;
  if (!point_hessian(sigma, lambda, B)) return false;
  if (B.size() == 0 || B.cwiseAbs().maxCoeff() < 1e-9 * (std::fabs(sigma) + 1)) return true;  // linear
  std::vector<RowSeeds> seeds;
  std::vector<RowSeeds*> list;
  for (const NodeFunction& v : values_)
    if (!add_node_function(v, 1, seeds.emplace_back(empty_seeds()))) return false;
  for (RowSeeds& row : seeds)
    if (row.moves) list.push_back(&row);
  site_.reset();
  if (!list.empty() && !pull_back_forward(list)) return false;
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(n, H.cols());
  for (std::size_t k = 0; k < seeds.size(); ++k)
    T.row(static_cast<Eigen::Index>(k)) = Eigen::Map<const Eigen::RowVectorXd>(seeds[k].direct.data(), H.cols());
  for (std::size_t j = 0; j < problem.n_parameters; ++j)
    T(static_cast<Eigen::Index>(V_.size() + j), static_cast<Eigen::Index>(j)) = 1;
  H.noalias() += T.transpose() * (B * T);
  return true;
}

// Curved node functions with their weights in the Lagrangian, by site.
Shooting::Weighted Shooting::weighted_functions(double sigma, std::span<const double> lambda) {
  Weighted out;
  auto add = [&](const NodeFunction& f, double weight) {
    if (weight == 0 || !curved(f.what)) return;
    auto at = std::find_if(out.begin(), out.end(), [&](const auto& s) { return s.first == f.site; });
    if (at == out.end()) at = out.insert(out.end(), {f.site, {}});
    at->second.emplace_back(f, weight);
  };
  const bolza_function& p = *problem.point;
  for (std::size_t e = 0; e < p.jac_nnz; ++e) {
    std::size_t row = static_cast<std::size_t>(p.jac_row[e]), col = static_cast<std::size_t>(p.jac_col[e]);
    if (col < p.n_point) add(values_[col], point_weight(row, sigma, lambda) * point_jacobian_.out(p.n_rows + e));
  }
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (rows[r].kind == ShootingRow::Kind::node) add(rows[r].function, lambda[r]);
  return out;
}

bool Shooting::add_phase_curvature(ShootingPhase& phase, const RowSeeds& all, const Weighted& weighted, Eigen::MatrixXd& H) {
  const bolza_model& m = *phase.model;
  Eigen::Index n_x = static_cast<Eigen::Index>(m.n_x), n = H.cols();
  const std::vector<double>& omega = all.by_q[phase.number];
  bool exact = phase.reduced->has_second();
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
      Local local = local_at(phase, site.segment, node, false, site.end);
      auto by = [&](const std::vector<double>& xi, Eigen::VectorXd& g) {
        return site_gradient(phase, site, functions, xi, g);
      };
      if (exact ? !site_curvature(phase, site, functions, local, B) : !difference(local, by, B)) return false;
      add_local(local, B, S, H);
    }
    return true;
  };
  for (std::size_t k = 0; k < phase.N(); ++k) {
    if (!add_sites(k)) return false;
    Local local = local_at(phase, k, k, true, false);
    auto by = [&](const std::vector<double>& xi, Eigen::VectorXd& g) {
      return segment_gradient(phase, k, xi, ends[k], omega, g);
    };
    bool good =
        phase.segments[k].has_second() ? segment_curvature(phase, k, local, ends[k], omega, B) : difference(local, by, B);
    if (!good) return false;
    add_local(local, B, S, H);
    if (!advance_directions(phase, k, S, SQ)) return false;
  }
  return add_sites(phase.N());
}

const double* Shooting::hessian(double sigma, std::span<const double> lambda) {
  if (!evaluate()) return nullptr;
  std::size_t n = nlp.n();
  RowSeeds all = empty_seeds();
  site_.reset();
  if (!add_point_row(objective_row, sigma, all)) return nullptr;
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (lambda[r] != 0 && !seeds_of(rows[r], lambda[r], all)) return nullptr;
  Weighted weighted = weighted_functions(sigma, lambda);
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
  bool good = true;
  repeat_steps(true);  // differences of gradients: by the same steps, the same events
  for (ShootingPhase& phase : phases) good = good && add_phase_curvature(phase, all, weighted, H);
  repeat_steps(false);
  site_.reset();
  good = good && add_point_curvature(sigma, lambda, H);
  site_.reset();
  if (!good || !H.allFinite()) return nullptr;
  hessian_.clear();
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t c = 0; c <= r; ++c) hessian_.push_back(H(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)));
  return hessian_.data();
}

}  // namespace bolza::transcribe
