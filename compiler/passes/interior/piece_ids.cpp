// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/interior/piece_ids.h"

#include <algorithm>
#include <functional>

namespace bolza::passes {

PieceIds::PieceIds(const ir::FlatModel& model, std::size_t n_pieces) : phase_(model.n_scalars), first_piece_{0, n_pieces} {
  number(model);
  for (auto [time, own] : {std::pair{1u, start_time()}, std::pair{2u, final_time()}}) first_[time] = own;
}

PieceIds::PieceIds(const ir::FlatModel& model, std::span<const std::uint32_t> phase, std::span<const std::size_t> pieces)
    : of_phases_(true),
      phase_(phase.begin(), phase.end()),
      first_piece_{0} {
  for (std::size_t n : pieces) first_piece_.push_back(first_piece_.back() + n);
  number(model);
}

void PieceIds::number(const ir::FlatModel& model) {
  first_.resize(model.n_scalars);
  distance_.resize(model.n_scalars);
  auto differ = [&](const ir::Variable& v) {
    auto from = phase_.begin() + v.first.value;
    return std::adjacent_find(from, from + v.size, std::not_equal_to<>{}) != from + v.size;
  };
  for (const ir::Variable& v : model.variables) {
    bool own =
        v.kind == ir::VariableKind::unknown || v.kind == ir::VariableKind::derivative || v.kind == ir::VariableKind::input;
    bool apart = own && (differ(v) || (v.of && differ(ir::variable_of(model, v.of))));
    own_.push_back(own);
    apart_.push_back(apart);
    variable_first_.emplace_back(n_scalars_);
    size_.push_back(v.size);
    std::uint32_t together = apart ? 1 : v.size;
    for (std::uint32_t e = 0; e < v.size; ++e) {
      std::uint32_t id = v.first.value + e;
      first_[id] = ir::VariableId(n_scalars_ + e % together);
      distance_[id] = own ? together : 0;
      if ((e + 1) % together != 0) continue;
      PieceRange range = own ? of_phase(phase_[id]) : PieceRange{};
      n_scalars_ += together * static_cast<std::uint32_t>(range.end - range.first);
    }
  }
}

PieceRange PieceIds::pieces_of(std::span<const ir::VariableId> slots) const {
  auto own = std::find_if(slots.begin(), slots.end(), [&](ir::VariableId id) { return is_own(id); });
  return own == slots.end() ? PieceRange{} : of_phase(phase_[own->index()]);
}

bool PieceIds::reads_own(std::span<const ir::VariableId> slots) const {
  return std::any_of(slots.begin(), slots.end(), [&](ir::VariableId id) { return is_own(id); });
}

ir::VariableId PieceIds::of(ir::VariableId id, std::size_t piece) const {
  std::uint32_t first = first_[id.index()].value;
  if (!is_own(id)) return ir::VariableId(first);
  PieceRange range = of_phase(phase_[id.index()]);
  std::size_t copy = piece >= range.first && piece < range.end ? piece - range.first : 0;
  return ir::VariableId(first + copy * distance_[id.index()]);
}

ir::Term PieceIds::term(const ir::Term& term, std::size_t piece) const {
  ir::Term out = term;
  for (ir::VariableId& id : out.slots) id = of(id, piece);
  return out;
}

ir::ElementValues PieceIds::values(const ir::ElementValues& values, std::size_t variable) const {
  auto reads = [&](const ir::Term& term) { return reads_own(term.slots); };
  bool varies = values.terms.size() > 1 || std::any_of(values.terms.begin(), values.terms.end(), reads);
  bool expands = is_own(variable) && varies && !values.terms.empty();
  if (!expands) return values_in(values, 0);
  ir::ElementValues out;
  for (std::size_t piece = 0; piece < n(); ++piece)
    for (std::size_t e = 0; e < size_[variable]; ++e)
      out.terms.push_back(term(values.terms[values.terms.size() == 1 ? 0 : e], piece));
  return out;
}

ir::ElementValues PieceIds::values_in(const ir::ElementValues& values, std::size_t piece) const {
  ir::ElementValues out;
  for (const ir::Term& one : values.terms) out.terms.push_back(term(one, piece));
  return out;
}

}  // namespace bolza::passes
