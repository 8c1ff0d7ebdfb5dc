// SPDX-License-Identifier: Apache-2.0
// Values and first derivatives of multiple shooting's NLP.
#include <algorithm>
#include <cmath>

#include "base/crew.h"
#include "runtime/transcribe/shooting/multiple_internal.h"

namespace bolza::transcribe {

using Eigen::Index;
using Eigen::MatrixXd;
using What = NodeFunction::What;

void MultipleShooting::move_to(std::span<const double> w) {
  if (evaluated_ && std::equal(w.begin(), w.end(), nodes_.w.begin(), nodes_.w.end())) return;
  nodes_.move_to(w);
  evaluated_ = differentiated_ = false;
}

// Every thread goes through the segments of its own model in their order, to the first that fails. What failed first in the
// order of all segments is reported: it is the first one of its thread, too.
bool MultipleShooting::for_segments(ShootingPhase& phase, const std::function<bool(std::size_t)>& work) {
  std::size_t threads = phase.models.size(), N = phase.N();
  std::vector<std::size_t> failed(threads, N);
  auto run = [&](std::size_t thread) {
    for (std::size_t k = thread; k < N && failed[thread] == N; k += threads)
      if (!work(k)) failed[thread] = k;
  };
  in_crew(threads, run);
  std::size_t first = *std::min_element(failed.begin(), failed.end());
  if (first == N) return true;
  nodes_.note_failed_segment(phase, first);
  return false;
}

bool MultipleShooting::integrate_segments(ShootingPhase& phase) {
  const bolza_model& m = *phase.model;
  for (const auto& model : phase.models) nodes_.set_shared(phase, *model);
  for (std::size_t k = 0; k < phase.N(); ++k) phase.times[k] = nodes_.times_of(phase, k);
  for (std::size_t k = 0; k <= phase.N(); ++k)
    std::copy_n(nodes_.w.begin() + static_cast<std::ptrdiff_t>(phase.x_at(k, 0)), m.n_x, phase.node(k).begin());
  auto integrate = [&](std::size_t k) {
    std::ranges::copy(phase.node(k), phase.end_of(k).begin());
    std::ranges::fill(phase.integrals_of(k), 0.0);
    nodes_.start_algebraics(phase, k);
    return phase.segments[k].forward(phase.times[k], nodes_.inputs_at(phase, k, SegmentPart::begin),
                                     nodes_.inputs_after(phase, k), phase.end_of(k), phase.integrals_of(k));
  };
  if (!for_segments(phase, integrate)) return false;
  std::ranges::fill(phase.q, 0.0);
  for (std::size_t k = 0; k < phase.N(); ++k)
    for (std::size_t j = 0; j < m.n_q; ++j) phase.q[j] += phase.integrals_of(k)[j];
  return true;
}

bool MultipleShooting::evaluate() {
  if (evaluated_) return good_;
  evaluated_ = true;
  good_ = false;
  ++nodes_.simulations;
  for (ShootingPhase& phase : nodes_.phases)
    if (!integrate_segments(phase)) return false;
  return good_ = nodes_.evaluate_rows();
}

bool MultipleShooting::objective(double& f) {
  if (!evaluate()) return false;
  f = nodes_.point_rows[nodes_.objective_row];
  return std::isfinite(f);
}

const double* MultipleShooting::constraints() { return evaluate() ? nodes_.row_values.data() : nullptr; }

bool MultipleShooting::differentiate_forward(ShootingPhase& phase, std::size_t k, const Local& local) {
  const bolza_model& m = *phase.model;
  integrate::Segment::Directions d = nodes_.local_directions(phase, k, local);
  std::vector<double> x(phase.node(k).begin(), phase.node(k).end()), q(m.n_q);
  if (!phase.segments[k].tangent(phase.times[k], nodes_.inputs_at(phase, k, SegmentPart::begin),
                                 nodes_.inputs_after(phase, k), x, q, d))
    return false;
  phase.by_inputs[k].resize(static_cast<Index>(m.n_x + m.n_q), d.x.cols());
  phase.by_inputs[k] << d.x, d.q;
  return phase.by_inputs[k].allFinite();
}

bool MultipleShooting::differentiate_backward(ShootingPhase& phase, std::size_t k, const Local& local) {
  const bolza_model& m = *phase.model;
  integrate::Segment& segment = phase.segments[k];
  std::vector<integrate::Segment::Backward> functionals;
  for (std::size_t r = 0; r < m.n_x + m.n_q; ++r) {
    functionals.push_back(
        {std::vector<double>(m.n_x), std::vector<double>(m.n_q), std::vector<double>(segment.inputs()), {}});
    (r < m.n_x ? functionals[r].lambda[r] : functionals[r].weight[r - m.n_x]) = 1;
  }
  if (!segment.adjoint(functionals)) return false;
  integrate::Segment::Directions d = nodes_.local_directions(phase, k, local);
  MatrixXd& J = phase.by_inputs[k];
  J.resize(static_cast<Index>(functionals.size()), d.x.cols());
  for (Index r = 0; r < J.rows(); ++r) {
    const integrate::Segment::Backward& f = functionals[static_cast<std::size_t>(r)];
    J.row(r) = Eigen::Map<const Eigen::RowVectorXd>(f.gradient.data(), d.direct.rows()) * d.direct;
    J.row(r).head(d.x.rows()) = Eigen::Map<const Eigen::RowVectorXd>(f.lambda.data(), d.x.rows());
  }
  return J.allFinite();
}

// Forward sensitivities along all local inputs, or an adjoint of every row where these are fewer; events pass their discrete
// values on forwards.
bool MultipleShooting::differentiate_segment(ShootingPhase& phase, std::size_t k) {
  const bolza_model& m = *phase.model;
  Local local = nodes_.local_at(phase, k, k, SegmentPart::whole);
  ShootingGradient way = nodes_.options.gradient;
  bool forward = way == ShootingGradient::forward ||
                 (way == ShootingGradient::automatic && (m.hybrid || m.n_x + m.n_q >= local.variable.size()));
  nodes_.start_algebraics(phase, k);
  return forward ? differentiate_forward(phase, k, local) : differentiate_backward(phase, k, local);
}

bool MultipleShooting::differentiate_segments() {
  if (differentiated_) return true;
  nodes_.leave_site();
  for (ShootingPhase& phase : nodes_.phases)
    if (!for_segments(phase, [&](std::size_t k) { return differentiate_segment(phase, k); })) return false;
  return differentiated_ = true;
}

// In the order of `variables_of`.
bool MultipleShooting::add_terms(const NodeFunction& f, double weight, Terms& terms) {
  std::vector<std::size_t> variables = variables_of(f);
  if (weight == 0) {
    for (std::size_t v : variables) terms.emplace_back(v, 0);
    return true;
  }
  ControlMap map;
  if (f.curved() || f.what == What::control)
    map = ShootingNodes::controls_at(nodes_.phases[f.site.phase], f.site.segment, f.site.part());
  if (f.what == What::control) {
    for (Index c = 0; c < map.by.cols(); ++c)
      if (double by = map.by(static_cast<Index>(f.index), c); by != 0)
        terms.emplace_back(map.variable[static_cast<std::size_t>(c)], by * weight);
    return true;
  }
  if (!f.curved()) {
    for (std::size_t v : variables) terms.emplace_back(v, weight);
    return true;
  }
  SiteDerivatives d;
  if (!nodes_.site_derivatives(f, weight, d)) return false;
  std::vector<double> values = d.by_x;
  Eigen::VectorXd by_u = map.by.transpose() * Eigen::Map<const Eigen::VectorXd>(d.by_u.data(), map.by.rows());
  values.insert(values.end(), by_u.begin(), by_u.end());
  for (std::size_t j : nodes_.free_globals(nodes_.phases[f.site.phase])) values.push_back(d.by_global[j]);
  for (std::size_t k = 0; k < variables.size(); ++k) terms.emplace_back(variables[k], values[k]);
  return true;
}

// A row of the point function by variables, without integrals that are none.
bool MultipleShooting::point_terms(std::size_t point_row, Terms& terms) {
  if (!nodes_.differentiate_point()) return false;
  const bolza_function& f = *nodes_.problem.point;
  for (std::size_t e = 0; e < f.jac_nnz; ++e) {
    if (static_cast<std::size_t>(f.jac_row[e]) != point_row) continue;
    std::size_t col = static_cast<std::size_t>(f.jac_col[e]);
    if (col >= f.n_point) terms.emplace_back(col - f.n_point, nodes_.point_entry(e));
    else if (!add_terms(nodes_.values[col], nodes_.point_entry(e), terms)) return false;
  }
  return true;
}

const double* MultipleShooting::gradient() {
  if (!evaluate() || !differentiate_segments()) return nullptr;
  Terms terms;
  if (!point_terms(nodes_.objective_row, terms)) return nullptr;
  gradient_.assign(nlp_.n(), 0.0);
  for (auto [v, value] : terms) gradient_[v] += value;
  for (const ShootingPhase& phase : nodes_.phases) {
    std::vector<double> weight = weights_of_integrals(phase, 1, {});
    Index n_q = static_cast<Index>(weight.size());
    if (std::all_of(weight.begin(), weight.end(), [](double v) { return v == 0; })) continue;
    for (std::size_t k = 0; k < phase.N(); ++k) {
      Eigen::RowVectorXd by = Eigen::Map<const Eigen::RowVectorXd>(weight.data(), n_q) * phase.by_inputs[k].bottomRows(n_q);
      std::vector<std::size_t> variables = nodes_.variables_at(phase, k, k, SegmentPart::whole);
      for (std::size_t c = 0; c < variables.size(); ++c) gradient_[variables[c]] += by[static_cast<Index>(c)];
    }
  }
  return gradient_.data();
}

const double* MultipleShooting::jacobian() {
  using enum ShootingRow::Kind;
  if (!evaluate() || !differentiate_segments()) return nullptr;
  jacobian_.assign(nlp_.constant_entries, -1.0);
  jacobian_.reserve(nlp_.jacobian.size() + 1);  // a null pointer would mean a failure, also when there are no rows
  Terms terms;
  for (const ShootingRow& row : nodes_.rows) {
    const NodeFunction& f = row.function;
    const ShootingPhase& phase = nodes_.phases[row.kind == length ? row.phase : f.site.phase];
    auto add_segment = [&](std::size_t k, std::size_t r) {
      const MatrixXd& J = phase.by_inputs[k];
      for (Index c = 0; c < J.cols(); ++c) jacobian_.push_back(J(static_cast<Index>(r), c));
    };
    terms.clear();
    switch (row.kind) {
      case point:
        if (!point_terms(row.point_row, terms)) return nullptr;
        break;
      case node:
        if (!add_terms(f, 1, terms)) return nullptr;
        break;
      case length:
        jacobian_.push_back(row.length.start);
        jacobian_.push_back(row.length.final);
        break;
      case defect:
        add_segment(f.site.segment, f.index);
        break;
      case integral:
        for (std::size_t k = 0; k < phase.N(); ++k) add_segment(k, phase.model->n_x + f.index);
        break;
      case delay:
        for (const auto& [part, weight] : row.sum)
          if (!add_terms(part, weight, terms)) return nullptr;
        if (double by_delay = 0; row.moving) {
          if (!nodes_.weighted_sum(row, row.moving->first, by_delay)) return nullptr;
          for (auto [variable, slope] : row.moving->slopes) terms.emplace_back(variable, slope * by_delay);
        }
        break;
    }
    for (auto [v, value] : terms) jacobian_.push_back(value);
  }
  return jacobian_.data();
}

const double* MultipleShooting::gauss_newton(double sigma) {
  if (!nodes_.gauss_newton || !evaluate()) return nullptr;
  gauss_newton_.clear();
  gauss_newton_.reserve(nlp_.gauss_newton.size() + 1);
  for (std::size_t r = 0; r < nodes_.problem.n_r; ++r) {
    Terms g;
    if (!point_terms(1 + nodes_.problem.n_k + r, g)) return nullptr;
    for (std::size_t i = 0; i < g.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        double twice = i != j && g[i].first == g[j].first ? 2 : 1;
        gauss_newton_.push_back(twice * sigma * g[i].second * g[j].second);
      }
  }
  return gauss_newton_.data();
}

std::vector<std::vector<double>> MultipleShooting::costates(std::size_t number, std::span<const double> lambda,
                                                            std::span<const double> samples) {
  if (!nodes_.phases[number].input_places.empty()) return {};  // between mesh points the delayed values take part
  const double *g = gradient(), *J = jacobian();
  if (lambda.size() != nlp_.m() || !g || !J) return {};
  ShootingPhase& phase = nodes_.phases[number];
  std::size_t n_x = phase.model->n_x;
  std::vector<double> omega = weights_of_integrals(phase, 1, lambda), inputs;
  std::vector<std::vector<double>> out(phase.N());
  auto sample = [&](std::size_t k) {
    std::span<const double> end = lambda.subspan(first_defect_[number] + k * n_x, n_x);
    std::vector<double> l(end.begin(), end.end()), direct(phase.segments[k].inputs());
    nodes_.start_algebraics(phase, k);
    if (!phase.segments[k].adjoint(l, omega, direct, samples, &out[k])) return false;
    out[k].insert(out[k].end(), l.begin(), l.end());
    return true;
  };
  if (!for_segments(phase, sample)) return {};
  // at t0 all that the Lagrangian has of the initial state
  for (std::size_t i = 0; i < n_x; ++i) out[0][samples.size() * n_x + i] = g[phase.x_at(0, i)];
  for (std::size_t e = 0; e < nlp_.jacobian.size(); ++e) {
    auto column = static_cast<std::size_t>(nlp_.jacobian.col[e]);
    if (column >= phase.x_at(0, 0) && column < phase.x_at(0, n_x))
      out[0][samples.size() * n_x + column - phase.x_at(0, 0)] +=
          lambda[static_cast<std::size_t>(nlp_.jacobian.row[e])] * J[e];
  }
  return out;
}

}  // namespace bolza::transcribe
