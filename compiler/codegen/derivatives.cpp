// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/derivatives_internal.h"

#include <algorithm>

#include "compiler/ir/substitute.h"

namespace bolza::codegen {
namespace {

using ir::ExprId;
using ir::Op;

/// Slots by which we do not differentiate, hidden from `derive` as leaves that second-derivative kernels do not have
/// otherwise.
class HiddenSlots {
 public:
  HiddenSlots(ir::Dag& dag, const std::vector<std::uint8_t>& by) : dag_(dag) {
    for (std::uint32_t k = 0; k < by.size(); ++k) {
      if (by[k]) continue;
      any_ = true;
      slots_.resize(k + 1);
      directions_.resize(k + 1);
      slots_[k] = dag.direction(k);
      directions_[k] = dag.slot(k);
    }
  }
  std::vector<ExprId> hide(const std::vector<ExprId>& roots) {
    return any_ ? ir::substitute(dag_, roots, {.slots = slots_}) : roots;
  }
  std::vector<ExprId> show(const std::vector<ExprId>& roots) {
    return any_ ? ir::substitute(dag_, roots, {.directions = directions_}) : roots;
  }

 private:
  ir::Dag& dag_;
  bool any_ = false;
  std::vector<ExprId> slots_, directions_;
};

std::vector<std::uint32_t> wanted_slots(const std::vector<std::uint8_t>& by) {
  std::vector<std::uint32_t> wanted;
  for (std::uint32_t k = 0; k < by.size(); ++k)
    if (by[k]) wanted.push_back(k);
  return wanted;
}

bool is_constant(const ir::Dag& dag, ExprId e, const std::vector<std::uint8_t>& by) {
  for (std::uint32_t k : ir::leaves_of(dag, std::span(&e, 1), Op::slot))
    if (by[k]) return false;
  return true;
}

template <class Entries>
void show_values(HiddenSlots& hidden, Entries& entries) {
  std::vector<ExprId> values;
  for (const auto& entry : entries) values.push_back(entry.value);
  values = hidden.show(values);
  for (std::size_t k = 0; k < entries.size(); ++k) entries[k].value = values[k];
}

}  // namespace

const ShapeDerivatives& DerivativeTable::of(const std::vector<ExprId>& roots, const std::vector<std::uint8_t>& by,
                                            int order) {
  Known& known = known_[std::pair(roots, by)];
  if (known.order < 1 && order >= 1) make_first(roots, by, known.derivatives);
  if (known.order < 2 && order >= 2) make_second(roots, by, known.derivatives);
  known.order = std::max(known.order, order);
  return known.derivatives;
}

void DerivativeTable::make_first(const std::vector<ExprId>& roots, const std::vector<std::uint8_t>& by,
                                 ShapeDerivatives& d) {
  std::vector<std::uint32_t> wanted = wanted_slots(by);
  d.jacobian = derive::jacobian(expressions_, roots, std::span<const std::uint32_t>(wanted));
  for (const derive::JacobianEntry& entry : d.jacobian) d.constant.push_back(is_constant(expressions_.dag, entry.value, by));
}

void DerivativeTable::make_second(const std::vector<ExprId>& roots, const std::vector<std::uint8_t>& by,
                                  ShapeDerivatives& d) {
  HiddenSlots hidden(expressions_.dag, by);
  derive::WeightedHessian hessian = derive::hessian(expressions_, hidden.hide(roots));
  d.hessian = std::move(hessian.entries);
  d.gradient = std::move(hessian.gradient);
  show_values(hidden, d.hessian);
  show_values(hidden, d.gradient);
}

std::vector<ExprId> DerivativeTable::jvp(const std::vector<ExprId>& roots, const std::vector<std::uint8_t>& by) {
  std::vector<ExprId> tangents(by.size());
  for (std::uint32_t k : wanted_slots(by)) tangents[k] = expressions_.dag.direction(k);
  return derive::tangents(expressions_, roots, tangents);
}

}  // namespace bolza::codegen
