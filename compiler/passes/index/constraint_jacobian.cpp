// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/index/constraint_jacobian.h"

#include <algorithm>
#include <cmath>

#include "compiler/ir/substitute.h"

namespace bolza::passes {

namespace {

/// A number between 0.6 and 1.4 that looks like no other.
double generic_number(std::size_t v) {
  double golden = static_cast<double>(v + 1) * 0.6180339887498949;
  return 0.6 + 0.8 * (golden - std::floor(golden));
}

double inside(double value, double min, double max) {
  if (value >= min && value <= max) return value;
  double share = (value - 0.6) / 0.8;
  if (std::isfinite(min) && std::isfinite(max)) return min + share * (max - min);
  return std::isfinite(min) ? min + value * std::max(1.0, std::fabs(min)) : max - value * std::max(1.0, std::fabs(max));
}

/// Within twice the size of a variable about its start, and within its bounds.
double scattered_number(const ir::Numbers& numbers, std::size_t v, std::uint32_t at) {
  double centre = numbers.has_start ? numbers.start : 0;
  double spread = 2 * std::max({1.0, std::fabs(centre), std::fabs(numbers.nominal)});
  double low = std::max(centre - spread, numbers.min), high = std::min(centre + spread, numbers.max);
  if (!(low < high)) {
    low = numbers.min;
    high = numbers.max;
  }
  if (!std::isfinite(low) || !std::isfinite(high)) return centre;
  double k = at, n = static_cast<double>(v + 1),
         share = n * 0.6180339887498949 + k * (0.7548776662466927 + n * 0.5698402909980532);
  return low + (share - std::floor(share)) * (high - low);
}

}  // namespace

double ConstraintJacobian::value_of(VariableId v, std::uint32_t at) const {
  const ir::Numbers& numbers = system_.numbers[v.index()];
  ScalarRole role = system_.role(v);
  bool varies = system_.varies(v);
  if (!varies) return numbers.start;
  if (at == point && !system_.options.point.empty()) {
    auto known = system_.options.point.find(system_.name(v));
    if (known != system_.options.point.end()) return known->second;
  }
  if (role == ScalarRole::time) return system_.numbers[1].start + (at == point ? 0 : 0.7);
  if (at == point && numbers.has_start) return numbers.start;
  if (at >= scattered) return scattered_number(numbers, v.index(), at);
  return inside(generic_number(v.index()), numbers.min, numbers.max);
}

double ConstraintJacobian::value(ExprId e, const Applied& a, std::uint32_t at) {
  if (system_.dag().is_number(e)) return system_.dag().value(e);
  std::vector<double> slots(a.slots.size(), 0);
  auto [used, first_time] = slots_.try_emplace(e);
  if (first_time) used->second = ir::leaves_of(system_.dag(), std::span(&e, 1), ir::Op::slot);
  for (std::uint32_t k : used->second) slots[k] = value_of(a.slots[k], at);
  auto [tape, is_new] = tapes_.try_emplace(e);
  if (is_new) tape->second = ir::make_tape(system_.dag(), std::span(&e, 1));
  double result = NAN;
  if (!interpreter_.evaluate(tape->second, {.slots = slots, .data = a.data}, std::span(&result, 1))) result = NAN;
  return result;
}

bool ConstraintJacobian::is_constant(ExprId e, const Applied& a) {
  auto [used, first_time] = slots_.try_emplace(e);
  if (first_time) used->second = ir::leaves_of(system_.dag(), std::span(&e, 1), ir::Op::slot);
  return std::none_of(used->second.begin(), used->second.end(),
                      [&](std::uint32_t k) { return system_.varies(a.slots[k]) || system_.is_free(a.slots[k]); });
}

const std::vector<derive::JacobianEntry>& ConstraintJacobian::partials(ExprId root) {
  auto [at, is_new] = partials_.try_emplace(root);
  if (is_new) at->second = derive::jacobian(system_.flat.expressions, std::span(&root, 1));
  return at->second;
}

std::vector<ConstraintJacobian::Entry> ConstraintJacobian::row(std::uint32_t row, const Offsets& offsets, std::uint32_t at) {
  std::vector<Entry> entries;
  for (std::uint32_t part : equations_.parts[row]) {
    const Applied& a = equations_.instances[part].applied;
    for (const derive::JacobianEntry& partial : partials(a.root())) {
      VariableId v = a.slots[partial.slot];
      std::uint32_t chain = chains_.chain_of(v);
      if (chain == DerivativeChains::none || chains_.order_of(v) + offsets.rows[row] != offsets.columns[chain]) continue;
      double found = value(partial.value, a, at);
      if (!std::isfinite(found) && at < scattered) found = at == generic ? generic_number(v.index()) : 0;
      found *= system_.numbers[chains_.at(chain, 0).index()].nominal;
      bool constant = is_constant(partial.value, a);
      auto same = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.chain == chain; });
      if (same == entries.end()) entries.push_back({chain, found, constant});
      else {
        same->value += found;
        same->is_constant &= constant;
      }
    }
  }
  return entries;
}

}  // namespace bolza::passes
