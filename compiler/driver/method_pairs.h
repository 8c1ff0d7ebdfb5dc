// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bolza::driver {

/// Options of `ENGINE+STEPS` where no row of the method table has that name: both halves are taken from rows that have them,
/// so that every engine of the table goes with all steps of the table. With an integrator an engine makes what it makes in
/// its own rows: `hqp` multiple shooting, the others single shooting. The name of an engine alone is Radau collocation with
/// it, as `ipopt` is. Empty when a half is in no row.
/// @param name  in lower case
std::vector<std::pair<std::string, std::string>> options_of_pair(std::string_view name);

}  // namespace bolza::driver
