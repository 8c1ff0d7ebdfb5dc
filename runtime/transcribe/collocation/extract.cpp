// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/collocation/extract.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/abi/aligned.h"
#include "runtime/abi/evaluate.h"
#include "runtime/linalg/lagrange.h"
#include "runtime/transcribe/collocation/carried_multipliers.h"
#include "runtime/transcribe/collocation/costates.h"
#include "runtime/transcribe/collocation/interval_multipliers.h"
#include "runtime/transcribe/mesh/samples.h"

namespace bolza::transcribe {
namespace {

/// Index of the collocation point at a place of the interval.
std::size_t stage_at(const Scheme& scheme, double tau) {
  auto at = std::find(scheme.c.begin(), scheme.c.end(), tau);
  return at == scheme.c.end() ? none : static_cast<std::size_t>(at - scheme.c.begin());
}

class PhaseExtractor {
 public:
  PhaseExtractor(const Transcription& t, const PhaseLayout& phase, const nlp::Iterate& iterate)
      : t_(t),
        scheme_(t.scheme),
        phase_(phase),
        w_(iterate.w),
        lambda_(iterate.lambda),
        jumps_(control_jumps(t.scheme, phase.control_constant, phase.model->n_u)),
        samples_(scheme_, phase.N, jumps_) {
    t0_ = w_[static_cast<std::size_t>(phase.phase->parameter[0])];
    tf_ = w_[static_cast<std::size_t>(phase.phase->parameter[1])];
  }

  abi::PhaseSolution values() {
    abi::PhaseSolution s;
    s.start_time = t0_;
    s.final_time = phase_.N == 0 ? t0_ : tf_;
    s.transcription = scheme_.name;
    s.points = static_cast<std::uint32_t>(scheme_.points);
    s.control_constant = phase_.control_constant;
    const bolza_model& m = *phase_.model;
    std::size_t n = phase_.N == 0 ? 1 : samples_.size();
    abi::Trajectories& y = s.trajectories;
    y.x.assign(m.n_x, std::vector<double>(n));
    y.z.assign(m.n_z, std::vector<double>(n));
    y.u.assign(m.n_u, std::vector<double>(n));
    if (phase_.N == 0) return static_point(std::move(s));
    give_sizes(s);
    for (const AffineTime& point : phase_.mesh.point)
      s.mesh.push_back(tf_ > t0_ ? (point.at(t0_, tf_) - t0_) / (tf_ - t0_) : 0);
    s.mesh.front() = 0;
    s.mesh.back() = 1;
    for (std::size_t k = 0; k < n; ++k) {
      Samples::Place at = samples_.place(k);
      y.time.push_back(between(phase_.mesh.point[at.interval], phase_.mesh.point[at.interval + 1], at.tau).at(t0_, tf_));
      auto node =
          static_cast<std::size_t>(std::find(scheme_.node.begin(), scheme_.node.end(), at.tau) - scheme_.node.begin());
      for (std::size_t a = 0; a < m.n_x; ++a) y.x[a][k] = w_[phase_.x[a * scheme_.nodes() + node] + at.interval];
      const ExtraPoint* extra = extra_for(k, n);
      for (std::size_t b = 0; b < m.n_z; ++b) y.z[b][k] = extra ? w_[extra->z[b]] : at_stages(phase_.z, b, at);
      for (std::size_t c = 0; c < m.n_u; ++c) y.u[c][k] = extra ? w_[extra->u[c]] : at_stages(phase_.u, c, at);
    }
    return s;
  }

