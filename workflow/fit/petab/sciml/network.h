// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/sbml/sbml_library.h"
#include "workflow/fit/petab/petab_files_internal.h"
#include "workflow/fit/petab/sciml/hdf5.h"

namespace bolza::workflow::petab {

/// A number in a network that may be estimated: entry of an array of a layer.
struct Weight {
  std::string id;            ///< "net1_layer1_weight_0_3"
  std::string layer, array;  ///< "layer1", "weight"
  std::optional<double> value;
};

/// A dense network as formulas.
struct Network {
  std::vector<Weight> weights;
  std::vector<sbml::AddedFormula> neurons;        ///< each after what it reads
  std::vector<std::vector<std::string>> outputs;  ///< ids or numbers, by argument
};

/// Reads a network of PEtab's extension `sciml`: layers `Linear`, activations, `cat`.
/// @param inputs  ids or numbers of its arguments
/// @param arrays  those that files hold, by path: "parameters/net1/layer1/weight"
/// Errors  E965 layers and operations that are not known, E998 what does not fit together.
/// Cost    linear in the weights.
Result<Network> read_network(const NetworkFile& file, const std::vector<std::vector<std::string>>& inputs,
                             const std::map<std::string, NumberArray>& arrays, const sbml::SbmlLibrary& library,
                             Sources& sources, Diagnostics& diagnostics);

}  // namespace bolza::workflow::petab
