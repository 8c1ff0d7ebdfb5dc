// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <set>
#include <string>

#include "base/diagnostics.h"
#include "base/result.h"
#include "base/words.h"
#include "compiler/ir/problem.h"
#include "compiler/ir/scenario_table.h"

namespace bolza::workflow {

/// What `solve` gets of scenarios.
struct ScenarioRequest {
  std::string file;  ///< .csv, "": there are none
  ir::Risk risk = ir::Risk::expected;
  double tail = 0.1;
  std::optional<double> branch;
  double chance = 1;              ///< with which constraints are to hold
  std::set<std::size_t> excused;  ///< where they need not hold
};

/// The words of `--risk`.
inline constexpr Words<ir::Risk, 3> risks{
    {{{"expected", ir::Risk::expected}, {"worst", ir::Risk::worst}, {"cvar", ir::Risk::cvar}}}};

/// "50, worst case"; of cvar with the share.
std::string text_of(const ScenarioRequest& request, std::size_t n_scenarios);

/// Reads a table of scenarios: a row each, a column for each parameter, `weight` for how likely it is [all alike],
/// `scenario` for names. Errors  E930 to E932 the table, E935 a weight.
Result<ir::ScenarioTable> read_scenarios(const ScenarioRequest& request, Sources& sources, Diagnostics& diagnostics);

/// Where the horizon is known: whether scenarios branch within it. Errors  E910.
Result<Done> check_branch(const ScenarioRequest& request, const ir::Problem& problem, Diagnostics& diagnostics);

}  // namespace bolza::workflow
