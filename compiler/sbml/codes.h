// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "base/diagnostics.h"

namespace bolza::sbml {

inline constexpr Code not_sbml{"E801", "`{0}` is not an SBML model that can be read: {1}",
                               "Files that end in .xml or .sbml are read as SBML, levels 1 to 3. What libsbml says of them "
                               "stands in the message."};
inline constexpr Code not_supported{
    "E802", "{0} cannot be translated: {1}",
    "SBML models become Modelica models. Fast reactions, required packages other than `comp`, and\n"
    "functions without a counterpart are refused."};
inline constexpr Code no_value{"E803", "`{0}` has no value",
                               "Every compartment, species and parameter has a value, an initial assignment or a rule; one "
                               "that a PEtab table gives a\nvalue needs none in the model."};
inline constexpr Code unknown_symbol{"E804", "`{0}` is not known here",
                                     "Formulas may use the identifiers of the model: compartments, species, parameters, "
                                     "reactions and, within a kinetic\nlaw, its local parameters."};
inline constexpr Code bad_formula{
    "E805", "the formula `{0}` cannot be read: {1}",
    "Formulas of PEtab are written as `k1*A/(K + A)`, with ^ or ** for powers, ln or log for the natural "
    "logarithm, and\npiecewise(value, condition, otherwise)."};
inline constexpr Code algebraic_rule{
    "E806", "no variable is left that this algebraic rule could determine",
    "An algebraic rule determines one variable that is neither constant nor set by a rule or a "
    "reaction."};

inline constexpr Code bad_yaml{"E807", "`{0}` cannot be read as YAML: {1}",
                               "The file of a PEtab problem is YAML: `key: value` on each line, lists with `-`, the same "
                               "indentation within a list."};

inline constexpr Code sbml_units_differ{
    "E996", "{0} and {1} have different units: {2} and {3}",
    "What a formula of an SBML model adds, compares or is given to must be of one kind. Units are those that the file "
    "declares;\nparameters without one, numbers, and the time fit everywhere, and only dimensions are compared where a "
    "number has been at\nwork. A kinetic law is an extent per time, not a concentration per time. This is a warning, unless "
    "`--units strict` asks for\nan error; `--units ignore` leaves the check out."};

inline constexpr std::array all_codes{&not_sbml,    &not_supported,  &no_value, &unknown_symbol,
                                      &bad_formula, &algebraic_rule, &bad_yaml, &sbml_units_differ};

}  // namespace bolza::sbml