  void rates(abi::PhaseSolution& s, const std::vector<double>& shared) const {
    const bolza_model& m = *phase_.model;
    abi::Trajectories& y = s.trajectories;
    std::size_t n = y.time.size(), ld = abi::padded(n);
    y.rate.assign(m.n_x, std::vector<double>(n, 0));
    y.integral.assign(m.n_q, 0);
    if (!m.rates || m.rates->n_rows == 0) return;
    bolza_kind kind = m.rates->kernels[BOLZA_VALUE] ? BOLZA_VALUE : BOLZA_JACOBIAN;
    abi::AlignedDoubles point(m.rates->n_point * ld), out(m.rates->kernels[kind]->n_out * ld);
    auto put = [&](std::size_t row, const std::vector<double>& values) {
      for (std::size_t k = 0; k < ld; ++k) point.data()[row * ld + k] = values[std::min(k, n - 1)];
    };
    put(0, y.time);
    std::size_t row = 1;
    for (const auto* list : {&y.x, &y.z, &y.u})
      for (const std::vector<double>& values : *list) put(row++, values);
    abi::evaluate(*m.rates, kind, {.n = n, .ld = ld, .point = point.data(), .shared = shared.data(), .out = out.data()});
    for (std::size_t a = 0; a < m.n_x; ++a) std::copy_n(out.data() + a * ld, n, y.rate[a].begin());
    for (std::size_t q = 0; q < m.n_q; ++q)
      for (std::size_t i = 0; i < phase_.N; ++i) {
        double h = (phase_.mesh.point[i + 1] - phase_.mesh.point[i]).at(t0_, tf_);
        for (std::size_t j = 0; j < scheme_.points; ++j)
          y.integral[q] += h * scheme_.b[j] * out.data()[(m.n_x + q) * ld + samples_.index(i, scheme_.c[j])];
      }
  }

  void costates(abi::PhaseSolution& s, const Costates& costates) const {
    abi::Trajectories& y = s.trajectories;
    if (phase_.N == 0) return;
    y.costate.assign(phase_.model->n_x, std::vector<double>(y.time.size()));
    for (std::size_t a = 0; a < y.costate.size(); ++a)
      for (std::size_t k = 0; k < y.time.size(); ++k) y.costate[a][k] = costate(costates, a, samples_.place(k));
  }

  void path_multipliers(abi::PhaseSolution& s) const {
    abi::Trajectories& y = s.trajectories;
    if (lambda_.size() != t_.nlp.m()) return;
    y.path_multiplier.assign(phase_.model->n_g, std::vector<double>(y.time.size()));
    for (std::size_t g = 0; g < y.path_multiplier.size(); ++g)
      for (std::size_t k = 0; k < y.time.size(); ++k)
        y.path_multiplier[g][k] =
            phase_.N == 0 ? lambda_[phase_.extra.front().path[g]] : path_multiplier(g, samples_.place(k));
  }

 private:
  void give_sizes(abi::PhaseSolution& s) const {
    const bolza_model& m = *phase_.model;
    std::size_t points = scheme_.points;
    const std::vector<double>& scale = t_.nlp.scale;
    for (std::size_t a = 0; a < m.n_x; ++a) s.x_size.push_back(scale[phase_.mesh_state(scheme_, a)]);
    for (std::size_t b = 0; b < m.n_z; ++b) s.z_size.push_back(scale[phase_.z[b * points]]);
    for (std::size_t c = 0; c < m.n_u; ++c) s.u_size.push_back(scale[phase_.u[c * points]]);
  }

  abi::PhaseSolution static_point(abi::PhaseSolution s) const {
    const ExtraPoint& point = phase_.extra.front();
    s.trajectories.time = {t0_};
    auto pick = [&](const std::vector<std::size_t>& from, std::vector<std::vector<double>>& to) {
      for (std::size_t k = 0; k < from.size(); ++k) to[k][0] = w_[from[k]];
    };
    pick(point.x, s.trajectories.x);
    pick(point.z, s.trajectories.z);
    pick(point.u, s.trajectories.u);
    return s;
  }
  const ExtraPoint* extra_for(std::size_t k, std::size_t n) const {
    return k == 0 ? phase_.start_point() : k + 1 == n ? phase_.end_point() : nullptr;
  }

  double at_stages(const std::vector<std::size_t>& first, std::size_t index, Samples::Place at) const {
    std::size_t s = scheme_.points;
    // A mesh point that is given once and is the next interval's first collocation point has its value there.
    if (!jumps_ && at.tau == 1 && scheme_.starts_at_left() && !scheme_.ends_at_right() && at.interval + 1 < phase_.N)
      at = {at.interval + 1, 0};
    if (std::size_t j = stage_at(scheme_, at.tau); j != none) return w_[first[index * s + j] + at.interval];
    std::vector<double> weight = linalg::lagrange_values(scheme_.c, at.tau);
    double value = 0;
    for (std::size_t j = 0; j < s; ++j) value += weight[j] * w_[first[index * s + j] + at.interval];
    return value;
  }

