// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/events/locate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace bolza::integrate {
namespace {

// Where a step is looked at: finer at its start, where an indicator may leave the width around zero that an event left it in
// and come back within a long step.
constexpr double default_shares[] = {1.0 / 4096, 1.0 / 1024, 1.0 / 256, 1.0 / 64, 1.0 / 16, 0.25, 0.5, 0.75, 1};
constexpr std::size_t most_places = 4096;  // between two of them
constexpr double places_each_turn = 3;     // while a slope leads as far as values are apart
constexpr double off = 1e-4;               // of the distance between places: for difference quotients
constexpr double nearer = 0.5;             // a parabola that leads below this share of its values is followed
constexpr int most_followed = 60;

// The component that changes its sign most steeply; npos when none does.
constexpr std::size_t none = static_cast<std::size_t>(-1);
std::size_t steepest(std::span<const double> left, std::span<const double> right) {
  std::size_t row = none;
  double largest = -1;
  for (std::size_t k = 0; k < left.size(); ++k) {
    if (left[k] == 0 || std::signbit(left[k]) == std::signbit(right[k])) continue;
    double share = std::fabs(right[k] / (right[k] - left[k]));
    if (share > largest) {
      largest = share;
      row = k;
    }
  }
  return row;
}

struct Place {
  double t = 0;
  std::vector<double> g;
};

/// The lowest point of the parabola through three values above zero, where that lies between the outer ones; else none.
struct Vertex {
  double t = 0, value = 0;
};
std::optional<Vertex> vertex_of(double t0, double y0, double t1, double y1, double t2, double y2) {
  double first = (y1 - y0) / (t1 - t0), second = ((y2 - y1) / (t2 - t1) - first) / (t2 - t0);
  if (!(second > 0)) return {};
  double t = 0.5 * (t0 + t1 - first / second);
  if (!(t > t0 && t < t2)) return {};
  return Vertex{t, y0 + (t - t0) * (first + second * (t - t1))};
}

/// Three places in a row, of which the middle one is the lowest so far.
struct Bracket {
  Place left, middle, right;

  std::optional<Vertex> vertex(std::size_t k, double sign) const {
    return vertex_of(left.t, sign * left.g[k], middle.t, sign * middle.g[k], right.t, sign * right.g[k]);
  }
  double least(std::size_t k, double sign) const {
    return std::min({sign * left.g[k], sign * middle.g[k], sign * right.g[k]});
  }
  /// Can a fold, as |x| has one, reach zero inside? Its sides are as steep as the steeper of what is known of them.
  bool folds_to_zero(std::size_t k, double sign) const {
    double y = sign * middle.g[k], down = (sign * left.g[k] - y) / (middle.t - left.t),
           up = (sign * right.g[k] - y) / (right.t - middle.t);
    return down >= 0 && up >= 0 && y < std::max(down, up) * std::max(middle.t - left.t, right.t - middle.t);
  }
  void take(Place lowest, std::size_t k, double sign) {
    bool lower = sign * lowest.g[k]<sign * middle.g[k], later = lowest.t> middle.t;
    if (lower) (later ? left : right) = std::exchange(middle, std::move(lowest));
    else (later ? right : left) = std::move(lowest);
  }
};

class RootSearch {
 public:
  using At = std::function<bool(double t, std::span<double> g)>;
  RootSearch(const At& at, double a, double b, std::vector<double>& g, const Looking& looking)
      : at_(at),
        a_(a),
        b_(b),
        g_(g),
        looking_(looking),
        rounding_(8 * std::numeric_limits<double>::epsilon() * std::max(std::fabs(a), std::fabs(b))) {
    for (char curved : looking.curved) any_curved_ = any_curved_ || curved;
  }

  Located run() {
    now_ = {a_, g_};
    for (double share : looking_.shares.empty() ? std::span<const double>(default_shares) : looking_.shares) {
      Place end{share < 1 ? a_ + share * (b_ - a_) : b_, std::vector<double>(g_.size())};
      if (!at_(end.t, end.g)) return not_finite(now_.t);
      std::size_t parts = any_curved_ ? places_to(end) : 1;
      if (parts == 0) return not_finite(now_.t);
      double begin = now_.t;
      for (std::size_t k = 1; k <= parts; ++k) {
        Place next = std::move(k == parts ? end : part_);
        if (k < parts) {
          next.t = begin + (end.t - begin) * static_cast<double>(k) / static_cast<double>(parts);
          next.g.resize(g_.size());
          if (!at_(next.t, next.g)) return not_finite(now_.t);
        }
        if (advance(std::move(next))) return found_;
      }
    }
    g_ = now_.g;
    found_.t = b_;
    return found_;
  }

 private:
  Located not_finite(double t) { return found_ = {.finite = false, .t = t}; }

  // One place more; true when the search is over.
  bool advance(Place next) {
    Place bracket_end;
    const Place* from = nullptr;
    if (has_before_ && !dip(next, bracket_end, from)) return true;
    if (!from && steepest(now_.g, next.g) != none) {
      from = &now_;
      bracket_end = next;
    }
    if (from) {
      refine(*from, std::move(bracket_end));
      return true;
    }
    std::swap(before_, now_);
    std::swap(part_, now_);
    now_ = std::move(next);
    has_before_ = true;
    return false;
  }

