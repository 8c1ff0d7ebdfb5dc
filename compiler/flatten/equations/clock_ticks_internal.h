// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <utility>
#include <vector>

#include "compiler/flatten/equations/clock_partitions_internal.h"
#include "compiler/flatten/equations/formula_internal.h"

namespace bolza::flatten {

/// The discrete variables that tell when clocks tick, and the equations that determine them. Partitions that tick together
/// share what makes the ticks.
class ClockTicks {
 public:
  ClockTicks(Model& model, const ClockPartitions& partitions);

  /// True in the first iteration of the event of a tick.
  ir::ExprId ticks(std::uint32_t partition, Formula& in) { return in.value(of(partition).tick); }
  /// How often it has ticked, this tick included; and before this tick.
  ir::ExprId count(std::uint32_t partition, Formula& in) { return in.value(of(partition).count); }
  ir::ExprId count_before(std::uint32_t partition, Formula& in) { return in.before(of(partition).count); }
  ir::ExprId has_ticked(std::uint32_t partition, Formula& in);
  ir::ExprId is_first(std::uint32_t partition, Formula& in);  ///< at the first tick and before
  ir::ExprId interval(std::uint32_t partition, Formula& in);
  std::uint32_t count_id(std::uint32_t partition) { return of(partition).count; }
  /// The time of the last tick; its provisional id.
  std::uint32_t time(std::uint32_t partition, Span span);
  /// A new discrete variable: the start value before the second tick, then what `id` was at the tick before the last one.
  std::uint32_t memory(std::uint32_t partition, std::uint32_t id, ir::ValueType type, Span span);
  /// A new discrete variable that takes `value` at ticks and in the initialisation, and keeps it in between.
  void at_ticks(std::uint32_t variable, std::uint32_t partition, Formula& formula, ir::ExprId at_start, ir::ExprId at_tick,
                Span span);
  /// Whether the first tick is known to be at the start.
  bool begins_at_start(std::uint32_t partition) const;
  ir::ExprId start_of(std::uint32_t id, Formula& in);
  ir::ValueType type_of(std::uint32_t id) const;

 private:
  struct Ticks {
    std::uint32_t tick = 0, count = 0, time = 0, interval = 0;
  };
  struct Base {
    std::uint32_t tick = 0, count = 0;                             ///< of the finest clock
    Rational unit{1, 1};                                           ///< its interval, in those of the rates
    std::map<std::pair<std::int64_t, std::int64_t>, Ticks> parts;  ///< by every how manieth of its ticks, and the first
    Span span;
  };
  Ticks& of(std::uint32_t partition) { return ticks_[partition]; }
  void add_base(const BaseClock& base);
  void add_periodic(std::uint32_t partition, const ClockUse* unit, Span span);
  std::uint32_t event(const ClockUse& clock);
  std::uint32_t paced(const ClockUse& clock, const Rational& unit);
  void add_partition(std::uint32_t partition, Base& base);
  std::uint32_t counter(std::uint32_t tick, Span span);
  ir::ExprId first_interval(std::uint32_t partition, Formula& in);
  const ClockUse* clock_of(std::uint32_t partition) const;

  Model& model_;
  const ClockPartitions& partitions_;
  std::vector<Ticks> ticks_;                              ///< [partitions]
  std::map<std::vector<std::uint64_t>, Ticks> periodic_;  ///< by first tick and interval
};

}  // namespace bolza::flatten
