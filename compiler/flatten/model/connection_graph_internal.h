// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler/flatten/nodes/node_internal.h"

namespace bolza::flatten {

/// The graph of overconstrained connectors [MLS, 9.4]: its nodes are components whose types have `equalityConstraint`, its
/// edges branches and connections. What it says holds once it is `complete`.
struct ConnectionGraph {
  /// With the indices of the arrays around the component, not its own.
  using Key = std::pair<const Instance*, std::vector<std::int64_t>>;
  static constexpr std::uint32_t none = 0xFFFFFFFFu;

  std::map<Key, std::uint32_t> node_of;
  bool complete = false;
  std::vector<bool> is_root;             ///< [nodes]
  std::vector<std::uint32_t> distance;   ///< [nodes] edges of the spanning tree to the root
  std::vector<std::uint32_t> branch_to;  ///< [nodes] the other end of the first branch that was written; `none`
  std::set<std::tuple<const ast::Equation*, std::uint32_t, std::uint32_t>> broken;  ///< connections that close loops
};

}  // namespace bolza::flatten
