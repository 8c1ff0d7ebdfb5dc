// SPDX-License-Identifier: Apache-2.0
// Second derivatives of multiple shooting's Lagrangian: blocks ψ_k'' of the segments, with ψ_k = λ_{k+1}' x_{k+1} + ω' Q_k
// by (x_k, u_k, p); blocks of curved functions at mesh points; and what the point function couples.
#include <algorithm>
#include <cmath>

#include "runtime/transcribe/shooting/multiple_internal.h"

namespace bolza::transcribe {

using Eigen::Index;
using Eigen::MatrixXd;
using What = NodeFunction::What;

// What the integrals of a phase weigh in σ f + λ' rows.
std::vector<double> MultipleShooting::weights_of_integrals(const ShootingPhase& phase, double sigma,
                                                           std::span<const double> lambda) const {
  std::vector<double> omega(phase.model->n_q);
  for (std::size_t j = 0; j < omega.size(); ++j)
    if (std::size_t row = integral_row_[phase.number][j]; row != no_variable && !lambda.empty()) omega[j] = lambda[row];
  const bolza_function& f = *nodes_.problem.point;
  for (std::size_t e = 0; e < f.jac_nnz; ++e) {
    std::size_t col = static_cast<std::size_t>(f.jac_col[e]);
    if (static_cast<std::size_t>(f.jac_row[e]) != nodes_.objective_row || col >= f.n_point) continue;
    const NodeFunction& v = nodes_.values[col];
    if (v.what == What::integral && v.site.phase == phase.number && phase.integral_variable[v.index] == no_variable)
      omega[v.index] += sigma * nodes_.point_entry(e);
  }
  return omega;
}

// The lower triangle in the order of the pattern.
void MultipleShooting::add_block(const MatrixXd& B, std::span<const std::size_t> variables, double*& to) const {
  for (Index i = 0; i < B.rows(); ++i)
    for (Index j = 0; j <= i; ++j) {
      bool same = i != j && variables[static_cast<std::size_t>(i)] == variables[static_cast<std::size_t>(j)];
      *to++ = (same ? 2 : 1) * B(i, j);
    }
}

bool MultipleShooting::add_segment_blocks(ShootingPhase& phase, double sigma, std::span<const double> lambda, double*& to) {
  std::size_t n_x = phase.model->n_x;
  std::vector<double> omega = weights_of_integrals(phase, sigma, lambda);
  std::vector<MatrixXd> blocks(phase.N());
  auto bend = [&](std::size_t k) {
    Local local = nodes_.local_at(phase, k, k, SegmentPart::whole);
    std::span<const double> end = lambda.subspan(first_defect_[phase.number] + k * n_x, n_x);
    return nodes_.segment_second(phase, k, local, end, omega, blocks[k]);
  };
  if (!for_segments(phase, bend)) return false;
  for (std::size_t k = 0; k < phase.N(); ++k) add_block(blocks[k], nodes_.variables_at(phase, k, k, SegmentPart::whole), to);
  return true;
}

bool MultipleShooting::add_site_blocks(double sigma, std::span<const double> lambda, double*& to) {
  ShootingNodes::Weighted weighted = nodes_.weighted_functions(sigma, lambda);
  MatrixXd B;
  for (const Site& site : sites_) {
    ShootingPhase& phase = nodes_.phases[site.phase];
    Local local = nodes_.local_at(phase, site.segment, site.node(), site.part());
    auto at = std::find_if(weighted.begin(), weighted.end(), [&](const auto& s) { return s.first == site; });
    Index n = static_cast<Index>(local.variable.size());
    if (at == weighted.end()) B = MatrixXd::Zero(n, n);
    else if (!nodes_.site_second(phase, site, at->second, local, phase.reduced(site.segment).has_second(), B)) return false;
    add_block(B, local.variable, to);
  }
  return true;
}

// A delayed value Σ c(τ) V with τ = Σ slope · p: c' slope (V' by its variables and p), and c'' V slope slope' by p and p'.
bool MultipleShooting::add_delay_blocks(std::span<const double> lambda, double*& to) {
  if (reached_by_delays_.empty()) return true;
  std::vector<std::size_t> parameters;
  for (const auto& [parameter, reached] : reached_by_delays_) parameters.push_back(parameter);
  auto place_of = [&](std::size_t parameter) {
    return static_cast<Index>(std::ranges::lower_bound(parameters, parameter) - parameters.begin());
  };
  Index n = static_cast<Index>(parameters.size());
  MatrixXd by_both = MatrixXd::Zero(n, static_cast<Index>(nlp_.n())), by_parameters = MatrixXd::Zero(n, n);
  for (std::size_t r = 0; r < nodes_.rows.size(); ++r) {
    const ShootingRow& row = nodes_.rows[r];
    if (!row.moving || lambda[r] == 0) continue;
    Terms terms;
    double bend = 0;
    for (std::size_t f = 0; f < row.sum.size(); ++f)
      if (double weight = row.moving->first[f]; weight != 0 && !add_terms(row.sum[f].first, weight, terms)) return false;
    if (!nodes_.weighted_sum(row, row.moving->second, bend)) return false;
    for (auto [parameter, slope] : row.moving->slopes) {
      Index p = place_of(parameter);
      for (auto [v, value] : terms) by_both(p, static_cast<Index>(v)) += lambda[r] * slope * value;
      for (auto [other, by] : row.moving->slopes) by_parameters(p, place_of(other)) += lambda[r] * slope * by * bend;
    }
  }
  for (const auto& [parameter, reached] : reached_by_delays_) {
    Index p = place_of(parameter);
    for (std::size_t v : reached) *to++ = (v == parameter ? 2 : 1) * by_both(p, static_cast<Index>(v));
    for (Index other = 0; other <= p; ++other) *to++ = by_parameters(p, other);
  }
  return true;
}

// With g_a how point value a moves, its second derivatives b_ac add b_ac (g_a g_c' + g_c g_a').
bool MultipleShooting::add_point_blocks(double sigma, std::span<const double> lambda, double*& to) {
  MatrixXd B;
  if (!nodes_.point_hessian(sigma, lambda, B)) return false;
  std::size_t n = nodes_.values.size();
  auto terms_of = [&](std::size_t column, Terms& terms) {
    if (column >= n) {
      terms.emplace_back(column - n, 1);
      return true;
    }
    return add_terms(nodes_.values[column], 1, terms);
  };
  for (auto [a, c] : point_pairs_) {
    Terms of_a, of_c;
    if (!terms_of(static_cast<std::size_t>(a), of_a) || !terms_of(static_cast<std::size_t>(c), of_c)) return false;
    for (std::size_t i = 0; i < of_a.size(); ++i)
      for (std::size_t j = 0; j < (a == c ? i + 1 : of_c.size()); ++j) {
        bool twice = of_a[i].first == of_c[j].first && (a != c || i != j);
        *to++ = (twice ? 2 : 1) * B(a, c) * of_a[i].second * of_c[j].second;
      }
  }
  return true;
}

const double* MultipleShooting::hessian(double sigma, std::span<const double> lambda) {
  if (!evaluate() || !nodes_.differentiate_point()) return nullptr;
  hessian_.resize(nlp_.hessian.size());
  double* to = hessian_.data();
  nodes_.leave_site();
  nodes_.repeat_steps(true);  // differences of gradients: by the same steps, the same events
  bool good = true;
  for (ShootingPhase& phase : nodes_.phases) good = good && add_segment_blocks(phase, sigma, lambda, to);
  nodes_.repeat_steps(false);
  good = good && add_site_blocks(sigma, lambda, to);
  nodes_.leave_site();
  good = good && add_delay_blocks(lambda, to);
  good = good && add_point_blocks(sigma, lambda, to);
  bool finite = std::all_of(hessian_.begin(), hessian_.end(), [](double v) { return std::isfinite(v); });
  return good && finite ? hessian_.data() : nullptr;
}

}  // namespace bolza::transcribe
