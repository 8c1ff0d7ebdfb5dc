// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace bolza {

/// Bytes of the character at `at` where it would change what a terminal or a reader makes of a text: control characters (C0
/// but line ends and tabs, DEL, C1), marks that turn the direction of writing, separators of lines; 0 for all others.
std::size_t control_at(std::string_view text, std::size_t at);

/// A text as it may be shown: such characters become `\x1b`, `\u202e` and the like.
std::string printable(std::string_view text);

/// The same for a text of JSON, in which they stand in strings alone: `\u009b`.
std::string printable_json(std::string_view text);

}  // namespace bolza
