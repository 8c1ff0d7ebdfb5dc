// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/inputs/inputs.h"

#include <algorithm>
#include <cmath>

#include "base/expects.h"

namespace bolza::integrate {
namespace {

double basis(std::span<const double> nodes, std::size_t r, double t) {
  double product = 1;
  for (std::size_t k = 0; k < nodes.size(); ++k)
    if (k != r) product *= (t - nodes[k]) / (nodes[r] - nodes[k]);
  return product;
}

double basis_slope(std::span<const double> nodes, std::size_t r, double t) {
  double sum = 0;
  for (std::size_t j = 0; j < nodes.size(); ++j) {
    if (j == r) continue;
    double product = 1 / (nodes[r] - nodes[j]);
    for (std::size_t k = 0; k < nodes.size(); ++k)
      if (k != r && k != j) product *= (t - nodes[k]) / (nodes[r] - nodes[k]);
    sum += product;
  }
  return sum;
}

// Indices of the times within [a, b]; where a time stands twice the right one at a, the left one at b.
std::pair<std::size_t, std::size_t> within(std::span<const double> time, double a, double b) {
  double room = 1e-9 * (b - a);
  std::size_t first = static_cast<std::size_t>(std::lower_bound(time.begin(), time.end(), a - room) - time.begin());
  while (first + 1 < time.size() && time[first + 1] <= a + room) ++first;
  std::size_t last = first;
  while (last + 1 < time.size() && time[last + 1] <= b + room &&
         !(time[last + 1] - time[last] <= room && time[last] >= b - room))
    ++last;
  return {first, last + 1};
}

}  // namespace

void evaluate(const InputPiece& piece, double t, std::span<double> u, std::span<double> slope) {
  std::fill(u.begin(), u.end(), 0.0);
  std::fill(slope.begin(), slope.end(), 0.0);
  for (std::size_t r = 0; r < piece.nodes.size(); ++r) {
    double b = basis(piece.nodes, r, t);
    for (std::size_t i = 0; i < u.size(); ++i) u[i] += b * piece.values[i][r];
    if (slope.empty()) continue;
    double s = basis_slope(piece.nodes, r, t);
    for (std::size_t i = 0; i < slope.size(); ++i) slope[i] += s * piece.values[i][r];
  }
}

void expand(const InputPiece& piece, double t, std::size_t columns, std::span<double> out) {
  std::size_t n = piece.nodes.size();
  std::vector<double> newton, shifted;
  for (std::size_t i = 0; i < piece.values.size(); ++i) {
    newton = piece.values[i];
    for (std::size_t level = 1; level < n; ++level)  // divided differences
      for (std::size_t k = n; k-- > level;)
        newton[k] = (newton[k] - newton[k - 1]) / (piece.nodes[k] - piece.nodes[k - level]);
    shifted.assign(n, 0.0);
    for (std::size_t k = n; k-- > 0;) {  // times (s + t − node), plus the next difference
      for (std::size_t j = n; j-- > 0;) shifted[j] = shifted[j] * (t - piece.nodes[k]) + (j ? shifted[j - 1] : 0);
      shifted[0] += newton[k];
    }
    for (std::size_t k = 0; k < columns; ++k) out[i * columns + k] = k < n ? shifted[k] : 0;
  }
}

Inputs constant_inputs(double begin, double end, std::span<const double> u) {
  InputPiece piece{begin, end, {begin}, {}};
  for (double value : u) piece.values.push_back({value});
  return {{std::move(piece)}};
}

Inputs linear_inputs(double begin, double end, std::span<const double> time, const std::vector<std::vector<double>>& u) {
  expects(!time.empty() && end >= begin, "inputs have times");
  Inputs out;
  auto hold = [&](double a, double b, std::size_t k) {
    InputPiece piece{a, b, {a}, {}};
    for (const auto& row : u) piece.values.push_back({row[k]});
    out.pieces.push_back(std::move(piece));
  };
  if (begin < time.front()) hold(begin, std::min(end, time.front()), 0);
  for (std::size_t k = 0; k + 1 < time.size(); ++k) {
    double a = std::max(begin, time[k]), b = std::min(end, time[k + 1]);
    if (!(b > a)) continue;
    InputPiece piece{a, b, {time[k], time[k + 1]}, {}};
    for (const auto& row : u) piece.values.push_back({row[k], row[k + 1]});
    out.pieces.push_back(std::move(piece));
  }
  if (end > time.back() || out.pieces.empty()) hold(std::max(begin, std::min(end, time.back())), end, time.size() - 1);
  return out;
}

Inputs inputs_of(const abi::PhaseSolution& phase) {
  const abi::Trajectories& t = phase.trajectories;
  double length = phase.final_time - phase.start_time;
  if (phase.mesh.size() < 2) return linear_inputs(phase.start_time, phase.final_time, t.time, t.u);
  Inputs out;
  for (std::size_t i = 0; i + 1 < phase.mesh.size(); ++i) {
    double a = phase.start_time + phase.mesh[i] * length, b = phase.start_time + phase.mesh[i + 1] * length;
    auto [first, last] = within(t.time, a, b);
    expects(first < last, "every mesh interval has points");
    InputPiece piece{a, b, {}, {}};
    piece.values.resize(t.u.size());
    // the interval's own points: a value at its left end belongs to it only in schemes whose polynomial passes through it
    std::size_t begin = first;
    if (phase.points && last - first > phase.points) begin = last - phase.points;
    if (phase.control_constant) begin = last - 1;
    if (last - begin > 12) {  // samples of an unknown curve, not the points of a polynomial
      std::vector<std::vector<double>> rows;
      for (const auto& row : t.u)
        rows.emplace_back(row.begin() + static_cast<std::ptrdiff_t>(begin), row.begin() + static_cast<std::ptrdiff_t>(last));
      Inputs lines = linear_inputs(a, b, std::span(t.time).subspan(begin, last - begin), rows);
      out.pieces.insert(out.pieces.end(), lines.pieces.begin(), lines.pieces.end());
      continue;
    }
    for (std::size_t k = begin; k < last; ++k) {
      piece.nodes.push_back(t.time[k]);
      for (std::size_t u = 0; u < t.u.size(); ++u) piece.values[u].push_back(t.u[u][k]);
    }
    out.pieces.push_back(std::move(piece));
  }
  return out;
}

}  // namespace bolza::integrate
