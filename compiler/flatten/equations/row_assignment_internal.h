// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <vector>

namespace bolza::flatten {

/// Which row determines which unknown: a matching that grows row by row along alternating paths, breadth first.
class RowAssignment {
 public:
  /// A new row with the unknowns that it may determine, those it would rather come first; its number.
  std::uint32_t add(std::vector<std::uint32_t> unknowns);
  /// Gives the row an unknown of its own, other rows perhaps others.   @return false: there is none
  bool assign(std::uint32_t row);
  /// [unknown] → row
  const std::map<std::uint32_t, std::uint32_t>& row_of() const { return row_of_; }

 private:
  void move_along(std::uint32_t row, std::uint32_t free, const std::map<std::uint32_t, std::uint32_t>& reached_from);

  std::vector<std::vector<std::uint32_t>> rows_;
  std::map<std::uint32_t, std::uint32_t> row_of_, unknown_of_;
};

}  // namespace bolza::flatten
