// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "workflow/model.h"
#include "workflow/solve/outcome/outcome.h"
#include "workflow/solver_library.h"

namespace bolza::workflow {

/// A solution, and what checks look at.
struct Checked {
  Model& model;
  const driver::Options& options;  ///< of the last stage
  const SolveRequest& request;
  const SolverLibrary& library;
  SolveOutcome& outcome;
  const transcribe::Resimulation* simulated = nullptr;  ///< with the optimal controls, once there is one
};

/// What a check needs besides the solution. They are made in this order.
enum class CheckNeeds : std::uint8_t {
  nothing,     ///< loops of functions end, and leave no number, after an interrupt: these are made all the same
  functions,   ///< of the model
  permission,  ///< functions, and option `resimulate`
  simulation   ///< a simulation with the optimal controls
};

/// As docs/solving.md has it.
std::string_view name_of(CheckNeeds needs);

struct CheckRow {
  std::string_view kind;  ///< of the warning (warnings.h), a code of diagnostics, or what goes into the report
  CheckNeeds needs;
  void (*look)(Checked& checked);
};

/// In the order in which warnings are listed.
std::span<const CheckRow> checks();

}  // namespace bolza::workflow
