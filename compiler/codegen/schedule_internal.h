#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "compiler/ir/dag.h"

namespace bolza::codegen {

/// The order in which the nodes of a kernel are computed, cut into parts of bounded size.
struct Schedule {
  static constexpr std::uint32_t none = 0xFFFFFFFFu;

  struct Part {
    std::uint32_t begin = 0, end = 0;            ///< of `order`
    std::vector<std::uint32_t> outputs;          ///< outputs whose value this part stores
    std::vector<std::uint32_t> keeps;            ///< positions that a later part reads
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
  std::uint32_t n_temporaries = 0;

  std::span<const std::uint32_t> operands(std::uint32_t position) const {
    return std::span(operand_positions).subspan(first_operand[position], first_operand[position + 1] - first_operand[position]);
  }
};

inline constexpr std::uint32_t part_limit = 1000;  ///< operations and stores of one function: keeps compile time linear

/// Depth-first from the outputs, so that a value is computed shortly before it is used.
/// Cost: linear in the expressions reached.
Schedule make_schedule(const ir::Dag& dag, std::span<const ir::ExprId> outputs, std::uint32_t limit = part_limit);

}  // namespace bolza::codegen
