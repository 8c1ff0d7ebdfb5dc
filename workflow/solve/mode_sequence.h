#pragma once
#include <optional>
#include <string>
#include <vector>

#include "runtime/result/table.h"
#include "workflow/model.h"

namespace bolza::workflow {

/// A model's relations and the sequence of their sides along trajectories.
struct ModesOfTable {
  std::vector<std::string> relations;  ///< as they are written
  ir::ModeSequence sequence;
  std::string trouble;  ///< why there is no sequence; "" when there is one
};

/// Reads off a table on which side each relation is, from time to time. Stretches shorter than a thousandth of the horizon
/// are left out. More than thirty modes are a trouble: something slides or chatters.
/// @param listed  the model loaded with a sequence without sides
ModesOfTable modes_of(const Model& listed, const result::ResultTable& table);

/// The relations that change sides within a phase, as they are written, each once.
/// @param listed  as for modes_of
std::vector<std::string> relations_that_change(const Model& listed, const Model& model, const abi::Solution& solution);

/// The solution of a problem in pieces as one of the same problem in one piece: by names, with the mesh of all pieces.
abi::Solution in_one_piece(const Model& pieces, const abi::Solution& solution, const Model& model);

/// The table of all phases.
result::ResultTable whole_table(const Model& model, const abi::Solution& solution);

}  // namespace bolza::workflow
