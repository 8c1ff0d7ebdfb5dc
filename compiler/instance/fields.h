// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string_view>

#include "compiler/instance/instance.h"

/// What the rooms know of the predefined domains [docs/pde.md].
namespace bolza::instance {

/// How many coordinates a domain has, noted in it; 0: the component is none.
std::size_t find_domain_rank(InstanceTree& tree, const Instance& component, Diagnostics& diagnostics);
/// Which coordinate of its domain the name is: x is 0, y is 1.
std::optional<std::size_t> coordinate_of(const Instance& domain, std::string_view name);
/// The name of a coordinate, of the member with the number of its points, and of that with their mean distance.
std::string_view coordinate_name(std::size_t dimension);
std::string_view points_name(const Instance& domain, std::size_t dimension);
std::string_view distance_name(std::size_t dimension);

/// Adds a variable beside a field: its derivative across a side of its domain.
/// @param dimensions  its own
const Instance& add_slope(InstanceTree& tree, const Instance& field, std::string_view name,
                          const std::vector<std::int64_t>& dimensions, Span named_at);

}  // namespace bolza::instance
