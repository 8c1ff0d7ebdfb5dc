// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/carried_multipliers.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "runtime/transcribe/spread_multipliers.h"

namespace bolza::transcribe {
namespace {

/// The stretches of the horizon that the places of a phase's intervals stand for: a collocation point for h·b around it.
class PhaseStretches {
 public:
  PhaseStretches(const Transcription& t, const PhaseLayout& phase, const std::vector<double>& w)
      : scheme_(t.scheme),
        phase_(phase) {
    double t0 = w[static_cast<std::size_t>(phase.phase->parameter[0])],
           tf = w[static_cast<std::size_t>(phase.phase->parameter[1])];
    for (const AffineTime& point : phase.mesh.point) mesh_.push_back(tf > t0 ? (point.at(t0, tf) - t0) / (tf - t0) : 0);
    mesh_.front() = 0;
    mesh_.back() = 1;
    border_.push_back(0);
    for (double b : scheme_.b) border_.push_back(border_.back() + b);
    border_.back() = 1;
  }

  double mesh(std::size_t i) const { return mesh_[i]; }
  double at(std::size_t i, double tau) const { return mesh_[i] + tau * (mesh_[i + 1] - mesh_[i]); }
  Stretch whole(std::size_t i) const { return {mesh_[i], mesh_[i + 1]}; }
  Stretch stage(std::size_t i, std::size_t j) const { return {at(i, border_[j]), at(i, border_[j + 1])}; }
  /// That of the collocation points at a mesh point, in the intervals on both sides; empty where there are none.
  Stretch mesh_point(std::size_t i) const {
    Stretch both{mesh_[i], mesh_[i]};
    if (i > 0 && scheme_.ends_at_right()) both.from = stage(i - 1, scheme_.points - 1).from;
    if (i < phase_.N && scheme_.starts_at_left()) both.to = stage(i, 0).to;
    return both;
  }

  AlongHorizon states(std::size_t a) const {
    AlongHorizon out;
    for (std::size_t i = 0; i <= phase_.N; ++i) out.add(phase_.mesh_state(scheme_, a) + i, mesh_point(i));
    for (std::size_t j = 0; j < scheme_.points; ++j) {
      std::size_t node = scheme_.stage_node[j];
      for (std::size_t i = 0; i < phase_.N && node > 0 && node + 1 < scheme_.nodes(); ++i)
        out.add(phase_.x[a * scheme_.nodes() + node] + i, stage(i, j));
    }
    return out;
  }
  AlongHorizon algebraics(std::size_t b) const { return at_stages(phase_.z, b, true, &ExtraPoint::z); }
  AlongHorizon controls(std::size_t c) const {
    if (!phase_.control_constant) return at_stages(phase_.u, c, true, &ExtraPoint::u);
    AlongHorizon out;
    for (std::size_t i = 0; i < phase_.N; ++i) out.add(phase_.u[c * scheme_.points] + i, whole(i));
    return out;
  }
  AlongHorizon algebraic_rows(std::size_t b) const { return at_stages(phase_.algebraic, b, false, &ExtraPoint::algebraic); }
  AlongHorizon path_rows(std::size_t g) const {
    if (phase_.path_weight[g].empty()) return at_stages(phase_.path, g, false, &ExtraPoint::path);
    AlongHorizon out;
    for (std::size_t i = 0; i < phase_.N; ++i) out.add(phase_.path[g * phase_.row_stages] + i, whole(i));
    return with_extra(std::move(out), g, &ExtraPoint::path);
  }

 private:
  /// What there is at every collocation point; at mesh points once where they are shared. Rows of the last mesh point are
  /// those of an extra point then, variables are not.
  AlongHorizon at_stages(const std::vector<std::size_t>& first, std::size_t index, bool variables,
                         std::vector<std::size_t> ExtraPoint::* extra) const {
    AlongHorizon out;
    std::size_t of_one = variables ? scheme_.points : phase_.row_stages;
    for (std::size_t j = 0; j < phase_.row_stages; ++j) {
      bool shared = phase_.ends_shared && j == 0;
      std::size_t count = phase_.N + (shared && variables ? 1 : 0);
      for (std::size_t i = 0; i < count; ++i) out.add(first[index * of_one + j] + i, shared ? mesh_point(i) : stage(i, j));
    }
    return variables && phase_.ends_shared ? out : with_extra(std::move(out), index, extra);
  }
  AlongHorizon with_extra(AlongHorizon out, std::size_t index, std::vector<std::size_t> ExtraPoint::* extra) const {
    for (const ExtraPoint& point : phase_.extra) {
      double time = point.at_start ? 0 : 1;
      bool shared = phase_.ends_shared && !point.at_start;
      out.add((point.*extra)[index], shared ? mesh_point(phase_.N) : Stretch{time, time});
    }
    return out;
  }

