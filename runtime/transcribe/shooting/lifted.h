// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/transcribe/shooting/growth.h"
#include "runtime/transcribe/shooting/rounds_internal.h"
#include "runtime/transcribe/shooting/shooting_internal.h"

namespace bolza::transcribe {

/// What was found with the states at the mesh points as intermediate variables.
struct LiftedReport {
  nlp::Report report;     ///< its iterate in the variables and rows of single shooting
  Growth growth;          ///< of errors over the horizon, at the end
  std::string objection;  ///< not empty: the problem cannot be solved this way
  double rtol = 0;        ///< of the integrations
  double accuracy = 0;    ///< as AccurateReport
  std::size_t simulations = 0;
};

/// Solves the reduced problem by Newton's method on its states at the mesh points [ALBERSMEYER]: they are variables of the
/// iteration, whose linearised conditions are eliminated from every quadratic program (`sqp`, `hqp`) or from the system of
/// every step (`ipopt`), and follow from the controls in the end: the variables and the optimum are those of single
/// shooting, the steps those of multiple shooting. Unstable and strongly nonlinear equations need an order of magnitude
/// fewer steps so.
///
/// Where the states that follow by one integration are off the rows by more than the engine's tolerance, as errors have
/// grown on the way, it goes on from them; where errors grow so much that the tolerance of integration leaves more than the
/// engine's, it is integrated to a smaller one, unless the options set it.
/// @param guess  states at mesh points start on its trajectories
/// Cost  of a step: of every interval the derivatives by its own state, controls and parameters, first and second ones.
LiftedReport solve_lifted(bolza_problem& problem, const TranscribeOptions& options, const ShootingOptions& shooting,
                          const Accuracy& accuracy, const abi::Solution* guess, RoundMemory& memory);

/// An iterate of multiple shooting's program as one of single shooting's for the same mesh: initial states, controls,
/// parameters and the rows that both have; multipliers of states' bounds become those of rows.
nlp::Iterate without_intermediate_states(const ShootingNodes& lifted, const nlp::Iterate& iterate,
                                         const ShootingNodes& single);

}  // namespace bolza::transcribe
