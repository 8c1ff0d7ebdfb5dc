// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "runtime/result/table.h"

namespace bolza::result {

/// SVG pictures of fields over lines, time to the right, the coordinate upwards, the value as a colour; in the order of the
/// table. Fields are found by name: `u[1]` … `u[N]` beside a domain with `omega.x[1]` … `omega.x[N]` and `omega.dx`.
/// Cost: values of at most 80 points at 140 times for each field.
std::vector<std::string> field_pictures(const ResultTable& table);

}  // namespace bolza::result
