// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

namespace bolza::transcribe {

/// Something that a problem can be relieved of: a constraint, or the bounds of a variable. The same on every mesh.
struct Limit {
  enum class Kind : std::uint8_t { path, point, state, algebraic, control, parameter };
  Kind kind = Kind::path;
  std::int32_t phase = -1, index = 0;  ///< of the row or variable; phase -1: of the problem
  std::string text = {};               ///< "x(finalTime) = 10" as it was written, "0 <= u <= 1" of bounds
  std::string file = {};               ///< where it was written, "" not known
  std::int32_t line = 0, column = 0;

  bool same_as(const Limit& other) const { return kind == other.kind && phase == other.phase && index == other.index; }
};

}  // namespace bolza::transcribe
