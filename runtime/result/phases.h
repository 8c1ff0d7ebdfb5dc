// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "runtime/result/table.h"

namespace bolza::result {

/// The tables of several phases as one, in the order of time; at equal times in the order of the phases. A variable of one
/// phase has no value (NaN) in the others. Where the phases follow each other, what varies in some and is there in all of
/// them (`climb.h`, `coast.h`) is there as one curve through all of them, too (`h`), and so is what is constant in each of
/// them without being a parameter.
/// @param names  of the phases, with which the names of their variables begin: "climb" of "climb.h", "der(climb.h)"
/// Cost  linear in variables × times.
ResultTable join_phases(std::span<const ResultTable> tables, std::span<const std::string> names);

/// The rows of a joined table in which some of the named variables has a value: those of the phase that they are of.
ResultTable rows_with(const ResultTable& table, std::span<const std::string> variables);

/// A stretch of a table as that of a phase: the times from `start` to `final` and these two, the names with the phase's.
ResultTable as_phase(const ResultTable& table, const std::string& phase, double start, double final);

/// Where the name of a phase begins: at "h" of "h", of "der(h)" and "costate(h)", at "integral(" of "integral(if h > 0 …)",
/// which is a variable's own name.
std::size_t place_of_phase(std::string_view name);

/// "climb.h" → "h", "der(climb.h)" → "der(h)"; "" when it is not a name of that phase.
std::string without_phase(const std::string& name, const std::string& phase);

}  // namespace bolza::result
