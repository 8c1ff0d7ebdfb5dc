// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "workflow/fit/identify.h"

namespace bolza::cli {

/// Writes the HTML report of an identification: terms, what left and when, data and fit, fitted functions. Errors E951.
Result<Done> write_identification_page(const workflow::IdentificationOutcome& outcome, const std::string& path,
                                       Diagnostics& diagnostics);

}  // namespace bolza::cli
