#pragma once
#include <string>
#include <vector>

#include "workflow/solve.h"

namespace bolza::workflow {

/// Writes the result (.mat or .csv), and on request .csv and .html. Fills the outcome's file names.
Result<Done> write_files(Model& model, const SolveRequest& request, SolveOutcome& outcome);

/// "VanDerPol" of "Package.VanDerPol", with characters that file systems dislike replaced.
std::string file_stem(std::string_view class_name);

}  // namespace bolza::workflow