  // Does a component that has one sign at three places leave it between them? The earliest such place. False: not finite.
  bool dip(const Place& next, Place& end, const Place*& from) {
    for (std::size_t k = 0; k < g_.size(); ++k) {
      double sign = before_.g[k] > 0 ? 1 : -1;
      if (!(sign * before_.g[k] > 0) || !(sign * now_.g[k] > 0) || !(sign * next.g[k] > 0)) continue;
      Bracket b{before_, now_, next};
      std::optional<Vertex> v = b.vertex(k, sign);
      bool turns = v && v->value <= nearer * b.least(k, sign);
      bool folds = !turns && !looking_.curved.empty() && looking_.curved[k] && b.folds_to_zero(k, sign);
      if ((turns && !follow_vertex(b, k, sign)) || (folds && !follow_fold(b, k, sign))) {
        not_finite(before_.t);
        return false;
      }
      double least = sign * b.middle.g[k];
      bool turned = least < sign * b.left.g[k] && least < sign * b.right.g[k];
      if (turned && least > 0 && least < found_.nearest.value) found_.nearest = {k, b.middle.t, least};
      if (least > 0 || (from && b.middle.t >= end.t)) continue;
      end = b.middle;
      from = end.t > now_.t ? &now_ : &before_;
    }
    return true;
  }

  // The lowest places of parabolas, until one is below zero or they lead nowhere. False: not finite.
  bool follow_vertex(Bracket& b, std::size_t k, double sign) {
    std::optional<Vertex> v = b.vertex(k, sign);
    for (int n = 0; n < most_followed && v && b.right.t - b.left.t > rounding_; ++n) {
      double length = b.right.t - b.left.t;
      Place lowest{std::clamp(v->t, b.left.t + 0.01 * length, b.right.t - 0.01 * length), std::vector<double>(g_.size())};
      if (std::fabs(lowest.t - b.middle.t) < 0.01 * length)
        lowest.t = b.middle.t + (b.right.t - b.middle.t > b.middle.t - b.left.t ? 0.1 : -0.1) * length;
      if (!at_(lowest.t, lowest.g)) return false;
      b.take(std::move(lowest), k, sign);
      if (sign * b.middle.g[k] <= 0) return true;
      v = b.vertex(k, sign);
      if (v && v->value > 0.9 * b.least(k, sign)) v.reset();
    }
    return true;
  }

  // Golden sections, until a place is below zero or no fold can be. False: not finite.
  bool follow_fold(Bracket& b, std::size_t k, double sign) {
    constexpr double golden = 0.381966;
    for (int n = 0; n < most_followed && b.folds_to_zero(k, sign) && b.right.t - b.left.t > rounding_; ++n) {
      bool later = b.right.t - b.middle.t > b.middle.t - b.left.t;
      Place lowest{b.middle.t + golden * ((later ? b.right.t : b.left.t) - b.middle.t), std::vector<double>(g_.size())};
      if (!at_(lowest.t, lowest.g)) return false;
      b.take(std::move(lowest), k, sign);
      if (sign * b.middle.g[k] <= 0) return true;
    }
    return true;
  }

  // How many parts the way to `end` is looked at in; 0: not finite.
  std::size_t places_to(const Place& end) {
    double length = end.t - now_.t, parts = std::isfinite(looking_.longest) ? std::ceil(length / looking_.longest) : 1;
    std::vector<double> near(g_.size());
    for (double t : {now_.t + off * length, end.t - off * length}) {
      if (!at_(t, near)) return 0;
      const Place& own = t < now_.t + 0.5 * length ? now_ : end;
      for (std::size_t k = 0; k < near.size(); ++k) {
        if (!looking_.curved[k]) continue;
        double low = std::min(now_.g[k], end.g[k]), high = std::max(now_.g[k], end.g[k]);
        if (has_before_) {
          low = std::min(low, before_.g[k]);
          high = std::max(high, before_.g[k]);
        }
        double apart = std::max(high - low, std::min(std::fabs(now_.g[k]), std::fabs(end.g[k])));
        double leads = std::fabs(near[k] - own.g[k]) / off;
        if (leads > 2 * apart) parts = std::max(parts, places_each_turn * leads / apart);
      }
    }
    return static_cast<std::size_t>(std::clamp(parts, 1.0, static_cast<double>(most_places)));
  }

  // The first change between two places, of which `right` has one.
  void refine(const Place& from, Place right) {
    Place left = from, middle{0, std::vector<double>(g_.size())};
    std::size_t row = steepest(left.g, right.g);
    double weight = 1;  // Illinois: damps the end that stays
    int side = 0;
    for (int k = 0; k < 200 && row != none && right.t - left.t > rounding_; ++k) {
      double gl = left.g[row], gr = right.g[row];
      if (side > 0) gl *= weight;
      if (side < 0) gr *= weight;
      double t = k % 4 == 3 ? 0.5 * (left.t + right.t) : right.t - (right.t - left.t) * gr / (gr - gl);
      t = std::clamp(t, left.t + 0.25 * rounding_, right.t - 0.25 * rounding_);
      if (!(t > left.t && t < right.t)) t = 0.5 * (left.t + right.t);
      middle.t = t;
      if (!at_(t, middle.g)) return void(not_finite(left.t));
      std::size_t next = steepest(left.g, middle.g);
      bool first_half = next != none;
      std::swap(first_half ? right : left, middle);
      row = first_half ? next : steepest(left.g, right.g);  // a change between both stays
      weight = side == (first_half ? 1 : -1) ? weight * 0.5 : 0.5;
      side = first_half ? 1 : -1;
    }
    g_ = right.g;
    found_ = {.found = true, .t = right.t, .row = row == none ? 0 : row};
  }

  const At& at_;
  double a_, b_;
  std::vector<double>& g_;
  const Looking& looking_;
  double rounding_;
  bool any_curved_ = false, has_before_ = false;
  Place before_, now_, part_;
  Located found_;
};

}  // namespace

Located locate_root(const std::function<bool(double t, std::span<double> g)>& at, double a, double b, std::vector<double>& g,
                    const Looking& looking) {
  return RootSearch(at, a, b, g, looking).run();
}

}  // namespace bolza::integrate
