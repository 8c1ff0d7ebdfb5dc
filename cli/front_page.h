// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "base/diagnostics.h"
#include "workflow/solve/several/front.h"

namespace bolza::cli {

/// Writes the page of a Pareto front: a picture for each pair of objectives with its anchors, knee and dominated points; the
/// table of the points; how states, controls and further variables change along the front.
/// Errors  of the file.
Result<Done> write_front_page(const std::string& class_name, const workflow::Objectives& objectives,
                              const workflow::ObjectivesOutcome& outcome, const std::string& path, Diagnostics& diagnostics);

}  // namespace bolza::cli
