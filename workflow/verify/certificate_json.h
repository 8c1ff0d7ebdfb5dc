// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "workflow/verify/verify_result.h"

namespace bolza::workflow {

/// {"verdict", "global", "objective", "checks": [{"name", "result", "value", "limit", "unit", "of", "time", "text"}], …}
nlohmann::json certificate_json(const VerifyOutcome& outcome);

}  // namespace bolza::workflow
