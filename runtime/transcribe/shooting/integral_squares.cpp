// SPDX-License-Identifier: Apache-2.0
// Gauss-Newton matrices of integrals of squares in single shooting. With q = ½ Σ r² and s the share of a segment of length
// L,
//   ∫ q dt = ½ ∫ Σ ρ² ds,   ρ = √L r,   ρ' = √L (r' + r L'/(2 L)),   G = ∫ ρ'ᵀ ρ' ds
// by Gauss's rule over every step of the integrator, which is there as exact as the steps are. Value and gradient do not
// need it: they are the integral's own.
#include <algorithm>
#include <cmath>

#include "runtime/transcribe/shooting/shooting_internal.h"

namespace bolza::transcribe {
namespace {

using Eigen::Index;
using Part = nonlinear::ModelAt::Part;

constexpr std::size_t points_per_step = 3;  // exact to degree 5, the highest order of a step

Index at(std::size_t i) { return static_cast<Index>(i); }

}  // namespace

// G of segment k by the directions, from the samples of its tangent.
bool Shooting::add_squares_of(ShootingPhase& phase, std::size_t k, const integrate::Segment::Directions& d,
                              SquaresRun& run) {
  const bolza_model& m = *phase.model;
  integrate::ReducedModel& model = phase.reduced(k);
  const integrate::Segment::Samples& samples = run.samples;
  const SegmentPlace& times = phase.times[k];
  std::vector<double> shared = model.at().shared;  // discrete values at the end
  Index controls = at(phase.segments[k].controls()), n_u = at(m.n_u), n_p = at(m.n_global), all = d.direct.cols();
  std::vector<double> left = nodes_.inputs_at(phase, k, SegmentPart::begin),
                      right = nodes_.inputs_at(phase, k, SegmentPart::end), u(m.n_u);
  std::vector<double> r(m.integrand_residuals->n_rows), weight(r.size()), gradient(model.columns());
  Eigen::MatrixXd y(at(model.columns()), all), by(at(r.size()), y.rows()), J;
  Eigen::RowVectorXd longer = d.direct.row(controls + n_p + 1) / (2 * times.length);
  run.matrix.setZero(all, all);
  for (std::size_t j = 0; j < samples.at.size(); ++j) {
    double s = samples.at[j], t = times.begin + s * times.length, share = phase.linear ? s : 0;
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = (1 - share) * left[i] + share * right[i];
    model.at().shared = samples.shared[j];
    if (!model.move_to(t, std::span(samples.x).subspan(j * m.n_x, m.n_x), u) || !model.rows(Part::integrand, r)) {
      nodes_.note_trouble(phase, k);
      return false;
    }
    for (std::size_t row = 0; row < r.size(); ++row) {
      std::ranges::fill(gradient, 0.0);
      std::ranges::fill(weight, 0.0);
      weight[row] = 1;
      if (!model.add_gradient(Part::integrand, weight, {}, gradient)) {
        nodes_.note_trouble(phase, k);
        return false;
      }
      by.row(at(row)) = Eigen::Map<const Eigen::RowVectorXd>(gradient.data(), by.cols());
    }
    y.row(0) = d.direct.row(controls + n_p) + s * d.direct.row(controls + n_p + 1);
    y.middleRows(1, at(m.n_x)) = samples.by[j];
    y.middleRows(1 + at(m.n_x), n_u) = (1 - share) * d.direct.topRows(n_u);
    if (phase.linear) y.middleRows(1 + at(m.n_x), n_u) += share * d.direct.middleRows(n_u, n_u);
    y.bottomRows(n_p) = d.direct.middleRows(controls, n_p);
    Eigen::Map<const Eigen::VectorXd> values(r.data(), at(r.size()));
    J.noalias() = by * y;
    J += values * longer;
    run.matrix.noalias() += samples.weight[j] * times.length * J.transpose() * J;
    run.integral += 0.5 * samples.weight[j] * times.length * values.squaredNorm();
  }
  run.points += samples.at.size();
  model.at().shared = std::move(shared);
  return true;
}

// One run of all phases with sensitivities along all variables.
bool Shooting::add_integral_squares(Eigen::MatrixXd& G) {
  SquaresRun run{.together = G};
  run.samples.per_step = points_per_step;
  double integral = 0;
  nodes_.leave_site();
  for (ShootingPhase& phase : phases) {
    const bolza_function* residuals = phase.model->integrand_residuals;
    if (!residuals || !residuals->n_rows) continue;
    Eigen::MatrixXd S = Eigen::MatrixXd::Zero(at(phase.model->n_x), at(nlp.n())),
                    SQ = Eigen::MatrixXd::Zero(at(phase.model->n_q), at(nlp.n()));
    for (std::size_t i = 0; i < phase.model->n_x; ++i) S(at(i), at(phase.first_x0 + i)) = 1;
    phase.reduced(0).forget();
    for (std::size_t k = 0; k < phase.N(); ++k)
      if (!advance_directions(phase, k, S, SQ, &run)) {
        nodes_.note_trouble(phase, k);
        return false;
      }
    integral += phase.q[0];
  }
  quadrature_ = {run.points, std::fabs(run.integral - integral) / std::max(std::fabs(integral), nodes_.rtol)};
  return true;
}

}  // namespace bolza::transcribe
