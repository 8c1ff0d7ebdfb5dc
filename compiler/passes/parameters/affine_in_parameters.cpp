// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/parameters/affine_in_parameters.h"

#include <algorithm>
#include <cmath>

#include "compiler/ir/apply.h"
#include "compiler/ir/node_map.h"
#include "compiler/passes/parameters/parameter_order.h"

namespace bolza::passes {

using ir::Op;

bool AffineInParameters::is_free() const {
  return known && std::any_of(on.begin(), on.end(), [](const auto& entry) { return entry.first.value > 2; });
}

AffineInParameters scaled(const AffineInParameters& a, double by) {
  AffineInParameters out{{}, a.offset * by, a.on_time * by, a.known};
  for (const auto& [v, weight] : a.on)
    if (weight * by != 0) out.on[v] = weight * by;
  return out;
}

AffineInParameters plus(const AffineInParameters& a, const AffineInParameters& b, double sign) {
  AffineInParameters out{a.on, a.offset + sign * b.offset, a.on_time + sign * b.on_time, a.known && b.known};
  for (const auto& [v, weight] : b.on)
    if ((out.on[v] += sign * weight) == 0) out.on.erase(v);
  return out;
}

bool same_time(const AffineInParameters& a, const AffineInParameters& b) {
  AffineInParameters d = plus(a, b, -1);
  return d.is_number() && std::fabs(d.offset) <= 1e-9 * std::max({1e-300, std::fabs(a.offset), std::fabs(b.offset)});
}

namespace {

AffineInParameters combine(const System& system, ParameterValues& values, ExprId e, std::span<const AffineInParameters> x,
                           std::span<const VariableId> slots, std::span<const double> data) {
  bool known = std::all_of(x.begin(), x.end(), [](const AffineInParameters& a) { return a.known; });
  bool numbers = std::all_of(x.begin(), x.end(), [](const AffineInParameters& a) { return a.is_number(); });
  Op op = system.dag().op(e);
  if (!known) return {{}, 0, 0, false};
  if (op == Op::call || op == Op::output)
    return {{}, numbers && op == Op::output ? values.of(e, slots, data) : 0, 0, numbers};
  auto offset = [&](std::size_t k) { return k < x.size() ? x[k].offset : 0; };
  if (numbers) return {{}, ir::apply<double>(op, offset(0), offset(1), offset(2)), 0, true};
  if (op == Op::no_event) return x[0];
  if (op == Op::neg) return scaled(x[0], -1);
  if (op == Op::add) return plus(x[0], x[1], 1);
  if (op == Op::sub) return plus(x[0], x[1], -1);
  if (op == Op::mul && x[0].is_number()) return scaled(x[1], x[0].offset);
  if (op == Op::mul && x[1].is_number()) return scaled(x[0], x[1].offset);
  if (op == Op::div && x[1].is_number()) return scaled(x[0], 1 / x[1].offset);
  return {{}, 0, 0, false};
}

}  // namespace

AffineInParameters affine_of(const System& system, ParameterValues& values, ExprId root, std::span<const VariableId> slots,
                             std::span<const double> data, const std::function<AffineInParameters(VariableId)>& leaf) {
  const ir::Dag& dag = system.dag();
  ir::NodeMap<AffineInParameters> found;
  std::vector<AffineInParameters> x;
  for (ExprId e : ir::reachable(dag, std::span(&root, 1))) {
    if (dag.op(e) == Op::number) found[e] = {{}, dag.value(e), 0, true};
    else if (dag.op(e) == Op::datum) found[e] = {{}, data[dag.index(e)], 0, true};
    else if (dag.op(e) == Op::slot) found[e] = leaf(slots[dag.index(e)]);
    else {
      x.clear();
      for (ExprId operand : dag.operands(e)) x.push_back(*found.find(operand));
      AffineInParameters own = combine(system, values, e, x, slots, data);
      found[e] = own;
    }
  }
  return *found.find(root);
}

namespace {

bool ends_a_phase(const ir::FlatModel& flat, VariableId v) {
  return std::any_of(flat.phases.begin(), flat.phases.end(),
                     [&](const ir::Phase& phase) { return phase.start_time == v || phase.final_time == v; });
}

}  // namespace

AffineInParameters HorizonTimes::leaf(VariableId v) {
  ScalarRole role = system_.role(v);
  if (role == ScalarRole::time) return {{}, 0, 1, true};
  if (system_.varies(v) || role == ScalarRole::timed) return {{}, 0, 0, false};
  if (const Applied* same = system_.definition(v)) return of(same->root(), same->slots, same->data);
  if (!system_.is_free(v)) return {{}, system_.numbers[v.index()].start, 0, true};
  bool is_end = role == ScalarRole::start_time || role == ScalarRole::final_time || ends_a_phase(system_.flat, v);
  if (const ir::Term* binding = is_end ? binding_of(system_.flat, v) : nullptr;
      binding && !is_declared_free(system_.flat, v))
    return of(*binding);
  return {{{v, 1.0}}, 0, 0, true};
}

AffineInParameters HorizonTimes::of(ExprId root, std::span<const VariableId> slots, std::span<const double> data) {
  return affine_of(system_, values_, root, slots, data, [&](VariableId v) { return leaf(v); });
}

Interval HorizonTimes::range(const AffineInParameters& time) const {
  Interval out{time.offset, time.offset};
  for (const auto& [v, weight] : time.on) {
    const ir::Numbers& n = system_.numbers[v.index()];
    out.lower += weight > 0 ? weight * n.min : weight * n.max;
    out.upper += weight > 0 ? weight * n.max : weight * n.min;
  }
  return out;
}

double HorizonTimes::guess(const AffineInParameters& time) const {
  double sum = time.offset;
  for (const auto& [v, weight] : time.on) sum += weight * system_.numbers[v.index()].guess;
  return sum;
}

bool HorizonTimes::has_guess(const AffineInParameters& time) const {
  return std::all_of(time.on.begin(), time.on.end(),
                     [&](const auto& entry) { return system_.numbers[entry.first.index()].has_guess; });
}

}  // namespace bolza::passes
