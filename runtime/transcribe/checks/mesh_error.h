// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "runtime/abi/bolza.h"
#include "runtime/abi/solution.h"

namespace bolza::transcribe {

/// How well a solution satisfies the model between its collocation points, interval by interval.
struct MeshError {
  bool known = false;                         ///< false: the trajectories are not those of a transcription with polynomials
  std::vector<std::vector<double>> interval;  ///< [phases][N]
  std::vector<std::size_t> order;  ///< [phases] p: halving an interval divides its error by 2^p where all is smooth
  double objective = 0;            ///< of the objective: claimed, see below; same units, never negative
  double objective_bound = 0;      ///< the same where nothing cancels
  std::vector<std::vector<double>> objective_of;  ///< [phases][N] what every interval adds to the bound
  double largest = 0;
  std::string name;          ///< of the state, integral, variable or constraint that is worst
  double time = 0;           ///< where
  double control_slope = 0;  ///< ∫ Σ |∂H/∂u| size(u) dt where u is between its bounds; NaN: not known
  std::string slope_name;    ///< of the control whose |∂H/∂u| size(u) is largest
  double slope_time = 0;     ///< and where
};

/// Estimates the local error of every mesh interval [t_i, t_i + h]. With the polynomials x̃, ũ of the solution and z from
/// h(t, x̃, z, ũ) = 0,
///
///   x̂(t) = x̃(t_i) + ∫ f(s, x̃, z, ũ) ds,     error = max over states and check points of |x̂ − x̃| / size        [PR2015,
///   section 3.2]
///
/// where f is integrated through s + 2 Lobatto points for s collocation points: x̂ is one order better than x̃ inside the
/// interval, so that the difference is x̃'s own local error to leading order; where the equations are stiff, the
/// difference that they leave of it (error_equation.h). Integrals Q count as states. Bounds and path
/// constraints that the polynomials violate between their points count as ∫ violation dt / ((tf − t0) size), those of
/// states alone as 0.3 of the largest violation / size where that is more: an overshoot beside a switch of the
/// control makes the interval short, not the work endless. The objective is off, to first order, by the sum over the
/// intervals of these, with their signs: what one gains another may lose, and an interval what its neighbour gains. What is
/// claimed is more by 0.3 of the sum, for the second order (as P. J. Roache's factor of safety of 1.25, Annual Review of
/// Fluid Mechanics 29, 1997), and by shares of what cancels, by chance and as costates are those of the mesh: between
/// intervals and within one 0.3 and 0.05; 0.65 and 0.3 in schemes of order 2, 0.75 and 0.35 in those of order 1, whose
/// costates are poorer. Their integrals are split where an integrand has a kink or a control switches (SplitQuadrature).
///
///   ∫ λᵀ (f(t, x̃, z, ũ) − x̃') dt, λ the costates [BR2001, section 3]: the residual is zero at the collocation points and
///   orthogonal to polynomials of low degree, so that x̂ − x̃ at the right end would say too little;
///   what its integrals are off;
///   what the Hamiltonian gains by controls outside their bounds, and would gain by others within their limits: beyond a
///   switch inside the interval, in the corner of a kink, at its minimum (ControlGain);
///   what states, algebraics and path constraints gain outside theirs: the multipliers of the interval times the violation,
///   the largest where the limit is on states alone, else its mean.
///
/// What ends of arcs on limits of states cost is not known to first order: the multiplier of a limit that is touched, or
/// held for a part of an interval, has an unknown place in it, and the costates' polynomials have no jump or bend there.
/// What controls of costates that differ by that (costate_doubt) would gain is claimed for it, and half as much more; at
/// bounds a tenth.
///
/// An optimum has ∂H/∂u = 0 wherever nothing but their bounds limits the controls and u is between them. The transcription
/// has it at the collocation points; `control_slope` is what is left of it at the check points, in the objective's units: by
/// so much, to first order, the objective could change if u moved by its size.
///
/// Sizes: nominal, else the largest value of the trajectory, at least 1e-3 of what the variable was divided by. Needs the
/// value and Jacobian kernels of rates and residuals.     Errors a point where z cannot be solved for
/// keeps the interpolated z; a value that is not finite is an infinite error.     Cost  some 4 (s + 2) evaluations per
/// interval, a few tens more at a kink, and four for each control at s + 2 points.
MeshError mesh_error(bolza_problem& problem, const abi::Solution& solution);

/// Mesh fractions of each phase where intervals with an error above `tol` are cut into 2 to 4 equal parts, as many as their
/// order asks for. At most `most` intervals in a phase: the worst are cut first. The present mesh when nothing may or need
/// be cut.
/// @param share  an interval that adds more than this to the error of the objective is cut, too; 0: is not looked at
std::vector<std::vector<double>> refined_mesh(const MeshError& error, const abi::Solution& solution, double tol,
                                              double share, std::size_t most);

}  // namespace bolza::transcribe
