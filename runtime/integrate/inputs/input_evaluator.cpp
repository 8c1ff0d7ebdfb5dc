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
      rows_(n_delays_ ? model.part(Part::delays)->n_rows : 0),
      time_(n_delays_) {
  const bolza_function* f = model.part(Part::delays);
  for (std::size_t e = 0; f && e < f->jac_nnz; ++e) {
    std::size_t row = static_cast<std::size_t>(f->jac_row[e]);
    if (row >= n_delays_ && row < 2 * n_delays_ && static_cast<std::size_t>(f->jac_col[e]) < f->n_point)
      constant_times_ = false;
  }
  std::size_t row = 3 * n_delays_;
  for (std::size_t k = 0; n_delays_ && k < model.model().hybrid->n_transports; ++k) {
    const bolza_transport& t = model.model().hybrid->transports[k];
    flows_.push_back({static_cast<std::size_t>(t.first), row, static_cast<std::size_t>(t.n_places), {}});
    row += 2 * flows_.back().n_places;
    constant_times_ = false;
  }
}

bool InputEvaluator::expressions(double t, const double* x, const double* z, const double* u, std::span<double> rows) {
  if (!model_.value(Part::delays, {t, x, z, u}, rows)) return false;
  for (std::size_t i = 0; i < n_delays_; ++i) time_[i] = std::max(0.0, rows[n_delays_ + i]);
  for (const Flow& flow : flows_) time_[flow.first] = time_[flow.first + 1] = 0;
  return true;
}

// Rounding may lead an expression over its own bound.
void InputEvaluator::look_at_delays(double t, std::span<const double> rows) {
  for (std::size_t i = 0; i < n_delays_ && !bad_delay_; ++i) {
    if (std::ranges::any_of(flows_, [&](const Flow& flow) { return i == flow.first || i == flow.first + 1; })) continue;
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
    begin_flows(u);
    if (std::equal(last.begin(), last.end(), rows_.begin())) break;
    std::copy_n(rows_.begin(), n_delays_, last.begin());
  }
  history_.begin(t0, std::span(rows_).first(n_delays_));
  look_at_delays(t0, rows_);
  return true;
}

void InputEvaluator::begin_flows(std::span<double> u) {
  for (Flow& flow : flows_) {
    std::span<const double> profile = std::span(rows_).subspan(flow.places, 2 * flow.n_places);
    if (!std::ranges::is_sorted(profile.first(flow.n_places))) bad_profile_ = flow.first;
    flow.pipe.begin(rows_[n_delays_ + flow.first], profile.first(flow.n_places), profile.last(flow.n_places));
  }
  read_flows(u);
}

void InputEvaluator::read_flows(std::span<double> u) {
  for (const Flow& flow : flows_)
    for (std::size_t end = 0; end < 2; ++end)
      u[n_given_ + flow.first + end] = flow.pipe.value(static_cast<double>(end), rows_[n_delays_ + flow.first]);
}

void InputEvaluator::append_flows(double begin, double end, const StateAt& state) {
  const bolza_model& m = model_.model();
  std::vector<double> x(m.n_x), z(m.n_z), u(n_u_), rows(rows_.size());
  for (Flow& flow : flows_)
    flow.pipe.append(begin, end, [&](double t, std::array<double, 3>& out) {
      if (!state(t, x, z)) return false;
      at(t, x.data(), z.data(), u);
      if (!expressions(t, x.data(), z.data(), u.data(), rows)) return false;
      out = {rows[n_delays_ + flow.first], rows[flow.first], rows[flow.first + 1]};
      return true;
    });
}

bool InputEvaluator::left_by_break() const {
  return std::ranges::any_of(flows_, [](const Flow& flow) { return flow.pipe.passed_break(); });
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
    read_flows(u);
    expressions(t, x, z, u.data(), rows_);
  }
  for (std::size_t i = 0; i < n_delays_; ++i) u[n_given_ + i] = history_.value(i, t - time_[i], right);
  read_flows(u);
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
  constexpr double first_step = 1e-3, near = 1e-9;  // of the stretch: nobody knows yet how fast it flows
  for (const Flow& flow : flows_) {
    double rate = flow.pipe.rate(), step = t <= t0_ ? first_step * (end_ - begin_) : infinity;
    if (t > t0_ && rate != 0) step = flow.pipe.way_to_break(rate) / std::fabs(rate);
    // What ends with the stretch needs no limit: no room would be left for the step after it.
    if (t + step < end_ - near * (end_ - begin_)) least = std::min(least, step);
  }
  return least;
}

void InputEvaluator::append(double end, const StateAt& state) {
  if (!n_delays_) return;
  const bolza_model& m = model_.model();
  double begin = history_.end();
  std::vector<double> x(m.n_x), z(m.n_z), u(n_u_), rows(rows_.size());
  history_.append(end, [&](double t, std::span<double> out) {
    if (!state(t, x, z)) return false;
    at(t, x.data(), z.data(), u);
    if (!expressions(t, x.data(), z.data(), u.data(), rows)) return false;
    std::copy_n(rows.begin(), n_delays_, out.begin());
    look_at_delays(t, rows);
    return true;
  });
  append_flows(begin, end, state);
  double longest = 0;
  for (std::size_t i = 0; i < n_delays_; ++i) longest = std::max({longest, rows[2 * n_delays_ + i], time_[i]});
  history_.forget_before(end - longest);
}

void InputEvaluator::mark(double t, bool jump) {
  for (Flow& flow : flows_) flow.pipe.mark();
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