  const Scheme& scheme_;
  const PhaseLayout& phase_;
  std::vector<double> mesh_, border_;
};

/// Multipliers of the defects of one interval from costates at its collocation points: −Σ_d μ_d A_dj / b_j = λ_j, solved in
/// the least squares of the quadrature where there are fewer defects than points.
class DefectsOfCostates {
 public:
  explicit DefectsOfCostates(const Scheme& scheme) : scheme_(scheme) {
    auto s = static_cast<Eigen::Index>(scheme.points);
    for (std::size_t d = 0; d < scheme.n_defects; ++d) {
      const double* weights = scheme.A.data() + d * scheme.points;
      if (std::any_of(weights, weights + scheme.points, [](double w) { return w != 0; })) rows_.push_back(d);
    }
    Eigen::MatrixXd costate(s, static_cast<Eigen::Index>(rows_.size()));
    root_.resize(s);
    for (Eigen::Index j = 0; j < s; ++j) {
      double b = scheme.b[static_cast<std::size_t>(j)];
      root_(j) = std::sqrt(b);
      for (Eigen::Index d = 0; d < costate.cols(); ++d)
        costate(j, d) =
            -root_(j) * scheme.A[rows_[static_cast<std::size_t>(d)] * scheme.points + static_cast<std::size_t>(j)] / b;
    }
    solve_.compute(costate);
  }

  /// Where the costate of stage j is taken: that of a step of one stage belongs to the other end.
  double place(std::size_t j) const { return scheme_.points == 1 ? 1 - scheme_.c[0] : scheme_.c[j]; }

  void set(const PhaseLayout& phase, std::size_t state, std::size_t interval, const std::vector<double>& costate,
           double at_end, std::vector<double>& lambda) const {
    Eigen::VectorXd wanted(root_.size());
    for (Eigen::Index j = 0; j < wanted.size(); ++j) wanted(j) = root_(j) * costate[static_cast<std::size_t>(j)];
    Eigen::VectorXd mu = solve_.solve(wanted);
    const std::size_t* first = phase.defect.data() + state * scheme_.n_defects;
    for (std::size_t d = 0; d < scheme_.n_defects; ++d) lambda[first[d] + interval] = -at_end;
    for (std::size_t k = 0; k < rows_.size(); ++k) lambda[first[rows_[k]] + interval] = mu(static_cast<Eigen::Index>(k));
  }

