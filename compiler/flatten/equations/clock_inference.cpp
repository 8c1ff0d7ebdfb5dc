// SPDX-License-Identifier: Apache-2.0
// Intervals, shifts and solver methods of clocked partitions [MLS, 16.7.5, 16.8.3].
#include <algorithm>

#include "compiler/flatten/equations/clock_partitions_internal.h"
#include "compiler/flatten/nodes/clock_codes.h"
#include "compiler/ir/canonical.h"

namespace bolza::flatten {
namespace {

class Inference {
 public:
  Inference(Model& model, ClockPartitions& all, BaseClock& base) : model_(model), all_(all), base_(base) {}

  void run() {
    std::size_t errors = model_.diagnostics.errors();
    give_rates();
    spread();
    bool given = base_.clock.has_value();
    for (std::uint32_t p : base_.partitions) {
      if (all_.partitions[p].rate) continue;
      seed(p, given);
      spread();
    }
    if (!given) scale_default();
    if (model_.diagnostics.errors() > errors) return;
    check_links();
    check_starts();
    check_event_ticks();
    find_methods();
  }

 private:
  ClockPartition& at(std::uint32_t p) { return all_.partitions[p]; }
  const ClockUse& use(std::size_t k) const { return model_.clock_uses[k]; }

  std::string text_of(const ClockUse& clock) const {
    if (clock.op == ClockOperator::rational)
      return "`Clock(" + std::to_string(clock.factor) + ", " + std::to_string(clock.resolution) + ")`";
    return clock.op == ClockOperator::event ? "an event clock" : "a clock of intervals";
  }

  /// The same constructor, as when the equations of one when-clause each have it.
  bool same_clock(const ClockUse& a, const ClockUse& b) {
    if (a.op != b.op || a.factor != b.factor || a.resolution != b.resolution) return false;
    if (a.op == ClockOperator::rational) return true;
    bool place = a.span.begin == b.span.begin && a.span.file.value == b.span.file.value;
    return place && key_of(std::vector{ir::canonical(model_.dag(), *a.operand)}) ==
                        key_of(std::vector{ir::canonical(model_.dag(), *b.operand)});
  }

  void give_rates() {
    for (std::uint32_t p : base_.partitions)
      for (std::size_t k : at(p).clocks) {
        const ClockUse& clock = use(k);
        bool rational = clock.op == ClockOperator::rational;
        if (!base_.clock) {
          base_.clock = k;
          base_.in_seconds = rational;
        }
        const ClockUse& first = use(*base_.clock);
        bool fits = rational ? base_.in_seconds : same_clock(first, clock);
        TickRate rate = rational ? TickRate{fraction(clock.factor, clock.resolution), {}} : TickRate{{1, 1}, {}};
        if (!fits || (at(p).rate && *at(p).rate != rate)) {
          std::size_t other = fits ? at(p).clocks[0] : *base_.clock;
          model_.diagnostics.error(clocks_differ, clock.span, {text_of(use(other)), text_of(clock)},
                                   {{use(other).span, "the other one"}});
          return;
        }
        at(p).rate = rate;
      }
  }

  std::optional<RateStep> step_of(const ClockUse& link) const {
    switch (link.op) {
      case ClockOperator::sub_sample:
        return RateStep{{link.factor, 1}, {}};
      case ClockOperator::super_sample:
        return RateStep{link.factor == 0 ? Rational{0, 1} : fraction(1, link.factor), {}};
      case ClockOperator::shift_sample:
        return RateStep{{1, 1}, fraction(link.factor, link.resolution)};
      case ClockOperator::back_sample:
        return RateStep{{1, 1}, fraction(-link.factor, link.resolution)};
      case ClockOperator::solver:
        return RateStep{};
      default:
        return {};
    }
  }

