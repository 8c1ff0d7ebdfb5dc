// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "compiler/codegen/kernel_shape.h"
#include "compiler/ir/dag.h"

namespace bolza::codegen {

/// The order in which the nodes of a kernel are computed, cut into parts of bounded size. The first `n_fixed_parts` hold
/// what depends on shared values, data and numbers only: they run once per instance, the others at every block of points.
struct Schedule {
  static constexpr std::uint32_t none = 0xFFFFFFFFu;

  struct Part {
    std::uint32_t begin = 0, end = 0;    ///< of `order`
    std::vector<std::uint32_t> outputs;  ///< outputs whose value this part stores
    std::vector<std::uint32_t> keeps;    ///< positions that a later part reads
  };

  std::vector<ir::ExprId> order;                 ///< operands first
  std::vector<std::uint32_t> first_operand;      ///< [order + 1] into `operand_positions`
  std::vector<std::uint32_t> operand_positions;  ///< positions in `order`
  std::vector<std::uint32_t> uses;               ///< [order] by operators and outputs
  std::vector<std::uint8_t> fused;               ///< [order] a product that becomes part of a fused multiply-add
  std::vector<std::uint32_t> part_of;            ///< [order]
  std::vector<std::uint32_t> temporary;          ///< [order] place that carries the value to later parts, or none
  std::vector<std::uint32_t> output_positions;   ///< [outputs]
  std::vector<Part> parts;
  std::uint32_t n_fixed_parts = 0;
  std::uint32_t n_temporaries = 0;

  std::span<const std::uint32_t> operands(std::uint32_t position) const {
    return std::span(operand_positions)
        .subspan(first_operand[position], first_operand[position + 1] - first_operand[position]);
  }
};

inline constexpr std::uint32_t part_limit = 1000;  ///< operations and stores of one function: keeps compile time linear

/// Depth-first from the outputs, so that a value is computed shortly before it is used.
/// @param slots  classes of the slots that the outputs read
/// Cost: linear in the expressions reached.
Schedule make_schedule(const ir::Dag& dag, std::span<const ir::ExprId> outputs, std::span<const SlotClass> slots,
                       std::uint32_t limit = part_limit);

/// Is a node with these operands the same at all points? Programs are taken to be not.
bool is_fixed_leaf(const ir::Dag& dag, ir::ExprId leaf, std::span<const SlotClass> slots);

/// The outputs with divisions by what is the same at all points (see Schedule) as products with the reciprocal, which is
/// then computed once per instance: changes results by a unit in the last place. Cost: linear in the expressions reached.
std::vector<ir::ExprId> use_reciprocals(ir::Dag& dag, std::span<const ir::ExprId> outputs, std::span<const SlotClass> slots);

}  // namespace bolza::codegen
