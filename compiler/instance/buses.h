// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/instance/instance.h"

/// What connections add to expandable connectors, and take from them [MLS, 9.1.3]. Before anything is made of the tree.
namespace bolza::instance {

/// Adds a member of the type of another component, without its direction, values and bounds. Its parts are those of the
/// other one; an expandable connector is added without members.
const Instance& add_member(InstanceTree& tree, const Instance& bus, std::string_view name, const Instance& like,
                           const std::vector<std::int64_t>& dimensions, Span named_at);
/// Adds an expandable connector without members, for names that lead through it.
const Instance& add_bus(InstanceTree& tree, const Instance& bus, std::string_view name, Span named_at);
/// Makes an array longer where it has less elements.
void enlarge(const Instance& member, const std::vector<std::int64_t>& dimensions);
/// Takes away a member: as if its condition were false.
void remove_member(const Instance& member);

}  // namespace bolza::instance