 private:
  const Scheme& scheme_;
  std::vector<std::size_t> rows_;  ///< defects with rates in them; others say what the polynomial's end is
  Eigen::VectorXd root_;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> solve_;
};

void set_defects(const Transcription& t, const PhaseLayout& phase, const abi::PhaseSolution& from,
                 std::vector<double>& lambda) {
  DefectsOfCostates defects(t.scheme);
  PhaseStretches stretches(t, phase, t.nlp.start);
  CostateCurves curves(from);
  std::vector<double> costate(t.scheme.points);
  for (std::size_t a = 0; a < phase.model->n_x; ++a)
    for (std::size_t i = 0; i < phase.N; ++i) {
      for (std::size_t j = 0; j < t.scheme.points; ++j) {
        double tau = defects.place(j);
        costate[j] = curves.at(a, stretches.at(i, tau), tau > 0);
      }
      defects.set(phase, a, i, costate, curves.at(a, stretches.mesh(i + 1), true), lambda);
    }
}

/// Multipliers of the rows that define a variable, row = variable − …, by the derivative of the Lagrangian by it; running
/// sums from the last to the first.
void set_definitions(Transcription& t, nlp::Iterate& iterate) {
  const nlp::Nlp& nlp = t.nlp;
  std::vector<std::pair<std::size_t, std::size_t>> pairs = t.definitions;
  for (const PhaseLayout& phase : t.phases)
    for (std::size_t q = 0; q < phase.sum.size(); ++q)
      for (std::size_t i = phase.N; i-- > 0 && phase.sum[q] != none;)
        pairs.emplace_back(phase.sum[q] + i + 1, phase.sum_row[q] + i);
  if (pairs.empty()) return;
  nlp.functions->move_to(nlp.start);
  const double *gradient = nlp.functions->gradient(), *jacobian = nlp.functions->jacobian();
  if (!gradient || !jacobian) return;
  std::vector<std::vector<std::pair<std::size_t, double>>> column(nlp.n());
  std::vector<std::uint8_t> wanted(nlp.n(), 0);
  for (const auto& [variable, row] : pairs) wanted[variable] = 1;
  for (std::size_t k = 0; k < nlp.jacobian.size(); ++k)
    if (auto v = static_cast<std::size_t>(nlp.jacobian.col[k]); wanted[v])
      column[v].emplace_back(static_cast<std::size_t>(nlp.jacobian.row[k]), jacobian[k]);
  for (const auto& [variable, row] : pairs) {
    double slope = gradient[variable] + iterate.z_upper[variable] - iterate.z_lower[variable];
    for (const auto& [r, value] : column[variable])
      if (r != row) slope += value * iterate.lambda[r];
    iterate.lambda[row] = -slope;
  }
}

}  // namespace

abi::PhaseMultipliers multipliers_along(const Transcription& t, const PhaseLayout& phase, const nlp::Iterate& iterate) {
  const nlp::Nlp& nlp = t.nlp;
  abi::PhaseMultipliers out;
  if (phase.N == 0 || iterate.lambda.size() != nlp.m() || iterate.z_lower.size() != nlp.n()) return out;
  PhaseStretches along(t, phase, iterate.w);
  std::vector<double> bound(nlp.n()), fixed_too(nlp.n());  // fixed starts have costates; a control that is held has a bound
  for (std::size_t v = 0; v < nlp.n(); ++v) {
    fixed_too[v] = iterate.z_upper[v] - iterate.z_lower[v];
    if (nlp.lower[v] < nlp.upper[v]) bound[v] = fixed_too[v];
  }
  const bolza_model& m = *phase.model;
  for (std::size_t a = 0; a < m.n_x; ++a) out.x.push_back(spread(along.states(a), bound));
  for (std::size_t b = 0; b < m.n_z; ++b) out.z.push_back(spread(along.algebraics(b), bound));
  std::size_t given = m.n_u - delays_of(m);
  for (std::size_t c = 0; c < m.n_u; ++c)
    out.u.push_back(c < given ? spread(along.controls(c), fixed_too) : abi::SpreadMultiplier{});
  for (std::size_t b = 0; b < m.n_z; ++b) out.algebraic.push_back(spread(along.algebraic_rows(b), iterate.lambda));
  for (std::size_t g = 0; g < m.n_g; ++g) out.path.push_back(spread(along.path_rows(g), iterate.lambda));
  for (std::size_t row : phase.initial) out.initial.push_back(iterate.lambda[row]);
  return out;
}

nlp::Iterate carried_multipliers(Transcription& t, const abi::Solution& from) {
  if (!has_multipliers(*t.problem, from)) return {};
  const nlp::Nlp& nlp = t.nlp;
  nlp::Iterate iterate{nlp.start, std::vector<double>(nlp.m()), std::vector<double>(nlp.n()), std::vector<double>(nlp.n())};
  std::vector<double> bound(nlp.n(), 0);
  for (const PhaseLayout& phase : t.phases) {
    const abi::PhaseSolution& old = from.phases[static_cast<std::size_t>(phase.number)];
    const abi::PhaseMultipliers& of = old.multipliers;
    const bolza_model& m = *phase.model;
    PhaseStretches along(t, phase, nlp.start);
    for (std::size_t a = 0; a < m.n_x; ++a) gather(of.x[a], along.states(a), bound);
    for (std::size_t b = 0; b < m.n_z; ++b) gather(of.z[b], along.algebraics(b), bound);
    for (std::size_t c = 0; c < m.n_u; ++c) gather(of.u[c], along.controls(c), bound);
    for (std::size_t b = 0; b < m.n_z; ++b) gather(of.algebraic[b], along.algebraic_rows(b), iterate.lambda);
    for (std::size_t g = 0; g < m.n_g; ++g) gather(of.path[g], along.path_rows(g), iterate.lambda);
    for (std::size_t k = 0; k < phase.initial.size(); ++k) iterate.lambda[phase.initial[k]] = of.initial[k];
    set_defects(t, phase, old, iterate.lambda);
  }
  std::copy(from.parameter_multipliers.begin(), from.parameter_multipliers.end(), bound.begin());
  for (std::size_t v = 0; v < nlp.n(); ++v) {
    iterate.z_upper[v] = std::max(bound[v], 0.0);
    iterate.z_lower[v] = std::max(-bound[v], 0.0);
  }
  for (std::size_t k = 0; k < from.point_multipliers.size(); ++k)
    iterate.lambda[t.first_point_row + k] = from.point_multipliers[k];
  set_definitions(t, iterate);
  return iterate;
}

}  // namespace bolza::transcribe
