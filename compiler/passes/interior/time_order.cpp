// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/interior/time_order.h"

#include <algorithm>
#include <cmath>

#include "compiler/passes/parameters/parameter_order.h"
#include "compiler/passes/system/codes.h"

namespace bolza::passes {
namespace {

class Ordering {
 public:
  Ordering(const System& system, InteriorTimes& times, Diagnostics& diagnostics)
      : system_(system),
        times_(times),
        diagnostics_(diagnostics),
        n_(times.all().size()),
        before_(n_, std::vector<bool>(n_)) {}

  Result<Done> run() {
    for (const InteriorTime& time : times_.all())
      if (!check_inside(time)) return diagnostics_.already_reported();
    compare_all();
    add_constraints();
    close();
    if (!decide_by_guesses()) return diagnostics_.already_reported();
    std::vector<std::size_t> order(n_);
    for (std::size_t a = 0; a < n_; ++a)
      order[static_cast<std::size_t>(
          std::count_if(before_.begin(), before_.end(), [&](const auto& row) { return row[a]; }))] = a;
    std::vector<InteriorTime> sorted;
    for (std::size_t a : order) sorted.push_back(times_.all()[a]);
    times_.all() = std::move(sorted);
    return Done{};
  }

 private:
  const InteriorTime& at(std::size_t k) const { return times_.all()[k]; }

  // ---------------------------------------------------------- within the horizon

  Result<Done> check_inside(const InteriorTime& time) {
    HorizonTimes& of = times_.times();
    AffineInParameters start = of.start(), final = of.final();
    Interval own = of.range(time.time), first = of.range(start), last = of.range(final);
    double margin = 1e-9 * std::max(std::isfinite(first.lower) ? std::fabs(first.lower) : 0,
                                    std::isfinite(last.upper) ? std::fabs(last.upper) : 0);
    std::string from = number_text(of.guess(start)), to = number_text(of.guess(final));
    if (own.upper < first.lower - margin || own.lower > last.upper + margin)
      return diagnostics_.error(time_beyond_horizon, time.span, {time.text, "bounds", from, to});
    if (!of.has_guess(time.time) || !of.has_guess(start) || !of.has_guess(final)) return Done{};
    double guess = of.guess(time.time);
    if (guess < of.guess(start) - margin || guess > of.guess(final) + margin)
      return diagnostics_.error(time_beyond_horizon, time.span, {time.text, "guess " + number_text(guess), from, to});
    return Done{};
  }

  // ---------------------------------------------------------- what is known

  void compare_all() {
    HorizonTimes& of = times_.times();
    for (std::size_t a = 0; a < n_; ++a)
      for (std::size_t b = 0; b < n_; ++b) {
        if (a == b) continue;
        Interval distance = of.range(plus(at(b).time, at(a).time, -1));
        if (distance.lower >= 0) before_[a][b] = true;
      }
    for (std::size_t a = 0; a < n_; ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (before_[a][b] && before_[b][a]) before_[a][b] = false;  // equal at all values
  }

  /// left <= right says the order of a and b when right − left = b − a − c with c >= 0, or a multiple of that.
  void add_constraints() {
    const ir::ConstraintSection& point = system_.flat.optimization->point;
    std::vector<AffineInParameters> slack(point.section.n_rows);
    for_each_instance(point.section, [&](const GroupInstance& i) {
      AffineInParameters left = times_.times().of(i.applied.roots[0], i.applied.slots, i.applied.data);
      AffineInParameters right = times_.times().of(i.applied.roots[1], i.applied.slots, i.applied.data);
      AffineInParameters& sum = slack[i.rows[0].index()];
      sum = plus(sum, plus(right, left, -1), 1);
    });
    for (std::size_t row = 0; row < slack.size(); ++row) {
      if (!slack[row].known || slack[row].on.empty()) continue;
      ir::Relation relation = point.relations[row];
      if (relation != ir::Relation::greater_equal) add_slack(slack[row]);
      if (relation != ir::Relation::less_equal) add_slack(scaled(slack[row], -1));
    }
  }

  /// `slack` is not negative.
  void add_slack(const AffineInParameters& slack) {
    for (std::size_t a = 0; a < n_; ++a)
      for (std::size_t b = 0; b < n_; ++b) {
        AffineInParameters distance = plus(at(b).time, at(a).time, -1);
        if (a == b || distance.on.empty()) continue;
        auto same = slack.on.find(distance.on.begin()->first);
        if (same == slack.on.end()) continue;
        double by = distance.on.begin()->second / same->second;
        AffineInParameters rest = plus(distance, scaled(slack, by), -1);
        if (by > 0 && rest.is_number() && rest.offset >= 0) before_[a][b] = true;
      }
  }

  void close() {
    for (std::size_t k = 0; k < n_; ++k)
      for (std::size_t a = 0; a < n_; ++a)
        for (std::size_t b = 0; before_[a][k] && b < n_; ++b)
          if (before_[k][b]) before_[a][b] = true;
  }

  // ---------------------------------------------------------- what guesses say

  Result<Done> decide_by_guesses() {
    HorizonTimes& of = times_.times();
    for (std::size_t a = 0; a < n_; ++a)
      for (std::size_t b = 0; b < a; ++b) {
        if (before_[a][b] && before_[b][a]) return not_told(a, b, "the constraints contradict each other");
        if (before_[a][b] || before_[b][a]) continue;
        if (!of.has_guess(at(a).time) || !of.has_guess(at(b).time)) return not_told(a, b, "one has no `initialGuess`");
        double x = of.guess(at(a).time), y = of.guess(at(b).time);
        if (std::fabs(x - y) <= 1e-9 * std::max(std::fabs(x), std::fabs(y)))
          return not_told(a, b, "their guesses are equal");
        std::size_t first = x < y ? a : b, second = x < y ? b : a;
        diagnostics_.warning(order_by_guess, at(second).span, {at(first).text, at(second).text});
        before_[first][second] = true;
        close();
      }
    return Done{};
  }

  Reported not_told(std::size_t a, std::size_t b, const char* why) {
    return diagnostics_.error(
        order_not_told, at(a).span, {at(b).text, at(a).text, why},
        {{{}, "add the constraint `" + at(b).text + " <= " + at(a).text + "`, or the other way round"}});
  }

  const System& system_;
  InteriorTimes& times_;
  Diagnostics& diagnostics_;
  std::size_t n_;
  std::vector<std::vector<bool>> before_;  ///< [a][b] a is not after b
};

}  // namespace

Result<Done> order_times(const System& system, InteriorTimes& times, Diagnostics& diagnostics) {
  return Ordering(system, times, diagnostics).run();
}

}  // namespace bolza::passes
