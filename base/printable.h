#pragma once
#include <string>
#include <string_view>

namespace bolza {

/// A text as it may be shown in a terminal: control characters other than line ends and tabs become `\x1b` and the like.
std::string printable(std::string_view text);

}  // namespace bolza
