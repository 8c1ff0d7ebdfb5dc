// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "workflow/study/plan.h"
#include "workflow/study/run_study.h"

namespace bolza::workflow {

/// A self-contained page of a study: counts, curves or maps of results over what is listed, histograms and clouds of what is
/// drawn, the waterfall of guesses, parallel coordinates, and what was not solved. Light and dark, no script, no network.
/// @param shown  names of results; empty: the first ones that are not the same at all points
/// Cost: O(points) and 2000 lines of parallel coordinates at most.
std::string study_page(const std::string& title, const StudyManifest& manifest, const Plan& plan,
                       const StudyResults& results, std::vector<std::string> shown);

}  // namespace bolza::workflow
