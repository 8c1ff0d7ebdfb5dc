// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/modes.h"

namespace bolza::passes {

/// Which equations the problem keeps (docs/integrators.md, three forms).
enum class Form : std::uint8_t {
  explicit_rates,  ///< index reduced, whatever can be solved symbolically is gone: ẋ = f, 0 = h
  reduced,         ///< index reduced, every equation a residual: all derivatives are algebraics v with ẋ = v
  original,        ///< the same without index reduction: h is the F that was written
};
/// The form that the option `form` names; absent for other words.
std::optional<Form> form_named(std::string_view name);

/// What becomes of relations that make events, and of everything else that happens at events.
enum class Events : std::uint8_t {
  automatic,  ///< literal in optimisation problems, else keep
  keep,       ///< remembered values and indicators: for simulation
  literal,    ///< relations are functions of their operands; what only events can change is refused
};

/// What is said of units that do not fit.
enum class Units : std::uint8_t { ignore, warn, strict };
/// The word for it; absent for others.
std::optional<Units> units_named(std::string_view name);

/// [pieces] values of controls by their names.
using HeldControls = std::vector<std::map<std::string, double>>;

/// What a problem is to be besides what the model's text says. One value goes from the command line, an interface or the
/// workflow through the driver to the passes, copied whole: an option that changes the model is a member here.
struct Transformation {
  std::set<std::string, std::less<>> disabled;  ///< names of passes that are left out; "group" also stops later grouping
  std::optional<Form> form;                     ///< absent: what the class's annotation says, else explicit
  /// Values of variables at a point, by full name (also "time", "der(x)"): index reduction chooses states that are good
  /// there. Empty: start values where given.
  std::map<std::string, double, std::less<>> point;
  Events events = Events::automatic;
  bool literal_phases = false;  ///< in a problem with phases relations make no events, whatever is asked for
  double smooth = 0;            ///< > 0: width of the smooth functions that replace relations; events are literal then
  double complementarity = 0;   ///< > 0: relations are complementarity, relaxed by so much
  std::optional<ir::ModeSequence> modes;  ///< pieces in which every relation has one side
  /// [pieces] controls, by name, that have one value in a piece of `modes`. Not empty: pieces are arcs of controls, `sides`
  /// has an empty list for each, and relations stay as they are written.
  HeldControls held;
  bool cut_at_points = false;  ///< where values are read inside the horizon it is cut, at fixed times, too
  Units units = Units::warn;
  bool strict = false;  ///< what the language forbids and others let pass is an error, not a warning
  /// > 0: path inequalities are integrals of their squared violations (integrate_path_constraints.h); absent: as annotated.
  std::optional<double> path_tolerance;
  /// > 0: the objective's integral is a sum over so many steps (sample_integral.h); absent: as annotated.
  std::optional<std::uint32_t> samples;
};

}  // namespace bolza::passes
