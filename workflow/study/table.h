// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "workflow/study/plan.h"
#include "workflow/study/run_study.h"

namespace bolza::workflow {

/// Names of all results, in the order in which points have them first.
std::vector<std::string> result_names(const StudyResults& results);

/// A row for each point that has a record, by ascending numbers: point, the values, verdict, status, results, message. Every
/// number to the last bit, empty where it is not known. The same for the same records, in whatever order they were written.
/// @param times  also seconds, which differ from run to run
std::string wide_table(const Plan& plan, const StudyResults& results, bool times);

/// A row for each result of each point: point, the values, verdict, result, value.
std::string long_table(const Plan& plan, const StudyResults& results);

}  // namespace bolza::workflow
