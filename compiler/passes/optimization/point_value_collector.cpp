// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimization/point_value_collector.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/bit_order.h"
#include "compiler/passes/parameters/parameter_order.h"
#include "compiler/passes/system/codes.h"

namespace bolza::passes {

using ir::Op;
using ir::PointQuantity;
using ir::PointValue;
using ir::TimePlace;

// ---------------------------------------------------------------- places

namespace {

const VariableId start(std::size_t{1}), final(std::size_t{2});  // of whatever phase a variable is in

/// `time` times a number, as a place.
TimePlace place_at(const AffineInParameters& time, double by, std::uint32_t phase) {
  auto weight = [&](VariableId end) {
    auto found = time.on.find(end);
    return found == time.on.end() ? 0 : by * found->second;
  };
  return {weight(start), weight(final), by * time.offset, phase};
}

bool is_finite(const TimePlace& place) {
  return std::isfinite(place.on_start) && std::isfinite(place.on_final) && std::isfinite(place.offset);
}

}  // namespace

AffineInParameters PointValueCollector::leaf(VariableId v, std::uint32_t phase) const {
  if (system_.role(v) == ScalarRole::time) return {{}, 0, 1};
  if (system_.role(v) == ScalarRole::start_time) return {{{start, 1.0}}};
  if (system_.role(v) == ScalarRole::final_time) return {{{final, 1.0}}};
  if (const Applied* same = system_.definition(v); same && system_.dag().op(same->root()) == Op::slot) v = same->slots[0];
  PhaseEnds ends = system_.ends_of(phase);
  if (v == ends.start && !system_.numbers[v.index()].fixed) return {{{start, 1.0}}};
  if (v == ends.final && !system_.numbers[v.index()].fixed) return {{{final, 1.0}}};
  if (system_.varies(v) || system_.is_free(v)) return {{}, 0, 0, false};
  return {{}, system_.numbers[v.index()].start};
}

AffineInParameters PointValueCollector::affine(const ir::Term& term, std::uint32_t phase) {
  return affine_of(system_, values_, term.root, term.slots, term.data, [&](VariableId v) { return leaf(v, phase); });
}

std::uint32_t PointValueCollector::number_of(TimePlace place) {
  auto& places = system_.lowered.places;
  auto [at, is_new] = place_numbers_.try_emplace(
      {{bits_of(place.on_start + 0.0), bits_of(place.on_final + 0.0), bits_of(place.offset + 0.0)}, place.phase},
      static_cast<std::uint32_t>(places.size()));
  if (is_new) places.push_back(place);
  return at->second;
}

Result<std::uint32_t> PointValueCollector::place_of(VariableId timed) {
  const ir::Variable& variable = ir::variable_of(system_.flat, timed);
  std::size_t slot = variable.time_slot + (variable.one_time_slot ? 0 : timed.index() - variable.first.index());
  const ir::Term& term = system_.flat.time_slots[slot].time;
  Span span = term.span ? term.span : variable.span;
  VariableId of = system_.owner[timed.index()];
  std::uint32_t phase = system_.phase_of(std::span(&of, 1));
  if (phase == no_phase) phase = 0;  // a parameter: the place does not matter
  AffineInParameters time = affine(term, phase);
  TimePlace place = place_at(time, 1, phase);
  if (!time.known || time.on_time != 0 || !is_finite(place))
    return diagnostics_.error(time_not_affine, span, {system_.name(timed)});
  PhaseEnds ends = system_.ends_of(phase);
  const ir::Numbers &first = system_.numbers[ends.start.index()], &last = system_.numbers[ends.final.index()];
  if (first.fixed && last.fixed && !system_.flat.optimization->is_static) {
    double t = place.on_start * first.start + place.on_final * last.start + place.offset;
    double margin = 1e-9 * std::max({1e-300, std::fabs(first.start), std::fabs(last.start)});
    if (t < first.start - margin || t > last.start + margin)
      return diagnostics_.error(time_outside, span,
                                {system_.name(timed), number_text(t), number_text(first.start), number_text(last.start)});
    if (std::fabs(t - first.start) <= margin) place = {1, 0, 0, phase};
    else if (std::fabs(t - last.start) <= margin) place = {0, 1, 0, phase};
  }
  return number_of(place);
}

void PointValueCollector::add_corner(const Applied& zero, std::uint32_t phase) {
  AffineInParameters e = affine({zero.root(), zero.slots, zero.data, {}}, phase);
  if (!e.known || e.on_time == 0) return;
  if (TimePlace place = place_at(e, -1 / e.on_time, phase); is_finite(place)) number_of(place);
}

Applied PointValueCollector::time_at(std::uint32_t place) {
  const TimePlace& p = system_.lowered.places[place];
  ir::Dag& dag = system_.dag();
  ExprId root = dag.add(dag.add(dag.mul(dag.number(p.on_start), dag.slot(0)), dag.mul(dag.number(p.on_final), dag.slot(1))),
                        dag.number(p.offset));
  PhaseEnds ends = system_.ends_of(p.phase);
  return composer_.canonical({{root}, {ends.start, ends.final}, {}});
}

// ---------------------------------------------------------------- values

std::uint32_t PointValueCollector::value_of(PointValue value) {
  auto& values = system_.lowered.values;
  auto [at, is_new] = value_numbers_.try_emplace({value.place, static_cast<std::uint32_t>(value.quantity), value.index},
                                                 static_cast<std::uint32_t>(values.size()));
  if (is_new) values.push_back(value);
  return at->second;
}

Applied PointValueCollector::make(VariableId v, std::uint32_t place) {
  if (system_.role(v) == ScalarRole::time) return time_at(place);
  if (const Applied* definition = system_.definition(v))
    return composer_.compose(*definition, [&](VariableId u) { return system_.varies(u) ? &at(u, place) : nullptr; });
  if (system_.role(v) == ScalarRole::discrete) return unknown(v);
  if (!system_.varies(v)) return variable_alone(system_.dag(), v);
  PointValue value{place, PointQuantity::algebraic, system_.solved.position[v.index()]};
  if (system_.role(v) == ScalarRole::state) value.quantity = PointQuantity::state;
  else if (system_.role(v) == ScalarRole::input) value.quantity = PointQuantity::control;
  else if (system_.solved.rate_sum[v.index()]) {
    value.quantity = PointQuantity::rate;
    value.index = system_.solved.position[system_.owner[v.index()].index()];
  }
  return variable_alone(system_.dag(), VariableId(system_.n() + value_of(value)));
}

Applied PointValueCollector::unknown(VariableId discrete) {
  if (told_.insert(discrete).second)
    diagnostics_.warning(discrete_at_a_time, system_.span_of(discrete), {system_.name(discrete)});
  return composer_.canonical({{system_.dag().number(std::numeric_limits<double>::quiet_NaN())}, {}, {}});
}

const Applied& PointValueCollector::at(VariableId v, std::uint32_t place) {
  auto found = made_.find({v, place});
  if (found == made_.end()) {
    Applied made = make(v, place);  // before the entry exists: making it may make others
    found = made_.emplace(std::pair(v, place), std::move(made)).first;
  }
  return found->second;
}

Result<Applied> PointValueCollector::expression_of(VariableId timed) {
  Result<std::uint32_t> place = place_of(timed);
  if (!place) return diagnostics_.already_reported();
  return at(system_.owner[timed.index()], *place);
}

}  // namespace bolza::passes
