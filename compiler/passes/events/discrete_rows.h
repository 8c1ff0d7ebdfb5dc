// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>

#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// A row of a discrete section, read as an assignment.
struct Reading {
  VariableId variable;
  ExprId value;  ///< over the slots and data of the row's instance
};

/// What a row determines when it is read as `v = e`, `not v = e` or `-v = e`, from either side: at most two readings.
/// @param rows       roots of one or more rows, in pairs
/// @param row        0, 1, …: which pair
/// @param is_target  may the row determine this variable?
std::vector<Reading> readings_of(ir::Dag& dag, const Applied& rows, std::size_t row,
                                 const std::function<bool(VariableId)>& is_target);

/// The rows of a discrete section with what each may determine. Those that share a call are neighbours, of one instance.
struct DiscreteRows {
  std::vector<GroupInstance> instances;
  std::vector<std::uint32_t> instance;         ///< [rows]
  std::vector<std::vector<Reading>> readings;  ///< [rows]
  std::uint32_t origin(std::size_t row) const { return instances[instance[row]].origin; }
  std::size_t size() const { return readings.size(); }
};
DiscreteRows read_discrete_rows(ir::Dag& dag, const ir::Section& section, const std::function<bool(VariableId)>& is_target);

/// Calls back with the first row of every instance and the values that its rows give, by the readings chosen of them.
/// @param chosen  [rows] none: the instance is left out
void for_each_value(Composer& composer, const DiscreteRows& rows, std::span<const Reading* const> chosen,
                    const std::function<void(std::size_t first, EventRow value)>& visit);

/// Variables of the model that discrete equations determine: of kind discrete, without definition, not made by
/// extract-events.
bool is_discrete_unknown(const System& system, VariableId v);

/// Turns discrete equations whose value depends on variables of `known` alone into definitions, one after the other, and
/// takes their rows out. Values before an event of what has a definition get one too (pre of it).
/// @param known  may the slot stand in a definition?
/// Cost: linear in the rows and the slots they contain.
void define_discrete(System& system, const std::function<bool(VariableId)>& known);

/// pre(v) of every v with a definition becomes that definition over values before the event; pre of what is new is added.
/// Gives back whether there was anything to do. Sections are left alone: see insert_definitions.
bool define_previous(System& system, Composer& composer);

}  // namespace bolza::passes
