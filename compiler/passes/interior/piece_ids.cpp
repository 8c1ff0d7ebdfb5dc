#include "compiler/passes/interior/piece_ids.h"

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

PieceIds::PieceIds(const ir::FlatModel& model, std::size_t n_pieces) : Copies(model, what_varies(model), n_pieces) {
  replace(ir::VariableId(1u), start_time());
  replace(ir::VariableId(2u), final_time());
}

ir::ElementValues PieceIds::values_in(const ir::ElementValues& values, std::size_t piece) const {
  ir::ElementValues out;
  for (const ir::Term& one : values.terms) out.terms.push_back(term(one, piece));
  return out;
}

}  // namespace bolza::passes
