// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace bolza::driver {

/// Whether a model may set an option of an engine or an integrator by an annotation: `ipopt.mu_strategy`. Of IPOPT and
/// BONMIN those that are known to steer iterations alone; not those that name files or libraries, or write matrices to
/// files.
bool may_stand_in_annotation(std::string_view engine_option);

}  // namespace bolza::driver
