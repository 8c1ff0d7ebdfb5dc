// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/mesh/time_points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <span>
#include <utility>

namespace bolza::workflow {
namespace {

constexpr std::size_t most_samples = 131072, fewest_samples = 2048, most_operations = 20000000;
constexpr std::size_t probes = 24, most_looked_at = 2000;
constexpr double tolerance = 1e-3;  // of the range of a term
constexpr double gross = 0.05;      // of it: what is off by less everywhere is seen at the points
constexpr std::size_t most_pieces = 1000;
constexpr double shortest = 1e-9;       // of the horizon: a jump
constexpr double dense_share = 0.5;     // of the intervals: what is in more of them is seen at their points
constexpr double rounding_part = 1e-9;  // of the size of a term: what varies less is rounding

/// The cubic through four Chebyshev points.
struct Cubic {
  double left, length;
  std::array<double, 4> value;
  static constexpr std::array<double, 4> place{0.03806023374435663, 0.3086582838174551, 0.6913417161825449,
                                               0.9619397662556434};
  double at(double t) const {
    double s = (t - left) / length, sum = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      double weight = value[j];
      for (std::size_t k = 0; k < 4; ++k)
        if (k != j) weight *= (s - place[k]) / (place[j] - place[k]);
      sum += weight;
    }
    return sum;
  }
};

/// One term over the horizon.
class TermScan {
 public:
  TermScan(TimeTerms& terms, std::size_t term, const TimeSearch& search, std::size_t samples)
      : terms_(terms),
        term_(term),
        shared_(search.shared) {
    double t0 = search.mesh.front(), tf = search.mesh.back();
    least_length_ = shortest * (tf - t0);
    for (std::size_t k = 0; k < samples; ++k)
      time_.push_back(t0 + (tf - t0) * (static_cast<double>(k) + 0.5) / static_cast<double>(samples));
    value_.resize(samples);
    terms_.evaluate(term_, shared_, time_, value_);
    double least = INFINITY, most = -INFINITY;
    for (double v : value_) {
      if (!std::isfinite(v)) continue;
      least = std::min(least, v);
      most = std::max(most, v);
    }
    range_ = most - least;
    if (!(range_ > rounding_part * std::max(std::abs(least), std::abs(most)))) range_ = 0;
  }

  bool varies() const { return range_ > 0; }
  /// What is as close to a point is at it: cuts() adds none there.
  double room_at_ends(double length) const { return std::min(2 * least_length_, 0.1 * length); }
  /// Whether it is at rest for most of the time: pulses, which points may miss, and no wave, which they do not.
  bool has_pulses() const {
    constexpr double away = 0.25, most = 0.2;  // of its range; of the time
    std::vector<double> sorted;
    std::ranges::copy_if(value_, std::back_inserter(sorted), [](double v) { return std::isfinite(v); });
    auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    double rest = *middle;
    auto n = std::ranges::count_if(sorted, [&](double v) { return std::abs(v - rest) > away * range_; });
    return static_cast<double>(n) < most * static_cast<double>(sorted.size());
  }

  /// How far the cubic of [left, right] is off at most, in ranges. 0: values are not finite.
  double error(double left, double right) {
    double length = right - left;
    Cubic cubic{left, length, {}};
    std::array<double, 4> nodes;
    for (std::size_t j = 0; j < 4; ++j) nodes[j] = left + Cubic::place[j] * length;
    terms_.evaluate(term_, shared_, nodes, cubic.value);
    double worst = 0;
    auto look = [&](double t, double v) {
      double off = std::abs(v - cubic.at(t)) / range_;
      if (off > worst) {
        worst = off;
        worst_time_ = t;
      }
    };
    double margin = 1e-3 * std::min(least_length_, length);
    auto first = std::upper_bound(time_.begin(), time_.end(), left + margin) - time_.begin();
    auto last = std::lower_bound(time_.begin(), time_.end(), right - margin) - time_.begin();
    for (auto k = static_cast<std::size_t>(first); k < static_cast<std::size_t>(std::max(first, last)); ++k)
      look(time_[k], value_[k]);
    std::size_t more = last - first < static_cast<std::ptrdiff_t>(probes) ? probes : 2;  // a jump may be next to an end
    std::array<double, probes> t, v;
    for (std::size_t k = 0; k < more; ++k)
      t[k] = left + margin + (length - 2 * margin) * static_cast<double>(k) / static_cast<double>(more - 1);
    terms_.evaluate(term_, shared_, std::span(t).first(more), std::span(v).first(more));
    for (std::size_t k = 0; k < more; ++k) look(t[k], v[k]);
    return worst;
  }

