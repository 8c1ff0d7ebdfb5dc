// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/shooting/path_maxima.h"

#include <algorithm>
#include <cmath>

namespace bolza::transcribe {
namespace {

using What = NodeFunction::What;

constexpr int samples_inside = 10;   // samples of an interval
constexpr double close_part = 0.01;  // of an interval: from a vertex to the values that its parabola is put through again

/// One side of a constraint.
struct Limit {
  What what;
  std::size_t index;
  double bound, sign, size;
  const char* name;
  double violation(double value) const { return sign * (value - bound) / size; }
};

void add_sides(std::vector<Limit>& out, What what, std::size_t index, double lower, double upper, double size,
               const char* name) {
  if (std::isfinite(lower)) out.push_back({what, index, lower, -1, size, name});
  if (std::isfinite(upper)) out.push_back({what, index, upper, 1, size, name});
}

std::vector<Limit> limits_of(const bolza_model& m) {
  std::vector<Limit> out;
  for (std::size_t i = 0; i < m.n_x; ++i)
    add_sides(out, What::state, i, m.x[i].min, m.x[i].max, nonlinear::size_of(m.x[i]), m.x[i].name);
  for (std::size_t i = 0; i < m.n_z; ++i)
    add_sides(out, What::algebraic, i, m.z[i].min, m.z[i].max, nonlinear::size_of(m.z[i]), m.z[i].name);
  for (std::size_t j = 0; j < m.n_g; ++j) {
    const bolza_row& r = m.residuals->rows[m.n_z + j];
    if (r.lower == r.upper) continue;  // an equation of the controls: nothing that has maxima
    double size = 0;
    for (double side : {r.lower, r.upper})
      if (std::isfinite(side)) size = std::max(size, std::fabs(side));
    add_sides(out, What::path, j, r.lower, r.upper, size > 0 ? size : 1, r.name);
  }
  return out;
}

/// A parabola through values at −1, 0 and 1.
struct Parabola {
  double low, middle, high;
  double vertex() const {
    double bend = low - 2 * middle + high;
    return bend < 0 ? std::clamp(0.5 * (low - high) / bend, -1.0, 1.0) : low > high ? -1 : 1;
  }
  double at(double s) const { return middle + s * (0.5 * (high - low) + 0.5 * s * (low - 2 * middle + high)); }
};

/// A maximum as far as it is known.
struct Candidate {
  std::size_t segment, limit;
  double part;  ///< of the segment
};

class Search {
 public:
  Search(ShootingNodes& nodes, const ShootingWriter& writer, ShootingPhase& phase, std::span<const double> w)
      : nodes_(nodes),
        writer_(writer),
        phase_(phase),
        w_(w),
        limits_(limits_of(*phase.model)) {}

  bool run(double tol, PathMaxima& out) {
    if (limits_.empty()) return true;
    std::vector<double> sampled;
    for (int j = 0; j <= samples_inside; ++j) sampled.push_back(static_cast<double>(j) / samples_inside);
    std::vector<std::vector<double>> places(phase_.N(), sampled);
    if (!sample(places)) return false;
    for (std::size_t k = 0; k < phase_.N(); ++k)
      for (std::size_t j = 0; j < values_[k].size(); ++j)
        for (std::size_t c = 0; c < limits_.size(); ++c)
          note_largest({phase_.number, k, fraction_of(k, sampled[j]), values_[k][j][c]}, limits_[c], out);
    std::vector<Candidate> candidates;
    for (std::size_t k = 0; k < phase_.N(); ++k)
      for (std::size_t c = 0; c < limits_.size(); ++c) add_candidates(k, c, tol, candidates);
    return refine(candidates, tol, out);
  }

 private:
  // Violations of all limits at parts of every segment, which ascend: values_[segment][place][limit].
  bool sample(const std::vector<std::vector<double>>& places) {
    integrate::SimulateOptions options = simulate_options(nodes_, phase_, w_);
    std::vector<std::pair<std::size_t, double>> order;
    for (std::size_t k = 0; k < places.size(); ++k)
      for (double part : places[k]) {
        double t = time_of(k, part);
        if (options.output_times.empty() || t > options.output_times.back()) options.output_times.push_back(t);
      }
    double end = time_of(phase_.N() - 1, 1);
    if (options.output_times.empty() || options.output_times.back() < end) options.output_times.push_back(end);
    abi::Trajectories y = writer_.simulate(phase_, std::move(options));
    values_.assign(phase_.N(), {});
    std::size_t at = 0;
    for (std::size_t k = 0; k < places.size(); ++k)
      for (double part : places[k]) {
        double t = time_of(k, part);
        while (at < y.time.size() && y.time[at] < t) ++at;
        if (at > 0 && (at == y.time.size() || t - y.time[at - 1] < y.time[at] - t)) --at;
        double room = room_at_boundary * std::fabs(phase_.times[k].length);
        if (at >= y.time.size() || std::fabs(y.time[at] - t) > room) return false;
        if (!evaluate(k, part, y, at)) return false;
      }
    return true;
  }

