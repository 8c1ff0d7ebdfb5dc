// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/result/table.h"
#include "workflow/model.h"
#include "workflow/solve/outcome/outcome.h"

namespace bolza::workflow {

/// A model's relations and the sequence of their sides along trajectories.
struct ModesOfTable {
  std::vector<std::string> relations;  ///< as they are written
  ir::ModeSequence sequence;
  std::string trouble;  ///< why there is no sequence; "" when there is one
};

/// Reads off tables on which side each relation is, from time to time. Stretches shorter than a thousandth of the horizon
/// are left out. More than thirty modes in a phase are a trouble: something slides or chatters.
/// @param listed  the model loaded with a sequence without sides
/// @param phases  as tables_of gives them
ModesOfTable modes_of(const Model& listed, std::span<const result::ResultTable> phases);

/// The first stretch, a hundredth of the horizon at least, along which a relation is at zero.
/// @param listed, phases  as of modes_of
std::optional<Border> border_of(const Model& listed, std::span<const result::ResultTable> phases);

/// The solution of a problem in pieces as one of the same problem as it is written: by names, each phase with the mesh of
/// all its pieces.
abi::Solution without_modes(const Model& pieces, const abi::Solution& solution, const Model& model);

/// When the modes of LoadRequest::modes follow each other in a solution; not a number where a phase ends.
/// @param model  the problem as it is written
std::vector<double> switch_times(const Model& pieces, const abi::Solution& solution, const Model& model);

/// A table for each phase of a solution. Pieces of the model's own (x(t1)) are such phases, and the names are those of the
/// variables that go through.
std::vector<result::ResultTable> tables_of(const Model& model, const abi::Solution& solution);

/// As tables_of(model, …), of a solution in pieces. What only pieces have is not there.
std::vector<result::ResultTable> tables_without_modes(const Model& pieces, const abi::Solution& solution,
                                                      const Model& model);

/// The guess of a problem in pieces.
/// @param phases  as tables_of gives them
abi::Solution guess_in_modes(const Model& pieces, const std::vector<result::ResultTable>& phases);

/// The table of all phases.
result::ResultTable whole_table(const Model& model, const abi::Solution& solution);

}  // namespace bolza::workflow
