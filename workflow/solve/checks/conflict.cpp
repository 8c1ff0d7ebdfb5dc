// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/checks/conflict.h"

#include <limits>

#include "runtime/transcribe/limit.h"

namespace bolza::workflow {

namespace {

/// What local solves found is no proof, and not called one.
const char* text_of_conflict(std::size_t limits, bool is_proven) {
  if (is_proven)
    return limits == 1 ? "the equations and start values do not allow it; without it there is a solution"
                       : "these cannot hold together; without any one of them the others can";
  return limits == 1 ? "no point was found that holds it; without it there is a solution"
                     : "no point was found that holds all of these; without any one of them there is a solution";
}

}  // namespace

void name_conflict(Model& model, const SolverLibrary& library, const transcribe::TranscribeOptions& options,
                   abi::Solution& solution) {
  std::vector<transcribe::Limit> limits = library.find_conflict(model.abi(), options, nullptr);
  for (std::size_t k = 0; k < limits.size(); ++k) {
    const transcribe::Limit& limit = limits[k];
    abi::Finding finding;
    finding.kind = abi::Finding::Kind::conflict;
    finding.name = limit.text;
    finding.file = limit.file;
    finding.line = limit.line;
    finding.column = limit.column;
    finding.time = finding.value = finding.bound = finding.amount = std::numeric_limits<double>::quiet_NaN();
    if (k + 1 == limits.size()) finding.text = text_of_conflict(limits.size(), solution.statistics.is_proven);
    solution.findings.push_back(std::move(finding));
  }
}

}  // namespace bolza::workflow
