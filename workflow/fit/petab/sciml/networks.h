// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <vector>

#include "workflow/fit/petab/sciml/network.h"

namespace bolza::workflow::petab {

/// The networks of a problem, as what is added to its model, and what the table of parameters says of their weights.
struct Networks {
  /// The weights that an identifier of the tables means.
  struct Part {
    std::size_t depth = 0;  ///< 0 a network, 1 a layer, 2 an array, 3 an entry: the deeper one has precedence
    std::vector<Weight> weights;
  };
  sbml::Additions additions;
  std::map<std::string, Part> parts;
  std::vector<std::string> networks;

  /// Does an entity of a mapping table belong to a network?
  bool has(const std::string& entity) const;
};

/// Reads networks, arrays, and of the tables mappings and hybridizations. Nothing without networks.
/// Errors  E930, E931 tables, E962 a column is missing, E963 names, E965, E997, E998.
Result<Networks> read_networks(const Files& files, const sbml::SbmlLibrary& library, Sources& sources,
                               Diagnostics& diagnostics);

}  // namespace bolza::workflow::petab
