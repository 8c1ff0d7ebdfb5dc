// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "runtime/nlp/engine_settings.h"
#include "runtime/nlp/nlp.h"

namespace bolza::nlp {

/// What becomes of variables that take whole numbers only.
enum class Integers : std::uint8_t {
  refused,   ///< the problem is not solved; the engines that can are named
  branched,  ///< our branch and bound solves relaxed problems with the engine
  own        ///< the engine takes them
};

/// One NLP solver. It sees a scaled problem without fixed variables.
struct Engine {
  std::string_view name, description;
  bool exact_hessian = false, lbfgs = false, gauss_newton = false;
  bool constraints = true;  ///< false: it takes bounds alone
  bool dense = false;       ///< an iteration costs the cube of the number of variables
  Integers integers = Integers::refused;
  bool condenses = false;  ///< takes `EngineOptions::condensing`
  bool (*available)() = nullptr;
  /// Solves from `start` (multipliers may be empty). The functions are called from this thread only. Several threads may
  /// call it at once: an engine on a library with state of the process takes turns, as those on MUMPS do (mumps_turn.h).
  Report (*solve)(const Nlp& nlp, const EngineOptions& options, const Iterate& start) = nullptr;
  std::span<const EngineSetting> settings;  ///< its options, where they are ours
  /// Of an engine with a table of options of its own: empty when it accepts the option, else what is wrong with it, with a
  /// near match.
  std::string (*check_option)(std::string_view name, std::string_view value) = nullptr;
};

/// Empty when the engine accepts the option, else what is wrong with it, with a near match.
std::string check_option(const Engine& engine, std::string_view name, std::string_view value);

std::span<const Engine* const> engines();
/// Null when there is no such row. Besides those of the table `newton`, which minimises nothing: it solves the boundary
/// value problems of the indirect methods.
const Engine* find_engine(std::string_view name);
/// "`ipopt`, `sqp`": those of which something holds.
std::string names_of_engines(bool (*which)(const Engine&));
/// The second derivatives that a solve with these options asks for: Gauss-Newton matrices where the engine has no use for
/// exact ones, else what the options say.
Hessian hessian_for(const EngineOptions& options);

}  // namespace bolza::nlp
