// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <optional>
#include <string>

#include "compiler/sbml/quantities_internal.h"

namespace bolza::sbml {

/// What is known of the unit of a formula: powers of base units, times a factor.
struct Measure {
  /// of metre, kilogram, second, ampere, kelvin, mole, candela, item
  std::array<double, 8> powers{};
  double factor = 1;  ///< one of it in base units
  bool exact = true;  ///< the factor holds too: no number without a unit was at work

  bool is_number() const { return powers == std::array<double, 8>{}; }
};
using Known = std::optional<Measure>;

Measure operator*(const Measure& a, const Measure& b);
Measure operator/(const Measure& a, const Measure& b);
Measure power(const Measure& a, double exponent);
bool fits(const Measure& a, const Measure& b);

/// "mol/(m3.s)"; the factor in front when it is not 1.
std::string to_text(const Measure& measure);

/// The units that a model declares, by name.
class DeclaredUnits {
 public:
  explicit DeclaredUnits(const Model& model) : model_(model) {}

  /// Of a definition, of a base unit of SBML, or in levels 1 and 2 of a built-in one. Absent: nothing says what it is.
  Known named(const std::string& name) const;
  Known of_compartment(const std::string& id) const;
  Known amount_of(const Species& species) const;
  Known of_species(const Species& species) const;  ///< in formulas
  Known time() const;
  Known extent() const;  ///< of reactions

 private:
  const Model& model_;
};

}  // namespace bolza::sbml
