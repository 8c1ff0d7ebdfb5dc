// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>

#include "workflow/solve/attempts/climb.h"

namespace bolza::workflow {

/// One way to try again where a problem was not solved. The table of docs/solving.md is written from these rows.
struct AttemptRow {
  std::string_view name;            ///< as outputs call it
  std::string_view difference;      ///< from the first attempt, and when it is made, for the page
  bool (*applies)(const Climb&);    ///< asked when its turn has come
  void (*make)(Climb&);             ///< one or more solves; none where a guess cannot be had
  Attempts effort = Attempts::all;  ///< the least effort to which it belongs
  bool is_cheap = false;            ///< made whatever the others took
  bool of_static = false;           ///< for problems without time, to which no other row belongs
};

/// One way to look for another optimum after a solution. The best is kept.
struct SearchRow {
  std::string_view name;
  std::string_view looks;  ///< from where, and when, for the page
  bool (*applies)(const Climb&);
  void (*look)(Climb&, const transcribe::TranscribeOptions& first);
};

/// In the order in which they are made.
std::span<const AttemptRow* const> attempts();
std::span<const SearchRow* const> searches();

}  // namespace bolza::workflow
