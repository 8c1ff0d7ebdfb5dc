// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>

#include "compiler/instance/instance.h"
#include "compiler/ir/op.h"

namespace bolza::flatten {

/// The built-in operator that an external function of this name is; none when it is not one.
std::optional<ir::Op> math_operator(std::string_view name, std::size_t arguments);

/// The built-in operator that an external function is: `external "C" y = sin(u)`, whose arguments are its inputs, as they
/// are and in their order. Others, such as `y = atan2(b, a)` or `y = sin(2*u)`, are calls of the C function.
std::optional<ir::Op> external_operator(const instance::Instance& function);

}  // namespace bolza::flatten
