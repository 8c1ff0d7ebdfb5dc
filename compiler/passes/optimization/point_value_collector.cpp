#include "compiler/passes/optimization/point_value_collector.h"

#include <algorithm>
#include <cmath>

#include "compiler/ir/apply.h"
#include "compiler/ir/node_map.h"
#include "compiler/passes/parameters/parameter_order.h"
#include "compiler/passes/system/codes.h"

namespace bolza::passes {

using ir::Op;
using ir::PointQuantity;
using ir::PointValue;
using ir::TimePlace;

// ---------------------------------------------------------------- places

PointValueCollector::Affine PointValueCollector::leaf(VariableId v, std::uint32_t phase) const {
  if (system_.role(v) == ScalarRole::time) return {0, 0, 0, true, 1};
  if (system_.role(v) == ScalarRole::start_time) return {1, 0, 0, true};  // of whatever phase the variable is in
  if (system_.role(v) == ScalarRole::final_time) return {0, 1, 0, true};
  if (const Applied* same = system_.definition(v); same && system_.dag().op(same->root()) == Op::slot) v = same->slots[0];
  PhaseEnds ends = system_.ends_of(phase);
  if (v == ends.start && !system_.numbers[v.index()].fixed) return {1, 0, 0, true};
  if (v == ends.final && !system_.numbers[v.index()].fixed) return {0, 1, 0, true};
  if (system_.varies(v) || system_.is_free(v)) return {0, 0, 0, false};
  return {0, 0, system_.numbers[v.index()].start, true};
}

PointValueCollector::Affine PointValueCollector::combine(ExprId e, std::span<const Affine> x, const ir::Term& term) {
  bool known = true, numbers = true;
  for (const Affine& a : x) known &= a.known, numbers &= a.is_number();
  if (!known) return {0, 0, 0, false};
  Op op = system_.dag().op(e);
  auto scaled = [](const Affine& a, double by) {
    return Affine{a.on_start * by, a.on_final * by, a.offset * by, true, a.on_time * by};
  };
  auto plus = [](const Affine& a, const Affine& b, double sign) {
    return Affine{a.on_start + sign * b.on_start, a.on_final + sign * b.on_final, a.offset + sign * b.offset, true,
                  a.on_time + sign * b.on_time};
  };
  if (op == Op::call || op == Op::output)
    return {0, 0, numbers ? values_.of(e, term.slots, term.data) : 0, numbers && op == Op::output};
  if (numbers)
    return {0, 0, ir::apply<double>(op, x[0].offset, x.size() > 1 ? x[1].offset : 0, x.size() > 2 ? x[2].offset : 0), true};
  if (op == Op::neg) return scaled(x[0], -1);
  if (op == Op::add) return plus(x[0], x[1], 1);
  if (op == Op::sub) return plus(x[0], x[1], -1);
  if (op == Op::mul && x[0].is_number()) return scaled(x[1], x[0].offset);
  if (op == Op::mul && x[1].is_number()) return scaled(x[0], x[1].offset);
  if (op == Op::div && x[1].is_number()) return scaled(x[0], 1 / x[1].offset);
  return {0, 0, 0, false};
}

PointValueCollector::Affine PointValueCollector::affine(const ir::Term& term, std::uint32_t phase) {
  const ir::Dag& dag = system_.dag();
  ir::NodeMap<Affine> found;
  std::vector<Affine> x;
  for (ExprId e : ir::reachable(dag, std::span(&term.root, 1))) {
    if (dag.op(e) == Op::number) found[e] = {0, 0, dag.value(e), true};
    else if (dag.op(e) == Op::datum) found[e] = {0, 0, term.data[dag.index(e)], true};
    else if (dag.op(e) == Op::slot) found[e] = leaf(term.slots[dag.index(e)], phase);
    else {
      x.clear();
      for (ExprId operand : dag.operands(e)) x.push_back(*found.find(operand));
      Affine own = combine(e, x, term);
      found[e] = own;
    }
  }
  return *found.find(term.root);
}

std::uint32_t PointValueCollector::number_of(TimePlace place) {
  auto& places = system_.lowered.places;
  auto [at, is_new] = place_numbers_.try_emplace({{place.on_start, place.on_final, place.offset}, place.phase},
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
  Affine time = affine(term, phase);
  if (!time.known || time.on_time != 0 || !std::isfinite(time.on_start) || !std::isfinite(time.on_final) ||
      !std::isfinite(time.offset))
    return diagnostics_.error(time_not_affine, span, {system_.name(timed)});
  PhaseEnds ends = system_.ends_of(phase);
  const ir::Numbers &first = system_.numbers[ends.start.index()], &last = system_.numbers[ends.final.index()];
  if (first.fixed && last.fixed && !system_.flat.optimization->is_static) {
    double t = time.on_start * first.start + time.on_final * last.start + time.offset;
    double margin = 1e-9 * std::max({1e-300, std::fabs(first.start), std::fabs(last.start)});
    if (t < first.start - margin || t > last.start + margin)
      return diagnostics_.error(time_outside, span,
                                {system_.name(timed), number_text(t), number_text(first.start), number_text(last.start)});
    if (std::fabs(t - first.start) <= margin) time = {1, 0, 0, true};
    else if (std::fabs(t - last.start) <= margin) time = {0, 1, 0, true};
  }
  return number_of({time.on_start, time.on_final, time.offset, phase});
}

void PointValueCollector::add_corner(const Applied& zero, std::uint32_t phase) {
  Affine e = affine({zero.root(), zero.slots, zero.data, {}}, phase);
  if (!e.known || e.on_time == 0) return;
  TimePlace place{-e.on_start / e.on_time, -e.on_final / e.on_time, -e.offset / e.on_time, phase};
  if (std::isfinite(place.on_start) && std::isfinite(place.on_final) && std::isfinite(place.offset)) number_of(place);
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
