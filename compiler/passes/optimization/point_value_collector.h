// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <map>
#include <set>

#include "compiler/passes/parameters/affine_in_parameters.h"
#include "compiler/passes/system/parameter_values.h"
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// Point values V of a problem: collects the places and quantities that point functions read.
///
/// A point value stands in expressions as the variable id n_scalars + its number in Lowered::values.
class PointValueCollector {
 public:
  PointValueCollector(System& system, Composer& composer, Diagnostics& diagnostics)
      : system_(system),
        composer_(composer),
        diagnostics_(diagnostics),
        values_(system) {}

  /// The time slot of a timed variable as a place a·t0 + b·tf + c. Places at the ends of a fixed horizon are those ends.
  /// Errors  E411 not affine, E412 outside a fixed horizon.
  Result<std::uint32_t> place_of(VariableId timed);
  /// Where an expression of `time` is zero, as a place that no value is taken at: the mesh has a point there. Nothing where
  /// that is not a time that is affine in the ends of the horizon.
  void add_corner(const Applied& zero, std::uint32_t phase);
  std::uint32_t place_at_start() { return number_of({1, 0, 0, 0}); }
  /// At a share of a phase's horizon: 0 its start, 1 its end.
  std::uint32_t place_between(double share, std::uint32_t phase) { return number_of({1 - share, share, 0, phase}); }

  /// A timed variable as an expression of point values and parameters. Errors as place_of.
  Result<Applied> expression_of(VariableId timed);
  /// Any variable that varies with time, at a place; likewise parameters, which stay.
  const Applied& at(VariableId v, std::uint32_t place);
  std::uint32_t value_of(ir::PointValue value);

 private:
  /// A time in the ends of a phase, as the ids of startTime and finalTime; nothing else is free in it.
  AffineInParameters affine(const ir::Term& term, std::uint32_t phase);
  AffineInParameters leaf(VariableId v, std::uint32_t phase) const;
  std::uint32_t number_of(ir::TimePlace place);
  Applied time_at(std::uint32_t place);
  Applied make(VariableId v, std::uint32_t place);
  /// What events change has no value at a place: not a number, which is told once.
  Applied unknown(VariableId discrete);

  System& system_;
  Composer& composer_;
  Diagnostics& diagnostics_;
  ParameterValues values_;
  std::map<std::pair<VariableId, std::uint32_t>, Applied> made_;
  std::map<std::pair<std::array<std::uint64_t, 3>, std::uint32_t>, std::uint32_t> place_numbers_;
  std::map<std::array<std::uint32_t, 3>, std::uint32_t> value_numbers_;
  std::set<VariableId> told_;
};

}  // namespace bolza::passes
