// SPDX-License-Identifier: Apache-2.0
// A segment on IDAS: sensitivities after the states of each step, staggered.    [SUNDIALS, 6.2.6]
//
// The states of a step are found by Newton's method, of whose matrices all but the first are those of their iterate. The
// last one is the sensitivities' own: these are linear and need no iteration with it, and no test whether one converges.
// Integrals follow from their rates.
#include <algorithm>
#include <cmath>

#include "runtime/integrate/index.h"
#include "runtime/integrate/segment/idas_internal.h"

namespace bolza::integrate {

using Eigen::Index;

namespace {

constexpr int most_corrections = 5;
constexpr double slowest_correction = 0.9;  // a correction over the one before
constexpr double near = 0.3;                // of the tolerance: how far off the states may be where they are linearised
constexpr double kept = 0.25;               // change of c that the factors of the step before stand, as in IDAS

}  // namespace

void IdasSegment::Forward::make_matrix() {
  std::vector<std::pair<std::int32_t, std::int32_t>> places;
  auto add = [&](std::size_t row, std::size_t col) {
    places.emplace_back(static_cast<std::int32_t>(row), static_cast<std::int32_t>(col));
  };
  w.places([&](bool rate, std::size_t row, std::size_t col) {
    if (w.by_unknown(col) && !(rate && row >= w.n_x)) add(rate ? row : w.n_x + row, col - 1);
  });
  for (std::size_t i = 0; i < w.n_x; ++i) add(i, i);
  matrix = std::make_unique<StepMatrix>(w.n_, std::move(places), w.context_.get(), w.options.method_options);
}

// c − h f_x, −h f_z; h_x, h_z at a point.
bool IdasSegment::Forward::factorise(const Point& p, double c) {
  double *data = matrix->clear(), h = w.times.length;
  auto slot = matrix->slot().begin();
  if (!w.entries(p, [&](bool rate, std::size_t row, std::size_t col, double v) {
        if (w.by_unknown(col) && !(rate && row >= w.n_x)) data[*slot++] += rate ? -h * v : v;
      }))
    return false;
  for (std::size_t i = 0; i < w.n_x; ++i) data[*slot++] += c;
  iterate.matrix_coefficient = c;
  return matrix->factorise();
}

Correction IdasSegment::Forward::correct(const Prediction& to, double* e) {
  double change = to.c / iterate.matrix_coefficient, least = (1 - kept) / (1 + kept);
  Correction states = Correction::diverged;
  if (matrix_stands && change > least && change < 1 / least) states = correct_states(to, e, true);
  if (states != Correction::found) states = correct_states(to, e, false);
  matrix_stands = states == Correction::found;
  return matrix_stands ? correct_sensitivities(to, e) : states;
}

// `corrected` is left where the last matrix was taken, `step` what the last correction added.
Correction IdasSegment::Forward::correct_states(const Prediction& to, double* e, bool with_old) {
  double before = 0, h = w.times.length;
  std::fill_n(e, n, 0.0);
  step.resize(w.n_);
  int most = std::max(2, whole(w.options.method_options.max_nonlinear_iterations, most_corrections));
  for (int k = 0; k < most; ++k) {
    corrected.assign(to.unknowns, to.unknowns + w.n_);
    for (std::size_t i = 0; i < w.n_; ++i) corrected[i] += e[i];
    Point p = w.point(to.s, corrected.data());
    bool old = with_old && k == 0;
    double scale = old ? 2 / (1 + to.c / iterate.matrix_coefficient) : 1;
    if (!old && !factorise(p, to.c)) return Correction::not_finite;
    if (!w.find_rates(p) || !w.find_residuals(p, {step.data() + w.n_x, w.n_z_})) return Correction::not_finite;
    for (std::size_t i = 0; i < w.n_x; ++i) step[i] = h * w.rates_[i] - to.slopes[i] - to.c * e[i];
    for (std::size_t i = w.n_x; i < w.n_; ++i) step[i] = -step[i];
    if (!matrix->solve(step.data(), 1)) return Correction::not_finite;
    double sum = 0;
    for (std::size_t i = 0; i < w.n_; ++i) {
      e[i] += step[i] *= scale;
      sum += to.weights[i] * step[i] * to.weights[i] * step[i];
    }
    double norm = std::sqrt(sum / static_cast<double>(n));
    if (!old && norm <= near * to.tolerance) return Correction::found;
    if (k && norm > slowest_correction * before) return Correction::diverged;
    before = norm;
  }
  return Correction::diverged;
}

Correction IdasSegment::Forward::correct_sensitivities(const Prediction& to, double* e) {
  double h = w.times.length;
  Point p = w.point(to.s, corrected.data());
  auto by_length_row = direct.row(at(w.length_input()));
  auto slopes = [&](std::size_t i) {
    return Eigen::Map<const Eigen::RowVectorXd, 0, Eigen::InnerStride<>>(to.slopes + w.block_ + i, at(m),
                                                                         Eigen::InnerStride<>(at(w.block_)));
  };
  move(to.s, to.unknowns);
  right.setZero(at(w.n_), at(m));
  of_integrals.setZero(at(w.n_q), at(m));
  auto along = [&](auto&& target) {
    return w.entries(p, [&](bool rate, std::size_t row, std::size_t col, double v) {
      if (double* out = target(rate, row); out && at(col) < direction.rows())
        for (Index k = 0; k < at(m); ++k) out[k] += v * direction(at(col), k);
    });
  };
  auto state_row = [&](bool rate, std::size_t row) {
    return rate && row >= w.n_x ? nullptr : &right(at(rate ? row : w.n_x + row), 0);
  };
  auto integral_row = [&](bool rate, std::size_t row) {
    return rate && row >= w.n_x ? &of_integrals(at(row - w.n_x), 0) : nullptr;
  };
  if (!along(state_row) || !w.find_rates(p)) return Correction::not_finite;
  for (std::size_t i = 0; i < w.n_x; ++i) right.row(at(i)) = h * right.row(at(i)) + w.rates_[i] * by_length_row - slopes(i);
  right.bottomRows(at(w.n_z_)) *= -1;
  if (!matrix->solve(right.data(), m)) return Correction::not_finite;
  for (std::size_t k = 0; k < m; ++k)
    for (std::size_t i = 0; i < w.n_; ++i) e[(1 + k) * w.block_ + i] = right(at(i), at(k));
  if (!w.n_q) return Correction::found;
  direction.middleRows(1, at(w.n_)) += right;
  if (!along(integral_row)) return Correction::not_finite;
  integral_rates.assign(w.rates_.begin() + static_cast<std::ptrdiff_t>(w.n_x), w.rates_.end());
  w.entries(p, [&](bool rate, std::size_t row, std::size_t col, double v) {
    if (rate && row >= w.n_x && w.by_unknown(col)) integral_rates[row - w.n_x] += v * step[col - 1];
  });
  for (std::size_t j = 0; j < w.n_q; ++j) {
    double* to_integral = e + w.n_ + j;
    *to_integral = (h * integral_rates[j] - to.slopes[w.n_ + j]) / to.c;
    auto found = (h * of_integrals.row(at(j)) + integral_rates[j] * by_length_row - slopes(w.n_ + j)) / to.c;
    for (std::size_t k = 0; k < m; ++k) to_integral[(1 + k) * w.block_] = found[at(k)];
  }
  return Correction::found;
}

}  // namespace bolza::integrate
