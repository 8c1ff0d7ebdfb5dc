// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <limits>
#include <string>

namespace bolza {

/// Relative distance of neighbouring numbers.
inline constexpr double rounding = std::numeric_limits<double>::epsilon();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// A number for a person: so many significant digits, "NaN", "inf".
std::string shown(double value, int digits = 6);
/// What a positive number is at most, in one digit: 1.1e-6 is "2e-06".
std::string shown_at_most(double value);
/// The shortest text that reads as the same number.
std::string exact_text(double value);
void append_exact(std::string& out, double value);

}  // namespace bolza
