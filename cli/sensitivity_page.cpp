// SPDX-License-Identifier: Apache-2.0
#include "cli/sensitivity_page.h"

#include <cmath>
#include <cstdio>
#include <utility>

#include "base/numbers.h"
#include "cli/print.h"
#include "workflow/sensitivity/optimum_sensitivity.h"

namespace bolza::cli {

workflow::SensitivityRequest sensitivity_request(const Arguments& arguments) {
  workflow::SensitivityRequest out{.wanted = !arguments.solve.sensitivity.empty() || arguments.solve.trajectories};
  out.trajectories = arguments.solve.trajectories;
  std::string name;
  for (char c : arguments.solve.sensitivity == "*" ? "" : arguments.solve.sensitivity + ",") {
    if (c != ',') name += c;
    else if (!name.empty()) out.names.push_back(std::exchange(name, {}));
  }
  return out;
}

void print_sensitivity(const workflow::OptimumSensitivity& sensitivity) {
  if (!sensitivity.why.empty()) std::printf("  no slopes of trajectories: %s\n", sensitivity.why.c_str());
  if (sensitivity.parameters.empty()) return;
  bool with_ranges = sensitivity.has_trajectories && sensitivity.why.empty();
  std::printf("  %-28s %14s %14s %14s%s\n", "parameter p", "value", "dJ*/dp", "p dJ*/dp",
              with_ranges ? "  active set stays" : "");
  for (const workflow::ParameterSlope& p : sensitivity.parameters) {
    bool is_known = std::isfinite(p.slope);
    std::printf("  %-28s %14s %14s %14s", p.name.c_str(), readable(p.value).c_str(),
                is_known ? shown(p.slope).c_str() : "not known", is_known ? shown(p.value * p.slope + 0.0, 3).c_str() : "");
    if (p.response.known) {
      workflow::ParameterRange range = workflow::range_of(p);
      std::printf("  from %s to %s", shown(range.low).c_str(), shown(range.high).c_str());
    } else if (with_ranges) {
      std::printf("  not known");
    }
    std::printf("\n");
  }
  for (const workflow::ParameterSlope& p : sensitivity.parameters)
    if (std::string warning = workflow::warning_of(p); !warning.empty()) std::printf("  warning: %s\n", warning.c_str());
}

}  // namespace bolza::cli
