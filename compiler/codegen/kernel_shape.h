// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/ir/program.h"

namespace bolza::codegen {

enum class SlotClass : std::uint8_t {
  point,   ///< a row of bolza_call.point: one value per point
  shared,  ///< an entry of bolza_call.shared: one value per call
};

/// Everything that the code of one kernel depends on. Instances, rows and values are tables, never code.
struct KernelShape {
  std::vector<ir::ExprId> outputs;
  std::vector<std::uint8_t> adds;  ///< [outputs] 1: added to out, 0: stored
  std::vector<SlotClass> slots;
  std::uint32_t n_point = 0;      ///< direction row of shared entry k is n_point + k; 0 when no direction is read
  bool scalar = false;            ///< one lane: for calls with a single point
  bool solo = false;              ///< scalar, and the group has one instance: straight-line code
  bool series = false;            ///< one coefficient of Taylor series, see BOLZA_TAYLOR; scalar
  bool across_instances = false;  ///< lanes are instances, not points: for calls with a single point of groups with many
};

/// Describes the code of a kernel, independent of expression ids: equal texts mean equal code. Appends to `text`.
/// Cost: linear in the size of the expressions (and of the Programs they call).
void append_skeleton(std::string& text, const ir::Expressions& expressions, const KernelShape& shape);

}  // namespace bolza::codegen