  /// Where that was, of the last call of `error`.
  double worst_time() const { return worst_time_; }

  /// Ends of the pieces of an interval in which cubics follow the term, and its extremes, without the interval's own ends.
  /// None: there would be more than a thousand pieces.
  std::vector<double> cuts(double left, double right) {
    std::vector<double> ends = halves(left, right), apart;
    if (ends.size() > most_pieces) return {};
    std::vector<double> kept = merged(left, right, ends);
    for (double t : extremes(left, right)) kept.push_back(t);
    std::sort(kept.begin(), kept.end());
    double last = left;
    for (double t : kept)
      if (t > last + 2 * least_length_ && t < right - 2 * least_length_) apart.push_back(last = t);
    return apart;
  }

  /// Times between these at which the term has an extreme, of more than `tolerance` beside its neighbours.
  std::vector<double> extremes(double left, double right) {
    std::vector<double> found;
    auto first = std::lower_bound(time_.begin(), time_.end(), left) - time_.begin();
    auto last = std::lower_bound(time_.begin(), time_.end(), right) - time_.begin();
    double turned = NAN, way = 0;  // value at the last turn, and where it goes from there
    std::ptrdiff_t at = first;
    for (auto k = first; k < last; ++k) {
      double v = value_[static_cast<std::size_t>(k)], best = value_[static_cast<std::size_t>(at)];
      if (!std::isfinite(v)) continue;
      if (!std::isfinite(best)) at = k;
      if (std::isnan(turned)) turned = v;
      double rise = v - best;
      if (way == 0 && std::abs(v - turned) > tolerance * range_) {
        way = v > turned ? 1 : -1;
        at = k;
      } else if (way * rise > 0 || (way == 0 && v == best)) {
        at = k;
      } else if (way * rise < -tolerance * range_) {
        found.push_back(turn(static_cast<std::size_t>(at), way));
        turned = best;
        way = -way;
        at = k;
      }
    }
    return found;
  }

 private:
  double value_at(double t) {
    double v = NAN;
    terms_.evaluate(term_, shared_, std::span(&t, 1), std::span(&v, 1));
    return v;
  }

  std::vector<double> halves(double left, double right) {
    std::vector<double> ends{left};
    std::vector<std::pair<double, double>> open{{left, right}};
    while (!open.empty() && ends.size() <= most_pieces) {
      auto [a, b] = open.back();
      open.pop_back();
      double middle = a + 0.5 * (b - a);
      if (b - a > least_length_ && middle > a && middle < b && error(a, b) > tolerance) {
        open.emplace_back(middle, b);
        open.emplace_back(a, middle);
      } else {
        ends.push_back(b);
      }
    }
    return ends;
  }

  /// Puts neighbours together that one cubic follows; of a piece that is a jump one end is enough.
  std::vector<double> merged(double left, double right, const std::vector<double>& ends) {
    std::vector<double> kept;
    double from = left;
    for (std::size_t k = 1; k + 1 < ends.size(); ++k) {
      if (ends[k + 1] - from > 2 * least_length_ && error(from, ends[k + 1]) <= tolerance) continue;
      if (ends[k] - from <= 2 * least_length_ && from > left) continue;  // the jump lies beside the last point
      bool jumps = ends[k + 1] - ends[k] <= 2 * least_length_;
      kept.push_back(from = jumps ? jump(ends[k], ends[k + 1]) : ends[k]);
    }
    if (!kept.empty() && right - kept.back() <= 2 * least_length_) kept.pop_back();
    return kept;
  }

  /// The last number before a jump.
  double jump(double left, double right) {
    double before = value_at(left), after = value_at(right);
    for (;;) {
      double middle = left + 0.5 * (right - left);
      if (!(middle > left && middle < right)) return left;
      double v = value_at(middle);
      (std::abs(v - before) < std::abs(v - after) ? left : right) = middle;
    }
  }

  /// The extreme next to a sample, by golden sections.
  double turn(std::size_t k, double way) {
    constexpr double golden = 0.6180339887498949;
    double a = time_[k == 0 ? 0 : k - 1], b = time_[std::min(k + 1, time_.size() - 1)];
    double p = b - golden * (b - a), q = a + golden * (b - a), at_p = way * value_at(p), at_q = way * value_at(q);
    for (int n = 0; n < 40; ++n) {
      if (at_p >= at_q) {
        b = q;
        q = p;
        at_q = at_p;
        at_p = way * value_at(p = b - golden * (b - a));
      } else {
        a = p;
        p = q;
        at_p = at_q;
        at_q = way * value_at(q = a + golden * (b - a));
      }
    }
    return 0.5 * (a + b);
  }

