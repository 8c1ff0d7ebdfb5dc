// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace bolza::driver {

/// Whether a model may set an option of an engine or an integrator by an annotation: `ipopt.mu_strategy`. Of IPOPT and
/// BONMIN those that are known to steer iterations alone; not those that name files or libraries, or write matrices to
/// files.
bool may_stand_in_annotation(std::string_view engine_option);

/// The first option of an engine that may not, as `name` itself, in any spelling, or in `value` where that is the text of a
/// chain; empty: there is none. What a model says is looked at so, and with `--trust none` the command line.
std::string reaching_option(std::string_view name, std::string_view value);

}  // namespace bolza::driver
