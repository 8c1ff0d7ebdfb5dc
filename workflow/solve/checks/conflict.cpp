// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/checks/conflict.h"

#include <limits>

#include "runtime/transcribe/limit.h"

namespace bolza::workflow {

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
    if (k + 1 == limits.size())
      finding.text = limits.size() == 1 ? "the equations and start values do not allow it; without it there is a solution"
                                        : "these cannot hold together; without any one of them the others can";
    solution.findings.push_back(std::move(finding));
  }
}

}  // namespace bolza::workflow
