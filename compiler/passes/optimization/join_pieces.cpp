#include "compiler/passes/optimization/join_pieces.h"

#include "compiler/passes/system/add_rows.h"

namespace bolza::passes {
namespace {

/// The same variable in the piece before. The copies of a variable are one array, those of a derivative stand side by side.
VariableId in_piece_before(const System& system, VariableId v) {
  const ir::Variable& variable = ir::variable_of(system.flat, v);
  if (variable.first_phase) return VariableId(v.index() - variable.size / variable.n_phases);
  VariableId owner = in_piece_before(system, system.owner[v.index()]);
  return system.derivative[owner.index()];
}

}  // namespace

void join_pieces(System& system, PointValueCollector& points) {
  if (!system.flat.are_pieces) return;
  for (VariableId x : system.solved.x) {
    std::uint32_t piece = system.phase[x.index()];
    if (piece == 0) continue;
    VariableId before = in_piece_before(system, x);
    LoweredRow row;
    row.parts.push_back(difference(system.dag(), points.at(x, points.place_between(0, piece)),
                                   points.at(before, points.place_between(1, piece - 1))));
    row.origins.push_back(add_origin(system, system.span_of(x)));
    row.name = system.name(x) + " goes through";
    system.lowered.point.push_back(std::move(row));
  }
}

}  // namespace bolza::passes
