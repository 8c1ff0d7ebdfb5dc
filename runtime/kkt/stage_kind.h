// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "runtime/kkt/structure.h"

namespace bolza::kkt {

inline constexpr std::size_t lanes = 8;  ///< stages that are eliminated together

/// Where a value goes: row and column of one of the matrices of a kind.
struct LanePlace {
  std::int32_t row = 0, col = 0;
  bool operator==(const LanePlace&) const = default;
};

/// What stages that are eliminated by an LU have in common. K equations determine K dependent variables z by the others,
/// w = (own free variables, boundary of the stage before, border): A z + F w = …. Soft rows, with Dc > 0, and the Hessian go
/// into the condensed Hessian W of w.
struct StageKind {
  std::size_t K = 0;
  std::vector<std::int32_t> dependent, free, equations, soft;  ///< positions among the stage's own nodes
  std::size_t before = 0;                                      ///< boundary of the stage before
  std::vector<std::int32_t> border;                            ///< positions of what is used of the border
  std::vector<LanePlace> A, F, zz, zw, ww, soft_z, soft_w;     ///< zw: (z, w); soft_*: (soft, z or w)
  std::vector<LanePlace> boundary;                             ///< of the stage itself: (0, z) or (1, w), w a free variable

  std::size_t M() const { return free.size() + before + border.size(); }
  /// Values of a stage: A, F, zz, zw, ww, soft_z, soft_w, then −Dc of the soft rows.
  std::size_t values() const {
    return A.size() + F.size() + zz.size() + zw.size() + ww.size() + soft_z.size() + soft_w.size() + soft.size();
  }
  bool operator==(const StageKind&) const = default;
};

/// A kind, the sources of its values for one stage, and those that have to be zero: −Dc of the equations.
struct StageInLanes {
  StageKind kind;
  std::vector<std::int32_t> sources, zeros;
  bool possible = false;  ///< the equations have as many dependent variables, by their places
};

/// @param is_free  [n] hint: not dependent
StageInLanes find_kind(const ChainStructure& structure, std::size_t stage, const std::vector<std::uint8_t>& is_free,
                       const std::vector<std::uint8_t>& is_soft);

/// Up to `lanes` stages of one kind. A lane without a stage repeats the first.
struct StageGroup {
  const StageKind* kind = nullptr;
  std::vector<std::size_t> stages;
  std::vector<std::int32_t> sources;  ///< [values × lanes]
  std::vector<std::int32_t> zeros;
};

struct StageGroups {
  std::vector<std::unique_ptr<StageKind>> kinds;
  std::vector<StageGroup> groups;
  std::vector<std::int32_t> group_of, lane_of;  ///< [stages] −1: none
};

StageGroups group_stages(const ChainStructure& structure, const ChainShape& shape);

}  // namespace bolza::kkt
