// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "compiler/sbml/additions.h"
#include "compiler/sbml/names/modelica_name.h"

namespace bolza::sbml {

/// An identifier of an SBML model and what became of it.
struct SbmlSymbol {
  enum class Kind : std::uint8_t {
    parameter,  ///< stays at its value: a parameter of the Modelica model
    state,      ///< changed by reactions, rate rules or events; starts at `initial`
    assigned    ///< follows from the others: rules, rates of reactions
  } kind = Kind::parameter;
  std::string id;       ///< in SBML
  std::string name;     ///< in Modelica, quoted where it has to be
  std::string initial;  ///< name of the parameter with the initial value, in the unit of `name`; "": none
  bool has_value = true;
  std::string amount = {},
              size = {};  ///< of a concentration: the state that it follows from, and its compartment; "": itself
};

/// What was read of a file, and what was not.
struct SbmlSummary {
  unsigned level = 0, version = 0;
  std::vector<std::pair<const char*, unsigned>> counts;  ///< of kinds that there are: "species", 3
  std::vector<std::string> left_out;                     ///< packages, and what else means nothing here
};

/// A Modelica model that means the same as an SBML model.
struct Translation {
  std::string model_name, text;
  std::vector<SbmlSymbol> symbols;
  SbmlSummary summary;
};

/// What is said of units that do not fit.
enum class UnitFindings : std::uint8_t { none, warning, error };

/// Modelica's text for an SBML model, core of levels 1 to 3. Species are variables in the unit in which SBML's formulas mean
/// them (concentrations, or amounts where hasOnlySubstanceUnits). Every initial value is a parameter
/// `'initial value of ID'`.
/// @param additions  are put into the model first
/// Errors  E801 to E806, E996, at lines of the file.
Result<Translation> translate(const std::string& path, const std::string& text, UnitFindings units,
                              const Additions& additions, Sources& sources, Diagnostics& diagnostics);

/// Modelica's expression for a formula in the infix notation of PEtab.
/// @param resolve  Modelica's name of an identifier; absent: it is unknown
/// Errors  E802, E804, E805 at the span.
using Resolve = std::function<std::optional<std::string>(const std::string& id)>;
Result<std::string> translate_formula(const std::string& formula, const Resolve& resolve, Span at, Diagnostics& diagnostics);

}  // namespace bolza::sbml
