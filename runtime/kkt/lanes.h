// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/kkt/stage_kind.h"

namespace bolza::kkt {

/// A number of each of the stages in the lanes.
using Lanes [[gnu::vector_size(lanes * sizeof(double))]] = double;

/// The factors of a group of stages: z = z0 + Z w with A Z = −F, and the condensed Hessian of w.
struct GroupFactors {
  std::vector<Lanes> A;           ///< [K × K] by rows: L, U with inverse pivots, rows in the order of `row`
  std::vector<Lanes> Z;           ///< [K × M] by rows
  std::vector<Lanes> W;           ///< [M × M] by rows, lower triangle
  std::vector<Lanes> values;      ///< of zz, zw, ww, soft_z, soft_w, soft
  std::vector<Lanes> z0;          ///< [K] of the last solve
  std::vector<std::int32_t> row;  ///< [K] position → equation
  std::uint32_t bad = 0;          ///< lanes whose equations did not determine z by pivots that are large enough

  explicit GroupFactors(const StageKind& kind);
};

/// @param values  of the sources     @param work  [(K + soft + 1) × M or more]
void factor_group(const StageGroup& group, const double* values, GroupFactors& factors, std::vector<Lanes>& work);

/// Right-hand sides, or solutions, of a group: of z, equations, soft rows, w.
struct GroupVector {
  std::vector<Lanes> z, equations, soft, w;
  explicit GroupVector(const StageKind& kind) : z(kind.K), equations(kind.K), soft(kind.soft.size()), w(kind.M()) {}
};

/// From rhs (w: of the free variables, 0 of the others): z0, and w becomes what is left for the condensed system.
void condense_group(const StageKind& kind, GroupFactors& factors, GroupVector& rhs, std::vector<Lanes>& work);
/// From rhs (z with what the next stage adds) and the solution's w: z, the multipliers of equations and of soft rows.
void expand_group(const StageKind& kind, const GroupFactors& factors, const GroupVector& rhs, GroupVector& solution,
                  std::vector<Lanes>& work);

}  // namespace bolza::kkt
