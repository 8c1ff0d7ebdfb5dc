// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/content_hash.h"

namespace bolza::workflow {

/// What became of one point of a study.
struct PointRecord {
  enum class Kind : std::uint8_t {
    solved,
    warned,  ///< solved, with a warning
    failed,  ///< the solve, simulation or fit ended without a solution: `status` and `message` say why
    broken   ///< it did not end by itself: crashed, timed out, out of memory; or its values are refused
  } kind = Kind::failed;
  std::size_t point = 0;
  std::vector<std::string> values;                      ///< [axes of the plan]
  std::string status;                                   ///< "solved", "infeasible", "finished", "crashed", "input_error", …
  std::string message;                                  ///< why it is not solved, or what to be careful about; "" nothing
  std::vector<std::pair<std::string, double>> results;  ///< by name, in their order; NaN: not known
  double seconds = 0;                                   ///< of wall time

  bool is_good() const { return kind == Kind::solved || kind == Kind::warned; }
};
inline constexpr std::string_view kind_names[] = {"solved", "solved_with_warnings", "not_solved", "broken"};

/// A record as one line: 16 hexadecimal digits over the rest, a blank, JSON with every number to the last bit, a line end.
/// @param study  whose record it is: a line of another study does not pass as one of this
std::string line_of(const PointRecord& record, const ContentHash& study);

/// The record of a line without its end. None: it was cut off, changed, or belongs to another study.
std::optional<PointRecord> read_record(std::string_view line, const ContentHash& study);

/// Of two records of one point the one that counts, whichever was written first: the better kind, then the one that comes
/// first in the order of what it says, times left out.
bool counts_before(const PointRecord& a, const PointRecord& b);

}  // namespace bolza::workflow
