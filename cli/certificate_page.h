// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "workflow/verify/verify_result.h"

namespace bolza::cli {

/// The checks one a line: passed or not, name, number, limit, where, unit.
void print_certificate(const std::string& result, const workflow::VerifyOutcome& outcome);

}  // namespace bolza::cli
