// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/switched_rounding.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace bolza::nlp {
namespace {

constexpr long most_steps = 2'000'000;

class PathSearch {
 public:
  explicit PathSearch(const SwitchedRounding& problem)
      : p_(problem),
        n_values_(problem.share.size()),
        n_(problem.length.size()),
        lag_(n_ + 1, std::vector<double>(n_values_, 0)),
        path_(n_) {}

  /// With deviations up to a limit that doubles until a path is found; then the best below it.
  std::optional<SwitchedPath> run() {
    double longest = *std::max_element(p_.length.begin(), p_.length.end());
    double horizon = std::accumulate(p_.length.begin(), p_.length.end(), 0.0);
    for (double limit = longest; !best_ && limit < 4 * horizon; limit *= 2) {
      limit_ = limit;
      steps_ = 0;
      go({0, n_values_, 0, 0, 0});
    }
    return best_;
  }

 private:
  /// After some intervals: the value that is on, since when, and how many changes there were.
  struct Place {
    std::size_t interval, value;
    double time, since;
    std::int32_t changes;
  };

  bool may_change(const Place& at) const {
    return (p_.switches < 0 || at.changes < p_.switches) && at.time - at.since >= p_.dwell - dwell_margin;
  }

  /// The value that lags most first: what sum-up dwell_margin takes.
  std::vector<std::size_t> by_lag(std::size_t interval) const {
    std::vector<std::size_t> order(n_values_);
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::vector<double>& lag = lag_[interval];
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return lag[a] + p_.share[a][interval] * p_.length[interval] > lag[b] + p_.share[b][interval] * p_.length[interval];
    });
    return order;
  }

  double largest_so_far(std::size_t interval) const { return interval == 0 ? 0 : deviation_[interval - 1]; }

  void go(const Place& at) {
    if (at.interval == n_) {
      best_ = SwitchedPath{path_, deviation_.empty() ? 0 : deviation_.back()};
      limit_ = best_->deviation * (1 - 1e-9);
      return;
    }
    deviation_.resize(n_);
    bool first = at.interval == 0, free = first || may_change(at);
    for (std::size_t value : by_lag(at.interval)) {
      if ((!free && value != at.value) || !p_.allowed(value, at.interval) || ++steps_ > most_steps) continue;
      double h = p_.length[at.interval], largest = largest_so_far(at.interval);
      for (std::size_t k = 0; k < n_values_; ++k) {
        double lag = lag_[at.interval][k] + (p_.share[k][at.interval] - (k == value ? 1 : 0)) * h;
        lag_[at.interval + 1][k] = lag;
        largest = std::max(largest, std::abs(lag));
      }
      if (largest >= limit_) continue;
      path_[at.interval] = value;
      deviation_[at.interval] = largest;
      bool changes = !first && value != at.value;
      go({at.interval + 1, value, at.time + h, changes ? at.time : at.since, at.changes + changes});
    }
  }

  const SwitchedRounding& p_;
  std::size_t n_values_, n_;
  std::vector<std::vector<double>> lag_;  ///< [intervals + 1][values] ∫ relaxed − ∫ whole so far
  std::vector<std::size_t> path_;
  std::vector<double> deviation_;  ///< [intervals] largest so far
  std::optional<SwitchedPath> best_;
  double limit_ = 0;
  long steps_ = 0;
};

}  // namespace

std::optional<SwitchedPath> round_with_switches(const SwitchedRounding& problem) {
  if (problem.length.empty()) return SwitchedPath{};
  return PathSearch(problem).run();
}

}  // namespace bolza::nlp
