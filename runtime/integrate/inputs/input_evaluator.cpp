// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/inputs/input_evaluator.h"

#include "base/numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bolza::integrate {
namespace {

using Part = nonlinear::ModelAt::Part;
constexpr int smoothest = 5;  // breaks of higher derivatives disturb no method
constexpr std::size_t most_breaks = 4096;

double room_at(double t) { return 1e-13 * std::max(1.0, std::fabs(t)); }

}  // namespace

InputEvaluator::InputEvaluator(nonlinear::ModelAt& model, const Inputs& inputs)
    : model_(model),
      inputs_(inputs),
      n_u_(model.model().n_u),
      n_delays_(model.model().hybrid && !inputs.has_delayed ? model.model().hybrid->n_delays : 0),
      n_given_(n_u_ - n_delays_),
      history_(n_delays_),
      rows_(3 * n_delays_),
      time_(n_delays_) {
  const bolza_function* f = model.part(Part::delays);
  for (std::size_t e = 0; f && e < f->jac_nnz; ++e) {
    std::size_t row = static_cast<std::size_t>(f->jac_row[e]);
    if (row >= n_delays_ && row < 2 * n_delays_ && static_cast<std::size_t>(f->jac_col[e]) < f->n_point)
      constant_times_ = false;
  }
}

bool InputEvaluator::expressions(double t, const double* x, const double* z, const double* u, std::span<double> rows) {
  if (!model_.value(Part::delays, {t, x, z, u}, rows)) return false;
  for (std::size_t i = 0; i < n_delays_; ++i) time_[i] = std::max(0.0, rows[n_delays_ + i]);
  return true;
}

// Rounding may lead an expression over its own bound.
void InputEvaluator::look_at_delays(double t, std::span<const double> rows) {
  for (std::size_t i = 0; i < n_delays_ && !bad_delay_; ++i) {
    double delay = rows[n_delays_ + i], longest = rows[2 * n_delays_ + i];
    double room = 1e-9 * std::max({1e-3, std::fabs(longest), std::fabs(delay)});
    if (delay < -room || delay > longest + room) bad_delay_ = {i, t, delay, longest};
  }
}

bool InputEvaluator::start_history(double t0, const double* x, const double* z, std::span<double> u) {
  t0_ = t0;
  if (!n_delays_) return true;
  std::vector<double> last(n_delays_, std::nan(""));
  for (int k = 0; k < 50; ++k) {  // an expression may contain delayed values: the same at the start
    if (!expressions(t0, x, z, u.data(), rows_)) return false;
    std::copy_n(rows_.begin(), n_delays_, u.begin() + static_cast<std::ptrdiff_t>(n_given_));
    if (std::equal(last.begin(), last.end(), rows_.begin())) break;
    std::copy_n(rows_.begin(), n_delays_, last.begin());
  }
  history_.begin(t0, std::span(rows_).first(n_delays_));
  look_at_delays(t0, rows_);
  return true;
}

const InputPiece& InputEvaluator::piece_at(double t, bool right) const {
  double key = right ? t + room_at(t) : t - room_at(t);
  auto after = std::upper_bound(inputs_.pieces.begin(), inputs_.pieces.end(), key,
                                [](double s, const InputPiece& p) { return s < p.begin; });
  return after == inputs_.pieces.begin() ? inputs_.pieces.front() : *std::prev(after);
}

void InputEvaluator::begin(double begin, double end) {
  begin_ = begin;
  end_ = end;
  piece_ = &piece_at(begin, true);
}

void InputEvaluator::values(double t, bool right, const InputPiece& piece, const double* x, const double* z,
                            std::span<double> u) {
  evaluate(piece, t, u.first(n_given_));
  if (!n_delays_) return;
  if (!constant_times_) {
    for (std::size_t i = 0; i < n_delays_; ++i) u[n_given_ + i] = history_.value(i, t - time_[i], right);
    expressions(t, x, z, u.data(), rows_);
  }
  for (std::size_t i = 0; i < n_delays_; ++i) u[n_given_ + i] = history_.value(i, t - time_[i], right);
}

void InputEvaluator::slope(double t, const double* x, const double* z, std::span<double> slope) {
  std::vector<double> u(n_u_), next(n_u_);
  evaluate(*piece_, t, std::span(u).first(n_given_), slope.first(n_given_));
  if (!n_delays_) return;
  double step = 1e-4 * (end_ - begin_), s = t + step <= end_ ? step : -step;
  at(t, x, z, u);
  at(t + s, x, z, next);
  for (std::size_t i = n_given_; i < n_u_; ++i) slope[i] = s != 0 ? (next[i] - u[i]) / s : 0;
}

double InputEvaluator::next_break(double t) const {
  double later = t + room_at(t);
  auto after = std::upper_bound(inputs_.pieces.begin(), inputs_.pieces.end(), later,
                                [](double s, const InputPiece& p) { return s < p.begin; });
  double next = after == inputs_.pieces.end() ? infinity : after->begin;
  for (const Break& b : breaks_)
    if (b.time > later) return std::min(next, b.time);
  return next;
}

bool InputEvaluator::jumps(double t, const double* x, const double* z) {
  std::vector<double> left(n_u_), right(n_u_);
  values(t, false, piece_at(t, false), x, z, left);
  values(t, true, piece_at(t, true), x, z, right);
  for (std::size_t i = 0; i < n_u_; ++i)
    if (std::fabs(left[i] - right[i]) > 1e-9 * (1e-6 + std::fabs(left[i]) + std::fabs(right[i]))) return true;
  return false;
}

double InputEvaluator::longest_step(double t, const double* x, const double* z, std::span<const double> u) {
  if (!n_delays_) return infinity;
  if (!constant_times_) expressions(t, x, z, u.data(), rows_);
  double least = infinity;
  for (double d : time_)
    if (d > 0) least = std::min(least, d);
  return least;
}

void InputEvaluator::append(double end, const StateAt& state) {
  if (!n_delays_) return;
  const bolza_model& m = model_.model();
  std::vector<double> x(m.n_x), z(m.n_z), u(n_u_), rows(3 * n_delays_);
  history_.append(end, [&](double t, std::span<double> out) {
    if (!state(t, x, z)) return false;
    at(t, x.data(), z.data(), u);
    if (!expressions(t, x.data(), z.data(), u.data(), rows)) return false;
    std::copy_n(rows.begin(), n_delays_, out.begin());
    look_at_delays(t, rows);
    return true;
  });
  double longest = 0;
  for (std::size_t i = 0; i < n_delays_; ++i) longest = std::max({longest, rows[2 * n_delays_ + i], time_[i]});
  history_.forget_before(end - longest);
}

void InputEvaluator::mark(double t, bool jump) {
  int order = jump ? 0 : t <= t0_ + room_at(t) ? 1 : smoothest + 1;
  for (const Break& b : breaks_)
    if (std::fabs(b.time - t) <= room_at(t)) order = std::min(order, b.order + 1);
  std::erase_if(breaks_, [&](const Break& b) { return b.time < t - room_at(t); });
  if (order > smoothest || breaks_.size() > most_breaks) return;
  for (double d : time_) {
    if (!(d > 0)) continue;
    auto near = [&](const Break& b) { return std::fabs(b.time - (t + d)) <= room_at(t + d); };
    auto same = std::find_if(breaks_.begin(), breaks_.end(), near);
    if (same != breaks_.end()) same->order = std::min(same->order, order);
    else breaks_.push_back({t + d, order});
  }
  std::sort(breaks_.begin(), breaks_.end(), [](const Break& a, const Break& b) { return a.time < b.time; });
}

}  // namespace bolza::integrate
