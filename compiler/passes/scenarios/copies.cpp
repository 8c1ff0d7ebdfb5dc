// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/scenarios/copies.h"

#include <algorithm>

namespace bolza::passes {

Copies::Copies(const ir::FlatModel& model, std::vector<std::uint8_t> own, std::size_t n_scenarios)
    : n_(n_scenarios),
      own_(std::move(own)),
      owner_(model.n_scalars) {
  for (std::size_t v = 0; v < model.variables.size(); ++v) {
    const ir::Variable& variable = model.variables[v];
    std::fill_n(owner_.begin() + variable.first.value, variable.size, static_cast<std::uint32_t>(v));
    size_.push_back(variable.size);
    old_first_.push_back(variable.first);
    first_.emplace_back(static_cast<std::uint32_t>(n_scalars_));
    n_scalars_ += variable.size * (own_[v] ? n_ : 1);
  }
}

bool Copies::reads_own(std::span<const ir::VariableId> slots) const {
  return std::any_of(slots.begin(), slots.end(), [&](ir::VariableId id) { return is_own(id); });
}

bool Copies::reads_own(const ir::ElementValues& values) const {
  return std::any_of(values.terms.begin(), values.terms.end(), [&](const ir::Term& term) { return reads_own(term); });
}

ir::VariableId Copies::of(ir::VariableId id, std::size_t scenario) const {
  if (auto by = replaced_.find(id); by != replaced_.end()) return by->second;
  std::uint32_t variable = owner_[id.index()];
  std::size_t copy = own_[variable] ? scenario : 0;
  return ir::VariableId(first_[variable].value + copy * size_[variable] + (id.value - old_first_[variable].value));
}

ir::Term Copies::term(const ir::Term& term, std::size_t scenario) const {
  ir::Term out = term;
  for (ir::VariableId& id : out.slots) id = of(id, scenario);
  return out;
}

ir::ElementValues Copies::values(const ir::ElementValues& values, std::size_t variable) const {
  ir::ElementValues out;
  bool expands = own_[variable] && (values.terms.size() > 1 || reads_own(values));
  std::size_t copies = expands ? n_ : 1, elements = expands ? size_[variable] : values.terms.size();
  if (values.terms.empty()) return out;
  for (std::size_t s = 0; s < copies; ++s)
    for (std::size_t e = 0; e < elements; ++e) out.terms.push_back(term(values.terms[values.terms.size() == 1 ? 0 : e], s));
  return out;
}

}  // namespace bolza::passes
