// SPDX-License-Identifier: Apache-2.0
// How an optimum moves with parameters of the model: by the implicit function theorem at the conditions of Karush, Kuhn and
// Tucker, its active set held [FIACCO].
#pragma once
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "runtime/abi/neighbours.h"
#include "runtime/abi/solution.h"

namespace bolza::transcribe {

/// Derivatives of the trajectories of a phase by a parameter, at samples that keep their share of the horizon.
struct PhaseSlopes {
  std::vector<double> time;                  ///< [samples] of the samples themselves; 0 where times are given
  std::vector<std::vector<double>> x, z, u;  ///< [n_x], [n_z], [n_u] × samples
};

/// What moves first when a parameter goes on in one direction, by linear extrapolation.
struct ActiveChange {
  double step = std::numeric_limits<double>::infinity();  ///< of the parameter, > 0; infinite: nothing does
  std::string of;                                         ///< variable or constraint
  double time = std::numeric_limits<double>::quiet_NaN();
  bool becomes_active = false;  ///< reaches its limit; else it leaves it
};

/// The response of an optimum to one parameter.
struct TrajectorySlopes {
  bool known = false;  ///< the neighbours have the same structure, and the system was solved well
  std::vector<PhaseSlopes> phases;
  std::vector<double> parameters;  ///< [n_parameters] of free parameters and times; those that are given count, too
  ActiveChange below, above;       ///< where the active set changes when the parameter gets smaller, larger
};

struct TrajectorySensitivity {
  std::string why;                       ///< nothing is known: for this reason; "": it is
  abi::Solution solution;                ///< the one that the slopes are of, at whose samples they are
  std::vector<TrajectorySlopes> slopes;  ///< [neighbours]
};

/// dx*/dp, dz*/dp, du*/dp. The solution is solved on from where it is stored, on its own mesh, by a collocation or one-step
/// scheme (Radau, if it was found by shooting); then one factorisation, and a right-hand side for each parameter from
/// differences of the gradients of the Lagrangian and of the constraints over the neighbours.
/// Requires  a solution with trajectories and meshes.     Cost  linear in the mesh: the few iterations of a warm start, two
/// evaluations of first derivatives and a solve for each parameter.
TrajectorySensitivity trajectory_sensitivity(bolza_problem& problem, const abi::Solution& stored,
                                             std::span<const abi::NeighbourProblems> neighbours);

}  // namespace bolza::transcribe
