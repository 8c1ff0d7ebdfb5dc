#include "compiler/passes/interior/piece_ids.h"

#include <algorithm>

namespace bolza::passes {
namespace {

std::vector<std::uint8_t> what_varies(const ir::FlatModel& model) {
  std::vector<std::uint8_t> own;
  for (const ir::Variable& v : model.variables)
    own.push_back(v.kind == ir::VariableKind::unknown || v.kind == ir::VariableKind::derivative ||
                  v.kind == ir::VariableKind::input);
  return own;
}

}  // namespace

PieceIds::PieceIds(const ir::FlatModel& model, std::size_t n_pieces) : copies_(model, what_varies(model), n_pieces) {}

ir::VariableId PieceIds::of(ir::VariableId id, std::size_t piece) const {
  if (id.value == 1) return start_time();
  return id.value == 2 ? final_time() : copies_.of(id, piece);
}

bool PieceIds::reads_own(std::span<const ir::VariableId> slots) const {
  return std::any_of(slots.begin(), slots.end(), [&](ir::VariableId id) { return copies_.is_own(id); });
}

ir::Term PieceIds::term(const ir::Term& term, std::size_t piece) const {
  ir::Term out = term;
  for (ir::VariableId& id : out.slots) id = of(id, piece);
  return out;
}

ir::ElementValues PieceIds::values_in(const ir::ElementValues& values, std::size_t piece) const {
  ir::ElementValues out;
  for (const ir::Term& one : values.terms) out.terms.push_back(term(one, piece));
  return out;
}

ir::ElementValues PieceIds::values(const ir::ElementValues& values, std::size_t variable, std::uint32_t size) const {
  bool same = values.terms.size() <= 1 &&
              std::none_of(values.terms.begin(), values.terms.end(), [&](const auto& t) { return reads_own(t.slots); });
  if (same || !is_own(variable)) return values_in(values, 0);
  ir::ElementValues out;
  for (std::size_t s = 0; s < n(); ++s)
    for (std::size_t e = 0; e < size; ++e) out.terms.push_back(term(values.terms[values.terms.size() == 1 ? 0 : e], s));
  return out;
}

}  // namespace bolza::passes
