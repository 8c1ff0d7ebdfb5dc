// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/optimization/join_pieces.h"

#include <algorithm>
#include <cmath>
#include <map>

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

/// Does the model say how this piece begins? Then it is the first one of a phase, whose pieces are modes.
bool begins_phase(const System& system, std::uint32_t piece) {
  const std::optional<ir::ModeSequence>& modes = system.options.modes;
  return piece == 0 || (modes && piece <= modes->times.size() && std::isnan(modes->times[piece - 1]));
}

/// Does a relation fire a jump where a piece ends? Then that is said with the jump.
bool fires_at_end(const ir::ModeSequence& sequence, std::uint32_t relation, std::uint32_t piece) {
  return piece < sequence.jumps.size() &&
         std::ranges::any_of(sequence.jumps[piece], [&](const auto& event) { return event.relation == relation; });
}

/// What changes its side between two modes is zero there, where it is a function of states: these go through. What reads
/// algebraic variables and controls may jump.
void switch_at_zero(System& system, PointValueCollector& points) {
  std::map<RowId, Applied> guards;
  for (const ir::ModeGuard& guard : system.flat.mode_guards) guards[guard.row];
  if (guards.empty()) return;
  Composer composer(system.dag());
  for_each_instance(system.flat.optimization->path.section, [&](const GroupInstance& i) {
    auto at = guards.find(i.rows[0]);
    if (at != guards.end()) at->second = composer.canonical({{i.applied.roots[0]}, i.applied.slots, i.applied.data});
  });
  std::map<std::pair<std::uint32_t, std::uint32_t>, const ir::ModeGuard*> in_piece;
  for (const ir::ModeGuard& guard : system.flat.mode_guards) in_piece[{guard.piece, guard.relation}] = &guard;
  for (const ir::ModeGuard& guard : system.flat.mode_guards) {
    for (bool at_end : {true, false}) {
      if (at_end ? guard.piece + 1 == system.n_phases() : guard.piece == 0) continue;
      if (begins_phase(system, at_end ? guard.piece + 1 : guard.piece)) continue;
      std::uint32_t other_piece = at_end ? guard.piece + 1 : guard.piece - 1;
      if (system.options.modes->sides[other_piece][guard.relation] == guard.side) continue;
      if (fires_at_end(*system.options.modes, guard.relation, std::min(guard.piece, other_piece))) continue;
      bool both = in_piece.contains({other_piece, guard.relation});
      if (!at_end && both) continue;  // the piece before has said it
      const Applied& zero = guards.at(guard.row);
      bool of_states = std::all_of(zero.slots.begin(), zero.slots.end(), [&](VariableId v) {
        return !system.varies(v) || system.role(v) == ScalarRole::state || system.role(v) == ScalarRole::time;
      });
      if (!of_states) continue;
      std::uint32_t place = points.place_between(at_end ? 1 : 0, guard.piece);
      LoweredRow row;
      row.parts.push_back(
          composer.compose(zero, [&](VariableId v) { return system.varies(v) ? &points.at(v, place) : nullptr; }));
      row.origins.push_back(add_origin(system, system.span_of_origin(0)));
      row.name = "switch " + std::to_string(at_end ? guard.piece + 1 : guard.piece);
      system.lowered.point.push_back(std::move(row));
    }
  }
}

}  // namespace

void join_pieces(System& system, PointValueCollector& points) {
  if (!system.flat.are_pieces) return;
  switch_at_zero(system, points);
  for (VariableId x : system.solved.x) {
    std::uint32_t piece = system.phase[x.index()];
    if (begins_phase(system, piece) || std::ranges::find(system.flat.jumped, x) != system.flat.jumped.end()) continue;
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
