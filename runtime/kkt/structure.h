// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <vector>

#include "runtime/kkt/chain.h"

namespace bolza::kkt {

/// An entry of K with a part in a stage. Codes: 0 … own − 1 the stage's own nodes, then the boundary of the stage before,
/// then the border.
struct StageEntry {
  std::int32_t row, col, source;  ///< source: in (hessian, jacobian, Dx, −Dc)
};

/// What a stage holds. Nodes: variables 0 … n − 1, rows n … n + m − 1.
struct ChainStage {
  std::vector<std::int32_t> own;       ///< nodes, variables first, ascending
  std::size_t variables = 0;           ///< of own
  std::vector<std::int32_t> boundary;  ///< positions in own of what the next stage uses
  std::vector<StageEntry> entries;
};

/// Which node is in which stage. Invariants: entries join nodes of one stage, of neighbours, or with the border; between
/// neighbours, with a variable of the earlier one's boundary.
struct ChainStructure {
  std::size_t n = 0, m = 0, hessian_size = 0, jacobian_size = 0;
  std::vector<std::int32_t> stage_of;  ///< [n + m]
  std::vector<ChainStage> stages;
  std::vector<std::int32_t> border_nodes;
  std::vector<StageEntry> border_entries;  ///< codes: positions in border_nodes

  std::size_t sources() const { return hessian_size + jacobian_size + n + m; }
  std::size_t boundary_before(std::size_t stage) const { return stage == 0 ? 0 : stages[stage - 1].boundary.size(); }
};

/// None: it is no chain.
std::optional<ChainStructure> find_structure(const ChainShape& shape);

}  // namespace bolza::kkt
