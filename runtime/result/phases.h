#pragma once
#include <span>

#include "runtime/result/table.h"

namespace bolza::result {

/// The tables of several phases as one, in the order of time; at equal times in the order of the phases. A variable of one
/// phase has no value (NaN) in the others. Where the phases follow each other, what all of them have (`climb.h`, `coast.h`)
/// is there as one curve through all of them, too (`h`).
/// @param names  of the phases, with which the names of their variables begin: "climb" of "climb.h", "der(climb.h)"
/// Cost  linear in variables × times.
ResultTable join_phases(std::span<const ResultTable> tables, std::span<const std::string> names);

/// The rows of a joined table in which some of the named variables has a value: those of the phase that they are of.
ResultTable rows_with(const ResultTable& table, std::span<const std::string> variables);

}  // namespace bolza::result