  bool evaluate(std::size_t k, double part, const abi::Trajectories& y, std::size_t at) {
    const bolza_model& m = *phase_.model;
    std::vector<double> x, u, rows(m.n_z + m.n_g);
    for (const auto& row : y.x) x.push_back(row[at]);
    for (std::size_t i = 0; i < m.n_u; ++i)
      u.push_back((1 - part) * phase_.control(k, i, SegmentPart::begin, w_) +
                  part * phase_.control(k, i, SegmentPart::end, w_));
    integrate::ReducedModel& reduced = phase_.reduced(k);
    if (!rows.empty()) {
      nodes_.start_algebraics(phase_, k);
      if (!reduced.move_to(y.time[at], x, u) || !reduced.rows(nonlinear::ModelAt::Part::residuals, rows)) return false;
    }
    std::vector<double>& values = values_[k].emplace_back();
    for (const Limit& limit : limits_)
      values.push_back(limit.violation(limit.what == What::state       ? x[limit.index]
                                       : limit.what == What::algebraic ? reduced.z()[limit.index]
                                                                       : rows[m.n_z + limit.index]));
    return true;
  }

  // Local maxima of the parabolas through neighbouring samples.
  void add_candidates(std::size_t k, std::size_t limit, double tol, std::vector<Candidate>& out) const {
    const auto& values = values_[k];
    for (std::size_t j = 1; j + 1 < values.size(); ++j) {
      Parabola p{values[j - 1][limit], values[j][limit], values[j + 1][limit]};
      bool highest = p.middle >= p.low && p.middle > p.high;
      bool at_end = (j == 1 && p.low > p.middle) || (j + 2 == values.size() && p.high > p.middle);
      double s = p.vertex();
      if ((!highest && !at_end) || std::fabs(s) == 1 || p.at(s) <= 0.1 * tol) continue;
      out.push_back({k, limit, (static_cast<double>(j) + s) / samples_inside});
    }
  }

  bool refine(const std::vector<Candidate>& candidates, double tol, PathMaxima& out) {
    std::vector<std::vector<double>> places(phase_.N());
    auto middle = [](const Candidate& c) { return std::clamp(c.part, 2 * close_part, 1 - 2 * close_part); };
    for (const Candidate& c : candidates)
      for (double by : {-close_part, 0.0, close_part}) places[c.segment].push_back(middle(c) + by);
    for (auto& list : places) {
      std::ranges::sort(list);
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    if (candidates.empty()) return true;
    if (!sample(places)) return false;
    for (const Candidate& c : candidates) {
      auto value = [&](double part) {
        const std::vector<double>& list = places[c.segment];
        auto at = std::lower_bound(list.begin(), list.end(), part);
        return values_[c.segment][static_cast<std::size_t>(at - list.begin())][c.limit];
      };
      Parabola p{value(middle(c) - close_part), value(middle(c)), value(middle(c) + close_part)};
      double s = p.vertex();
      note({phase_.number, c.segment, fraction_of(c.segment, middle(c) + s * close_part), p.at(s)}, limits_[c.limit], tol,
           out);
    }
    return true;
  }

  void note(const PathMaximum& maximum, const Limit& limit, double tol, PathMaxima& out) const {
    if (maximum.violation > tol) out.above.push_back(maximum);
    note_largest(maximum, limit, out);
  }

  void note_largest(const PathMaximum& maximum, const Limit& limit, PathMaxima& out) const {
    if (maximum.violation <= out.largest) return;
    double t0 = phase_.times.front().begin, tf = time_of(phase_.N() - 1, 1);
    out.largest = maximum.violation;
    out.name = limit.name ? limit.name : "";
    out.time = t0 + maximum.fraction * (tf - t0);
  }

  double time_of(std::size_t k, double part) const {
    if (part == 1 && k + 1 < phase_.N()) return phase_.times[k + 1].begin;
    return phase_.times[k].begin + part * phase_.times[k].length;
  }
  double fraction_of(std::size_t k, double part) const {
    double t0 = phase_.times.front().begin, length = time_of(phase_.N() - 1, 1) - t0;
    return length > 0 ? (time_of(k, part) - t0) / length : 0;
  }

  ShootingNodes& nodes_;
  const ShootingWriter& writer_;
  ShootingPhase& phase_;
  std::span<const double> w_;
  std::vector<Limit> limits_;
  std::vector<std::vector<std::vector<double>>> values_;
};

}  // namespace

PathMaxima path_maxima(ShootingNodes& nodes, const ShootingWriter& writer, std::span<const double> w, double tol) {
  PathMaxima out;
  nodes.leave_site();
  for (ShootingPhase& phase : nodes.phases)
    if (!Search(nodes, writer, phase, w).run(tol, out)) return out;
  nodes.leave_site();
  std::ranges::stable_sort(out.above, [](const PathMaximum& a, const PathMaximum& b) {
    return a.phase != b.phase ? a.phase < b.phase : a.fraction < b.fraction;
  });
  out.known = true;
  return out;
}

}  // namespace bolza::transcribe
