// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <vector>

#include "runtime/kkt/stage_kind.h"

namespace bolza::kkt {

/// A number of each of the stages in the lanes.
using Lanes [[gnu::vector_size(lanes * sizeof(double))]] = double;

/// Where the processor at hand needs it: GCC takes 16 bytes for the alignment of lanes that its target does not have, and
/// moves them by aligned instructions in functions for targets that do.
template <class T>
struct AlignedAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{sizeof(T)};
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), alignment)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, alignment); }
  bool operator==(const AlignedAllocator&) const = default;
};
using LaneVector = std::vector<Lanes, AlignedAllocator<Lanes>>;

/// The factors of a group of stages: z = z0 + Z w with A Z = −F, and the condensed Hessian of w.
struct GroupFactors {
  LaneVector A;                   ///< [K × K] by rows: L, U with inverse pivots, rows in the order of `row`
  LaneVector Z;                   ///< [K × M] by rows
  LaneVector W;                   ///< [M × M] by rows, lower triangle
  LaneVector values;              ///< of zz, zw, ww, soft_z, soft_w, soft
  LaneVector z0;                  ///< [K] of the last solve
  std::vector<std::int32_t> row;  ///< [K] position → equation
  std::uint32_t bad = 0;          ///< lanes whose equations did not determine z by pivots that are large enough

  explicit GroupFactors(const StageKind& kind);
};

/// @param values  of the sources     @param work  [(K + soft + 1) × M or more]
void factor_group(const StageGroup& group, const double* values, GroupFactors& factors, LaneVector& work);

/// Right-hand sides, or solutions, of a group: of z, equations, soft rows, w.
struct GroupVector {
  LaneVector z, equations, soft, w;
  explicit GroupVector(const StageKind& kind) : z(kind.K), equations(kind.K), soft(kind.soft.size()), w(kind.M()) {}
};

/// From rhs (w: of the free variables, 0 of the others): z0, and w becomes what is left for the condensed system.
void condense_group(const StageKind& kind, GroupFactors& factors, GroupVector& rhs, LaneVector& work);
/// From rhs (z with what the next stage adds) and the solution's w: z, the multipliers of equations and of soft rows.
void expand_group(const StageKind& kind, const GroupFactors& factors, const GroupVector& rhs, GroupVector& solution,
                  LaneVector& work);

}  // namespace bolza::kkt
