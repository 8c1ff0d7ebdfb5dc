// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compiler/driver/option_table.h"

namespace bolza::workflow {

/// One stage of a chain: a method with its settings. It starts from what the stage before it found.
struct Stage {
  std::string text;         ///< as written, for progress and reports
  driver::Options options;  ///< the chain's common options with this stage's on top
  bool in_arcs = false;     ///< its solution is solved for once more in the arcs of its controls, before the next stage
};

/// Parses `euler(n=20, tol=1e-3) -> collocation(mesh=100) -> ipopt+cvodes`. Every name before a parenthesis is a method or
/// transcription, every setting is an option of the table; `common` holds what was set for all stages. An empty text is one
/// stage with the common options. Errors: E901-E905 with a caret in the chain's text, which is added to `sources`.
Result<std::vector<Stage>> parse_chain(std::string_view text, const driver::Options& common, Sources& sources,
                                       Diagnostics& diagnostics);

}  // namespace bolza::workflow
