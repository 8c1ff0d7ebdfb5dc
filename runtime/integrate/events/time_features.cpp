// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/events/time_features.h"

#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "runtime/abi/aligned.h"
#include "runtime/abi/evaluate.h"

namespace bolza::integrate {
namespace {

using Part = nonlinear::ModelAt::Part;

constexpr std::size_t samples_at_once = 256, usual_samples = 16384, fewest_samples = 512;
constexpr std::size_t most_sampled = 20000000;  // of all rows together
constexpr std::size_t strides[] = {1, 8, 64, 512};
constexpr double share = 1.0 / 16;  // of the difference of extreme slopes that a step may pass
constexpr double uneven = 20;       // longest over shortest step: less is as dense everywhere

// Rows in which time stands.
std::vector<std::size_t> timed_rows(const bolza_function* f, std::size_t count) {
  std::vector<std::size_t> rows;
  for (std::size_t e = 0; f && e < f->jac_nnz; ++e)
    if (f->jac_col[e] == 0 && static_cast<std::size_t>(f->jac_row[e]) < count)
      rows.push_back(static_cast<std::size_t>(f->jac_row[e]));
  return rows;
}

}  // namespace

TimeFeatures::TimeFeatures(nonlinear::ModelAt& model, const nonlinear::ModelAt::Point& point, double end)
    : begin_(point.t),
      end_(end) {
  const bolza_model& m = model.model();
  std::size_t rows = m.n_x + m.n_q + m.n_z + m.n_g;
  count_ = std::clamp(most_sampled / std::max<std::size_t>(rows, 1), fewest_samples, usual_samples);
  Samples samples;
  if (!(end > begin_) || !sample(model, point, samples) || samples.empty()) return;
  for (std::size_t stride : strides)
    if (count_ / stride >= 8) add_level(samples, stride);
  for (const Level& level : levels_) {
    double shortest = infinity, longest = 0;
    for (std::size_t k = 0, ahead = 0; k < level.change.size(); ++k) {
      while (ahead < level.change.size() && level.change[ahead] < level.change[k] + share) ++ahead;
      if (ahead == level.change.size()) break;  // nothing is left
      double reach = level.length * static_cast<double>(ahead - k);
      shortest = std::min(shortest, reach);
      longest = std::max(longest, reach);
    }
    bool resolved = &level == &levels_.front() || shortest >= 2 * level.length;  // else it is an average of turns
    any_ = any_ || (resolved && longest > uneven * shortest);
  }
}

// False: there is no code for it.
bool TimeFeatures::sample(nonlinear::ModelAt& model, const nonlinear::ModelAt::Point& point, Samples& samples) const {
  const bolza_model& m = model.model();
  std::size_t ld = abi::padded(samples_at_once);
  for (Part part : {Part::rates, Part::residuals}) {
    auto* f = const_cast<bolza_function*>(model.part(part));
    std::vector<std::size_t> rows = timed_rows(f, part == Part::rates ? m.n_x : m.n_z);
    if (rows.empty()) continue;
    if (!abi::ensure(model.problem(), *f, BOLZA_VALUE)) return false;
    abi::AlignedDoubles points(f->n_point * ld), out(f->kernels[BOLZA_VALUE]->n_out * ld);
    auto fill = [&](std::size_t first, const double* values, std::size_t n) {
      for (std::size_t i = 0; i < n; ++i) std::fill_n(points.data() + (first + i) * ld, samples_at_once, values[i]);
    };
    fill(1, point.x, m.n_x);
    fill(1 + m.n_x, point.z, m.n_z);
    fill(1 + m.n_x + m.n_z, point.u, m.n_u);
    std::size_t before = samples.size();
    samples.resize(before + rows.size());
    for (std::size_t first = 0; first < count_; first += samples_at_once) {
      std::size_t n = std::min(samples_at_once, count_ - first);
      for (std::size_t i = 0; i < n; ++i)
        points[i] = begin_ + (end_ - begin_) * (static_cast<double>(first + i) + 0.5) / static_cast<double>(count_);
      abi::evaluate(*f, BOLZA_VALUE,
                    {.n = n, .ld = ld, .point = points.data(), .shared = model.shared.data(), .out = out.data()});
      for (std::size_t r = 0; r < rows.size(); ++r)
        for (std::size_t i = 0; i < n; ++i) samples[before + r].push_back(out[rows[r] * ld + i]);
    }
  }
  std::erase_if(samples, [](const std::vector<double>& row) {
    return !std::ranges::all_of(row, [](double value) { return std::isfinite(value); });
  });
  return true;
}

// The changes of slopes of all rows, each as a share of its own greatest difference; where several change, the largest.
void TimeFeatures::add_level(const Samples& samples, std::size_t stride) {
  std::size_t n = count_ / stride;
  std::vector<double> change(n, 0), slope(n, 0);
  for (const std::vector<double>& row : samples) {
    double mean = 0, before = 0, size = 0;
    for (std::size_t k = 0; k < n; ++k) {
      mean = 0;
      for (std::size_t i = 0; i < stride; ++i) mean += row[k * stride + i];
      mean /= static_cast<double>(stride);
      slope[k] = k == 0 ? 0 : mean - before;
      before = mean;
      size = std::max(size, std::fabs(mean));
    }
    slope[0] = slope[1];
    auto [least, greatest] = std::minmax_element(slope.begin(), slope.end());
    double range = *greatest - *least;
    if (!(range > 1e-9 * size)) continue;  // rounding
    for (std::size_t k = 1; k < n; ++k) change[k] = std::max(change[k], std::fabs(slope[k] - slope[k - 1]) / range);
  }
  for (std::size_t k = 1; k < n; ++k) change[k] += change[k - 1];
  levels_.push_back({(end_ - begin_) * static_cast<double>(stride) / static_cast<double>(count_), std::move(change)});
}

double TimeFeatures::longest_step(double t) const {
  double longest = infinity;
  for (const Level& level : levels_) {
    auto k =
        static_cast<std::size_t>(std::clamp((t - begin_) / level.length, 0.0, static_cast<double>(level.change.size() - 1)));
    auto at =
        std::lower_bound(level.change.begin() + static_cast<std::ptrdiff_t>(k), level.change.end(), level.change[k] + share);
    if (at == level.change.end()) continue;
    double until = begin_ + level.length * (static_cast<double>(at - level.change.begin()) - 1);  // it begins before
    longest = std::min(longest, std::max(until - t, 0.25 * level.length));
  }
  return longest;
}

}  // namespace bolza::integrate
