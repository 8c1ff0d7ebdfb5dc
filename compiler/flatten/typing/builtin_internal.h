// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>

#include "compiler/ir/op.h"

namespace bolza::flatten {

/// The built-in operator that an external function of this name is; none when it is not one.
std::optional<ir::Op> math_operator(std::string_view name, std::size_t arguments);

}  // namespace bolza::flatten
