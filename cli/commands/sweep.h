// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/result.h"
#include "cli/arguments.h"
#include "workflow/study/run_study.h"

namespace bolza::cli {

/// A study as a command line states it.
struct StatedStudy {
  workflow::StudyJob job;
  workflow::Plan plan;
};
/// Errors  E901 to E904 of the job, E984, E985 of the plan, E988 what does not go together.
Result<StatedStudy> stated_study(const Arguments& arguments, Sources& sources, Diagnostics& diagnostics);

/// The arguments of the sweep that made a study; relative names of files in them are meant in its directory, which becomes
/// the working folder. Errors  E986.
Result<Arguments> arguments_of(const workflow::StudyFolder& folder, const workflow::StudyManifest& manifest,
                               Diagnostics& diagnostics);

/// What programs are told of how far a study is.
nlohmann::json json_of(const std::string& folder, const workflow::StudyCounts& counts, std::size_t strange_lines);

/// An absolute name, which means the same when the working folder changes.
std::string whole_path(const std::string& name);

/// Does what is missing, and tells what came of it; the exit code.
int run_points(const Arguments& arguments, const workflow::StudyFolder& folder);

}  // namespace bolza::cli