  TimeTerms& terms_;
  std::size_t term_;
  std::span<const double> shared_;
  double least_length_ = 0, range_ = 0, worst_time_ = 0;
  std::vector<double> time_, value_;
};

/// An interval that a term needs points in.
struct Lack {
  double error, time, left, right;
};

void thin_out(std::vector<double>& times) {
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  std::size_t step = 1 + times.size() / (most_looked_at + 1);
  std::vector<double> kept;
  for (std::size_t k = 0; k < times.size(); k += step) kept.push_back(times[k]);
  times = std::move(kept);
}

/// The terms of a phase, one after another, on a mesh that gets the points of each.
class PointSearch {
 public:
  PointSearch(TimeTerms& terms, const TimeSearch& search) : terms_(terms), search_(search) {
    mesh_.assign(search.mesh.begin(), search.mesh.end());
    for (std::size_t k = 0; k < terms.size(); ++k) operations_ += terms.operations(k);
  }

  TimePoints run() {
    for (std::size_t k = 0; k < terms_.size(); ++k)
      if (!search_.leave_free || !terms_.is_free(k)) look_at(k);
    std::sort(out_.add.begin(), out_.add.end());
    out_.look_at.insert(out_.look_at.end(), out_.add.begin(), out_.add.end());
    thin_out(out_.look_at);
    return std::move(out_);
  }

 private:
  void look_at(std::size_t term) {
    TermScan scan(terms_, term, search_,
                  std::clamp(most_operations / std::max<std::size_t>(operations_, 1), fewest_samples, most_samples));
    if (!scan.varies()) return;
    std::vector<Lack> lacks;
    double worst = 0;
    for (std::size_t i = 0; i + 1 < mesh_.size(); ++i) {
      double room = scan.room_at_ends(mesh_[i + 1] - mesh_[i]);
      double off = scan.error(mesh_[i] + room, mesh_[i + 1] - room);
      if (off > tolerance) lacks.push_back({off, scan.worst_time(), mesh_[i], mesh_[i + 1]});
      worst = std::max(worst, off);
    }
    if (worst <= gross) return;
    for (double t : scan.extremes(mesh_.front(), mesh_.back())) out_.look_at.push_back(t);
    bool dense = static_cast<double>(lacks.size()) > dense_share * static_cast<double>(mesh_.size() - 1);
    if (dense && !scan.has_pulses()) return;
    if (search_.leave_dense && dense) {
      out_.dense = true;
      return;
    }
    std::ranges::stable_sort(lacks, std::ranges::greater(), &Lack::error);
    if (lacks.front().error > out_.worst) {
      out_.worst = lacks.front().error;
      out_.text = terms_.text(term);
      out_.time = lacks.front().time;
    }
    take(scan, lacks, dense);
    mesh_.assign(search_.mesh.begin(), search_.mesh.end());
    mesh_.insert(mesh_.end(), out_.add.begin(), out_.add.end());
    std::sort(mesh_.begin(), mesh_.end());
  }

  /// The points that the worst of these need, as long as there is room; of what is as dense everywhere all or none.
  void take(TermScan& scan, const std::vector<Lack>& lacks, bool all_or_none) {
    std::vector<double> add;
    std::size_t room = search_.most - std::min(search_.most, out_.add.size()), left = 0;
    for (const Lack& lack : lacks) {
      std::vector<double> cuts;
      if (add.size() < room && !(all_or_none && left > 0)) cuts = scan.cuts(lack.left, lack.right);
      if (!cuts.empty() && add.size() + cuts.size() <= room) add.insert(add.end(), cuts.begin(), cuts.end());
      else left += lack.error > gross;
    }
    if (all_or_none && left > 0) {
      add.clear();
      left = lacks.size();
    }
    out_.add.insert(out_.add.end(), add.begin(), add.end());
    out_.left += left;
  }

  TimeTerms& terms_;
  const TimeSearch& search_;
  std::vector<double> mesh_;
  std::size_t operations_ = 0;
  TimePoints out_;
};

}  // namespace

TimePoints time_points(TimeTerms& terms, const TimeSearch& search) { return PointSearch(terms, search).run(); }

}  // namespace bolza::workflow