  void spread() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const ClockLink& link : base_.links) {
        auto step = step_of(use(link.use));
        if (!step || step->factor.numerator == 0) continue;
        auto &from = at(link.from).rate, &to = at(link.to).rate;
        if (from.has_value() == to.has_value()) continue;
        if (from) to = step->forward(*from);
        else from = step->backward(*to);
        changed = true;
      }
    }
  }

  /// A partition that nothing tells the rate of: that of a neighbour, or the default clock.
  void seed(std::uint32_t p, bool given) {
    for (const ClockLink& link : base_.links) {
      std::uint32_t other = link.from == p ? link.to : link.to == p ? link.from : p;
      if (other != p && at(other).rate) {
        at(p).rate = at(other).rate;
        return;
      }
    }
    bool any = std::any_of(base_.partitions.begin(), base_.partitions.end(), [&](std::uint32_t q) { return at(q).rate; });
    if (any) {  // its neighbours come first
      for (std::uint32_t q : base_.partitions)
        if (at(q).rate) at(p).rate = at(q).rate;
      return;
    }
    at(p).rate = TickRate{{1, 1}, {}};
    if (!given) model_.diagnostics.warning(default_clock, span_of(p));
  }

  Span span_of(std::uint32_t p) const {
    for (std::size_t k = 0; k < model_.clock_uses.size(); ++k)
      if (all_.used[k] && all_.of(use(k).result) == p) return use(k).span;
    for (const ClockLink& link : base_.links)
      if (link.from == p || link.to == p) return use(link.use).span;
    for (const ClockUse& u : model_.clock_uses)
      if (u.operand)
        for (ir::VariableId id : u.operand->slots)
          if (all_.of(id.value) == p) return u.span;
    for (const ir::Variable& v : model_.flat.variables)
      if (all_.of(v.first.value) == p) return v.span;
    return model_.flat.span;
  }

  /// The fastest partition of a default clock ticks every second, the first of them at the start.
  void scale_default() {
    Rational least{0, 0}, earliest{0, 0};
    auto below = [](const Rational& a, const Rational& b) { return !b.fits() || (a - b).numerator < 0; };
    for (std::uint32_t p : base_.partitions) {
      const TickRate& rate = *at(p).rate;
      if (below(rate.interval, least)) least = rate.interval;
      if (below(rate.shift, earliest)) earliest = rate.shift;
    }
    if (earliest.numerator > 0) earliest = {0, 1};
    for (std::uint32_t p : base_.partitions) {
      TickRate& rate = *at(p).rate;
      rate = {rate.interval / least, (rate.shift - earliest) / least};
    }
  }

  void check_links() {
    for (const ClockLink& link : base_.links) {
      const ClockUse& own = use(link.use);
      auto step = step_of(own);
      if (!step) continue;
      const TickRate &from = *at(link.from).rate, &to = *at(link.to).rate;
      bool fits;
      if (step->factor.numerator == 0) {
        Rational quotient = own.op == ClockOperator::sub_sample ? to.interval / from.interval : from.interval / to.interval;
        fits = quotient.is_whole() && from.shift == to.shift;
      } else {
        fits = step->forward(from) == to;
      }
      if (!fits || !to.interval.fits() || !to.shift.fits())
        model_.diagnostics.error(clock_factor_unsolvable, own.span, {name_of(own.op)});
    }
  }

  void check_starts() {
    for (const ClockLink& link : base_.links)
      if (at(link.to).rate->shift.numerator < 0) {
        model_.diagnostics.error(clock_before_start, use(link.use).span);
        return;
      }
  }

  void check_event_ticks() {
    if (!base_.clock || use(*base_.clock).op != ClockOperator::event) return;
    for (const ClockLink& link : base_.links) {
      const TickRate& rate = *at(link.to).rate;
      if (rate.interval.is_whole() && rate.shift.is_whole()) continue;
      model_.diagnostics.error(event_clock_between, use(link.use).span);
      return;
    }
  }

  // ------------------------------------------------------------ solver methods

  void find_methods() {
    for (std::uint32_t p : base_.partitions)
      for (std::size_t k : at(p).solvers) {
        if (at(p).method.empty()) at(p).method = use(k).method;
        else if (at(p).method != use(k).method) return differ(use(at(p).solvers[0]), use(k));
      }
    std::vector<std::pair<std::uint32_t, std::string>> inferred;
    for (std::uint32_t p : base_.partitions) {
      if (!at(p).differentiates || !at(p).method.empty()) continue;
      const ClockUse* found = method_near(p);
      if (found) inferred.emplace_back(p, found->method);
      else if (!failed_) missing(p);
    }
    for (auto& [p, method] : inferred) at(p).method = method;
  }

  void differ(const ClockUse& a, const ClockUse& b) {
    failed_ = true;
    model_.diagnostics.error(solver_methods_differ, b.span, {a.method, b.method}, {{a.span, "the other one"}});
  }

  void missing(std::uint32_t p) {
    std::uint32_t state = at(p).states[0];
    if (state & provisional::kind) return void(model_.diagnostics.error(no_solver_for_clock, span_of(p), {"it"}));
    ir::VariableId id(std::size_t{state});
    model_.diagnostics.error(no_solver_for_clock, ir::variable_of(model_.flat, id).span, {ir::name_of(model_.flat, id)});
  }

  /// The method of those that conversions connect with a partition, over others that have none.
  const ClockUse* method_near(std::uint32_t p) {
    std::vector<std::uint32_t> reached{p};
    const ClockUse* found = nullptr;
    for (std::size_t k = 0; k < reached.size(); ++k)
      for (const ClockLink& link : base_.links) {
        std::uint32_t other = link.from == reached[k] ? link.to : link.to == reached[k] ? link.from : reached[k];
        if (std::find(reached.begin(), reached.end(), other) != reached.end()) continue;
        if (at(other).method.empty()) {
          reached.push_back(other);
          continue;
        }
        const ClockUse& own = use(at(other).solvers[0]);
        if (!found) found = &own;
        else if (found->method != own.method && !failed_) differ(*found, own);
      }
    return failed_ ? nullptr : found;
  }

  Model& model_;
  ClockPartitions& all_;
  BaseClock& base_;
  bool failed_ = false;
};

}  // namespace

void infer_clocks(Model& model, ClockPartitions& partitions) {
  for (BaseClock& base : partitions.bases) Inference(model, partitions, base).run();
}

}  // namespace bolza::flatten
