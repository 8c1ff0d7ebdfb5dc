// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace bolza::ir {

/// What was meant by a text that parse_unit does not read, written so that it does: "m/s^2" is "m/s2", "J/kg/K" is
/// "J/(kg.K)", "rpm" is "rev/min". Empty where the text is read, or where nothing is near: "EUR" is a unit that nobody
/// knows. Cost: linear in the text.
std::string meant_unit(std::string_view text);

}  // namespace bolza::ir
