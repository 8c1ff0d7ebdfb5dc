// SPDX-License-Identifier: Apache-2.0
#include "compiler/flatten/equations/clock_ticks_internal.h"

#include "compiler/ir/canonical.h"

namespace bolza::flatten {

using ir::ExprId;
using ir::Op;
using ir::ValueType;
using ir::VariableKind;

namespace {

constexpr std::uint32_t time_id = 0, start_time_id = 1;

Span span_of(const Model& model, const BaseClock& base) {
  if (base.clock) return model.clock_uses[*base.clock].span;
  return base.links.empty() ? model.flat.span : model.clock_uses[base.links[0].use].span;
}

}  // namespace

ClockTicks::ClockTicks(Model& model, const ClockPartitions& partitions)
    : model_(model),
      partitions_(partitions),
      ticks_(partitions.partitions.size()) {
  for (const BaseClock& base : partitions.bases) add_base(base);
}

// ---------------------------------------------------------------- base clocks

void ClockTicks::add_base(const BaseClock& clock) {
  const ClockUse* use = clock.clock ? &model_.clock_uses[*clock.clock] : nullptr;
  Span span = span_of(model_, clock);
  if (clock.in_seconds || use->op == ClockOperator::real) {
    for (std::uint32_t p : clock.partitions) add_periodic(p, clock.in_seconds ? nullptr : use, span);
    return;
  }
  Base base;
  base.unit = partitions_.partitions[clock.partitions[0]].rate->interval;
  base.span = span;
  for (std::uint32_t p : clock.partitions) {
    const TickRate& rate = *partitions_.partitions[p].rate;
    base.unit = common_divisor(common_divisor(base.unit, rate.interval), rate.shift);
  }
  base.tick = use->op == ClockOperator::event ? event(*use) : paced(*use, base.unit);
  for (std::uint32_t p : clock.partitions) add_partition(p, base);
}

/// Ticks of several clocks that should be at one time are at one event: they differ by rounding, which is allowed for.
void ClockTicks::add_periodic(std::uint32_t partition, const ClockUse* unit, Span span) {
  const TickRate& rate = *partitions_.partitions[partition].rate;
  Formula start(model_), interval(model_);
  auto length = [&](const Rational& share, Formula& in) {
    ExprId number = in.number(share.value());
    return unit ? in.make(Op::mul, in.term(*unit->operand), number) : number;
  };
  ExprId begin = start.value(start_time_id);
  if (rate.shift.numerator != 0) begin = start.make(Op::add, begin, length(rate.shift, start));
  ExprId step = length(rate.interval, interval);
  ir::Term first{begin, start.slots(), {}, span}, every{step, interval.slots(), {}, span};
  std::vector<std::uint64_t> key =
      key_of(std::vector{ir::canonical(model_.dag(), first), ir::canonical(model_.dag(), every)});
  auto [at, is_new] = periodic_.emplace(key, Ticks{});
  if (is_new) {
    at->second.tick = new_variable(model_, "$tick", VariableKind::sample, ValueType::boolean, span);
    at->second.count = counter(at->second.tick, span);
    model_.flat.samples.push_back({ir::VariableId(std::size_t{at->second.tick}), first, every});
  }
  of(partition) = at->second;
}

/// Ticks when edge(pre(condition)) becomes true [MLS, 16.3].
std::uint32_t ClockTicks::event(const ClockUse& clock) {
  auto boolean = [&](const char* stem) {
    return new_variable(model_, stem, VariableKind::discrete, ValueType::boolean, clock.span);
  };
  std::uint32_t condition = boolean("$event"), late = boolean("$event"), tick = boolean("$tick");
  std::uint32_t initial = initial_flag(model_, clock.span);
  Formula own(model_), delayed(model_), edge(model_);
  ExprId value = own.term(*clock.operand);
  set_discrete(model_, condition, own, value, clock.span);
  ExprId before = delayed.before(condition);  // false in the initialisation: what holds at the start ticks there
  set_discrete(model_, late, delayed, before, clock.span);
  ExprId rises = edge.make(Op::logical_and, edge.value(late), edge.make(Op::logical_not, edge.before(late)));
  ExprId running = edge.make(Op::logical_not, edge.value(initial));
  ExprId ticks = edge.make(Op::logical_and, running, rises);
  set_discrete(model_, tick, edge, ticks, clock.span);
  return tick;
}

/// Every tick tells when the next one is.
std::uint32_t ClockTicks::paced(const ClockUse& clock, const Rational& unit) {
  std::uint32_t tick = new_variable(model_, "$tick", VariableKind::discrete, ValueType::boolean, clock.span);
  std::uint32_t next = new_variable(model_, "$next", VariableKind::discrete, ValueType::real, clock.span);
  std::uint32_t initial = initial_flag(model_, clock.span);
  Formula due(model_), plan(model_);
  ExprId is_due = due.make(Op::greater_equal, due.value(time_id), due.before(next));
  ExprId ticks = due.make(Op::logical_and, due.make(Op::logical_not, due.value(initial)), is_due);
  set_discrete(model_, tick, due, ticks, clock.span);
  double share = unit.value() / static_cast<double>(clock.op == ClockOperator::counted ? clock.resolution : 1);
  ExprId step = plan.make(Op::mul, plan.term(*clock.operand), plan.number(share));
  ExprId later = plan.choose(plan.value(tick), plan.make(Op::add, plan.before(next), step), plan.before(next));
  ExprId value = plan.choose(plan.value(initial), plan.value(start_time_id), later);
  set_discrete(model_, next, plan, value, clock.span);
  return tick;
}

// ---------------------------------------------------------------- partitions

std::uint32_t ClockTicks::counter(std::uint32_t tick, Span span) {
  std::uint32_t count = new_variable(model_, "$ticks", VariableKind::discrete, ValueType::integer, span);
  Formula sum(model_);
  ExprId more = sum.make(Op::add, sum.before(count), sum.number(1));
  ExprId value = sum.choose(sum.value(tick), more, sum.before(count));
  set_discrete(model_, count, sum, value, span);
  return count;
}

/// Every k-th tick of the finest clock, from the s-th on.
void ClockTicks::add_partition(std::uint32_t partition, Base& base) {
  const TickRate& rate = *partitions_.partitions[partition].rate;
  Rational every = rate.interval / base.unit, first = rate.shift / base.unit;
  Ticks& own = of(partition);
  own.tick = base.tick;
  if (base.count == 0) base.count = counter(base.tick, base.span);
  own.count = base.count;
  if (every.numerator == 1 && first.numerator == 0) return;
  auto [at, is_new] = base.parts.emplace(std::pair(every.numerator, first.numerator), Ticks{});
  if (!is_new) {
    own = at->second;
    return;
  }
  own.tick = new_variable(model_, "$tick", VariableKind::discrete, ValueType::boolean, base.span);
  Formula f(model_);
  ExprId passed = f.make(Op::sub, f.value(base.count), f.number(static_cast<double>(first.numerator) + 1));
  ExprId rest = f.make(Op::mod, passed, f.number(static_cast<double>(every.numerator)));
  ExprId begun = f.make(Op::greater_equal, passed, f.number(0));
  ExprId meets = f.make(Op::logical_and, begun, f.make(Op::equal, rest, f.number(0)));
  ExprId ticks = f.make(Op::logical_and, f.value(base.tick), meets);
  set_discrete(model_, own.tick, f, without_events(model_.dag(), {ticks})[0], base.span);
  own.count = counter(own.tick, base.span);
  at->second = own;
}

ExprId ClockTicks::has_ticked(std::uint32_t partition, Formula& in) {
  return in.make(Op::no_event, in.make(Op::greater, count(partition, in), in.number(0)));
}

ExprId ClockTicks::is_first(std::uint32_t partition, Formula& in) {
  return in.make(Op::no_event, in.make(Op::less_equal, count(partition, in), in.number(1)));
}

bool ClockTicks::begins_at_start(std::uint32_t partition) const {
  const ClockUse* clock = clock_of(partition);
  return partitions_.partitions[partition].rate->shift.numerator == 0 && !(clock && clock->op == ClockOperator::event);
}

const ClockUse* ClockTicks::clock_of(std::uint32_t partition) const {
  const BaseClock& base = partitions_.bases[partitions_.partitions[partition].base];
  return base.clock ? &model_.clock_uses[*base.clock] : nullptr;
}

/// What interval() gives at the first tick.
ExprId ClockTicks::first_interval(std::uint32_t partition, Formula& in) {
  const ClockUse& clock = *clock_of(partition);
  if (clock.op == ClockOperator::event) return clock.other ? in.term(*clock.other) : in.number(0);
  double share = partitions_.partitions[partition].rate->interval.value() / static_cast<double>(clock.resolution);
  return in.make(Op::mul, start_of(clock.operand->slots[0].value, in), in.number(share));
}

ExprId ClockTicks::interval(std::uint32_t partition, Formula& in) {
  const BaseClock& base = partitions_.bases[partitions_.partitions[partition].base];
  double share = partitions_.partitions[partition].rate->interval.value();
  if (base.in_seconds) return in.number(share);
  const ClockUse& clock = *clock_of(partition);
  if (clock.op == ClockOperator::real) return in.make(Op::mul, in.term(*clock.operand), in.number(share));
  Ticks& own = of(partition);
  if (own.interval == 0) {
    own.interval = new_variable(model_, "$interval", VariableKind::discrete, ValueType::real, clock.span);
    std::uint32_t last = time(partition, clock.span);
    Formula f(model_);
    ExprId begin = first_interval(partition, f);
    ExprId passed = f.make(Op::sub, f.value(time_id), f.before(last));
    ExprId value = f.choose(is_first(partition, f), begin, passed);
    at_ticks(own.interval, partition, f, begin, value, clock.span);
  }
  return in.value(own.interval);
}

std::uint32_t ClockTicks::time(std::uint32_t partition, Span span) {
  Ticks& own = of(partition);
  if (own.time == 0) {
    own.time = new_variable(model_, "$time", VariableKind::discrete, ValueType::real, span);
    Formula f(model_);
    ExprId now = f.value(time_id);
    at_ticks(own.time, partition, f, now, now, span);
  }
  return own.time;
}

// ---------------------------------------------------------------- values

void ClockTicks::at_ticks(std::uint32_t variable, std::uint32_t partition, Formula& formula, ExprId at_start, ExprId at_tick,
                          Span span) {
  ExprId kept = formula.choose(ticks(partition, formula), at_tick, formula.before(variable));
  ExprId value = formula.choose(formula.value(initial_flag(model_, span)), at_start, kept);
  set_discrete(model_, variable, formula, value, span);
}

std::uint32_t ClockTicks::memory(std::uint32_t partition, std::uint32_t id, ValueType type, Span span) {
  std::uint32_t variable = new_variable(model_, "$previous", VariableKind::discrete, type, span);
  Formula f(model_);
  ExprId begin = start_of(id, f);
  at_ticks(variable, partition, f, begin, f.choose(is_first(partition, f), begin, f.before(id)), span);
  return variable;
}

ExprId ClockTicks::start_of(std::uint32_t id, Formula& in) {
  if (id & provisional::kind) return in.number(0);
  const ir::Variable& v = ir::variable_of(model_.flat, ir::VariableId(std::size_t{id}));
  const ir::ElementValues& start = v.attributes[static_cast<std::size_t>(ir::Attribute::start)];
  if (!start.present()) return in.number(v.type == ValueType::enumeration ? 1 : 0);
  return in.term(start.terms[start.terms.size() == 1 ? 0 : id - v.first.value]);
}

ValueType ClockTicks::type_of(std::uint32_t id) const {
  if ((id & provisional::kind) == 0) return ir::variable_of(model_.flat, ir::VariableId(std::size_t{id})).type;
  std::uint32_t at = id & ~provisional::kind;
  for (const AuxiliaryRun& run : model_.auxiliaries)
    if (at >= run.first && at - run.first < run.size) return run.type;
  return ValueType::real;
}

}  // namespace bolza::flatten
