// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/ir/group.h"

namespace bolza::ir {

/// What decides on a mode: a relation a < b, |e|, min, max or sign of something that varies.
struct ModeRelation {
  Term indicator;    ///< a − b, e: its sign is the side
  std::string text;  ///< as it is written
  Span span;
  std::int8_t at_zero = 1;  ///< the side that it has where the indicator is zero: a <= b that of a < b
};

/// A reinit: what it sets, and the relations that may fire it.
struct ModeJump {
  std::string state;
  std::vector<std::uint32_t> relations;
  Span span;
};

/// A sequence of modes: on which side each relation is in each piece of the horizon.
struct ModeSequence {
  struct Event {
    std::uint32_t jump = 0, relation = 0;  ///< a reinit that fires because a relation becomes zero
  };
  std::vector<double> times;                    ///< [pieces − 1] guesses of when one side changes; NaN: a phase ends
  std::vector<std::vector<std::int8_t>> sides;  ///< [pieces][relations] 1 or −1; empty: relations are listed, no more
  std::vector<double> sizes;                    ///< [relations] largest values of the indicators
  std::vector<std::vector<Event>> jumps;        ///< [pieces − 1] what happens where a piece ends; empty: nothing anywhere
};

/// A path constraint that keeps a relation on its side in one piece.
struct ModeGuard {
  RowId row;  ///< of the path constraints
  std::uint32_t relation = 0, piece = 0;
  std::int8_t side = 1;
};

}  // namespace bolza::ir
