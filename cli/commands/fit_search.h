// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "cli/arguments.h"
#include "cli/progress.h"
#include "workflow/fit/fit.h"

namespace bolza::cli {

/// What `--starts`, `--seed`, `--jobs`, `--journal`, `--start-time` and `--profiles` ask for; the line shows the progress.
void add_search(const Arguments& arguments, ProgressLine& line, workflow::FitRequest& request);

void print_search(const workflow::FitOutcome& outcome);
void print_profiles(const workflow::FitOutcome& outcome);

/// Members `multi_start` and `profiles`, where there are such.
void add_search_json(const workflow::FitOutcome& outcome, nlohmann::json& report);

}  // namespace bolza::cli
