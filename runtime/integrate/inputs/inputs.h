// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "runtime/abi/solution.h"

namespace bolza::integrate {

/// The inputs on [begin, end]: the polynomial through the values at the nodes. One node: constant. Nodes may lie inside, at
/// the ends or outside.
struct InputPiece {
  double begin = 0, end = 0;
  std::vector<double> nodes;                ///< seconds, distinct
  std::vector<std::vector<double>> values;  ///< [n_u][nodes]
};

/// Inputs as functions of time. Integrators stop and start again between pieces.
/// Invariant: pieces follow each other without gaps.
struct Inputs {
  std::vector<InputPiece> pieces;
  bool has_delayed = false;  ///< delayed values are given like the others; else a run takes them from its own past
};

/// u(t) by the piece's polynomial; `slope`, when not empty, gets du/dt. Cost O(n_u nodes²).
void evaluate(const InputPiece& piece, double t, std::span<double> u, std::span<double> slope = {});

/// Taylor coefficients of u at t: u[i][k] = u_i^(k)(t)/k! for k < columns, out is [n_u × columns] by rows. Cost O(n_u
/// nodes²).
void expand(const InputPiece& piece, double t, std::size_t columns, std::span<double> out);

/// One piece with constant values.
Inputs constant_inputs(double begin, double end, std::span<const double> u);

/// Linear between the times; a time that stands twice makes a jump. Values are held beyond the ends of the times.
Inputs linear_inputs(double begin, double end, std::span<const double> time, const std::vector<std::vector<double>>& u);

/// The inputs of a solved phase: constants or, per mesh interval, the polynomial through the points of its trajectory.
Inputs inputs_of(const abi::PhaseSolution& phase);

}  // namespace bolza::integrate
