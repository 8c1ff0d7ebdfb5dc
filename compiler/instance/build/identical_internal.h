// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "compiler/instance/build_internal.h"

namespace bolza::instance {

/// Whether two declarations of one name say the same, so that one of them is enough: type (also where it is reached by
/// another name), prefixes, dimensions,
/// condition, and what the declaration and the extends clauses on the way to it say together about value and attributes
/// (`Real x(min = 0)` and `extends A(x(min = 0))` are the same). Descriptions and annotations do not count; what reaches
/// both from outside does not either. [MLS, 5.6.1 and 7.1].
/// Requires  the entries are of one instance.     Cost  linear in the length of the modifications.
bool is_identical(InstanceTree& tree, const Instance& instance, const Entry& a, const Entry& b);

/// The text of a class without what says nothing: blanks, comments, descriptions, annotations, semicolons.
std::string words_that_count(std::string_view text);

}  // namespace bolza::instance
