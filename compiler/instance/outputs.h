#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace bolza::instance {

/// Expressions of point values such as "x(2.5) + k" within a text as a user typed it, so that mistakes are shown there.
struct Outputs {
  struct Part {
    std::uint32_t begin = 0, end = 0;  ///< bytes of the text
    bool at_end = false;               ///< a name whose value at the final time is meant
  };
  std::string text;
  std::vector<Part> parts;
};

}  // namespace bolza::instance
