// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/passes/structure/incidence.h"
#include "compiler/passes/system/system.h"

namespace bolza::passes {

/// As many equations as unknowns? Inputs without binding are known.
/// Errors  E407 with the parts of the model that have too many and too few equations.
Result<Done> check_balance(System& system, Diagnostics& diagnostics);

/// For a matching that is not perfect: E407 or E408, with the equations and variables concerned. In the incidence a state
/// counts as an occurrence of its derivative: what index reduction can reach is not a mistake.
Reported explain_singular(const System& system, const EquationRows& equations, const Unknowns& unknowns,
                          const Incidence& incidence, const Matching& matching, Diagnostics& diagnostics);

/// Parts of the model that the notes of one message name at most.
constexpr std::size_t notes_limit = 8;
/// `1 equation`, `2 equations`.
std::string counted(std::size_t n, const char* what);

/// The text of an equation, from the source when it is there, with the values of iterators; at most about 60 characters.
std::string text_of(const System& system, const GroupInstance& instance);
std::string text_of_origin(const System& system, std::uint32_t origin);

}  // namespace bolza::passes
