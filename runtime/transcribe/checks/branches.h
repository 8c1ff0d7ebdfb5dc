// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"

namespace bolza::transcribe {

/// Where the algebraics of a solution go over to another solution of their equations than the one that they were on.
struct BranchJump {
  std::string name;       ///< of the algebraic that is furthest off, relative to its size
  double time = 0;        ///< of the first sample on the other branch
  double before = 0;      ///< its value at the last sample before at which the equations hold
  double after = 0;       ///< its value at `time`
  double followed = 0;    ///< the value at `time` of the branch that it was on
  std::size_t jumps = 1;  ///< of all algebraics, over the whole horizon
};

/// Equations 0 = h(t, x, z, u) may have several solutions z (y² = 1 + x has two). A transcription asks for any of them at
/// each point; a simulation stays on one. From each sample at which the equations hold to the next such one t, x, u are
/// moved along a line and z follows its branch (AlgebraicBranch), to where the solution is on another; back from there the
/// other branch does not lead to where the first began. So at one point (t, x, u) there are two solutions, both of Newton's
/// method. Where z cannot be followed (the branch ends on the line) nothing is said. Samples at which the equations do not
/// hold are left out: a scheme that has them at the middle of an interval has polynomials at its ends. Requires  a solution
/// of this problem.     Errors  none: what cannot be evaluated is left out.     Cost  nothing without algebraics; else two
/// Newton iterations per sample, and one or two for every sample from which z moves.
std::optional<BranchJump> branch_jump(const bolza_problem& problem, const abi::Solution& solution);

}  // namespace bolza::transcribe
