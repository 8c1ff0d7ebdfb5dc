// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/span.h"

namespace bolza::sbml {

/// A formula in the infix notation of PEtab that determines an identifier.
struct AddedFormula {
  std::string id, formula;
  Span at;
};

/// What is put into an SBML model before it is translated.
struct Additions {
  struct Parameter {
    std::string id;
    std::optional<double> value;
  };
  std::vector<Parameter> parameters;
  std::vector<AddedFormula> rules;   ///< of parameters, of the model or added, which are constant without them
  std::vector<AddedFormula> starts;  ///< values at the start of what is in the model

  bool empty() const { return parameters.empty() && rules.empty() && starts.empty(); }
};

}  // namespace bolza::sbml
