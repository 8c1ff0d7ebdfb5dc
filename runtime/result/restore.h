// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

#include "runtime/result/table.h"

namespace bolza::result {

/// A solution read back from tables: what `--init-from` starts from. Variables that a table lacks keep their guess or start
/// value and are listed in `missing`; costates and multipliers are there only when all of them are in the file.
struct Restored {
  abi::Solution solution;            ///< status solved; objective 0: it is a guess
  std::vector<std::string> missing;  ///< names of states, algebraics, controls and free parameters not found
};

/// One table per phase; further phases take the last one.
/// Requires  at least one table.     Cost  linear in variables × times.
Restored restore(const bolza_problem& problem, std::span<const ResultTable> tables);

/// What a table of `bolza solve` has of a solution's multipliers and its objective beside that: point and parameter
/// multipliers, those of bounds and rows along the horizon. The objective is NaN where the table has none; multipliers stay
/// empty where the table was not written with them.
/// Requires  a solution restored from these tables.
void restore_multipliers(const bolza_problem& problem, const ResultTable& table, abi::Solution& solution);

}  // namespace bolza::result
