// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace bolza::result {

/// The strokes of a character: groups of coordinate pairs (x 0-4, y 0-8; 0 top of capitals, 2 top of small letters, 6 base
/// line), groups parted by blanks. Unknown characters give a box. Never empty but for a blank.
std::string_view strokes_of(char32_t character);

/// Distance between characters in the same units.
inline constexpr double stroke_advance = 5.6, stroke_height = 6;

/// Takes one UTF-8 character from the front; bytes that are none give U+FFFD.
char32_t take_character(std::string_view& text);

}  // namespace bolza::result
