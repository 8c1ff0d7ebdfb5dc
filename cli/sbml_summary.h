// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json.hpp>

#include "compiler/sbml/translate.h"

namespace bolza::cli {

/// {"level": 3, "version": 2, "read": {"species": 3, …}, "left_out": […]}
nlohmann::json to_json(const sbml::SbmlSummary& summary);
/// Two lines: what was read, and what was not.
void print_read(const sbml::SbmlSummary& summary);

}  // namespace bolza::cli
