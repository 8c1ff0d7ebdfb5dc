// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "compiler/ir/flat_model.h"
#include "compiler/passes/scenarios/copies.h"

namespace bolza::passes {

/// A section with a copy for each scenario, but the excused ones, of every row that reads what scenarios have for
/// themselves.
struct CopiedSection {
  ir::Section section;
  std::vector<std::uint32_t> row_of;       ///< [rows] row that it comes from
  std::vector<std::uint32_t> scenario_of;  ///< [rows] of the copy; 0 of a row that is there once
};
CopiedSection copy_section(ir::FlatModel& model, const ir::Section& section, const Copies& copies,
                           const std::set<std::size_t>& excused = {});

/// A section of one row: what reads own variables adds up over the scenarios with these weights, which have the sum 1.
ir::Section weighted_sum(ir::FlatModel& model, const ir::Section& section, const Copies& copies,
                         std::span<const double> weights);

/// The row of a section of one row, once for every scenario: row s of the result.
ir::Section row_for_each(ir::FlatModel& model, const ir::Section& section, const Copies& copies);

}  // namespace bolza::passes
