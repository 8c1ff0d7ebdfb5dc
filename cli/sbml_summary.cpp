// SPDX-License-Identifier: Apache-2.0
#include "cli/sbml_summary.h"

#include <cstdio>
#include <string_view>

#include "cli/print.h"

namespace bolza::cli {

nlohmann::json to_json(const sbml::SbmlSummary& summary) {
  nlohmann::json out{{"level", summary.level}, {"version", summary.version}, {"left_out", summary.left_out}};
  out["read"] = nlohmann::json::object();
  for (const auto& [kind, count] : summary.counts) out["read"][kind] = count;
  return out;
}

void print_read(const sbml::SbmlSummary& summary) {
  std::string read, left;
  for (const auto& [kind, count] : summary.counts) {
    bool is_same = std::string_view(kind) == "species";
    read += (read.empty() ? "" : ", ") + (is_same ? std::to_string(count) + " species" : counted(count, kind));
  }
  for (const std::string& what : summary.left_out) left += (left.empty() ? "" : ", ") + what;
  std::printf("  read         level %u version %u: %s\n", summary.level, summary.version, read.c_str());
  if (!left.empty()) std::printf("  left out     %s\n", left.c_str());
}

}  // namespace bolza::cli
