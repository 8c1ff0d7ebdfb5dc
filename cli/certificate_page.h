// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "workflow/verify/verify_result.h"

namespace bolza::cli {

/// The checks one a line: passed or not, name, number, limit, where, unit.
void print_certificate(const std::string& result, const workflow::VerifyOutcome& outcome);

/// {"verdict", "global", "objective", "checks": [{"name", "result", "value", "limit", "unit", "of", "time", "text"}], …}
nlohmann::json certificate_json(const workflow::VerifyOutcome& outcome);

}  // namespace bolza::cli
