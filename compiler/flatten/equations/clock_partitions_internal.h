// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/flatten/equations/clock_rates_internal.h"
#include "compiler/flatten/model/model_internal.h"

namespace bolza::flatten {

/// Equations and variables that have one clock; or are continuous.
struct ClockPartition {
  bool clocked = false;
  bool differentiates = false;        ///< der(x) occurs
  std::vector<std::size_t> clocks;    ///< uses that are constructors of a base clock
  std::vector<std::size_t> solvers;   ///< uses that name a solver method
  std::vector<std::uint32_t> states;  ///< ids that are differentiated, ascending
  std::uint32_t base = 0;             ///< the base partition that it belongs to
  std::optional<TickRate> rate;       ///< of clocked partitions, once it is known
  std::string method;                 ///< solver method, "": none
};

/// A conversion between the clocks of two partitions.
struct ClockLink {
  std::uint32_t from = 0, to = 0;  ///< partitions of the operand and of the result
  std::size_t use = 0;
};

/// Partitions of a base clock.
struct BaseClock {
  std::vector<std::uint32_t> partitions;
  std::vector<ClockLink> links;
  std::optional<std::size_t> clock;  ///< use that makes the clock; for rational clocks any; none: the default clock
  bool in_seconds = true;            ///< rates are in seconds: a rational or the default clock; else in its ticks
};

/// What belongs to which clock.
struct ClockPartitions {
  std::vector<ClockPartition> partitions;
  std::vector<BaseClock> bases;
  std::unordered_map<std::uint32_t, std::uint32_t> of_variable;  ///< owner's id → partition
  std::vector<std::uint32_t> of_row, of_discrete_row;            ///< partitions; `none` for rows without variables
  std::vector<bool> used;                                        ///< [uses]
  static constexpr std::uint32_t none = 0xFFFFFFFFu;

  bool is_clocked(std::uint32_t partition) const { return partition != none && partitions[partition].clocked; }
  /// The partition of a variable, of its derivative or of its value before; `none` for parameters, time and flags.
  std::uint32_t of(std::uint32_t id) const;
};

/// The id of the variable that a derivative, or a value before an event, belongs to.
std::uint32_t owner_of(std::uint32_t id);
/// Ids of all variables of type Clock, ascending.
std::vector<std::uint32_t> clock_variables(const Model& model);
/// How an operator is written: "subSample".
const char* name_of(ClockOperator op);
bool is_constructor(ClockOperator op);
bool is_conversion(ClockOperator op);

/// Reports what is clocked and continuous at once.
ClockPartitions find_clock_partitions(Model& model);
/// Rates of all clocked partitions, and solver methods.
void infer_clocks(Model& model, ClockPartitions& partitions);

}  // namespace bolza::flatten
