// SPDX-License-Identifier: Apache-2.0
#include "workflow/spare_inputs.h"

#include <filesystem>

#include "workflow/codes.h"

namespace bolza::workflow {

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code none;
  return std::filesystem::equivalent(a, b, none) && !none && std::filesystem::is_regular_file(a, none);
}

Result<Done> spare_inputs(std::span<const std::string> outputs, const Sources& sources, Diagnostics& diagnostics) {
  for (const std::string& output : outputs) {
    std::error_code none;
    if (output.empty() || !std::filesystem::is_regular_file(output, none)) continue;
    for (std::size_t k = 0; k < sources.size(); ++k)
      if (is_same_file(output, std::string(sources.path(SourceId(k)))))
        return diagnostics.error(output_is_input, {}, {output, "read by this command"});
  }
  return Done{};
}

}  // namespace bolza::workflow
