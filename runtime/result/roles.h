// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "runtime/result/table.h"

namespace bolza::result {

/// What a name tells about a variable's role, for files that do not say it.
Role role_of(std::string_view name, bool constant);

}  // namespace bolza::result
