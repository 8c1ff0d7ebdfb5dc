// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "compiler/ir/node_map.h"
#include "compiler/ir/program.h"

namespace bolza::derive {

/// The part of some roots that depends differentiably on slots, numbered locally: the slots first, ascending, then operators
/// in evaluation order. Calls are left out: their outputs have the calls' arguments as operands.
struct ActiveGraph {
  struct Edge {
    std::uint32_t position;  ///< of the operand
    std::uint32_t child;     ///< local
  };
  std::vector<ir::ExprId> nodes;  ///< [local]
  std::vector<std::vector<Edge>> edges;
  std::uint32_t n_slots = 0;         ///< the first nodes
  std::vector<std::uint32_t> slots;  ///< [n_slots] slot numbers
  std::vector<std::uint32_t> roots;  ///< [roots] local, `inactive` when a root is constant

  static constexpr std::uint32_t inactive = 0xFFFFFFFFu;
};

/// @param wanted  the slots that count as variables; all when empty optional
ActiveGraph active_graph(const ir::Expressions& expressions, std::span<const ir::ExprId> roots,
                         std::optional<std::span<const std::uint32_t>> wanted = std::nullopt);

}  // namespace bolza::derive