  double costate(const Costates& costates, std::size_t a, Samples::Place at) const {
    if (at.tau == 0) return costates.after[a][at.interval];
    if (at.tau == 1) return costates.after[a][at.interval + 1] + costates.jump[a][at.interval + 1];
    return costates.inside[a * scheme_.points + stage_at(scheme_, at.tau)][at.interval];
  }

  double weight(std::size_t interval, std::size_t stage) const {
    return (phase_.mesh.point[interval + 1] - phase_.mesh.point[interval]).at(t0_, tf_) * scheme_.b[stage];
  }
  /// ν = multiplier / (h b); a mesh point shared by two intervals has the weight of both; where the scheme has no weight,
  /// that of the nearest point. One row of an interval: multiplier / h.
  double path_multiplier(std::size_t g, Samples::Place at) const {
    std::size_t s = scheme_.points, stages = phase_.row_stages;
    if (phase_.ends_shared && (at.tau == 0 || at.tau == 1)) {
      std::size_t i = at.interval + (at.tau == 1 ? 1 : 0);
      double both = (i > 0 ? weight(i - 1, s - 1) : 0) + (i < phase_.N ? weight(i, 0) : 0);
      double multiplier = i == phase_.N ? lambda_[phase_.end_point()->path[g]] : lambda_[phase_.path[g * stages] + i];
      return both > 0 ? multiplier / both : 0;
    }
    if (!phase_.path_weight[g].empty()) {
      double h = (phase_.mesh.point[at.interval + 1] - phase_.mesh.point[at.interval]).at(t0_, tf_);
      return h > 0 ? lambda_[phase_.path[g * stages] + at.interval] / h : 0;
    }
    std::size_t nearest = 0;
    for (std::size_t j = 1; j < s; ++j)
      if (std::abs(scheme_.c[j] - at.tau) < std::abs(scheme_.c[nearest] - at.tau)) nearest = j;
    double h = weight(at.interval, nearest);
    return h > 0 ? lambda_[phase_.path[g * stages + nearest] + at.interval] / h : 0;
  }

  const Transcription& t_;
  const Scheme& scheme_;
  const PhaseLayout& phase_;
  const std::vector<double>& w_;
  const std::vector<double>& lambda_;
  bool jumps_;
  Samples samples_;
  double t0_ = 0, tf_ = 1;
};

}  // namespace

abi::Solution extract(Transcription& t, const nlp::Iterate& iterate) {
  const bolza_problem& problem = *t.problem;
  abi::Solution solution;
  t.evaluator->move_to(iterate.w);
  double f = std::numeric_limits<double>::quiet_NaN();
  t.evaluator->objective(f);
  solution.objective = t.sign * f + 0.0;  // no minus before zero
  auto n_parameters = static_cast<std::ptrdiff_t>(problem.n_parameters);
  solution.parameters.assign(iterate.w.begin(), iterate.w.begin() + n_parameters);
  solution.parameter_scale.assign(t.nlp.scale.begin(), t.nlp.scale.begin() + n_parameters);
  bool dual = iterate.lambda.size() == t.nlp.m() && iterate.z_lower.size() == t.nlp.n();
  for (std::size_t p = 0; dual && p < problem.n_parameters; ++p)
    solution.parameter_multipliers.push_back(iterate.z_upper[p] - iterate.z_lower[p]);
  for (std::size_t k = 0; dual && k < problem.n_k; ++k)
    solution.point_multipliers.push_back(iterate.lambda[t.first_point_row + k]);
  std::vector<Costates> costates = dual ? costates_of(t, iterate) : std::vector<Costates>();
  for (std::size_t p = 0; p < t.phases.size(); ++p) {
    PhaseExtractor extractor(t, t.phases[p], iterate);
    abi::PhaseSolution phase = extractor.values();
    extractor.rates(phase, t.evaluator->shared(static_cast<std::int32_t>(p)));
    if (!costates.empty()) extractor.costates(phase, costates[p]);
    if (dual) {
      extractor.path_multipliers(phase);
      phase.interval_multiplier = interval_multipliers(t, t.phases[p], iterate);
    }
    if (dual) phase.multipliers = multipliers_along(t, t.phases[p], iterate);
    solution.phases.push_back(std::move(phase));
  }
  return solution;
}

}  // namespace bolza::transcribe
