// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace bolza::result {

/// The style sheet and the script of the report; the script draws `const data` into every `<div class="chart">`.
extern const std::string_view report_style;
extern const std::string_view report_script;

}  // namespace bolza::result
