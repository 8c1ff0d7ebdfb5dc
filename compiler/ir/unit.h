// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace bolza::ir {

/// A unit of measurement: powers of the seven base units of SI, in twelfths, times a factor, and an offset for
/// temperatures in degrees. Angles are numbers.
struct Unit {
  static constexpr int whole = 12;
  std::array<int, 7> powers{};  ///< of m, kg, s, A, K, mol, cd; in twelfths, so that roots have units too
  double factor = 1;            ///< one of it in SI
  double offset = 0;            ///< added after the factor: 273.15 for degC

  bool same_dimension(const Unit& other) const { return powers == other.powers; }
  bool same_scale(const Unit& other) const;  ///< also factor (to 1e-9) and offset
  bool is_number() const { return powers == std::array<int, 7>{}; }
};

Unit operator*(const Unit& a, const Unit& b);
Unit operator/(const Unit& a, const Unit& b);
/// The unit to a power; empty when twelfths cannot express it.
std::optional<Unit> unit_power(const Unit& unit, double exponent);

/// Reads a unit expression of Modelica [MLS, chapter 19]: factors joined by `.`, integer exponents after them, one `/`,
/// parentheses, prefixes of SI; `1` for a number. Knows the base and derived units of SI and those that MLS allows with it.
/// Empty when a symbol is not known or the text is not a unit expression.
std::optional<Unit> parse_unit(std::string_view text);

/// "W", "m/s2", "kg.m2/(s3.K)", "1"; the factor in front when it is not 1: "1000 m".
std::string to_text(const Unit& unit);

}  // namespace bolza::ir
