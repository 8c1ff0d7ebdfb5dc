// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/inputs/plug_flow.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/integrate/inputs/chebyshev.h"

namespace bolza::integrate {
namespace {

constexpr double nothing = 1e-13;       // of a pipe: rounding of labels
constexpr double most_of_pipe = 0.5;    // per step: what leaves must have entered
constexpr int most_halvings = 16;       // of a step in which the flow turns
constexpr double jump_of_value = 1e-9;  // relative

bool is_jump(double a, double b) { return std::fabs(a - b) > jump_of_value * (std::fabs(a) + std::fabs(b)); }

bool is_monotone(std::span<const double> x) {
  double total = x.back() - x.front(), size = 1;
  for (double value : x) size = std::max(size, std::fabs(value));
  for (std::size_t k = 1; k < x.size(); ++k)
    if ((x[k] - x[k - 1]) * total < 0 && std::fabs(x[k] - x[k - 1]) > nothing * size) return false;
  return true;
}

}  // namespace

void PlugFlow::begin(double x, std::span<const double> places, std::span<const double> values) {
  x0_ = x_ = x;
  rate_ = 0;
  passed_break_ = false;
  pieces_.clear();
  breaks_.assign(places.begin(), places.end());
  auto add = [&](double low, double high, double first, double last) {
    if (!(high > low)) return;
    Piece piece{low, high, {}, {}};
    for (std::size_t k = 0; k < nodes; ++k) {
      piece.label[k] = low + chebyshev_point(k, nodes) * (high - low);
      piece.value[k] = first + chebyshev_point(k, nodes) * (last - first);
    }
    pieces_.push_back(piece);
  };
  add(0, places.front(), values.front(), values.front());
  for (std::size_t k = 1; k < places.size(); ++k) add(places[k - 1], places[k], values[k - 1], values[k]);
  add(places.back(), 1, values.back(), values.back());
  mark();
}

// The label is monotone in the time of entry: the false position method [Illinois] between the ends.
double PlugFlow::read(const Piece& piece, double label) {
  double left = 0, right = 1, at_left = piece.label.front() - label, at_right = piece.label.back() - label;
  double s = at_left == 0 ? 0 : 1, width = std::fabs(piece.label.back() - piece.label.front());
  for (int k = 0; k < 60 && at_left != 0 && at_right != 0 && std::fabs(right - left) > 1e-15; ++k) {
    s = (left * at_right - right * at_left) / (at_right - at_left);
    double here = chebyshev_value(piece.label, s) - label;
    if (std::fabs(here) <= 1e-15 * width) break;
    if (here * at_right < 0) {
      left = right;
      at_left = at_right;
    } else {
      at_left /= 2;
    }
    right = s;
    at_right = here;
  }
  return chebyshev_value(piece.value, std::clamp(s, 0.0, 1.0));
}

double PlugFlow::value(double y, double x) const {
  double label = y - (x - x0_);
  const Piece &first = pieces_.front(), &last = pieces_.back();
  if (label <= first.low) return read(first, first.low);
  if (label >= last.high) return read(last, last.high);
  auto piece = std::lower_bound(pieces_.begin(), pieces_.end(), label, [](const Piece& p, double l) { return p.high < l; });
  return read(*piece, label);
}

bool PlugFlow::sample(double a, double b, const At& at, Sampled& out) const {
  for (std::size_t k = 0; k < nodes; ++k) {
    std::array<double, 3> values;
    if (!at(k + 1 == nodes ? b : a + chebyshev_point(k, nodes) * (b - a), values)) return false;
    out.x[k] = values[0];
    out.in0[k] = values[1];
    out.in1[k] = values[2];
  }
  return true;
}

void PlugFlow::append(double a, double b, const At& at) {
  constexpr double at_rest = 1e-9;  // of a pipe: what moves so little turns by rounding, and nothing comes out
  double before = low();
  passed_break_ = false;
  if (b > a) append_part(a, b, at, 0);
  drop_breaks();
  passed_break_ = passed_break_ && std::fabs(low() - before) > at_rest;
}

void PlugFlow::append_part(double a, double b, const At& at, int depth) {
  Sampled step;
  if (!sample(a, b, at, step)) return;
  if (!is_monotone(step.x) && depth < most_halvings) {
    double middle = a + 0.5 * (b - a);
    append_part(a, middle, at, depth + 1);
    append_part(middle, b, at, depth + 1);
    return;
  }
  double last_part = (1 - chebyshev_point(nodes - 2, nodes)) * (b - a);
  rate_ = (step.x[nodes - 1] - step.x[nodes - 2]) / last_part;
  if (std::fabs(step.x.back() - step.x.front()) > nothing) enter(step);
  else x0_ += step.x.back() - x_;  // so little does not move it: nothing entered
  x_ = step.x.back();
}

void PlugFlow::enter(const Sampled& step) {
  bool forwards = step.x.back() > step.x.front();
  x0_ += step.x.front() - x_;  // x jumps at events where it is set: material does not
  x_ = step.x.front();
  const Curve& in = forwards ? step.in0 : step.in1;
  Piece piece{0, 0, {}, in};
  for (std::size_t k = 0; k < nodes; ++k) piece.label[k] = (forwards ? 0 : 1) - (step.x[k] - x0_);
  piece.low = std::min(piece.label.front(), piece.label.back());
  piece.high = std::max(piece.label.front(), piece.label.back());
  clip();
  const Piece& neighbour = forwards ? pieces_.front() : pieces_.back();
  bool jump = is_jump(read(neighbour, forwards ? neighbour.low : neighbour.high), in.front());
  if (forwards) {
    if (jump && (breaks_.empty() || breaks_.front() > piece.high)) breaks_.push_front(piece.high);
    pieces_.push_front(piece);
  } else {
    if (jump && (breaks_.empty() || breaks_.back() < piece.low)) breaks_.push_back(piece.low);
    pieces_.push_back(piece);
  }
  x_ = step.x.back();
  clip();
}

// Leaves what is in the pipe.
void PlugFlow::clip() {
  double least = low(), most = least + 1;
  while (pieces_.size() > 1 && pieces_.front().high <= least) pieces_.pop_front();
  while (pieces_.size() > 1 && pieces_.back().low >= most) pieces_.pop_back();
  pieces_.front().low = std::max(pieces_.front().low, std::min(least, pieces_.front().high));
  pieces_.back().high = std::min(pieces_.back().high, std::max(most, pieces_.back().low));
}

void PlugFlow::drop_breaks() {
  constexpr double reached = 1e-9;  // of a pipe
  while (!breaks_.empty() && rate_ < 0 && breaks_.front() <= low() + reached) {
    breaks_.pop_front();
    passed_break_ = true;
  }
  while (!breaks_.empty() && rate_ > 0 && breaks_.back() >= low() + 1 - reached) {
    breaks_.pop_back();
    passed_break_ = true;
  }
}

double PlugFlow::way_to_break(double rate) const {
  double way = most_of_pipe;
  if (breaks_.empty() || rate == 0) return way;
  double distance = rate > 0 ? low() + 1 - breaks_.back() : breaks_.front() - low();
  return distance > 0 ? std::min(way, distance) : way;
}

void PlugFlow::mark() {
  double least = low(), most = least + 1;
  if (breaks_.empty() || breaks_.front() > least + nothing) breaks_.push_front(least);
  if (breaks_.back() < most - nothing) breaks_.push_back(most);
}

}  // namespace bolza::integrate
