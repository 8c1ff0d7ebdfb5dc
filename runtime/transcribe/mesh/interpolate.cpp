// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/mesh/interpolate.h"

#include <algorithm>
#include <cmath>

#include "base/expects.h"
#include "runtime/linalg/lagrange.h"
#include "runtime/transcribe/mesh/samples.h"

namespace bolza::transcribe {
namespace {

double combine(const std::vector<double>& row, const std::vector<std::size_t>& sample, const std::vector<double>& weight) {
  double sum = 0;
  for (std::size_t j = 0; j < sample.size(); ++j) sum += weight[j] * row[sample[j]];
  return sum;
}

std::vector<double> combine_all(const std::vector<std::vector<double>>& rows, const std::vector<std::size_t>& sample,
                                const std::vector<double>& weight) {
  std::vector<double> values;
  values.reserve(rows.size());
  for (const std::vector<double>& row : rows) values.push_back(combine(row, sample, weight));
  return values;
}

}  // namespace

struct Interpolation::Polynomials {
  Scheme scheme;
  Samples samples;
};

Interpolation::Interpolation(const abi::PhaseSolution& phase) : phase_(phase) {
  const SchemeFamily* method = find_scheme(phase.transcription);
  std::size_t points = phase.points;
  if (!method || phase.mesh.size() < 2 || points < method->min_points || points > method->max_points) return;
  Scheme scheme = method->make(points);
  Samples samples(scheme, phase.mesh.size() - 1, control_jumps(scheme, phase.control_constant, phase.trajectories.u.size()));
  if (samples.size() != phase.trajectories.time.size()) return;
  if (scheme.polynomial_nodes == 0 && phase.trajectories.rate.size() != phase.trajectories.x.size()) return;
  for (double fraction : phase.mesh) mesh_.push_back(phase.start_time + fraction * (phase.final_time - phase.start_time));
  polynomials_ = std::make_shared<const Polynomials>(Polynomials{std::move(scheme), std::move(samples)});
}

PhaseValues Interpolation::at(double time, Side side) const {
  if (phase_.trajectories.time.empty()) return {};
  return polynomials_ ? polynomial(time, side) : linear(time, side);
}

PhaseValues Interpolation::linear(double time, Side side) const {
  const std::vector<double>& t = phase_.trajectories.time;
  auto right = side == Side::left ? std::lower_bound(t.begin(), t.end(), time) : std::upper_bound(t.begin(), t.end(), time);
  auto k = static_cast<std::size_t>(right - t.begin());
  std::vector<std::size_t> sample;
  std::vector<double> weight;
  if (k == 0 || k == t.size()) {
    sample = {k == 0 ? 0 : t.size() - 1};
    weight = {1};
  } else {
    double length = t[k] - t[k - 1], s = length > 0 ? (time - t[k - 1]) / length : 0;
    sample = {k - 1, k};
    weight = {1 - s, s};
  }
  const abi::Trajectories& y = phase_.trajectories;
  return {combine_all(y.x, sample, weight), combine_all(y.z, sample, weight), combine_all(y.u, sample, weight)};
}

PhaseValues Interpolation::polynomial(double time, Side side) const {
  std::size_t N = mesh_.size() - 1;
  auto right = side == Side::left ? std::lower_bound(mesh_.begin() + 1, mesh_.end() - 1, time)
                                  : std::upper_bound(mesh_.begin() + 1, mesh_.end() - 1, time);
  std::size_t i = std::min(static_cast<std::size_t>(right - mesh_.begin()) - 1, N - 1);
  double h = mesh_[i + 1] - mesh_[i], tau = h > 0 ? std::clamp((time - mesh_[i]) / h, 0.0, 1.0) : 0;
  const Scheme& scheme = polynomials_->scheme;
  const Samples& samples = polynomials_->samples;
  const abi::Trajectories& y = phase_.trajectories;
  std::vector<std::size_t> stages;
  for (double c : scheme.c) stages.push_back(samples.index(i, c));
  std::vector<double> weight = linalg::lagrange_values(scheme.c, tau);
  PhaseValues values{{}, combine_all(y.z, stages, weight), combine_all(y.u, stages, weight)};
  std::vector<std::size_t> nodes;
  if (std::size_t q = scheme.polynomial_nodes; q > 0) {
    for (std::size_t r = 0; r < q; ++r) nodes.push_back(samples.index(i, scheme.node[r]));
    values.x = combine_all(y.x, nodes, linalg::lagrange_values({scheme.node.data(), q}, tau));
    return values;
  }
  values.x = combine_all(y.rate, stages, linalg::lagrange_integrals(scheme.c, tau));
  std::size_t left = samples.index(i, 0);
  for (std::size_t a = 0; a < values.x.size(); ++a) values.x[a] = y.x[a][left] + h * values.x[a];
  return values;
}

}  // namespace bolza::transcribe
