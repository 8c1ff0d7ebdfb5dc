// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "compiler/flatten/calls/messages_internal.h"
#include "compiler/flatten/nodes/node_internal.h"
#include "compiler/flatten/nodes/space_internal.h"

namespace bolza::flatten {

/// An algorithm section of a model, which becomes a Program too: what it reads beside the variables it mentions.
struct AlgorithmSection {
  /// An input of the Program: an expression that is evaluated outside (relations, which make events there; der(x),
  /// initial(), …), or the values before the event of a whole component.
  struct Input {
    const Node* node = nullptr;
    const Instance* before = nullptr;
    bool is_array = false;
    std::uint32_t id = 0;  ///< local or array
  };
  Space space;  ///< the instances of the component
  NamedAxes names;
  AxisId number;          ///< counts the instances, from 0
  std::size_t outer = 0;  ///< dimensions of the components around, which number the instances
  const Instance* component = nullptr;
  bool initial = false;
  bool literal = false;  ///< what stands here makes no events
  std::vector<const Instance*> assigned;
  std::vector<Input> inputs;
  std::unordered_multimap<std::size_t, std::size_t> places;  ///< inputs that have a node, by its hash
  struct Condition {
    std::uint32_t local = 0, auxiliary = 0;  ///< first of the auxiliaries, without its kind
  };
  std::vector<Condition> conditions;  ///< of `when`, as far as the section computes them
  /// A call for its effect: whether it is due, and the numbers it gets, are outputs of the Program.
  struct Call {
    std::uint32_t due = 0;  ///< local
    std::vector<std::uint32_t> locals;
    Message message;
    Span span;
  };
  std::vector<Call> calls;
  std::vector<const Node*> watched;  ///< relations that the section evaluates and that make events
  std::unordered_multimap<std::size_t, const Node*> watched_places;  ///< the same, by their hash

  bool assigns(const Instance& leaf) const;
  /// Leading dimensions of a leaf that number the instances.
  std::size_t outer_dimensions(const Instance& leaf) const;
};

}  // namespace bolza::flatten
