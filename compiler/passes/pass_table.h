// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <span>
#include <string_view>

#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// One pass: what it makes of the system, in place.
struct Pass {
  std::string_view name;
  Result<Done> (*run)(System& system, Diagnostics& diagnostics);
  std::string_view help;
  bool can_be_disabled = false;
};

/// All passes in their order.
std::span<const Pass> pass_table();

struct PassTime {
  std::string_view name;
  double seconds = 0;
};

struct RunOptions {
  std::string_view last;         ///< stop after this pass; "" runs all
  std::string_view print_after;  ///< calls `print` after this pass
  std::function<void(const System&)> print;
};

/// Runs the passes in order, verifies the system after each, measures their times.
/// Passes whose name is in PassOptions::disabled are left out. Expects that names exist.
Result<Done> run_passes(System& system, Diagnostics& diagnostics, std::vector<PassTime>& times,
                        const RunOptions& options = {});

/// All passes: flat model to standard form.
Result<ir::Problem> lower(ir::FlatModel model, const PassOptions& options, Diagnostics& diagnostics);

}  // namespace bolza::passes
