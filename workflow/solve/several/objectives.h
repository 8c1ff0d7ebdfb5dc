// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "workflow/model.h"

namespace bolza::workflow {

/// What `--objectives` asks for: one sum, one after the other, or a front.
enum class ObjectivesWay { weighted, lexicographic, front };

struct WrittenObjective {
  std::string text;           ///< as written
  std::string expression;     ///< with `(finalTime)` at what varies with time, outside integrals
  bool has_extremum = false;  ///< over time: a bound that the optimum presses against, so that its value is one, too
};

struct Objectives {
  ObjectivesWay way = ObjectivesWay::weighted;
  std::vector<WrittenObjective> list;
};

/// Reads `0.3*energy + 0.7*time`, `time > energy` or `energy, time`; all are minimised. Names are those of `base`.
/// Errors  E979 the text, an unknown name, the same objective twice.
Result<Objectives> read_objectives(const std::string& text, const Model& base, Sources& sources, Diagnostics& diagnostics);

/// The request for the class with objective `minimised` in the place of its own; of the others, number k is at most
/// limits[k] (infinite: not bounded). Their values are the free parameters `value_name(k)`, unless there is a single one.
LoadRequest with_objective(const Model& base, const Objectives& objectives, std::size_t minimised,
                           std::span<const double> limits);

/// "objective_2" of number 1.
std::string value_name(std::size_t k);

}  // namespace bolza::workflow
